// The types of events in listeners and of morphs, without a framework.

import type { Crowd, Viewer } from 'gambol';
import type {} from 'gambol/cdn';
import type { GambolViewer } from 'gambol/element';
import * as worker from 'gambol/worker.js';

export function listen(element: GambolViewer, any: HTMLElement): void {
  element.addEventListener('marker', ({ detail }) => detail.name.trim());
  element.addEventListener('joint-click', ({ detail: { joint, position } }) => `${joint} ${position.x.toFixed(2)}`);
  element.addEventListener('error', ({ detail }) => detail.code.trim());
  element.addEventListener('pointerdown', (event) => event.pointerId.toFixed(0));
  element.addEventListener('something-else', (event) => event.type.trim());
  document.querySelector('gambol-viewer')?.addEventListener('camera-change', ({ detail }) => detail.source.trim());
  // @ts-expect-error it tells the rate, not the speed
  element.addEventListener('ratechange', ({ detail }) => detail.speed);
  any = element;
  any.append(element);
}

export function listenToChildren(page: Document): void {
  for (const name of ['gambol-actor', 'extra-model', 'gambol-crowd'] as const) {
    const child = page.createElement(name);
    child.addEventListener('load', ({ detail }) => detail.url?.trim());
    child.addEventListener('error', ({ detail }) => detail.code.trim());
    child.addEventListener('click', ({ clientX }) => clientX.toFixed(0));
    // @ts-expect-error an address, no name
    child.addEventListener('load', ({ detail }) => detail.name);
  }
}

/** With the one file, the page has a global. */
export async function global(canvas: HTMLCanvasElement): Promise<void> {
  const viewer = await gambol.createViewer(canvas);
  await viewer.load(new URL(String(worker), 'https://example.org').href);
  // @ts-expect-error there is no such function
  gambol.createPlayer(canvas);
}

export async function prepare(viewer: Viewer, element: GambolViewer): Promise<boolean> {
  await Promise.all([viewer.use('picking', 'body'), element.use()]);
  element.features = 'picking';
  // @ts-expect-error there is no such feature
  await viewer.use('springs');
  return viewer.uses('picking');
}

export function smile(viewer: Viewer, crowd: Crowd): number {
  const morph = viewer.morph('smile');
  [morph.weight] = viewer.model?.morphs[0]?.range ?? [0];
  morph.override(null, { fade: 0.2 });
  // @ts-expect-error a morph has no space
  morph.override(1, { space: 'local' });
  crowd.set({ morphs: { smile: [0, null], blink: new Float32Array(2), surprise: null } });
  // @ts-expect-error weights are numbers
  crowd.set({ morphs: { smile: ['0'] } });
  const child = document.createElement('gambol-morph');
  child.name = null;
  return child.weight + child.fade;
}
