// Warnings about mistakes of pages: a cancelable event, or else one line on the console, with the nearest names.

import { createViewer, type ViewerEvent } from 'gambol';
import { test, type T } from '../page/api.ts';
import { address, details, made, placed, shown } from './support/element.ts';
import { model } from './support/model.ts';

/** Records the lines of `console.warn` from now on. */
function consoleWarnings(): string[] {
  const lines: string[] = [];
  console.warn = (...words: unknown[]) => void lines.push(words.join(' '));
  return lines;
}

const wrong: [attributes: Record<string, string>, line: RegExp][] = [
  [{ 'animation-name': 'Sildde' }, /no clip “Sildde”; did you mean “Slide”/],
  [{ 'variant-name': 'Blue' }, /no variant “Blue”; it has none/],
  [{ segment: 'marker:stpe' }, /no marker “stpe”; did you mean “step”/],
  [{ 'camera-target': '0m 1m up' }, /camera-target="0m 1m up" cannot be parsed/],
  [{ orientation: '1 2 3 4' }, /orientation="1 2 3 4" cannot be parsed/],
  [{ scale: 'big' }, /scale="big" cannot be parsed/],
];

for (const [attributes, line] of wrong) {
  test(`warnings: a typo is logged once: ${Object.keys(attributes)[0]}`, async (t) => {
    const lines = consoleWarnings();
    const src = address({ extras: { markers: [{ name: 'step', time: 1 }] } });
    const element = await shown(t, { src, ...attributes });
    await shown(t, { src, ...attributes });
    t.ok(lines.length === 1 && line.test(lines[0] ?? ''), lines.join('\n'));
    for (const [name, value] of Object.entries(attributes)) {
      element.removeAttribute(name);
      element.setAttribute(name, value);
    }
    t.equal(lines.length, 1, 'the same again');
  });
}

const children: [name: string, attributes: Record<string, string>, line: RegExp][] = [
  ['gambol-layer', { animation: 'Slidee' }, /no clip “Slidee”; did you mean “Slide”/],
  ['gambol-layer', { animation: 'Slide', mask: 'Sqare' }, /No joint matches the mask “Sqare”; did you mean “Square”/],
  ['gambol-marker', { animation: 'Shrot', time: '0', name: 'x' }, /no clip “Shrot”; did you mean “Short”/],
  ['gambol-look', { joint: 'squares', target: '0 0 1' }, /no joint “squares”; did you mean “Square”/],
  ['button', { slot: 'hotspot-a', 'data-joint': 'sqare' }, /no joint “sqare”; did you mean “Square”/],
  ['button', { slot: 'hotspot-b', 'data-position': '1 2' }, /data-position="1 2" of “hotspot-b” must be three numbers/],
  [
    'button',
    { slot: 'hotspot-c', 'data-joint': 'Square', 'data-offset': 'above' },
    /data-offset="above" of “hotspot-c” must be three numbers/,
  ],
  [
    'button',
    { slot: 'hotspot-d', 'data-surface': '1 2 3' },
    /data-surface="1 2 3" of “hotspot-d” must be the eight or nine numbers/,
  ],
];

test('warnings: typos of children are logged once each', async (t) => {
  const lines = consoleWarnings();
  const all = children.map(([name, attributes]) => {
    const child = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) child.setAttribute(key, value);
    return child;
  });
  const element = await shown(t, { src: address({ node: 'Square' }) }, ...all);
  await t.until(() => lines.length >= children.length, 'all of them');
  for (const [, , line] of children)
    t.equal(lines.filter((each) => line.test(each)).length, 1, `${line} in ${lines.join('\n')}`);
  const warnings = details(element, 'warning');
  all[4]?.setAttribute('data-offset', '0 1 0');
  await t.frames(2);
  t.equal(
    [lines.length, warnings.length],
    [children.length, 0],
    'what was said is not said again when something else changes',
  );
  all[4]?.setAttribute('data-joint', 'squrae');
  await t.until(() => lines.length > children.length, 'another typo');
});

test('warnings: preventDefault() suppresses the log', async (t) => {
  const lines = consoleWarnings();
  const element = made({ src: address(), 'animation-name': 'Slied', 'environment-image': 'none' });
  const codes: string[] = [];
  element.addEventListener('warning', (event) => {
    codes.push(event.detail.code);
    event.preventDefault();
  });
  document.body.append(element);
  await t.until(() => element.modelIsVisible, 'the model');
  // Dispatched by the element's viewer.
  t.some(element.viewer).environment = new Uint8Array(3);
  await t.until(() => codes.length === 2, 'both');
  t.equal([codes[0], lines], ['clip/not-found', []]);

  const viewer = await createViewer(t.canvas());
  const loading = viewer.load(model().glb);
  const playing = viewer.play('Slied').finished.catch(() => 'never played');
  const heard: ViewerEvent<'warning'>[] = [];
  viewer.addEventListener('warning', (event) => {
    heard.push(event);
    if (heard.length === 1) event.preventDefault();
  });
  await loading;
  t.equal([await playing, heard.length, lines.length], ['never played', 1, 0]);
  viewer.environment = new Uint8Array(3);
  await t.until(() => heard.length === 2, 'another one');
  t.equal(lines.length, 1, 'which nobody prevents');
});

test('warnings: repairs of files and reduced motion are not logged', async (t) => {
  const lines = consoleWarnings();
  const json = { ...model().json, extensionsUsed: ['X_nobody_knows'], animations: [{ channels: [], samplers: [] }] };
  const viewer = await createViewer(t.canvas());
  const warnings = details(viewer, 'warning');
  await viewer.load(new Blob([JSON.stringify(json)], { type: 'model/gltf+json' }));
  t.equal(
    lines.filter((line) => /import\//.test(line)),
    [],
    `${warnings.length} events`,
  );
  placed();
  await t.frames(2);
  t.equal(lines, []);
});

test('warnings: error messages suggest similar names', async (t) => {
  const viewer = await createViewer(t.canvas());
  await viewer.load('/sample.glb');
  const message = async (call: (t: T) => unknown): Promise<string> =>
    ((await t.throws(() => call(t))) as Error).message;
  t.ok(/did you mean “Walk”/.test(await message(() => viewer.play('wlak'))));
  t.ok(
    /did you mean “HandL” or “HandR”|did you mean “HandR” or “HandL”/.test(await message(() => viewer.joint('hand'))),
    'a part of a name',
  );
  t.ok(/did you mean “ShoulderR”/.test(await message(() => viewer.layers.add('Wave', { mask: 'Sholder_R/**' }))));
  const far = await message(() => viewer.play('Xylophone'));
  t.ok(!/did you mean/.test(far) && /it has “/.test(far), far);
});
