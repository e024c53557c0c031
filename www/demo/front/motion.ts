// Motion starts by itself only if the system does not ask for less of it.

import { element } from '../app/dom.ts';

const reduced = matchMedia('(prefers-reduced-motion: reduce)');

/** Calls `start` now; if the system asks for reduced motion, after a press of a Play button in `stage`. */
export function startMotion(stage: HTMLElement, start: () => void): void {
  if (!reduced.matches) return start();
  const button = element('button', 'button strong', 'Play');
  button.type = 'button';
  const note = element('div', 'paused', element('p', '', 'Paused because your system asks for less motion.'), button);
  button.addEventListener('click', () => {
    note.remove();
    start();
  });
  stage.append(note);
}
