// The inspector edits clips, materials and nodes, undoes that, and saves the file.

import { readGltf } from 'gambol/gltf';
import { longTests, test } from '../page/api.ts';
import { pageFaults } from './support/axe.ts';
import {
  change,
  distance,
  downloads,
  rotationOf,
  opened,
  pointer,
  TIME,
  timeline,
  turned,
  undo,
} from './support/editing.ts';
import { panel, press, set } from './support/inspector.ts';

longTests();

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
    const { viewer, clip, page, window, pose } = at;
    const key = await timeline(t, at);
    const before = clip();
    viewer.currentTime = 0;
    key(']');
    await t.frames(2);
    const { left, width } = t.some(page.querySelector<HTMLElement>('.tl-playhead')).getBoundingClientRect();
    const row = t.some(page.querySelector('.tl-tree [tabindex="0"]')).getBoundingClientRect();
    const [x, y] = [left + width / 2, row.top + row.height / 2];
    const time = viewer.currentTime;
    const was = pose(time);
    const point = pointer(t, at);
    point('pointerdown', x, y);
    point('pointermove', x + 6, y);
    point('pointermove', x + 12, y);
    await t.until(() => clip() !== before, 'the clip follows the drag');
    t.ok(distance(pose(time), was) > 1e-5, 'and the picture, too');
    t.ok(page.querySelector('.tl-onion[data-shown]'), 'the pose of before is a ghost');
    press(page.body, 'Escape');
    await t.until(() => clip() === before, 'Escape gives the clip back');
    t.ok(!page.querySelector('.tl-onion[data-shown]'), 'without a ghost');
    t.ok(page.querySelector('.tl-view'), 'and the panel stays');
    point('pointerup', x + 12, y);
    await t.frames(3);
    point('pointerdown', x, y);
    for (const by of [6, 9, 12]) point('pointermove', x + by, y);
    point('pointerup', x + 12, y);
    await t.until(() => clip() !== before && /^move \d+ keys?$/.test(at.text('live')), 'moved');
    undo(at);
    await t.until(() => clip() === before, 'one step of undo');

    const control = await panel(t, at, 'timeline');
    const { duration } = t.some(viewer.clip);
    change(t, at, 'Name', 'Stroll');
    await t.until(() => viewer.clip?.name === 'Stroll', 'another name');
    await t.frames(3);
    change(t, at, 'Speed ×', '2');
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
    const { viewer, page, clip } = at;
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

    const saved = downloads(at);
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

test(
  'inspector: a node is posed at the playhead, which makes a key',
  async (t) => {
    const at = await opened(t);
    const { viewer, page, clip } = at;
    const before = clip();
    await panel(t, at, 'outline');
    const rows = [...page.querySelectorAll<HTMLElement>('#outline .tree-row')];
    t.some(rows.find((row) => row.querySelector('.tree-name')?.textContent === 'Head')).click();
    viewer.currentTime = 0.37;
    await t.until(() => page.querySelector('[aria-label="Rotation ° X"]'), 'the pose');
    await t.sleep(400);
    const pose = (axis: string): number =>
      t.some(page.querySelector<HTMLInputElement>(`[aria-label="Rotation ° ${axis}"]`)).valueAsNumber;
    const angles = [25, pose('Y'), pose('Z')];
    const field = t.some(page.querySelector<HTMLInputElement>('[aria-label="Rotation ° X"]'));
    set(field, '25');
    field.dispatchEvent(new Event('change', { bubbles: true }));
    await t.until(() => clip() !== before, 'a key');
    viewer.currentTime = 0.37;
    const head = viewer.joint('Head');
    const [world, parent] = [head.world, t.some(head.parent).world].map((matrix) => new DOMMatrix([...matrix]));
    const local = t.some(parent).inverse().multiply(t.some(world));
    t.close(rotationOf(local), turned(angles), 2e-5, 'the rotation of the head');
    undo(at);
    await t.until(() => clip() === before, 'undone, to the bit');
  },
  TIME,
);
