// The pictures of README.md, of the guides and of the front page: stills that the package draws in Chromium; and the site's icons.
// `cargo xtask pictures` calls it.

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { CAMERA, POSE, SHADOW } from '../../../www/demo/front/portrait.ts';
import { answerOf, pageOf } from './page.ts';

const { values } = parseArgs({ options: { chromium: { type: 'string' } } });
if (!values.chromium) throw new Error('usage: pictures --chromium=PROGRAM');

/** A picture: its name, and the body of an async function that changes the viewer, on which the sample character is loaded. */
type Picture = readonly [name: string, body: string];

const GUIDES: readonly Picture[] = [
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

const PORTRAIT = `viewer.camera = ${JSON.stringify(CAMERA)}; viewer.shadowIntensity = ${SHADOW}; still = ${JSON.stringify(POSE)};`;

/** The files by their paths: the change, and the options of `toBlob()`. */
const PICTURES = Object.fromEntries([
  ...GUIDES.map(([name, change]) => [
    `docs/images/${name}.webp`,
    { change, options: { width: 960, height: 540, mimeType: 'image/webp', quality: 0.85 } },
  ]),
  [
    'www/demo/images/pip.webp',
    {
      change: `${PORTRAIT} viewer.background = null;`,
      options: { width: 720, height: 900, mimeType: 'image/webp', quality: 0.85 },
    },
  ],
  [
    'www/demo/images/social.jpg',
    { change: PORTRAIT, options: { width: 1200, height: 630, mimeType: 'image/jpeg', quality: 0.85 } },
  ],
]) as Readonly<Record<string, { change: string; options: object }>>;

/** The icons of an installed site: name, size, and the part of the size that the mark fills; systems cut off the edge of the last. */
const ICONS = [
  ['icon-192', 192, 1],
  ['icon-512', 512, 1],
  ['icon-maskable', 512, 0.8],
] as const;

const PAGE = pageOf(`
  const { createViewer } = await import('/gambol/dist/index.js');
  const pictures = {};
  for (const [name, change, options] of [${Object.entries(PICTURES)
    .map(
      ([name, { change, options }]) =>
        `['${name}', async (viewer) => { let still; ${change} return still; }, ${JSON.stringify(options)}]`,
    )
    .join(',\n')}]) {
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
    const bytes = new Uint8Array(await (await viewer.toBlob(options)).arrayBuffer());
    pictures[name] = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
    viewer.dispose();
    canvas.remove();
  }
  const mark = new Image();
  mark.src = '/site/favicon.svg';
  await mark.decode();
  for (const [name, size, part] of ${JSON.stringify(ICONS)}) {
    const canvas = Object.assign(document.createElement('canvas'), { width: size, height: size });
    const context = canvas.getContext('2d');
    if (part < 1) {
      context.fillStyle = '#1f1d24';
      context.fillRect(0, 0, size, size);
    }
    const edge = (size * (1 - part)) / 2;
    context.drawImage(mark, edge, edge, size * part, size * part);
    pictures['www/demo/images/' + name + '.png'] = canvas.toDataURL().split(',')[1];
  }
  await post('done', pictures);
`);

const folder = join(process.cwd(), 'tests/output/build/pictures');
await mkdir(folder, { recursive: true });
await writeFile(join(folder, 'index.html'), PAGE);
const pictures = await answerOf(values.chromium, [
  ['/gambol/', join(process.cwd(), 'dist/gambol')],
  ['/site/', join(process.cwd(), 'dist/site')],
  ['/', folder],
]);
for (const [path, base64] of Object.entries(pictures as Record<string, string>)) {
  const bytes = Buffer.from(base64, 'base64');
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
  console.log(`${path}: ${bytes.length} bytes`);
}
