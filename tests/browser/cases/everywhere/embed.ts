// The smallest pages of the documentation.

import { test } from '../../page/api.ts';

for (const [name, canvases] of [
  ['minimal', 1],
  ['two-viewers', 2],
] as const) {
  test(`embed: ${name}.html loads the sample character`, async (t) => {
    const frame = document.createElement('iframe');
    frame.style.cssText = 'width: 640px; height: 400px; border: 0';
    frame.src = `/embed/${name}.html`;
    document.body.append(frame);
    await t.until(() => frame.contentDocument?.querySelectorAll('canvas').length === canvases, 'its canvases');
    const sizes = (): number[] =>
      [...(frame.contentDocument?.querySelectorAll('canvas') ?? [])].map(({ width }) => width);
    // A viewer gives its canvas the size of its box; 300 is the default width of a canvas.
    await t.until(() => sizes().every((width) => width !== 300 && width > 0), 'viewers on them');
    const asked = async (): Promise<number> =>
      (await t.requests()).filter(({ path, status }) => path === '/sample.glb' && status === 200).length;
    while ((await asked()) < canvases) await t.sleep(20);
    // Time for late errors.
    await t.sleep(300);
  });
}

test('embed: element.html shows the sample character', async (t) => {
  const page = await t.page('/embed/element.html', 640, 400);
  const element = t.some(page.document.querySelector('gambol-viewer'));
  const viewer = element as HTMLElement & { modelIsVisible: boolean; paused: boolean };
  await t.until(() => viewer.modelIsVisible && !viewer.paused, 'it plays');
  const label = t.some(page.document.querySelector('button')).getBoundingClientRect();
  t.ok(label.left > 100 && label.right < 540 && label.top > 20 && label.bottom < 330, 'the label is on the character');
});
