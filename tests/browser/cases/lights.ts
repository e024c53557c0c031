// KHR_lights_punctual: the light that a pixel receives agrees with the specification.

import { test, type T } from '../page/api.ts';
import { brighter, sentBack, type Punctual } from './support/light.ts';
import { Scene, lit, places, seen, through, type Rgb, type Seen } from './support/scene.ts';

const GREY: Rgb = [0.2, 0.2, 0.2];

/** A matt square: its pictures in the studio's light alone, and with an additional light. */
async function pictures(t: T, light: object, node: object): Promise<[Seen, Seen]> {
  const both: Seen[] = [];
  for (const on of [false, true]) {
    const scene = new Scene();
    scene.node({ mesh: scene.square(scene.matt(GREY)) });
    const index = scene.light(light);
    if (on) scene.node({ ...node, extensions: lit(index) });
    const viewer = await through(t, scene);
    both.push(await seen(t, viewer));
    if (on) await t.screenshot(t.name.replaceAll(/\W+/g, '-'));
    viewer.dispose();
  }
  return both as [Seen, Seen];
}

/** Checks that the light gives every pixel the expected value, and that the largest increase is above `most`. */
function check(t: T, [dark, bright]: [Seen, Seen], light: Punctual, most: number): void {
  let gained = 0;
  for (const [x, y] of places(3)) {
    const before = dark.at(x, y);
    const expected = brighter(before, sentBack(GREY, [x, y], light));
    t.close(bright.at(x, y), expected, 2, `at ${x}, ${y}, before ${before.join()}`);
    gained = Math.max(gained, ...expected.map((value, i) => value - (before[i] ?? 0)));
  }
  t.ok(gained > most, `the light is seen: ${gained}`);
}

/** A rotation about Y by 60°: -Z becomes (-sin 60°, 0, -cos 60°). */
const TURNED = { rotation: [0, Math.sin(Math.PI / 6), 0, Math.cos(Math.PI / 6)] };
const ALONG = [-Math.sin(Math.PI / 3), 0, -0.5] as const;

test('KHR_lights_punctual: a directional light has the direction of its node, at any position', async (t) => {
  const color = [1, 0.5, 0.25] as const;
  const both = await pictures(
    t,
    { type: 'directional', color, intensity: 4 },
    { ...TURNED, translation: [7, 8, -9], scale: [3, 3, 3] },
  );
  check(t, both, { color, intensity: 4, along: ALONG }, 30);
});

test('KHR_lights_punctual: a light from behind adds nothing', async (t) => {
  const [dark, bright] = await pictures(t, { type: 'directional', intensity: 4 }, { rotation: [0, 1, 0, 0] });
  t.samePixels(bright.image, dark.image, { channel: 0 });
});

test('KHR_lights_punctual: a point light falls off with the square of the distance', async (t) => {
  const place = [0.25, 0.25, 0.75] as const;
  const color = [1, 1, 1] as const;
  check(
    t,
    await pictures(t, { type: 'point', intensity: 1.5 }, { translation: place }),
    { color, intensity: 1.5, place },
    40,
  );
});

test('KHR_lights_punctual: a point light ends at its range', async (t) => {
  const place = [-0.5, -0.25, 0.5] as const;
  const color = [0.25, 1, 0.5] as const;
  const both = await pictures(t, { type: 'point', color, intensity: 0.75, range: 0.9 }, { translation: place });
  check(t, both, { color, intensity: 0.75, place, range: 0.9 }, 35);
  t.equal(both[1].at(0.9, 0.9), both[0].at(0.9, 0.9), 'out of range');
});

test('KHR_lights_punctual: a spot light has a cone with a soft edge', async (t) => {
  const place = [0, 0, 1] as const;
  const cone = [0.25, 0.6] as const;
  const light = { type: 'spot', intensity: 3, spot: { innerConeAngle: cone[0], outerConeAngle: cone[1] } };
  const both = await pictures(t, light, { translation: place });
  check(t, both, { color: [1, 1, 1], intensity: 3, place, along: [0, 0, -1], cone }, 40);
  t.equal(both[1].at(0.75, 0), both[0].at(0.75, 0), 'outside');
});

test('KHR_lights_punctual: a spot light without angles has a cone of 45°', async (t) => {
  const place = [0, 0, 0.5] as const;
  const both = await pictures(t, { type: 'spot', intensity: 0.75, spot: {} }, { translation: place });
  check(t, both, { color: [1, 1, 1], intensity: 0.75, place, along: [0, 0, -1], cone: [0, Math.PI / 4] }, 40);
});
