// The elements of a scene, by the names that its code has for them.

import { members, paths } from '../crowd/members.ts';
import type { Scope } from './run.ts';

/** Options of `createViewer`: one WebGL context for the page, which scrolls below the pointer. */
const OPTIONS = { renderer: 'shared', cameraControls: false } as const;

export function scopeOf(live: HTMLElement): Scope {
  const all = <E extends Element>(selector: string): E[] => [...live.querySelectorAll<E>(selector)];
  const canvases = all<HTMLCanvasElement>('canvas');
  const buttons = all<HTMLButtonElement>('button[value]');
  return {
    canvas: canvases[0],
    canvases,
    button: buttons[0],
    buttons,
    slider: all('input[type=range]')[0],
    file: all('input[type=file]')[0],
    label: all('.tag')[0],
    output: all('output')[0],
    stage: live,
    options: OPTIONS,
    members,
    paths,
  };
}
