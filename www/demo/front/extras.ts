// Controls of scenes that are no part of their code: the state of buttons, slow motion, repeats, and a view from inside a crowd.

import type { Viewer } from 'gambol';
import { INSIDE } from '../crowd/members.ts';

const SLOW = 0.2;

/** The time in s between two changes of the button Repeat. */
const PAUSE = 2.4;

/** Buttons of a group are pressed one at a time: the last one that was clicked. */
export function keepPressed(live: HTMLElement): void {
  for (const group of live.querySelectorAll('[role=group]')) {
    const buttons = [...group.querySelectorAll<HTMLButtonElement>('button[value]')];
    for (const button of buttons) {
      button.ariaPressed ??= 'false';
      button.addEventListener('click', () => {
        for (const other of buttons) other.ariaPressed = String(other === button);
      });
    }
  }
}

/** While the button `data-repeat` is pressed, the first button of its group and the one that was chosen last take turns. */
export function repeat(live: HTMLElement, viewer: Viewer): void {
  const toggle = live.querySelector<HTMLElement>('[data-repeat]');
  // One viewer of the scene is the clock.
  if (!toggle || toggle.dataset['clock']) return;
  toggle.dataset['clock'] = 'true';
  const [first, ...others] = live.querySelectorAll<HTMLButtonElement>('button[value]');
  let [other, last] = [others[0], 0];
  for (const button of others)
    button.addEventListener('click', () => {
      other = button;
    });
  for (const button of [first, ...others])
    button?.addEventListener('click', () => {
      last = viewer.now;
    });
  toggle.addEventListener('click', () => {
    toggle.ariaPressed = String(toggle.ariaPressed !== 'true');
  });
  viewer.addEventListener('before-render', () => {
    if (toggle.ariaPressed !== 'true' || viewer.now - last < PAUSE) return;
    (first?.ariaPressed === 'true' ? other : first)?.click();
  });
}

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
    viewer.camera = { azimuth: 0.5, polar: 1.08, fovY: 0.6 };
  };
  button.addEventListener('click', () => {
    // The code of the scene sets the rest of the camera for each number of members.
    if (button.ariaPressed === 'true') return live.querySelector<HTMLElement>('[value][aria-pressed=true]')?.click();
    button.ariaPressed = 'true';
    viewer.camera = INSIDE;
  });
  for (const other of live.querySelectorAll('button[value]')) other.addEventListener('click', outside);
}
