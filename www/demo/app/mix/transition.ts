import type { Viewer } from 'gambol';
import { byId } from '../dom.ts';
import { seconds } from '../format.ts';

/** How a choice of another clip looks, and how long it takes. */
export function transitionControls(viewer: Viewer): void {
  const kind = byId<HTMLSelectElement>('transition');
  const time = byId<HTMLInputElement>('transition-time');
  const shown = byId<HTMLOutputElement>('transition-shown');
  const show = (): void => {
    kind.value = viewer.transition;
    time.value = String(viewer.transitionDuration);
    time.disabled = viewer.transition === 'cut';
    shown.value = `${seconds(viewer.transitionDuration)} s`;
  };
  kind.addEventListener('change', () => {
    viewer.transition = kind.value as Viewer['transition'];
    show();
  });
  time.addEventListener('input', () => {
    viewer.transitionDuration = Number(time.value);
    show();
  });
  show();
}
