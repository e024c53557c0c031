// The package for the cases: as it ships, plus a list of the viewers, so that `boot.ts` can dispose of those that a
// case leaves. The import map resolves `gambol` to this file, and from this file to the package.

import { createViewer as create, type Viewer } from 'gambol';

export * from 'gambol';

declare global {
  interface Window {
    gambolViewers?: Set<Viewer>;
  }
}

const viewers = (window.gambolViewers = new Set());

export const createViewer: typeof create = async (...given) => {
  const viewer = await create(...given);
  viewers.add(viewer);
  return viewer;
};
