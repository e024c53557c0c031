// The inspector edits clips, materials and nodes, undoes that, and saves the file.

import type { Viewer } from 'gambol';
import { readGltf } from 'gambol/gltf';
import { longTests, test, type T } from '../page/api.ts';
import { pageFaults } from './support/axe.ts';
import { panel, press, set, site, type Site } from './support/inspector.ts';

longTests();

const TIME = { timeout: 150_000 };

interface Opened extends Site {
  readonly viewer: Viewer;
  /** The clip that plays, as text: equal texts are equal numbers. */
  clip(): string;
  keys(): number;
  pose(time: number): number[];
}

async function opened(t: T, width?: number, height?: number): Promise<Opened> {
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
async function timeline(t: T, at: Site): Promise<(key: string, more?: KeyboardEventInit) => void> {
  const control = await panel(t, at, 'timeline');
  await t.until(() => at.page.querySelector('.tl-tree [tabindex="0"]'), 'rows');
  control('Edit').click();
  await t.until(() => at.page.querySelector('[aria-label="Interpolation of the selected rows"]'), 'the controls');
  return (key, more) => press(t.some(at.page.querySelector('.tl-tree [tabindex="0"]')), key, more);
}

const undo = ({ page }: Site): void => press(page.body, 'z', { ctrlKey: true });

function distance(one: readonly number[], other: readonly number[]): number {
  return one.reduce((most, value, i) => Math.max(most, Math.abs(value - (other[i] ?? Infinity))), 0);
}

test(
  'inspector: keys are moved, deleted and added; undo gives the clip back to the bit',
  async (t) => {
    const at = await opened(t);
    const { viewer, clip, keys, pose } = at;
    const key = await timeline(t, at);
    const [before, count] = [clip(), keys()];
    viewer.currentTime = 0;
    key(']');
    const time = viewer.currentTime;
    t.ok(time > 0, 'the playhead is on a key');
    const was = pose(time);

    key('ArrowRight', { altKey: true, shiftKey: true });
    await t.until(() => clip() !== before, 'the key has moved');
    t.ok(Math.abs(viewer.currentTime - time) < 1e-5, 'the playhead stays');
    t.ok(distance(pose(time), was) > 1e-5, 'the pose is another one');
    undo(at);
    await t.until(() => clip() === before, 'undone, to the bit');
    t.equal(distance(pose(time), was), 0, 'the pose of before');
    press(at.page.body, 'z', { ctrlKey: true, shiftKey: true });
    await t.until(() => clip() !== before, 'done again');
    undo(at);
    await t.until(() => clip() === before, 'and undone');

    viewer.currentTime = 0;
    key(']');
    key('Delete');
    await t.until(() => keys() < count, 'deleted');
    undo(at);
    await t.until(() => clip() === before, 'the keys are back');

    const between = time * 0.37;
    const pictured = pose(between);
    key('k');
    await t.until(() => keys() > count, 'added');
    t.ok(distance(pose(between), pictured) < 1e-5, 'with the pose that was shown');
    undo(at);
    await t.until(() => clip() === before, 'and taken away');
    t.equal(at.page.getElementById('failure')?.hidden, true);
  },
  TIME,
);

test(
  'inspector: a drag moves a key in the dope sheet, and the whole clip is edited',
  async (t) => {
    const at = await opened(t);
    const { viewer, clip, page, window } = at;
    const key = await timeline(t, at);
    const before = clip();
    viewer.currentTime = 0;
    key(']');
    const view = t.some(page.querySelector<HTMLElement>('.tl-view'));
    await t.frames(2);
    const { left, width } = t.some(page.querySelector<HTMLElement>('.tl-playhead')).getBoundingClientRect();
    const row = t.some(page.querySelector('.tl-tree [tabindex="0"]')).getBoundingClientRect();
    const [x, y] = [left + width / 2, row.top + row.height / 2];
    const { PointerEvent: FramePointer } = window as Window & typeof globalThis;
    view.setPointerCapture = () => undefined;
    const point = (type: string, clientX: number): boolean =>
      view.dispatchEvent(
        new FramePointer(type, {
          pointerId: 1,
          isPrimary: true,
          pointerType: 'mouse',
          clientX,
          clientY: y,
          bubbles: true,
        }),
      );
    point('pointerdown', x);
    point('pointermove', x + 6);
    point('pointermove', x + 12);
    t.equal(clip(), before, 'the clip changes at the end of the drag');
    point('pointerup', x + 12);
    await t.until(() => clip() !== before, 'the key has moved');
    undo(at);
    await t.until(() => clip() === before, 'undone');

    const control = await panel(t, at, 'timeline');
    const { duration } = t.some(viewer.clip);
    const change = (label: string, value: string): void => {
      const field = t.some(
        [...page.querySelectorAll('.timeline label')].find(({ textContent }) => textContent?.trim() === label),
        label,
      );
      const input = t.some(field.querySelector('input'));
      set(input, value);
      input.dispatchEvent(new Event('change', { bubbles: true }));
    };
    change('Name', 'Stroll');
    await t.until(() => viewer.clip?.name === 'Stroll', 'another name');
    await t.frames(3);
    change('Speed ×', '2');
    await t.until(() => Math.abs((viewer.clip?.duration ?? 0) - duration / 2) < 1e-4, 'twice as fast');
    await t.frames(3);
    control('Reverse').click();
    await t.until(() => viewer.model !== null && at.text('live') === 'reverse', 'backwards');
    for (let i = 0; i < 3; i++) undo(at);
    await t.until(() => clip() === before, 'as it was');
    t.equal(await pageFaults(window as Window & typeof globalThis), []);
  },
  TIME,
);

test(
  'inspector: colours and nodes are changed, and the saved file has all edits',
  async (t) => {
    const at = await opened(t);
    const { viewer, page, window, clip } = at;
    const control = await panel(t, at, 'materials');
    await t.until(() => page.querySelector('#materials input[type=color]'), 'the controls of materials');
    const first = [...viewer.material(0).values.baseColor];
    set(control('Base colour'), '#ff0000');
    await t.until(() => distance(viewer.material(0).values.baseColor, [1, 0, 0, first[3] ?? 1]) < 1e-6, 'red');
    undo(at);
    await t.until(() => distance(viewer.material(0).values.baseColor, first) === 0, 'the colour of the file');
    press(page.body, 'z', { ctrlKey: true, shiftKey: true });
    await t.until(() => viewer.material(0).values.baseColor[1] === 0, 'red again');

    const key = await timeline(t, at);
    const before = clip();
    viewer.currentTime = 0;
    key(']');
    key('ArrowRight', { altKey: true, shiftKey: true });
    await t.until(() => clip() !== before, 'a key has moved');

    const saved: HTMLAnchorElement[] = [];
    const { HTMLAnchorElement: FrameAnchor } = window as Window & typeof globalThis;
    FrameAnchor.prototype.click = function (this: HTMLAnchorElement) {
      saved.push(this);
    };
    const edited = clip();
    const timelineControl = await panel(t, at, 'timeline');
    timelineControl('Save file').click();
    await t.until(() => saved.length > 0, 'a download');
    t.ok(saved[0]?.download.endsWith('-edited.glb'), saved[0]?.download);
    const blob = await (await fetch(t.some(saved[0]).href)).blob();
    const [file, original] = [await readGltf(blob), await readGltf('/sample.glb')];
    const json = file.json as Record<string, unknown[]>;
    const materials = json['materials'] as { pbrMetallicRoughness?: { baseColorFactor?: number[] } }[];
    t.ok(distance(t.some(materials[0]?.pbrMetallicRoughness?.baseColorFactor), [1, 0, 0, 1]) < 1e-6, 'the colour');
    const names = (list: unknown): unknown => (list as { name?: string }[]).map(({ name }) => name);
    for (const part of ['nodes', 'meshes', 'materials', 'animations'])
      t.equal(names(json[part]), names((original.json as Record<string, unknown>)[part]), part);

    viewer.currentTime = 0;
    await viewer.load(t.some(saved[0]).href);
    t.equal(clip(), edited, 'the clip of the saved file');
  },
  TIME,
);
