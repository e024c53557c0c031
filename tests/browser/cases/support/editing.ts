// The inspector while it edits.

import type { Viewer } from 'gambol';
import type { T } from '../../page/api.ts';
import { panel, press, set, site, type Site } from './inspector.ts';

export const TIME = { timeout: 150_000 };

export interface Opened extends Site {
  readonly viewer: Viewer;
  /** The clip that plays, as text: equal texts are equal numbers. */
  clip(): string;
  keys(): number;
  pose(time: number): number[];
}

export async function opened(t: T, width?: number, height?: number): Promise<Opened> {
  const at = await site(t, '', width, height);
  await t.until(() => at.text('model-name') === 'Sample character', 'the sample character');
  const viewer = t.some(at.player.viewer);
  at.player.pause();
  const data = () => t.some(viewer.model).clipData(t.some(viewer.clip).index);
  return {
    ...at,
    viewer,
    clip: () => {
      const { name, tracks, markers } = data();
      const list = tracks.map((track) => ({ ...track, times: [...track.times], values: [...track.values] }));
      return JSON.stringify({ name, markers, list });
    },
    keys: () => data().tracks.reduce((sum, { times }) => sum + times.length, 0),
    pose: (time) => {
      viewer.currentTime = time;
      return t.some(viewer.model).joints.flatMap(({ index }) => [...viewer.joint(index).world]);
    },
  };
}

/** The timeline with the controls of edits; returns its row with the focus. */
export async function timeline(t: T, at: Site): Promise<(key: string, more?: KeyboardEventInit) => void> {
  const control = await panel(t, at, 'timeline');
  await t.until(() => at.page.querySelector('.tl-tree [tabindex="0"]'), 'rows');
  control('Edit').click();
  await t.until(() => at.page.querySelector('[aria-label="Interpolation of the selected rows"]'), 'the controls');
  return (key, more) => press(t.some(at.page.querySelector('.tl-tree [tabindex="0"]')), key, more);
}

export const undo = ({ page }: Site): void => press(page.body, 'z', { ctrlKey: true });

export function distance(one: readonly number[], other: readonly number[]): number {
  return one.reduce((most, value, i) => Math.max(most, Math.abs(value - (other[i] ?? Infinity))), 0);
}

/** The downloads of the page, which are not made. */
export function downloads({ window }: Site): HTMLAnchorElement[] {
  const saved: HTMLAnchorElement[] = [];
  const { HTMLAnchorElement: FrameAnchor } = window as Window & typeof globalThis;
  FrameAnchor.prototype.click = function (this: HTMLAnchorElement) {
    saved.push(this);
  };
  return saved;
}

/** Sends pointers to the keys; returns a function that sends one to a place in them. */
export function pointer(
  t: T,
  { page, window }: Site,
): (type: string, x: number, y: number, more?: PointerEventInit) => void {
  const view = t.some(page.querySelector<HTMLElement>('.tl-view'));
  const { PointerEvent: FramePointer } = window as Window & typeof globalThis;
  // There is no such pointer that could be captured.
  view.setPointerCapture = () => undefined;
  return (type, clientX, clientY, more) => {
    const at = {
      pointerId: 1,
      isPrimary: true,
      pointerType: 'mouse',
      clientX,
      clientY,
      bubbles: true,
      cancelable: true,
    };
    view.dispatchEvent(new FramePointer(type, { ...at, ...more }));
  };
}

/** Changes a field of the controls of edits, by its label, as Enter does. */
export function change(t: T, { page }: Site, label: string, value: string): void {
  const field = t.some(
    [...page.querySelectorAll('.timeline label')].find(({ textContent }) => textContent?.trim() === label),
    label,
  );
  const input = t.some(field.querySelector('input'));
  set(input, value);
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

/** The rotation of Euler angles in degrees by the platform: turns about X, then the turned Y, then the turned Z. */
export function turned([x = 0, y = 0, z = 0]: readonly number[]): number[] {
  const matrix = new DOMMatrix().rotateAxisAngle(1, 0, 0, x).rotateAxisAngle(0, 1, 0, y).rotateAxisAngle(0, 0, 1, z);
  return rotationOf(matrix);
}

/** The rotation of a matrix without shear: its linear part, column by column, without its scale. */
export function rotationOf({ m11, m12, m13, m21, m22, m23, m31, m32, m33 }: DOMMatrix): number[] {
  const columns = [
    [m11, m12, m13],
    [m21, m22, m23],
    [m31, m32, m33],
  ];
  return columns.flatMap((column) => column.map((value) => value / Math.hypot(...column)));
}
