// Opens the pages of www/examples as a phone shows them.

import type { Actor, BlendSpace, Crowd, Viewer } from 'gambol';
import type { GambolViewer } from 'gambol/element';
import type { T } from '../../page/api.ts';

/** The window of an example, with the variables that it has for the console. */
export type Example = Window &
  typeof globalThis & {
    readonly viewer: Viewer;
    readonly viewers: readonly Viewer[];
    readonly gait: BlendSpace;
    readonly sword: Actor;
    readonly crowd: Crowd;
  };

/** Opens an example, and waits for its first frame; the time limit of the test ends the wait. */
export async function opened(t: T, name: string): Promise<Example> {
  const before = window.gambolMessages.length;
  const page = (await t.page(`/examples/${name}.html`, 360, 640)) as Example;
  t.after(() => t.equal(window.gambolMessages.slice(before), [], 'the console'));
  const element = page.document.querySelector<GambolViewer>('gambol-viewer');
  const isShown = (): boolean | undefined =>
    element
      ? element.modelIsVisible
      : (page.viewers ?? [page.viewer]).every((viewer) => viewer && viewer.stats.frames > 0);
  // A software GPU takes long to draw the crowd.
  while (!isShown()) await t.sleep(20);
  t.ok(page.document.documentElement.scrollWidth <= 360, 'it fits');
  return page;
}

export function find<E extends HTMLElement = HTMLElement>(t: T, page: Example, selector: string): E {
  return t.some(page.document.querySelector<E>(selector), selector);
}

export function slide(t: T, page: Example, value: string): void {
  const slider = find<HTMLInputElement>(t, page, 'input');
  slider.value = value;
  slider.dispatchEvent(new Event('input'));
}
