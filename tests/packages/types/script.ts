// The types of events in listeners and of morphs, without a framework.

import type { Crowd, Viewer } from 'gambol';
import type { GambolViewer } from 'gambol/element';

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
