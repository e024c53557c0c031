// Compares gambol and three.js: the same file, camera, light, tone curve and time. Returns the sizes of the
// differences, and writes pictures: gambol | difference | three.js.
//
// Known differences, where three.js (r187) departs from the specification, or both are approximations:
// - unlit: three.js tone-maps unlit materials.
// - punctual-lights: three.js's cones fade by a smoothstep; KHR_lights_punctual squares a linear falloff of the cosine.
// - normal-map, clearcoat-normal, anisotropy, the second ball of tangents: without tangents in the file three.js uses
//   screen-space derivatives and does not normalise both axes. With tangents the pictures agree.
// - specular: three.js subtracts the specular reflection from the diffuse part per channel; the extension uses the
//   maximum.
// - sheen: three.js's fit of the sheen's albedo is up to half too low at grazing angles.
// - clearcoat: at grazing angles three.js removes the coat's Fresnel share, but a rough coat reflects less than that.
// - roughness: three.js bends the lookup of rough surfaces towards the normal.
// - matt surfaces are 0.4 L* darker here: gambol uses nine spherical harmonics, three.js the most blurred level of its
//   environment.

import { createViewer, type Rgba, type Viewer } from 'gambol';
import { beside } from '../../tests/browser/page/pixels.ts';
import { exhibits } from '../../tests/browser/cases/support/gallery.ts';
import { hdr } from '../../tests/browser/cases/support/panorama.ts';
import '../../tests/browser/cases/everywhere/gallery.ts';
import { difference } from './colour.ts';
import { ThreeStage, canvas, type Gltf } from './three-stage.ts';

const SIZE = 480;
const BACKGROUND: Rgba = [0.8, 0.8, 0.8, 1];

/** The models; a model with a clip is compared at two times. */
const MODELS: readonly (readonly [name: string, url: string, clip?: string])[] = [
  ['sample', '/site/sample.glb', 'Walk'],
  ['DamagedHelmet', '/shared/assets/gltf/DamagedHelmet.glb'],
  ['Fox', '/shared/assets/gltf/Fox.glb', 'Run'],
  ['CesiumMan', '/shared/assets/gltf/CesiumMan.glb', ''],
  ['RobotExpressive', '/shared/assets/gltf/RobotExpressive.glb', 'Dance'],
];

/** three.js no longer supports these. */
const GAMBOL_ONLY = ['specular-glossiness'];

/** A room with three lamps: bright enough for highlights, too dim for gambol to extract a light with a shadow. */
const ROOM = hdr(512, 256, (x, y, z) => {
  const lamp = (lx: number, ly: number, lz: number, size: number): number => {
    const away = 1 - (x * lx + y * ly + z * lz) / Math.hypot(lx, ly, lz);
    return 1 / (1 + Math.exp((((away - size) * 120) / size) * 0.2));
  };
  const [key, rim, fill] = [
    3 * lamp(-0.45, 0.72, 0.53, 0.06),
    2.5 * lamp(0.68, 0.32, -0.66, 0.05),
    0.8 * lamp(0.86, 0.25, 0.44, 0.1),
  ];
  const wall = 0.3 + 0.15 * y;
  return [wall + key + rim + fill, wall + 0.97 * key + 1.03 * rim + fill, wall + 0.9 * key + 1.1 * rim + fill];
});

interface Result {
  name: string;
  value: number;
  unit: string;
}

export async function run(): Promise<Result[]> {
  const results: Result[] = [];
  const gambol = await createViewer(canvas(SIZE), { maxDpr: 1, background: BACKGROUND });
  await gambol.setEnvironment(ROOM);
  const three = new ThreeStage(canvas(SIZE));
  three.background = BACKGROUND;
  three.setEnvironment(ROOM);

  const compared = async (name: string): Promise<void> => {
    three.render();
    const [a, b] = [await pictureOf(gambol), await pixels(three.canvas)];
    const { mean, p99, brighter, picture } = difference(a, b, BACKGROUND);
    await keep(`${name}.png`, beside(a, picture, b));
    results.push(
      { name: `compare.${name}.mean`, value: mean, unit: 'ΔE' },
      { name: `compare.${name}.p99`, value: p99, unit: 'ΔE' },
    );
    results.push({ name: `compare.${name}.brighter`, value: brighter, unit: 'L*' });
  };

  for (const [name, url, clip] of MODELS) {
    const response = await fetch(url);
    if (!response.ok) continue;
    const bytes = await response.arrayBuffer();
    const gltf = await three.load(bytes);
    await gambol.load(new Uint8Array(bytes));
    const played = gambol.clips.find((one) => one.name === clip) ?? gambol.clips[0];
    if (clip !== undefined && played) gambol.clip = played.index;
    three.look(gambol.camera);
    if (clip === undefined || !played) {
      await compared(name);
      continue;
    }
    for (const [at, fraction] of [
      ['a', 0.25],
      ['b', 0.7],
    ] as const) {
      const time = fraction * played.duration;
      await gambol.seek(time);
      three.pose(gltf, played.name ?? '', time);
      await compared(`${name}-${at}`);
    }
  }

  for (const { name, source } of exhibits) {
    const blob = source();
    if (GAMBOL_ONLY.includes(name) || typeof blob === 'string') continue;
    const gltf: Gltf = await three.load(await blob.arrayBuffer());
    three.camera = gltf.cameras[0];
    gltf.scene.updateMatrixWorld(true);
    await gambol.load(blob);
    gambol.activeCamera = 0;
    await compared(`scene-${name}`);
  }
  gambol.dispose();
  three.dispose();
  return results;
}

async function pictureOf(viewer: Viewer): Promise<ImageData> {
  return pixels(await createImageBitmap(await viewer.toBlob()));
}

async function pixels(source: CanvasImageSource): Promise<ImageData> {
  const copy = new OffscreenCanvas(SIZE, SIZE);
  const context = copy.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('no 2D context');
  context.drawImage(source, 0, 0);
  return context.getImageData(0, 0, SIZE, SIZE);
}

async function keep(name: string, picture: ImageData): Promise<void> {
  const copy = new OffscreenCanvas(picture.width, picture.height);
  copy.getContext('2d')?.putImageData(picture, 0, 0);
  await fetch(`/__runner/keep?name=${encodeURIComponent(name)}`, { method: 'POST', body: await copy.convertToBlob() });
}
