// The pictures of README.md and of the guides: stills that the package draws in Chromium, written to `docs/images/NAME.webp`.
// `cargo xtask pictures` calls it.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { answerOf, pageOf } from './page.ts';

const { values } = parseArgs({ options: { chromium: { type: 'string' } } });
if (!values.chromium) throw new Error('usage: pictures --chromium=PROGRAM');

/** A picture: its name, and the body of an async function that changes the viewer, on which the sample character is loaded. */
const PICTURES: readonly (readonly [name: string, body: string])[] = [
  ['pip', `still = { clip: 'Wave', time: 0.9 };`],
  ['playing', `still = { clip: 'Jump', time: 0.35 };`],
  [
    'layers',
    `viewer.play('Run', { transition: 'cut' }); viewer.layers.add('Wave', { mask: 'ShoulderR/**', fade: 0 }); viewer.advance(0.6);`,
  ],
  [
    'attachments',
    `await viewer.add(viewer.model, { scale: 0.35, attachTo: { joint: 'Head', offset: [0, 0.32, 0] } });`,
  ],
  [
    'looking',
    `viewer.joint('Head').lookAt([3, 0.2, 2]); viewer.joint('HandL').ik([0.6, 0.75, 0.5], { pole: [0, -1, 0] });`,
  ],
  [
    'crowd',
    `
    const side = 20;
    const positions = Float32Array.from({ length: 3 * side * side }, (_, i) => [(Math.floor(i / 3) % side - side / 2) * 0.9, 0, -Math.floor(i / 3 / side) * 0.9][i % 3]);
    const times = Float64Array.from({ length: side * side }, (_, i) => (i * 0.37) % 1);
    viewer.unload();
    await viewer.addCrowd('/site/sample.glb', { count: side * side, positions, clips: 'Dance', times });
    viewer.camera = { target: [0, 0.4, -4], distance: 9, polar: 1.25, azimuth: 0.4 };`,
  ],
  [
    'light',
    `viewer.environmentRotation = 2; viewer.shadowIntensity = 0.9; viewer.shadowSoftness = 0.3; viewer.background = '#dfe7f2'; viewer.skinning = 'dual-quaternion';`,
  ],
  ['debug', `viewer.debug = 'skeleton wireframe'; still = { clip: 'Run', time: 0.2 };`],
];

const PAGE = pageOf(`
  const { createViewer } = await import('/gambol/dist/index.js');
  const pictures = {};
  for (const [name, change] of [${PICTURES.map(([name, body]) => `['${name}', async (viewer) => { let still; ${body} return still; }]`).join(',\n')}]) {
    const canvas = document.createElement('canvas');
    canvas.style.cssText = 'width: 640px; height: 360px; display: block';
    document.body.append(canvas);
    const viewer = await createViewer(canvas, { maxDpr: 1, background: '#f4f1ea' });
    await viewer.load('/site/sample.glb');
    viewer.timeline = 'manual';
    viewer.shadowIntensity = 0.6;
    const still = await change(viewer);
    if (still) {
      viewer.clip = still.clip;
      await viewer.seek(still.time);
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
    const bytes = new Uint8Array(await (await viewer.toBlob({ width: 960, height: 540, mimeType: 'image/webp', quality: 0.85 })).arrayBuffer());
    pictures[name] = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
    viewer.dispose();
    canvas.remove();
  }
  await post('done', pictures);
`);

const folder = join(process.cwd(), 'tests/output/build/pictures');
const images = join(process.cwd(), 'docs/images');
for (const path of [folder, images]) await mkdir(path, { recursive: true });
await writeFile(join(folder, 'index.html'), PAGE);
const pictures = await answerOf(values.chromium, [
  ['/gambol/', join(process.cwd(), 'dist/gambol')],
  ['/site/', join(process.cwd(), 'dist/site')],
  ['/', folder],
]);
for (const [name, base64] of Object.entries(pictures as Record<string, string>)) {
  const bytes = Buffer.from(base64, 'base64');
  await writeFile(join(images, `${name}.webp`), bytes);
  console.log(`docs/images/${name}.webp: ${bytes.length} bytes`);
}
