// The types of events in listeners, without a framework.

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
