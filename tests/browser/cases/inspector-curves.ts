// Tangents, several keys at once, and splits of clips in the inspector.

import type { ClipTrackData } from 'gambol';
import { longTests, test, type T } from '../page/api.ts';
import { change, distance, opened, pointer, TIME, timeline, turned, undo, type Opened } from './support/editing.ts';
import { press, set } from './support/inspector.ts';

longTests();

/** The track of a node and a property in the clip that plays. */
function track(t: T, { viewer }: Opened, node: string, path: string): ClipTrackData {
  const model = t.some(viewer.model);
  const { index } = model.findJoint(node);
  return t.some(
    model.clipData(t.some(viewer.clip).index).tracks.find((one) => one.node === index && one.path === path),
    `${node} ${path}`,
  );
}

/** A key of a spline: in-tangent, value, out-tangent. */
function parts({ times, values }: ClipTrackData, key: number): readonly [number[], number[], number[]] {
  const width = values.length / times.length / 3;
  const part = (at: number): number[] => [...values.subarray((3 * key + at) * width, (3 * key + at + 1) * width)];
  return [part(0), part(1), part(2)];
}

/** Shows the curves of a channel of the hips, and selects the second of its keys. */
async function curves(t: T, at: Opened, channel: string): Promise<(label: string) => HTMLButtonElement> {
  const { page, viewer } = at;
  const key = await timeline(t, at);
  key('ArrowRight');
  const row = () =>
    [...page.querySelectorAll<HTMLElement>('.tl-row')].find(({ textContent }) => textContent?.startsWith(channel));
  await t.until(row, channel);
  row()?.click();
  await t.until(() => row()?.tabIndex === 0, 'the selected row');
  const button = (label: string): HTMLButtonElement =>
    t.some(
      [...page.querySelectorAll<HTMLButtonElement>('.timeline button')].find(
        ({ textContent }) => textContent?.trim() === label,
      ),
      label,
    );
  button('Curves').click();
  await t.until(() => page.querySelector('.tl-main[data-view="curves"]'), 'curves');
  viewer.currentTime = 0;
  key(']');
  await t.until(() => page.querySelector('[aria-label="Selected key"]'), 'the fields of the key');
  return button;
}

/** The rotation of a quaternion, by its vectors: column by column. */
function rotated(quaternion: readonly number[]): number[] {
  const length = Math.hypot(...quaternion);
  const [x = 0, y = 0, z = 0, w = 1] = quaternion.map((part) => part / length);
  return [
    ...[1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
    ...[2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
    ...[2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
  ];
}

test(
  'inspector: a handle turns the tangents of a key, in one step of undo',
  async (t) => {
    const at = await opened(t, 1200, 900);
    const { page, clip, viewer } = at;
    const button = await curves(t, at, 'Translation');
    button('Flat').click();
    const now = (): ClipTrackData => track(t, at, 'Hips', 'translation');
    await t.until(() => now().interpolation === 'CUBICSPLINE', 'a spline');
    t.equal(parts(now(), 1)[0], [0, 0, 0], 'a flat tangent');
    const before = clip();
    const time = viewer.currentTime;
    await t.frames(3);

    // A flat handle is beside its key, and the pointer says where.
    const view = t.some(page.querySelector<HTMLElement>('.tl-view'));
    const box = view.getBoundingClientRect();
    const { left, width } = t.some(page.querySelector('.tl-playhead')).getBoundingClientRect();
    const x = left + width / 2 + 46;
    const point = pointer(t, at);
    const isOver = (y: number): boolean => {
      point('pointermove', x, y);
      return view.style.cursor === 'pointer';
    };
    let y = box.top + 2;
    while (y < box.bottom && !isOver(y)) y += 2;
    t.ok(y < box.bottom, 'a handle');
    y += 6;
    point('pointerdown', x, y);
    for (const by of [10, 20, 30]) point('pointermove', x, y - by);
    await t.until(() => clip() !== before, 'the clip follows');
    point('pointerup', x, y - 30);
    await t.until(() => at.text('live').startsWith('tangent of Hips'), 'the end of the drag');
    const [into, value, out] = parts(now(), 1);
    t.equal(into, out, 'both sides');
    t.equal(out.filter((slope) => slope > 0).length, 1, 'one curve rises');
    // The oracle is the picture: the hips move by the slope of the handle.
    const curve = out.findIndex((slope) => slope > 0);
    const place = (seconds: number): number => {
      viewer.currentTime = seconds;
      return viewer.joint('Hips').world[12 + curve] as number;
    };
    const speed = (step: number): number => (place(time + step) - place(time - step)) / (2 * step);
    // The curve bends otherwise before the key than after it, by which a difference has an error in proportion to its step.
    const slope = 2 * speed(0.001) - speed(0.002);
    t.close([slope], [out[curve] as number], 2e-3 * Math.max(1, slope), 'the speed of the hips');
    undo(at);
    await t.until(() => clip() === before, 'undone, to the bit');
    t.equal(parts(now(), 1)[1], value, 'the value has not changed');

    // Alt turns one side only.
    await t.frames(3);
    point('pointerdown', x, y);
    for (const by of [10, 20, 30]) point('pointermove', x, y - by, { altKey: true });
    point('pointerup', x, y - 30, { altKey: true });
    await t.until(() => clip() !== before && parts(now(), 1)[2].some((part) => part > 0), 'one side');
    t.equal(parts(now(), 1)[0], [0, 0, 0], 'the other one is flat');
    undo(at);
    await t.until(() => clip() === before, 'undone');
    t.equal(at.page.getElementById('failure')?.hidden, true);
  },
  TIME,
);

test(
  'inspector: fields set the value and the tangents of a key; Euler angles are those of the platform',
  async (t) => {
    const at = await opened(t, 1200, 900);
    const { page, clip } = at;
    const button = await curves(t, at, 'Rotation');
    const now = (): ClipTrackData => track(t, at, 'Hips', 'rotation');
    const original = clip();
    button('Smooth').click();
    await t.until(() => now().interpolation === 'CUBICSPLINE', 'a spline');
    await t.frames(3);
    const curve = (index: number): void =>
      set(t.some(page.querySelector<HTMLElement>('[aria-label^="Curve of"]')), `${index}`);
    const angles = [12, -34, 56];
    for (const [i, angle] of angles.entries()) {
      curve(i);
      await t.frames(3);
      const before = clip();
      change(t, at, 'Value °', `${angle}`);
      await t.until(() => clip() !== before, `the angle ${angle}`);
      await t.frames(3);
    }
    t.close(rotated(parts(now(), 1)[1]), turned(angles), 1e-6, 'the rotation');

    const speeds = [30, -20, 10];
    for (const [i, speed] of speeds.entries()) {
      curve(i);
      await t.frames(3);
      const before = clip();
      change(t, at, 'Out', `${speed}`);
      await t.until(() => clip() !== before, `the slope ${speed}`);
      await t.frames(3);
    }
    const [into, value, out] = parts(now(), 1);
    t.equal(into, out, 'both sides');
    const step = 1e-3;
    const after = turned(angles.map((angle, i) => angle + step * (speeds[i] ?? 0)));
    t.close(rotated(value.map((part, i) => part + step * (out[i] ?? 0))), after, 2e-6, 'the tangent');

    for (let i = 0; i < 7; i++) undo(at);
    await t.until(() => clip() === original, 'all of it is undone');
  },
  TIME,
);

test(
  'inspector: several keys of several channels move together; a rectangle, Shift and a finger select them',
  async (t) => {
    const at = await opened(t, 1200, 900);
    const { page, viewer, clip } = at;
    const key = await timeline(t, at);
    const before = clip();
    const words = (): string => page.querySelector('.tl-detail')?.textContent ?? '';
    const count = (): number => Number(/^(\d+) keys/.exec(words())?.[1] ?? 0);
    const row = t.some(page.querySelector('.tl-tree [tabindex="0"]')).getBoundingClientRect();
    const { left, right } = t.some(page.querySelector('.tl-view')).getBoundingClientRect();
    const point = pointer(t, at);

    // Over three rows, from the left half to the right one, off the marks.
    const [y0, y1] = [row.top + 1, row.top + 2.5 * row.height];
    const box = (x0: number, x1: number, more?: PointerEventInit): void => {
      point('pointerdown', x0, y0, more);
      point('pointermove', x1, y1, more);
      point('pointerup', x1, y1, more);
    };
    const quarter = (right - left) / 4;
    box(left + quarter + 3, left + 2 * quarter + 3);
    await t.until(() => count() > 3 && /\d+ channels/.test(words()), 'keys of several channels');
    const some = count();
    box(left + 2 * quarter + 4, left + 3 * quarter, { shiftKey: true });
    await t.until(() => count() > some, 'more of them');
    const all = count();
    const times = (): number[] =>
      t
        .some(viewer.model)
        .clipData(t.some(viewer.clip).index)
        .tracks.flatMap((one) => [...one.times]);
    const old = times();
    key('ArrowRight', { altKey: true });
    await t.until(() => clip() !== before, 'moved');
    const frame = 1 / t.some(viewer.clip).fps;
    const moved = times().filter((time, i) => Math.abs(time - (old[i] as number)) > 1e-6);
    t.equal(moved.length, all, 'all that were selected, and no other');
    t.ok(frame > 0);
    undo(at);
    await t.until(() => clip() === before, 'one step of undo');

    // A finger pans, unless it selects.
    press(t.some(page.querySelector('.tl-tree [tabindex="0"]')), 's');
    await t.until(() => count() > 0 && count() !== all, 'all keys of the row');
    const select = t.some([...page.querySelectorAll('.timeline button')].find((one) => one.textContent === 'Select'));
    (select as HTMLButtonElement).click();
    await t.frames(3);
    const ofRow = count();
    box(left + quarter + 3, left + 3 * quarter, { pointerType: 'touch' });
    await t.until(() => count() > ofRow, 'the finger adds');
    t.equal(getComputedStyle(t.some(page.querySelector('.tl-view'))).touchAction, 'none');
    t.equal(clip(), before);
  },
  TIME,
);

test(
  'inspector: a clip is split at the playhead; undo joins it, and redo splits it again',
  async (t) => {
    const at = await opened(t);
    const { page, viewer, clip, pose } = at;
    const key = await timeline(t, at);
    const model = t.some(viewer.model);
    const first = t.some(viewer.clip);
    const [before, count, name] = [clip(), model.clips.length, first.name];
    const of = (index: number) => model.clips.find((one) => one.index === index);
    const whole = pose(first.duration * 0.75);
    viewer.currentTime = 0;
    key('t');
    await t.until(() => at.text('live').includes('playhead'), 'not at the beginning');
    t.equal(model.clips.length, count);

    viewer.currentTime = first.duration / 2;
    key('t');
    await t.until(() => model.clips.length === count + 1, 'two clips');
    const second = t.some(model.clips.at(-1));
    t.equal(second.name, `${name} 2`);
    t.close([t.some(of(first.index)).duration, second.duration], Array(2).fill(first.duration / 2), 1e-5, 'halves');
    viewer.play(second.id);
    viewer.pause();
    await t.until(() => viewer.clip?.index === second.index, 'the second half');
    await t.frames(5);
    t.ok(distance(pose(first.duration / 4), whole) < 1e-5, 'it has the poses of the whole clip');
    // An edit of the second half, which undo and redo find again in a clip of another index.
    await t.until(() => page.querySelector('.tl-corner strong')?.textContent === second.name, 'its keys');
    const half = clip();
    change(t, at, 'Speed ×', '2');
    await t.until(() => clip() !== half, 'faster');
    const fast = clip();
    undo(at);
    await t.until(() => clip() === half, 'as before');
    undo(at);
    await t.until(() => model.clips.length === count, 'one clip');
    await t.until(() => viewer.clip?.index === first.index && clip() === before, 'whole, to the bit');
    const redo = (): void => press(page.body, 'z', { ctrlKey: true, shiftKey: true });
    redo();
    await t.until(() => model.clips.length === count + 1, 'two again');
    redo();
    const again = t.some(model.clips.at(-1));
    await t.until(() => Math.abs((of(again.index)?.duration ?? 0) - first.duration / 4) < 1e-5, 'and faster');
    viewer.play(again.id);
    viewer.pause();
    await t.until(() => viewer.clip?.index === again.index && clip() === fast, 'the same edit');
    t.equal(page.getElementById('failure')?.hidden, true);
  },
  TIME,
);
