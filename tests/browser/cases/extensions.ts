// Visible effects of glTF extensions: pixels as the specifications define them.

import { createViewer } from 'gambol';
import { test, type T } from '../page/api.ts';
import { brighter, decoded, encoded, sentBack } from './support/light.ts';
import { Scene, lit, places, seen, texel, through, type Json, type Rgb, type Seen } from './support/scene.ts';
import { picture } from './support/watch.ts';

const WHITE: Rgb = [1, 1, 1];
const [RED, GREEN, BLUE]: [Rgb, Rgb, Rgb] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** The pixel of an unlit linear colour. */
function bytes(color: Rgb): Rgb {
  return color.map((value) => Math.round(encoded(value))) as unknown as Rgb;
}

// ---- materials

test('KHR_materials_unlit: shows the base colour in any light', async (t) => {
  const scene = new Scene();
  const colors = scene.accessor('VEC3', [0.5, 1, 0.25, 0.5, 1, 0.25, 0.5, 1, 0.25, 0.5, 1, 0.25]);
  scene.node({ mesh: scene.square(scene.unlit([0.2, 0.5, 0.8]), { COLOR_0: colors }) });
  scene.node({ extensions: lit(scene.light({ type: 'directional', intensity: 9 })) });
  const viewer = await through(t, scene);
  const now = await seen(t, viewer);
  for (const [x, y] of places(5)) t.close(now.at(x, y), bytes([0.1, 0.5, 0.2]), 1, `at ${x}, ${y}`);
});

test('KHR_materials_emissive_strength: multiplies emission', async (t) => {
  const both: Seen[] = [];
  for (const emissiveStrength of [0, 8]) {
    const scene = new Scene();
    scene.use('KHR_materials_emissive_strength');
    const glowing = {
      emissiveFactor: [0.05, 0.02, 0.01],
      extensions: { KHR_materials_emissive_strength: { emissiveStrength } },
    };
    scene.node({ mesh: scene.square(scene.matt([0.1, 0.1, 0.1], glowing)) });
    both.push(await seen(t, await through(t, scene)));
  }
  const [dark, bright] = both as [Seen, Seen];
  for (const [x, y] of places(5)) t.close(bright.at(x, y), brighter(dark.at(x, y), [0.4, 0.16, 0.08]), 2);
});

test('KHR_materials_variants: changes materials by name, and back', async (t) => {
  const scene = new Scene();
  scene.use('KHR_materials_variants');
  const [red, green, blue] = [scene.unlit(RED), scene.unlit(GREEN), scene.unlit(BLUE)];
  const mappings = [
    { material: green, variants: [1] },
    { material: blue, variants: [0, 2] },
  ];
  const varied = scene.square(red, {}, { extensions: { KHR_materials_variants: { mappings } } });
  scene.json.extensions = {
    KHR_materials_variants: { variants: [{ name: 'Nacht' }, { name: 'Tag' }, { name: '夕方' }] },
  };
  const half = { scale: [0.4, 0.4, 1] };
  scene.node({ mesh: varied, translation: [-0.5, 0, 0], ...half });
  scene.node({ mesh: scene.square(red), translation: [0.5, 0, 0], ...half });
  const viewer = await through(t, scene);
  t.equal([viewer.variants, viewer.variant], [['Nacht', 'Tag', '夕方'], null]);
  for (const [name, color] of [
    [null, RED],
    ['Nacht', BLUE],
    ['Tag', GREEN],
    ['夕方', BLUE],
    [null, RED],
  ] as const) {
    viewer.variant = name;
    t.equal(viewer.variant, name);
    const now = await seen(t, viewer);
    t.equal([now.at(-0.5, 0), now.at(0.5, 0)], [bytes(color), bytes(RED)], String(name));
  }
  await t.throws(() => {
    viewer.variant = 'Abend';
  }, 'argument/invalid');
});

test('KHR_materials_variants: variants of a real model look different, and end with it', async (t) => {
  const source = '/shared/assets/gltf/18_variants/18_variants.gltf';
  if (!(await fetch(source, { method: 'HEAD' })).ok) t.skip('there is no ../shared');
  const viewer = await createViewer(t.canvas(200, 200), { maxDpr: 1, background: [1, 1, 1, 1] });
  await viewer.load(source);
  t.ok(viewer.variants.length > 1, 'there are variants');
  const plain = await picture(t, viewer);
  const different = (a: ImageData, b: ImageData): number =>
    a.data.filter((value, i) => Math.abs(value - (b.data[i] ?? 0)) > 16).length;
  const pictures: ImageData[] = [];
  for (const name of viewer.variants) {
    viewer.variant = name;
    pictures.push(await picture(t, viewer));
  }
  t.ok(
    pictures.some((each) => different(each, plain) > 500),
    'a variant looks different',
  );
  viewer.variant = null;
  t.samePixels(await picture(t, viewer), plain);
  await viewer.load('/sample.glb');
  t.equal([viewer.variants.length, viewer.variant], [0, null]);
});

// ---- KHR_texture_transform

interface Transform {
  offset?: readonly [number, number];
  rotation?: number;
  scale?: readonly [number, number];
}

/**
 * Scales, then rotates, then translates. A positive rotation is counter-clockwise in the texture's plane, whose V
 * points down. (The GLSL in the text of the extension rotates the other way; its example and the sample model agree
 * with its words.)
 */
function transformed(
  [u, v]: readonly [number, number],
  { offset = [0, 0], rotation = 0, scale = [1, 1] }: Transform,
): readonly [number, number] {
  const [x, y] = [u * scale[0], v * scale[1]];
  const [sin, cos] = [Math.sin(rotation), Math.cos(rotation)];
  return [cos * x + sin * y + offset[0], cos * y - sin * x + offset[1]];
}

/** The texel of the repeated texture; undefined if it is so near an edge that rounding decides. */
function lookedUp([u, v]: readonly [number, number]): Rgb | undefined {
  const [x, y] = [4 * (u - Math.floor(u)), 4 * (v - Math.floor(v))];
  const inside = (at: number): boolean => Math.abs(at - Math.round(at)) > 0.06;
  return inside(x) && inside(y) ? texel(Math.floor(x), Math.floor(y)) : undefined;
}

/** The number of compared places; throws if a place does not show the expected texel. */
function compared(
  t: T,
  now: Seen,
  uvOf: (x: number, y: number) => readonly [number, number],
  pixelOf: (texel: Rgb, x: number, y: number) => Rgb,
): void {
  let count = 0;
  for (const [x, y] of places(2)) {
    const color = lookedUp(uvOf(x, y));
    if (!color) continue;
    count += 1;
    t.close(now.at(x, y), pixelOf(color, x, y), 2, `at ${x}, ${y}`);
  }
  t.ok(count > 500, `enough pixels are far from edges: ${count}`);
}

const uv = (x: number, y: number): readonly [number, number] => [(x + 1) / 2, (1 - y) / 2];

for (const [name, transform] of [
  ['the identity', {}],
  ['an offset', { offset: [0.3, -0.85] }],
  ['a rotation', { rotation: 0.4 }],
  ['a scale', { scale: [1.5, -0.7] }],
  ['all of it', { offset: [0.125, 0.5], rotation: -2.2, scale: [1.3, 0.6] }],
  ['the example of its text', { offset: [0, 1], rotation: Math.PI / 2, scale: [0.5, 0.5] }],
] as const satisfies readonly (readonly [string, Transform])[]) {
  test(`KHR_texture_transform: moves the base colour: ${name}`, async (t) => {
    const scene = new Scene();
    scene.use('KHR_texture_transform');
    const texture = { index: scene.texture(), extensions: { KHR_texture_transform: transform } };
    scene.node({ mesh: scene.square(scene.unlit(WHITE, texture)) });
    const viewer = await through(t, scene);
    compared(
      t,
      await seen(t, viewer),
      (x, y) => transformed(uv(x, y), transform),
      (color) => color,
    );
    if (name === 'all of it') await t.screenshot('texture-transform');
  });
}

test('KHR_texture_transform: each texture has its own transform and coordinates', async (t) => {
  const both: Seen[] = [];
  const transform = { offset: [0.2, 0.1], rotation: 0.7, scale: [0.8, 1.1], texCoord: 1 } as const;
  for (const glow of [0, 0.5]) {
    const scene = new Scene();
    scene.use('KHR_texture_transform');
    const texture = scene.texture();
    // U and V are swapped in the second set.
    const swapped = scene.accessor('VEC2', [1, 0, 1, 1, 0, 1, 0, 0]);
    const material = scene.matt([0.1, 0.1, 0.1], {
      emissiveFactor: [glow, glow, glow],
      emissiveTexture: { index: texture, texCoord: 0, extensions: { KHR_texture_transform: transform } },
    });
    scene.json.materials[material].pbrMetallicRoughness.baseColorTexture = { index: texture };
    scene.node({ mesh: scene.square(material, { TEXCOORD_1: swapped }) });
    both.push(await seen(t, await through(t, scene)));
  }
  const [dark, bright] = both as [Seen, Seen];
  // Compares places that are far from edges in both textures: the first texture determines the pixel without emission.
  compared(
    t,
    bright,
    (x, y) => {
      const [u, v] = uv(x, y);
      return transformed([v, u], transform);
    },
    (color, x, y) => brighter(dark.at(x, y), color.map((value) => 0.5 * decoded(value)) as unknown as Rgb),
  );
});

// ---- EXT_mesh_gpu_instancing

test('EXT_mesh_gpu_instancing: shows each instance at its place', async (t) => {
  const scene = new Scene();
  scene.use('EXT_mesh_gpu_instancing');
  const attributes = {
    TRANSLATION: scene.accessor('VEC3', [-0.25, 0.25, 0, 0.25, -0.25, 0, 0.25, 0.25, 0]),
    ROTATION: scene.accessor('VEC4', [0, 0, 0, 1, 0, 0, Math.SQRT1_2, Math.SQRT1_2, 0, 0, 0, 1]),
    SCALE: scene.accessor('VEC3', [0.2, 0.05, 1, 0.2, 0.05, 1, 0.03, 0.03, 1]),
  };
  // The node's own scale applies to all instances.
  scene.node({
    mesh: scene.square(scene.unlit(GREEN)),
    scale: [2, 2, 1],
    extensions: { EXT_mesh_gpu_instancing: { attributes } },
  });
  const viewer = await through(t, scene);
  const now = await seen(t, viewer);
  const boxes = [
    [-0.5, 0.5, 0.4, 0.1],
    [0.5, -0.5, 0.1, 0.4],
    [0.5, 0.5, 0.06, 0.06],
  ] as const;
  for (const [x, y] of places()) {
    // The distance outside of the nearest box; edges are not compared.
    const outside = Math.min(
      ...boxes.map(([left, top, width, height]) => Math.max(Math.abs(x - left) - width, Math.abs(y - top) - height)),
    );
    if (Math.abs(outside) > 0.04) t.equal(now.at(x, y), outside < 0 ? bytes(GREEN) : [0, 0, 0], `at ${x}, ${y}`);
  }
  await t.screenshot('instancing');
});

// ---- KHR_node_visibility

const hidden = { KHR_node_visibility: { visible: false } };

/** Four small squares in a row: one plain, one hidden, one below a hidden node, one animated. */
function row(): Scene {
  const scene = new Scene();
  scene.use('KHR_node_visibility');
  const mesh = scene.square(scene.unlit(WHITE));
  const at = (x: number): object => ({ mesh, translation: [x, 0, 0], scale: [0.15, 0.5, 1] });
  scene.node(at(-0.75));
  scene.node({ ...at(-0.25), extensions: hidden });
  scene.node({
    children: [scene.add('nodes', { ...at(0.25), extensions: { KHR_node_visibility: { visible: true } } })],
    extensions: hidden,
  });
  const blinking = scene.node({ ...at(0.75), extensions: { KHR_node_visibility: {} } });
  scene.animate(`/nodes/${blinking}/extensions/KHR_node_visibility/visible`, 'SCALAR', [0, 1, 2], [1, 0, 1], true);
  return scene;
}

test('KHR_node_visibility: hides nodes and their descendants, and is animated', async (t) => {
  const viewer = await through(t, row());
  for (const [time, visible] of [
    [0, true],
    [0.999, true],
    [1, false],
    [1.5, false],
    [2, true],
    [0.5, true],
  ] as const) {
    await viewer.seek(time);
    const now = await seen(t, viewer);
    t.equal(
      [-0.75, -0.25, 0.25, 0.75].map((x) => now.covered(x, 0)),
      [true, false, false, visible],
      `at ${time} s`,
    );
  }
});

test('KHR_node_visibility: hides lights and meshes with skinning on the CPU', async (t) => {
  const viewer = await through(t, row(), { skinOn: 'cpu' });
  const now = await seen(t, viewer);
  t.equal(
    [-0.75, -0.25, 0.25, 0.75].map((x) => now.covered(x, 0)),
    [true, false, false, true],
  );
  const lamps: ImageData[] = [];
  for (const extensions of [hidden, {}]) {
    const scene = new Scene();
    scene.use('KHR_node_visibility');
    scene.node({ mesh: scene.square(scene.matt([0.2, 0.2, 0.2])) });
    scene.node({ extensions: { ...lit(scene.light({ type: 'directional', intensity: 4 })), ...extensions } });
    lamps.push((await seen(t, await through(t, scene))).image);
  }
  const [off, on] = lamps.map(({ data }) => data[0] ?? 0);
  t.ok(t.some(on) > t.some(off) + 20, `${on} is brighter than ${off}`);
});

test('KHR_node_visibility: hidden nodes are not framed', async (t) => {
  const distances: number[] = [];
  for (const extensions of [undefined, hidden, {}]) {
    const scene = new Scene();
    scene.use('KHR_node_visibility');
    const mesh = scene.square(scene.unlit(WHITE));
    scene.node({ mesh });
    if (extensions) scene.node({ mesh, scale: [50, 50, 1], extensions });
    const viewer = await through(t, scene);
    distances.push(viewer.camera.distance);
  }
  const [alone = 0, without = 0, both = 0] = distances;
  t.close(without, alone, 1e-6);
  t.ok(both > 20 * alone, 'it is large');
});

// ---- KHR_animation_pointer

test('KHR_animation_pointer: animates factors of materials', async (t) => {
  const scene = new Scene();
  const material = scene.unlit(WHITE);
  scene.node({ mesh: scene.square(material) });
  scene.animate(
    `/materials/${material}/pbrMetallicRoughness/baseColorFactor`,
    'VEC4',
    [0, 2],
    [1, 0.5, 0, 1, 0, 0.25, 1, 1],
  );
  const viewer = await through(t, scene);
  for (const time of [0, 0.5, 1.25, 2, 0]) {
    await viewer.seek(time);
    const f = time / 2;
    t.close((await seen(t, viewer)).at(0.3, 0.3), bytes([1 - f, 0.5 - 0.25 * f, f]), 1, `at ${time} s`);
  }
});

test('KHR_animation_pointer: animates emission, by colour and by strength', async (t) => {
  const scene = new Scene();
  scene.use('KHR_materials_emissive_strength');
  const material = scene.matt([0.1, 0.1, 0.1], {
    emissiveFactor: [0, 0, 0],
    extensions: { KHR_materials_emissive_strength: { emissiveStrength: 2 } },
  });
  scene.node({ mesh: scene.square(material) });
  scene.animate(`/materials/${material}/emissiveFactor`, 'VEC3', [0, 1], [0, 0, 0, 0.2, 0.1, 0.05]);
  scene.animate(
    `/materials/${material}/extensions/KHR_materials_emissive_strength/emissiveStrength`,
    'SCALAR',
    [0, 1],
    [2, 6],
  );
  const viewer = await through(t, scene);
  const dark = (await seen(t, viewer)).at(0, 0);
  await viewer.seek(0.75);
  t.close((await seen(t, viewer)).at(0, 0), brighter(dark, [0.3, 0.15, 0.075]), 2);
  viewer.clip = 1;
  await viewer.seek(1);
  t.close((await seen(t, viewer)).at(0, 0), dark, 0, 'strength of nothing is nothing');
});

test('KHR_animation_pointer: animates texture transforms', async (t) => {
  const scene = new Scene();
  scene.use('KHR_texture_transform');
  const texture = { index: scene.texture(), extensions: { KHR_texture_transform: { scale: [0.5, 0.5] } } };
  const material = scene.unlit(WHITE, texture);
  scene.node({ mesh: scene.square(material) });
  const pointer = `/materials/${material}/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform`;
  scene.animate(`${pointer}/offset`, 'VEC2', [0, 1], [0, 0, 0.5, 1]);
  scene.animate(`${pointer}/rotation`, 'SCALAR', [0, 1], [0, 2]);
  const viewer = await through(t, scene);
  const scale = [0.5, 0.5] as const;
  await viewer.seek(0.7);
  compared(
    t,
    await seen(t, viewer),
    (x, y) => transformed(uv(x, y), { scale, offset: [0.35, 0.7] }),
    (color) => color,
  );
  viewer.clip = 1;
  await viewer.seek(0.6);
  compared(
    t,
    await seen(t, viewer),
    (x, y) => transformed(uv(x, y), { scale, rotation: 1.2 }),
    (color) => color,
  );
});

test('KHR_animation_pointer: animates lights', async (t) => {
  const scene = new Scene();
  const grey: Rgb = [0.2, 0.2, 0.2];
  scene.node({ mesh: scene.square(scene.matt(grey)) });
  const light = scene.light({ type: 'spot', intensity: 0, spot: { innerConeAngle: 0, outerConeAngle: 0.5 } });
  scene.node({ translation: [0, 0, 1], extensions: lit(light) });
  const pointer = `/extensions/KHR_lights_punctual/lights/${light}`;
  scene.animate(`${pointer}/intensity`, 'SCALAR', [0, 1], [0, 4]);
  scene.json.animations[0].samplers.push({
    input: scene.accessor('SCALAR', [0, 1]),
    output: scene.accessor('SCALAR', [0.5, 0.8]),
  });
  const target = {
    path: 'pointer',
    extensions: { KHR_animation_pointer: { pointer: `${pointer}/spot/outerConeAngle` } },
  };
  scene.json.animations[0].channels.push({ sampler: 1, target });
  const viewer = await through(t, scene);
  const dark = await seen(t, viewer);
  await viewer.seek(0.5);
  const bright = await seen(t, viewer);
  for (const [x, y] of places(5)) {
    const added = sentBack(grey, [x, y], {
      color: WHITE,
      intensity: 2,
      place: [0, 0, 1],
      along: [0, 0, -1],
      cone: [0, 0.65],
    });
    t.close(bright.at(x, y), brighter(dark.at(x, y), added), 2, `at ${x}, ${y}`);
  }
});

// ---- morph targets

test('morph targets: change colours and texture coordinates', async (t) => {
  for (const skinning of ['gpu', 'cpu'] as const) {
    const scene = new Scene();
    const four = (...values: number[]): number[] => [...values, ...values, ...values, ...values];
    const colors = scene.accessor('VEC4', four(0.25, 0.5, 1, 1));
    const targets = [
      { COLOR_0: scene.accessor('VEC4', four(0.5, -0.25, 0, 0)) },
      { TEXCOORD_0: scene.accessor('VEC2', four(0.25, -0.5)) },
      { POSITION: scene.accessor('VEC3', four(0, 0, 0.5)) },
    ];
    const mesh = scene.square(scene.unlit(WHITE, { index: scene.texture() }), { COLOR_0: colors }, { targets });
    (scene.json.meshes[mesh] as Json).weights = [0.5, 0.75, 1];
    scene.node({ mesh });
    const viewer = await through(t, scene, { skinOn: skinning });
    const shift = [0.25 * 0.75, -0.5 * 0.75] as const;
    compared(
      t,
      await seen(t, viewer),
      (x, y) => transformed(uv(x, y), { offset: shift }),
      (color) => {
        const light = color.map(decoded);
        return bytes([(light[0] ?? 0) * 0.5, (light[1] ?? 0) * 0.375, light[2] ?? 0]);
      },
    );
    viewer.dispose();
  }
});
