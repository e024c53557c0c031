// Controls of scenes that are no part of their code: slow motion, and a view from inside a crowd.

import type { Viewer } from 'gambol';
import { INSIDE } from '../crowd/members.ts';

const SLOW = 0.2;

/** The box `data-slow` slows the timeline down, transitions included. */
export function slowDown(live: HTMLElement, viewer: Viewer): void {
  const box = live.querySelector<HTMLInputElement>('[data-slow]');
  box?.addEventListener('change', () => {
    if (!box.checked) {
      viewer.timeline = 'auto';
      return;
    }
    let [seconds, last] = [0, performance.now()];
    viewer.timeline = () => {
      const now = performance.now();
      seconds += (SLOW * Math.min(100, now - last)) / 1000;
      last = now;
      return seconds;
    };
  });
}

/** The button `data-inside` puts the camera into the middle of the crowd, and back. */
export function showInside(live: HTMLElement, viewer: Viewer): void {
  const button = live.querySelector<HTMLElement>('[data-inside]');
  if (!button) return;
  const outside = (): void => {
    button.ariaPressed = 'false';
    viewer.camera = { azimuth: 0.5, polar: 1.15, fovY: 0.6 };
    viewer.frame();
  };
  button.addEventListener('click', () => {
    if (button.ariaPressed === 'true') return outside();
    button.ariaPressed = 'true';
    viewer.camera = INSIDE;
  });
  for (const other of live.querySelectorAll('button[value]')) other.addEventListener('click', outside);
}
