// The timeline of the inspector: its parts are mounted in the page of the test, on a generated model.

import { createViewer, loadAsset, type Marker, type Segment, type Viewer } from 'gambol';
import { pathOf } from '../../../www/demo/inspect/timeline/pose.ts';
import { mountTimeline, type Edit, type Timeline } from '../../../www/demo/inspect/timeline/timeline.ts';
import { angleBetween, eulerAngles, valueAt } from '../../../www/demo/inspect/timeline/values.ts';
import { test, type Action, type T } from '../page/api.ts';
import { faults } from './support/axe.ts';
import { keyed, KEY_TIMES } from './support/keyed.ts';

interface Mounted {
  readonly viewer: Viewer;
  readonly timeline: Timeline;
  readonly root: HTMLElement;
  readonly edits: Edit[];
  readonly ranges: (Segment | null)[];
  readonly nodes: (number | null)[];
  readonly said: string[];
  find<E extends HTMLElement = HTMLElement>(selector: string): E;
  /** The pixel of the window at a time of the fitted clip, in the ruler. */
  x(time: number): number;
  /** The vertical middle of a row's canvas, or of a lane of the ruler. */
  y(place: 'range' | 'ticks' | 'markers' | number): number;
}

/** The space beside a fitted clip, in CSS pixels. */
const MARGIN = 14;
/** The row height for a mouse. */
const ROW = 24;

async function style(name: string): Promise<void> {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = `/styles/${name}.css`;
  const loaded = new Promise((resolve) => link.addEventListener('load', resolve));
  document.head.append(link);
  await loaded;
}

async function mounted(t: T, { clip = 'Keys', glb = keyed() } = {}): Promise<Mounted> {
  await style('base');
  await style('timeline');
  const stage = document.createElement('main');
  stage.style.cssText = 'position: relative; width: 320px; height: 200px';
  const canvas = document.createElement('canvas');
  canvas.style.cssText = 'display: block; width: 320px; height: 200px';
  const overlay = document.createElement('div');
  overlay.style.cssText = 'position: absolute; inset: 0; pointer-events: none';
  const root = document.createElement('section');
  root.ariaLabel = 'Timeline';
  root.style.cssText = 'position: fixed; inset: 220px 0 0';
  stage.append(canvas, overlay);
  document.body.append(stage, root);
  const viewer = await createViewer(canvas, { autoplay: false, reducedMotion: 'ignore' });
  await viewer.load(glb);
  viewer.clip = clip;
  viewer.pause();
  const record = { edits: [] as Edit[], ranges: [] as (Segment | null)[], nodes: [] as (number | null)[] };
  const said: string[] = [];
  const timeline = mountTimeline(root, {
    viewer,
    overlay,
    selectNode: (node) => record.nodes.push(node),
    onRange: (range) => record.ranges.push(range),
    onEdit: (edit) => record.edits.push(edit),
    announce: (text) => said.push(text),
  });
  t.after(() => timeline.dispose());
  timeline.setModel(viewer.model);
  timeline.setClip(viewer.clip?.id);
  await t.frames(3);
  const find = <E extends HTMLElement>(selector: string): E => t.some(root.querySelector<E>(selector), selector);
  const ruler = (): DOMRect => find('.tl-ruler').getBoundingClientRect();
  return {
    ...record,
    viewer,
    timeline,
    root,
    said,
    find,
    x: (time) => {
      const { left, width } = ruler();
      return left + MARGIN + (time / (viewer.clip?.duration ?? 1)) * (width - 2 * MARGIN);
    },
    y: (place) =>
      typeof place === 'number'
        ? find('.tl-view').getBoundingClientRect().top + (place + 0.5) * ROW
        : ruler().top + { range: 7, ticks: 28, markers: 52 }[place],
  };
}

const at = (x: number, y: number): Action[] => [{ type: 'move', x, y }, { type: 'down' }, { type: 'up' }];

async function drag(t: T, from: readonly [number, number], to: readonly [number, number]): Promise<void> {
  const [x, y] = from;
  const middle = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2] as const;
  await t.act({ type: 'move', x, y }, { type: 'down' }, { type: 'move', x: middle[0], y: middle[1] });
  await t.act({ type: 'move', x: to[0], y: to[1] }, { type: 'up' });
  await t.frames(2);
}

async function press(t: T, ...keys: string[]): Promise<void> {
  await t.act(...keys.map((key) => ({ type: 'key', key }) as const));
  await t.frames(2);
}

function rgb(color: string): readonly number[] {
  const context = t2d();
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data.subarray(0, 3)];
}

function t2d(): CanvasRenderingContext2D {
  const canvas = document.createElement('canvas');
  return canvas.getContext('2d') as CanvasRenderingContext2D;
}

/** The middles of the marks of a colour in a row of the dope sheet, in CSS pixels from the left of the canvas. */
function marks(t: T, { find }: Mounted, row: number, name: string): number[] {
  const canvas = find<HTMLCanvasElement>('.tl-view canvas');
  const { width, data } = t.pixels(canvas);
  const ratio = width / canvas.clientWidth;
  const wanted = rgb(getComputedStyle(find('.tl-legend')).getPropertyValue(`--tl-${name}`));
  const y = Math.round((row + 0.5) * ROW * ratio);
  const middles: number[] = [];
  let begin = -1;
  for (let x = 0; x <= width; x++) {
    const pixel = 4 * (y * width + x);
    const same = x < width && wanted.every((value, i) => Math.abs(value - (data[pixel + i] ?? 0)) <= 6);
    if (same && begin < 0) begin = x;
    if (!same && begin >= 0) {
      middles.push((begin + x) / 2 / ratio);
      begin = -1;
    }
  }
  return middles;
}

function placed(t: T, mount: Mounted, row: number, name: string, times: readonly number[]): void {
  const { left } = mount.find('.tl-ruler').getBoundingClientRect();
  const wanted = times.map((time) => mount.x(time) - left);
  t.close(marks(t, mount, row, name), wanted, 1, `${name} in row ${row}`);
}

const names = ({ root }: Mounted): string[] =>
  [...root.querySelectorAll('.tl-name')].map(({ textContent }) => textContent ?? '');

const detail = ({ find }: Mounted): string => find('.tl-detail').textContent ?? '';

test('timeline: without a model or a clip it says so', async (t) => {
  const mount = await mounted(t);
  mount.timeline.setClip(null);
  await t.frames(2);
  t.equal(mount.find('.tl-message').textContent, 'No clip is shown. Choose a clip to see its keys.');
  t.equal(mount.root.querySelectorAll('.tl-row, .tl-playhead, .tl-flag').length, 0);
  mount.timeline.setModel(null);
  mount.timeline.setClip('Keys');
  await press(t, 'm', '[', '+');
  t.equal(mount.root.querySelectorAll('.tl-row').length, 0);
  mount.timeline.setModel(mount.viewer.model);
  mount.timeline.setClip('No such clip');
  await t.frames(2);
  t.equal(mount.root.querySelectorAll('.tl-row').length, 0);
});

test('timeline: keys are where they are in time, in the mark of their interpolation', async (t) => {
  const mount = await mounted(t);
  t.equal(names(mount), ['Hips', 'Arm']);
  t.equal(mount.find('.tl-corner').textContent, 'Keys2 joints · 3 channels · 9 keys');
  t.ok(mount.find('.tl-view canvas').ariaLabel?.includes('2 joints, 3 channels, 9 keys from 0 to 2.000 s'), 'words');
  // Hips have linear and cubic keys at 0, 1 and 2 s, and one that is only linear.
  placed(t, mount, 0, 'mixed', KEY_TIMES.rotation);
  placed(t, mount, 0, 'linear', [0.5]);
  placed(t, mount, 1, 'step', KEY_TIMES.scale);
  mount.find('[data-row="0"]').focus();
  await press(t, 'ArrowRight');
  t.equal(names(mount), ['Hips', 'Translation', 'Rotation', 'Arm']);
  placed(t, mount, 1, 'linear', KEY_TIMES.translation);
  placed(t, mount, 2, 'cubic', KEY_TIMES.rotation);
  placed(t, mount, 3, 'step', KEY_TIMES.scale);
});

test('timeline: a click on a key selects it and shows its pose; a rectangle selects several', async (t) => {
  const mount = await mounted(t);
  const { viewer, x, y } = mount;
  await t.act(...at(x(0.5), y(0)));
  await t.frames(2);
  t.equal(detail(mount), 'Hips Translation, key 2 of 4, LINEAR: 0.500 s, frame 15: X 1.0000 Y 0.0000 Z 0.0000');
  t.equal(viewer.currentTime, 0.5);
  t.equal(mount.nodes, [0]);
  await t.act(...at(x(1.5), y(1)));
  await t.frames(2);
  t.equal(detail(mount), 'Arm Scale, key 2 of 2, STEP: 1.500 s, frame 45: X 0.5000 Y 2.0000 Z 1.0000');
  t.equal(mount.nodes, [0, 1]);
  await drag(t, [x(0.9), y(0) - 8], [x(2) + 8, y(1) + 8]);
  t.equal(detail(mount), '5 keys of 3 channels, 1.000 s to 2.000 s');
  await t.act(...at(x(0.25), y(0)));
  await t.frames(2);
  t.equal(detail(mount), '');
});

test('timeline: the ruler scrubs exactly, and shows a thumbnail while paused', async (t) => {
  const mount = await mounted(t);
  const { viewer, find, x, y } = mount;
  const { left, width } = find('.tl-ruler').getBoundingClientRect();
  const timeAt = (pixel: number): number => (2 * (pixel - left - MARGIN)) / (width - 2 * MARGIN);
  for (const time of [0.4, 1.3]) {
    const pixel = Math.round(x(time));
    await t.act(...at(pixel, y('ticks')));
    t.close(viewer.currentTime, timeAt(pixel), 1e-6);
  }
  // Past the end of the ruler, but in the window, which Firefox demands.
  await drag(t, [Math.round(x(1)), y('ticks')], [innerWidth - 1, y('ticks')]);
  t.equal(viewer.currentTime, 2, 'the end of the clip');
  t.equal(find('.tl-time').textContent, '2.000 s, frame 60');
  // While it plays, a drag holds it, and then it plays on.
  viewer.play('Keys', { loopMode: 'repeat' });
  await t.act({ type: 'move', x: Math.round(x(0.5)), y: y('ticks') }, { type: 'down' });
  t.equal(viewer.paused, true);
  await t.act({ type: 'up' });
  t.equal(viewer.paused, false);
  viewer.pause();
  await t.frames(2);
  const bubble = find('.tl-bubble');
  const thumbnail = t.some(bubble.querySelector('canvas'));
  await t.act({ type: 'move', x: Math.round(x(1.1)), y: y('ticks') });
  await t.until(() => !bubble.hidden && t.pixels(thumbnail).data.some((value) => value > 0), 'the thumbnail');
  t.ok(/^1\.\d{3} s, frame /.test(bubble.textContent ?? ''), bubble.textContent ?? '');
  t.equal(viewer.paused, true);
  await t.act({ type: 'move', x: 5, y: 5 });
  await t.until(() => bubble.hidden, 'no bubble');
});

test('timeline: snap keeps the playhead on frames of the chosen rate', async (t) => {
  const { viewer, find, root, x, y } = await mounted(t);
  const rate = t.some(root.querySelector<HTMLSelectElement>('[aria-label="Frames per second"]'));
  t.equal(rate.value, '30');
  rate.value = '24';
  rate.dispatchEvent(new Event('change', { bubbles: true }));
  find('.tl-tools .tl-button').click();
  await t.frames(2);
  await t.act(...at(Math.round(x(0.51)), y('ticks')));
  t.close(viewer.currentTime * 24, 12, 1e-9);
});

test('timeline: keys of the keyboard move playhead, rows, range and zoom', async (t) => {
  const mount = await mounted(t);
  const { viewer, find, root } = mount;
  const playhead = find('.tl-playhead');
  playhead.focus();
  await press(t, 'ArrowRight', 'ArrowRight');
  t.close(viewer.currentTime, 2 / 30);
  t.equal(playhead.getAttribute('aria-valuetext'), '0.067 s, frame 2 of 2.000 s');
  await press(t, 'PageUp');
  t.close(viewer.currentTime, 12 / 30);
  await press(t, 'End');
  t.equal(viewer.currentTime, 2);
  // From key to key of the selected row, the hips.
  for (const time of [1, 0.5, 0, 0]) {
    await press(t, '[');
    t.equal(viewer.currentTime, time);
  }
  t.equal(mount.said.at(-1), 'No earlier key');
  await press(t, ']');
  t.equal([viewer.currentTime, mount.said.at(-1)], [0.5, '0.500 s, frame 15, 1 key']);
  await press(t, 'i', ']', 'o');
  t.equal(viewer.segment, [0.5, 1]);
  await press(t, 'x');
  t.equal(viewer.segment, null);
  t.equal(mount.ranges, [[0.5, 2], [0.5, 1], null]);

  find('[data-row="0"]').focus();
  await press(t, 'ArrowDown');
  t.equal([document.activeElement?.getAttribute('data-row'), mount.nodes.at(-1)], ['1', 1]);
  await press(t, 'Home', 'Enter', 'ArrowDown', 'ArrowRight', 'ArrowDown');
  t.equal(document.activeElement?.getAttribute('data-row'), '0:translation:0');
  t.equal(document.activeElement?.getAttribute('aria-level'), '3');
  await press(t, 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft');
  t.equal(names(mount), ['Hips', 'Arm']);
  t.equal(root.querySelectorAll('[role="treeitem"][tabindex="0"]').length, 1, 'one row takes the focus');
  // A short press of the space bar plays and pauses.
  await press(t, ' ');
  t.equal(viewer.paused, false);
  await press(t, ' ');
  t.equal(viewer.paused, true);
});

test('timeline: zoom by buttons, keys and the wheel keeps the time under the pointer; fit shows all', async (t) => {
  const mount = await mounted(t);
  const { timeline, find, x, y, root } = mount;
  const { axis } = timeline.parts.session;
  const ruler = find('.tl-ruler');
  const left = ruler.getBoundingClientRect().left;
  const pixel = Math.round(x(1.5)) - left;
  const before = axis.time(pixel);
  const wheel = (options: WheelEventInit): void => {
    find('.tl-view').dispatchEvent(
      new WheelEvent('wheel', { clientX: left + pixel, clientY: y(0), bubbles: true, cancelable: true, ...options }),
    );
  };
  wheel({ deltaY: -300, ctrlKey: true });
  await t.frames(2);
  t.close(axis.time(pixel), before, 1e-9);
  t.ok(axis.end - axis.begin < 1.5, 'closer');
  const shown = marks(t, mount, 1, 'step');
  t.equal(shown.length, 1, 'one key in view');
  t.close(shown, [axis.x(1.5)], 1);
  const scale = axis.secondsPerPixel;
  wheel({ deltaX: 50 });
  await t.frames(2);
  t.close(axis.time(pixel), before + 50 * scale, 1e-9);
  find('[data-row="0"]').focus();
  await press(t, '-', 'a');
  t.equal(axis.visible, null);
  placed(t, mount, 1, 'step', KEY_TIMES.scale);
  t.some(root.querySelector<HTMLElement>('[aria-label^="Zoom in"]')).click();
  await t.frames(2);
  t.ok(axis.visible, 'zoomed by the button');
  // The middle button pans; here by the space bar, which the driver cannot hold.
  t.some(root.querySelector<HTMLElement>('[aria-label^="Fit the clip"]')).click();
  await t.frames(2);
  // The wheel without Ctrl on the ruler pans.
  await t.act({ type: 'wheel', x: x(1), y: y('ticks'), deltaY: 40 });
  await t.until(() => axis.visible !== null, 'panned');
});

test('timeline: a range plays only its part, and can be undone', async (t) => {
  const mount = await mounted(t);
  const { viewer, x, y, edits, find } = mount;
  // The begin by its handle, the end by the keyboard.
  await drag(t, [x(0), y('range')], [Math.round(x(0.5)), y('range')]);
  t.close(t.some(viewer.segment), [0.5, 2], 0.01);
  find('.tl-out').focus();
  await press(t, 'PageDown', 'PageDown', 'PageDown');
  t.close(t.some(viewer.segment), [0.5, 1], 0.01);
  const [begin, end] = t.some(viewer.segment);
  viewer.playbackRate = 2;
  viewer.play('Keys', { loopMode: 'repeat' });
  viewer.segment = [begin, end];
  const times: number[] = [];
  viewer.addEventListener('frame', () => times.push(viewer.currentTime));
  await t.until(() => viewer.iteration >= 2, 'two passes');
  const late = times.slice(times.findIndex((time) => time >= begin));
  t.ok(late.length > 3 && late.every((time) => time >= begin - 1e-6 && time <= end + 1e-6), late.join(' '));
  viewer.pause();
  const words = edits.map(({ label }) => label);
  t.equal(words, ['change range', 'change range', 'change range', 'change range']);
  for (const edit of [...edits].reverse()) edit.undo();
  t.equal(viewer.segment, null);
  for (const edit of edits) edit.redo();
  t.close(t.some(viewer.segment), [begin, end], 1e-9);
  // A drag in the lane makes a new range.
  await drag(t, [Math.round(x(1.2)), y('range')], [Math.round(x(1.6)), y('range')]);
  t.close(t.some(viewer.segment), [1.2, 1.6], 0.01);
});

test('timeline: markers are added, moved, renamed, deleted, sent and saved', async (t) => {
  const mount = await mounted(t);
  const { viewer, timeline, x, y, edits, root, find } = mount;
  const { session } = timeline.parts;
  const list = (): string[] => session.markers.map(({ name, time }) => `${name} ${time.toFixed(2)}`);
  t.equal(list(), ['step 0.25'], 'the marker of the file');
  // The driver's presses are single clicks.
  const place = { clientX: x(1), clientY: y('markers'), bubbles: true };
  find('.tl-ruler').dispatchEvent(new MouseEvent('dblclick', place));
  await t.frames(2);
  t.equal(list(), ['step 0.25', 'marker 1 1.00']);
  await drag(t, [x(1) + 10, y('markers')], [Math.round(x(1.5)), y('markers')]);
  t.equal(list(), ['step 0.25', 'marker 1 1.50']);
  const flag = (): HTMLElement => t.some(root.querySelectorAll<HTMLElement>('.tl-flag')[1]);
  flag().focus();
  await press(t, 'ArrowLeft', 'Enter');
  const field = find<HTMLInputElement>('.tl-rename');
  field.value = '<b>clap</b>';
  field.dispatchEvent(new Event('input', { bubbles: true }));
  await press(t, 'Enter');
  await t.frames(2);
  t.equal(list(), ['step 0.25', '<b>clap</b> 1.47']);
  t.equal(flag().getAttribute('aria-label'), 'Marker <b>clap</b>, 1.467 s, frame 44');
  const events: string[] = [];
  viewer.addEventListener('marker', ({ detail: { name } }) => events.push(name));
  viewer.play('Keys', { loopMode: 'once', playbackRate: 4 });
  await t.until(() => viewer.ended, 'the end');
  t.equal(events, ['step', '<b>clap</b>']);

  let saved: Blob | undefined;
  const { createObjectURL } = URL;
  URL.createObjectURL = (blob: Blob) => {
    saved = blob;
    return createObjectURL.call(URL, blob);
  };
  t.after(() => (URL.createObjectURL = createObjectURL));
  const button = (text: string): HTMLElement =>
    t.some(
      [...root.querySelectorAll('button')].find(({ textContent }) => textContent === text),
      text,
    );
  document.addEventListener('click', (event) => event.preventDefault(), { once: true });
  button('JSON').click();
  const json = JSON.parse(await t.some(saved).text()) as { clip: string; markers: Marker[] };
  t.equal(json.clip, 'Keys');
  // The saved list is what `extras.markers` of a file and `setMarkers()` take.
  viewer.setMarkers('Keys', json.markers);
  t.equal(
    json.markers.map(({ name }) => name),
    ['step', '<b>clap</b>'],
  );

  flag().focus();
  await press(t, 'Delete');
  t.equal(list(), ['step 0.25']);
  t.equal(document.activeElement, find('.tl-playhead'));
  for (const edit of [...edits].reverse()) edit.undo();
  t.equal(list(), ['step 0.25']);
  edits[0]?.redo();
  t.equal(list(), ['step 0.25', 'marker 1 1.00']);
  // Another clip has markers of its own; those of this one are kept.
  timeline.setClip('Other');
  t.equal(list(), []);
  timeline.setClip('Keys');
  t.equal(list(), ['step 0.25', 'marker 1 1.00']);
});

test('timeline: search, selected joints and the table', async (t) => {
  const mount = await mounted(t);
  const { timeline, find, root } = mount;
  const search = find<HTMLInputElement>('.tl-search');
  const type = async (text: string): Promise<void> => {
    search.value = text;
    search.dispatchEvent(new Event('input', { bubbles: true }));
    await t.frames(2);
  };
  await type('ARM');
  t.equal(names(mount), ['Arm']);
  await type('nothing');
  t.equal(find('.tl-none').textContent, 'No joint matches.');
  await type('');
  timeline.select([1]);
  t.equal(mount.nodes, [], 'the page is not told of its own selection');
  [...root.querySelectorAll('button')].find(({ textContent }) => textContent === 'Selected')?.click();
  [...root.querySelectorAll('button')].find(({ textContent }) => textContent === 'Table')?.click();
  await t.frames(2);
  t.equal(names(mount), ['Arm']);
  const cells = [...root.querySelectorAll('tbody tr')].map((row) =>
    [...row.querySelectorAll('td')].map(({ textContent }) => textContent?.trim()),
  );
  t.equal(cells, [
    ['0.0000 s', '0', 'Arm', 'Scale', 'STEP', 'X 1.0000 Y 1.0000 Z 1.0000'],
    ['1.5000 s', '45', 'Arm', 'Scale', 'STEP', 'X 0.5000 Y 2.0000 Z 1.0000'],
  ]);
  root.querySelectorAll<HTMLElement>('tbody button')[1]?.click();
  t.equal(mount.viewer.currentTime, 1.5);
});

test('timeline: curves of all kinds have the values between keys', async (t) => {
  const mount = await mounted(t);
  const { find, timeline, x, y, root } = mount;
  [...root.querySelectorAll('button')].find(({ textContent }) => textContent === 'Curves')?.click();
  await t.frames(3);
  const kinds = t.some(root.querySelector<HTMLSelectElement>('[aria-label="Curves"]'));
  const values = async (kind: string, time: number): Promise<Record<string, string>> => {
    kinds.value = kind;
    kinds.dispatchEvent(new Event('change', { bubbles: true }));
    await t.frames(3);
    const picture = t.some(timeline.parts.canvases.curves);
    return Object.fromEntries(picture.valuesAt(time).map(({ name, value }) => [name, value]));
  };
  const value = await values('value', 0.25);
  t.equal([value['Hips Translation X'], value['Hips Translation Y']], ['0.5000', '0.0000']);
  const velocity = await values('velocity', 0.25);
  t.close(parseFloat(velocity['Hips Translation X'] ?? ''), 2, 1e-3);
  t.equal(await values('angle', 1), { 'Hips Rotation angle from first key': '90.0000°' });
  const euler = await values('euler', 1);
  t.equal([euler['Hips Rotation Z'], euler['Hips Translation Y']], ['90.0000°', '1.0000']);
  // The pointer over the curves reads the values.
  // A move of two pixels: WebKit's driver sends none to the place at which the pointer is.
  for (const more of [0, 2]) await t.act({ type: 'move', x: Math.round(x(0.5)) + more, y: y(2) });
  await t.until(() => find('.tl-bubble').textContent?.includes('Hips Translation X'), 'the values under the pointer');
  const { data } = t.pixels(find<HTMLCanvasElement>('.tl-view canvas'));
  const red = rgb(getComputedStyle(root).getPropertyValue('--tl-curve-x'));
  let drawn = 0;
  for (let i = 0; i < data.length; i += 4) if (red.every((part, k) => Math.abs(part - (data[i + k] ?? 0)) < 8)) drawn++;
  t.ok(drawn > 200, `the curve of X: ${drawn} pixels`);
});

test('timeline: values between keys equal those that are played', async (t) => {
  const asset = await loadAsset(keyed());
  const offsets: Readonly<Record<string, number>> = { translation: 0, rotation: 3, scale: 7 };
  for (const channel of asset.channels('Keys'))
    for (let time = -0.1; time < 2.2; time += 0.0437) {
      const at = 10 * (channel.node ?? 0) + (offsets[channel.path] ?? 0);
      const { transforms } = asset.sample('Keys', time);
      t.close(
        valueAt(channel, time),
        transforms.subarray(at, at + channel.components),
        2e-6,
        `${channel.path} ${time}`,
      );
    }
  asset.dispose();
  // The quaternion of turns about X, then Y, then Z by these angles, multiplied out.
  const angles = [0.3, -0.8, 1.1] as const;
  const [s1, s2, s3] = angles.map((angle) => Math.sin(angle / 2)) as [number, number, number];
  const [c1, c2, c3] = angles.map((angle) => Math.cos(angle / 2)) as [number, number, number];
  const turned = [
    s1 * c2 * c3 + c1 * s2 * s3,
    c1 * s2 * c3 - s1 * c2 * s3,
    c1 * c2 * s3 + s1 * s2 * c3,
    c1 * c2 * c3 - s1 * s2 * s3,
  ];
  t.close(
    eulerAngles(turned),
    angles.map((angle) => (angle * 180) / Math.PI),
    1e-9,
  );
  t.close(angleBetween([0, 0, 0, 1], [0, 0, 1e-6, 1]), (2e-6 * 180) / Math.PI, 1e-12);
  t.close(angleBetween([0, 0, 0, 1], [0, 0, 0, -1]), 0, 1e-12);
});

test('timeline: the motion trail passes through the joint at every time', async (t) => {
  const mount = await mounted(t);
  const { viewer, timeline } = mount;
  timeline.select([1]);
  timeline.parts.session.set('trail', true);
  await t.frames(3);
  const joint = viewer.joint('Arm');
  viewer.place = { position: [0.3, 0, -0.2], rotation: [0, Math.SQRT1_2, 0, Math.SQRT1_2], scale: 0.5 };
  const model = t.some(viewer.model);
  const path = pathOf(viewer, model, model.channels('Keys'), joint.index);
  for (const time of [0, 0.3, 1, 1.4, 2]) {
    await viewer.seek(time);
    t.close(path(time), joint.world.subarray(12, 15), 1e-5, `at ${time} s`);
  }
  viewer.place = {};
  await viewer.seek(0.5);
  const points = timeline.parts.trail.points;
  t.equal([points[0]?.time, points.at(-1)?.time], [0, 2]);
  const near = t.some(points.find(({ time }) => Math.abs(time - 0.5) < 1e-6));
  const shown = t.some(viewer.project([joint.world[12] ?? 0, joint.world[13] ?? 0, joint.world[14] ?? 0]));
  t.close([near.x, near.y], [shown.x, shown.y], 0.1);
  // It follows the camera.
  viewer.orbit(0.5, 0);
  await t.frames(2);
  const moved = t.some(timeline.parts.trail.points.find(({ time }) => Math.abs(time - 0.5) < 1e-6));
  t.ok(Math.hypot(moved.x - near.x, moved.y - near.y) > 1, 'it moves with the camera');
  const canvas = t.some(document.querySelector<HTMLCanvasElement>('.tl-trail'));
  t.ok(
    t.pixels(canvas).data.some((value) => value > 0),
    'it is drawn',
  );
});

test('timeline: the onion skin shows other poses while paused, and nothing while playing', async (t) => {
  const mount = await mounted(t);
  const { viewer, timeline } = mount;
  const canvas = t.some(document.querySelector<HTMLCanvasElement>('.tl-onion'));
  const any = (): boolean => t.pixels(canvas).data.some((value) => value > 0);
  viewer.currentTime = 0.5;
  timeline.parts.session.set('onion', { on: true, count: 2, step: 6 });
  await t.until(any, 'other poses');
  t.close(viewer.currentTime, 0.5, 1e-9, 'the viewer stays');
  viewer.play('Keys', { loopMode: 'repeat' });
  await t.until(() => !any(), 'nothing while it plays');
  viewer.pause();
  await t.until(any, 'again');
  timeline.parts.session.set('onion', { on: false, count: 2, step: 6 });
  await t.until(() => !any(), 'off');
});

test('timeline: its state is plain data, restored as it was; faulty states are repaired', async (t) => {
  const mount = await mounted(t);
  const { timeline, viewer } = mount;
  const { session, canvases } = timeline.parts;
  session.openAll(true);
  session.selectRow('0:rotation');
  session.set('view', 'curves');
  session.set('chosenRate', 25);
  session.setRange([0.25, 1.5]);
  canvases.zoom(2, 100);
  const state = JSON.parse(JSON.stringify(timeline.state())) as ReturnType<Timeline['state']>;
  for (const clip of ['Other', 'Keys']) {
    viewer.clip = clip;
    timeline.setClip(clip);
  }
  t.equal([viewer.segment, timeline.state().range], [null, null], 'a range belongs to one clip');
  timeline.restore(state);
  t.equal(timeline.state(), state);
  t.equal(viewer.segment, [0.25, 1.5]);
  const faulty = { view: 'x', fps: 7, range: [3, 'a'], visible: [1, 0], rows: ['no', 3], onion: { on: 1, count: 99 } };
  timeline.restore(faulty as never);
  const { view, fps, range, visible, rows, onion } = timeline.state();
  t.equal([view, fps, range, visible], ['sheet', null, null, null]);
  t.equal([rows, onion], [['0:rotation'], { on: false, count: 5, step: 3 }]);
});

test('timeline: rows of a large clip are elements only near the view', async (t) => {
  const mount = await mounted(t, { clip: 'Many', glb: keyed({ many: { nodes: 65, keys: 300 } }) });
  const { root, find, timeline } = mount;
  t.ok(find('.tl-corner').textContent?.match(/195 channels · 58.?500 keys/), 'the count');
  timeline.parts.session.openAll(true);
  await t.frames(3);
  t.ok(root.querySelectorAll('.tl-row').length < 60, `${root.querySelectorAll('.tl-row').length} rows`);
  find('[data-row="2"]').focus();
  await press(t, 'End');
  t.equal(document.activeElement?.getAttribute('data-row'), '66:scale');
  t.ok(find('.tl-scroll').scrollTop > 1000, 'it scrolls');
});

test(
  'timeline: no fault of accessibility and no overflow, wide and narrow, light and dark',
  async (t) => {
    const { root, timeline } = await mounted(t);
    t.after(() => {
      delete document.documentElement.dataset['theme'];
    });
    timeline.parts.session.openAll(true);
    timeline.parts.session.set('onion', { on: true, count: 2, step: 3 });
    timeline.parts.session.setRange([0.5, 1.5]);
    try {
      for (const [width, height, theme] of [
        [1440, 900, 'light'],
        [1440, 900, 'dark'],
        [390, 844, 'light'],
        [390, 844, 'dark'],
      ] as const) {
        await t.act({ type: 'resize', width, height });
        document.documentElement.dataset['theme'] = theme;
        for (const view of ['sheet', 'curves', 'table'] as const) {
          timeline.parts.session.set('view', view);
          await t.frames(4);
          t.equal(await faults(root), [], `${view} at ${width}, ${theme}`);
          // A window of WebKit has a least width.
          t.ok(document.documentElement.scrollWidth <= Math.max(width, innerWidth), `${view} at ${width}: no overflow`);
        }
      }
    } finally {
      await t.act({ type: 'resize', width: 800, height: 600 });
    }
  },
  { timeout: 120_000, all: true },
);

test(
  'timeline: its panel in the inspector follows the clip and the selection',
  async (t) => {
    const page = await t.page('/inspect.html', 1000, 700);
    const text = (selector: string): string => page.document.querySelector(selector)?.textContent ?? '';
    const some = <E extends HTMLElement>(selector: string): E =>
      t.some(page.document.querySelector<E>(selector), selector);
    await t.until(() => text('#model-name') === 'Sample character', 'the sample character');
    some('[data-panel="timeline"]').click();
    await t.until(() => page.document.querySelectorAll('.tl-row').length > 5, 'its rows');
    t.ok(text('.tl-corner').startsWith('Idle'), text('.tl-corner'));
    const viewer = t.some(page.document.querySelector('gambol-viewer')?.viewer);
    const { playbackRate } = viewer;
    const row = some('.tl-row:nth-child(3)');
    row.click();
    row.focus();
    const press = (key: string): boolean =>
      row.dispatchEvent(new page.KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    press(']');
    t.equal([viewer.playbackRate, viewer.paused], [playbackRate, true], 'the page leaves the key to the timeline');
    await t.until(() => page.location.hash.includes('node'), 'the selected node is in the address');
    viewer.play('Wave');
    await t.until(() => text('.tl-corner').startsWith('Wave'), 'the other clip');
    // Closed and opened again, it is as it was.
    const search = some<HTMLInputElement>('.tl-search');
    search.value = 'hand';
    search.dispatchEvent(new page.Event('input', { bubbles: true }));
    await t.until(() => page.document.querySelectorAll('.tl-row').length === 2, 'two hands');
    some('#timeline [title="Close Timeline"], #timeline [aria-label="Close Timeline"]').click();
    await t.until(() => !page.document.querySelector('.timeline, .timeline-overlay'), 'it is closed');
    some('[data-panel="timeline"]').click();
    await t.until(() => page.document.querySelectorAll('.tl-row').length === 2, 'two hands again');
  },
  { all: true },
);
