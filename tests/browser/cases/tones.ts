// Tone mapping: the curves against their definitions, and no banding.

import type { ToneMapping } from 'gambol';
import { test } from '../page/api.ts';
import { encoded, shown } from './support/light.ts';
import { even } from './support/panorama.ts';
import { Scene, seen, through, type Rgb } from './support/scene.ts';

/** The product of a matrix, as rows, and a vector. */
const times = (rows: readonly (readonly number[])[], [r, g, b]: Rgb): Rgb =>
  rows.map(([x = 0, y = 0, z = 0]) => x * r + y * g + z * b) as unknown as Rgb;

const map = (color: Rgb, f: (value: number) => number): Rgb => color.map(f) as unknown as Rgb;

/** AgX's curve by T. Sobotka's definition: two hyperbolas that meet at middle grey with a slope of 2. */
function sigmoid(x: number): number {
  const [slope, pivotX, pivotY] = [2, 10 / 16.5, 0.5];
  const below = x < pivotX;
  const power = below ? 3 : 3.25;
  const [spanX, spanY] = below ? [pivotX, pivotY] : [1 - pivotX, 1 - pivotY];
  const scale =
    ((slope * spanX) ** -power * (((slope * spanX) / spanY) ** power - 1)) ** (-1 / power) * (below ? -1 : 1);
  const term = (slope * (x - pivotX)) / scale;
  return (term / (1 + term ** power) ** (1 / power)) * scale + pivotY;
}

/** AgX through BT.2020, step by step. */
function agx(light: Rgb): Rgb {
  const wide = times(
    [
      [0.6274, 0.3293, 0.0433],
      [0.0691, 0.9195, 0.0113],
      [0.0164, 0.088, 0.8956],
    ],
    light,
  );
  const inset = times(
    [
      [0.856627153315983, 0.0951212405381588, 0.0482516061458583],
      [0.137318972929847, 0.761241990602591, 0.101439036467562],
      [0.11189821299995, 0.0767994186031903, 0.811302368396859],
    ],
    wide,
  );
  // The range from 10 stops below middle grey to 6.5 above.
  const stops = map(inset, (value) => Math.min(1, Math.max(0, (Math.log2(Math.max(value, 1e-10) / 0.18) + 10) / 16.5)));
  const outset = times(
    [
      [1.1271005818144368, -0.11060664309660323, -0.016493938717834573],
      [-0.1413297634984383, 1.157823702216272, -0.016493938717834257],
      [-0.14132976349843826, -0.11060664309660294, 1.2519364066950405],
    ],
    map(stops, sigmoid),
  );
  const linear = map(outset, (value) => Math.max(0, value) ** 2.2);
  return times(
    [
      [1.6605, -0.5876, -0.0728],
      [-0.1246, 1.1329, -0.0083],
      [-0.0182, -0.1006, 1.1187],
    ],
    linear,
  );
}

/** ACES by S. Hill's fit, with an exposure of 1 / 0.6. */
function aces(light: Rgb): Rgb {
  const x = times(
    [
      [0.59719, 0.35458, 0.04823],
      [0.076, 0.90834, 0.01566],
      [0.0284, 0.13383, 0.83777],
    ],
    map(light, (value) => value / 0.6),
  );
  const fitted = map(x, (v) => (v * v + 0.0245786 * v - 0.000090537) / (0.983729 * v * v + 0.432951 * v + 0.238081));
  return times(
    [
      [1.60475, -0.53108, -0.07367],
      [-0.10208, 1.10813, -0.00605],
      [-0.00327, -0.07276, 1.07602],
    ],
    fitted,
  );
}

const CURVES: Readonly<Record<ToneMapping, (light: Rgb) => Rgb>> = {
  none: (light) => map(light, encoded),
  neutral: shown,
  agx: (light) => map(agx(light), encoded),
  aces: (light) => map(aces(light), encoded),
};

const LIGHTS: readonly Rgb[] = [
  [0, 0, 0],
  [0.01, 0.01, 0.01],
  [0.18, 0.18, 0.18],
  [0.8, 0.8, 0.8],
  [1, 1, 1],
  [4, 4, 4],
  [60, 60, 60],
  [0.5, 0.1, 0.02],
  [0.02, 0.6, 0.1],
  [0.05, 0.1, 0.9],
  [8, 0.5, 0.1],
  [0.3, 12, 2],
  [0.01, 0.2, 30],
];

for (const [name, curve] of Object.entries(CURVES) as [ToneMapping, (light: Rgb) => Rgb][]) {
  test(`tone mapping: colours follow the curve: ${name}`, async (t) => {
    const scene = new Scene();
    scene.use('KHR_materials_emissive_strength');
    const place = (i: number): [x: number, y: number] => [(i % 4) * 0.5 - 0.75, Math.floor(i / 4) * 0.5 - 0.75];
    LIGHTS.forEach((light, i) => {
      const most = Math.max(...light, 1);
      const shining = scene.matt([0, 0, 0], {
        emissiveFactor: light.map((value) => value / most),
        extensions: { KHR_materials_emissive_strength: { emissiveStrength: most } },
      });
      scene.node({ mesh: scene.square(shining), translation: [...place(i), 0], scale: [0.2, 0.2, 1] });
    });
    const viewer = await through(t, scene);
    await viewer.setEnvironment(null);
    viewer.toneMapping = name;
    for (const exposure of [1, 3]) {
      viewer.exposure = exposure;
      const now = await seen(t, viewer);
      LIGHTS.forEach((light, i) => {
        const expected = curve(light.map((value) => value * exposure) as unknown as Rgb);
        // The shader's polynomial for AgX deviates by at most 0.6 %.
        t.close(now.at(...place(i)), expected, name === 'agx' ? 2.5 : 1.1, `${light.join()} at ${exposure}`);
      });
    }
  });
}

test('dithering: a slow gradient has no bands', async (t) => {
  const scene = new Scene();
  // Colours within a few steps of 8-bit pixels.
  const [from, to] = [0.2, 0.2 + 2.5 / 255 / 3];
  const color = scene.accessor(
    'VEC3',
    [from, to, to, from].flatMap((value) => [value, value, value]),
  );
  scene.node({ mesh: scene.square(scene.matt([1, 1, 1]), { COLOR_0: color }) });
  const viewer = await through(t, scene);
  viewer.toneMapping = 'none';
  await viewer.setEnvironment(even(1));
  const { image } = await seen(t, viewer);
  // The means of columns increase strictly, without steps.
  const means = Array.from({ length: 8 }, (_, part) => {
    let sum = 0;
    for (let y = 0; y < image.height; y++)
      for (let x = 0; x < 8; x++) sum += image.data[4 * (y * image.width + part * 8 + x)] ?? 0;
    return sum / (8 * image.height);
  });
  for (let i = 1; i < means.length; i++) t.ok((means[i] ?? 0) > (means[i - 1] ?? 0), `${means.join(', ')}`);
});
