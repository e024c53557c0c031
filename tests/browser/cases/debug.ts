// Debug views: the expected pixels are computed from the contents of the file.

import { createViewer, type Viewer } from 'gambol';
import { test } from '../page/api.ts';
import { encoded } from './support/light.ts';
import { Loss } from './support/loss.ts';
import { Scene, places, seen, through, type Rgb } from './support/scene.ts';
import { countGlObjects, picture, recorded } from './support/watch.ts';

const GREY: Rgb = [0.5, 0.5, 0.5];
const BONE: Rgb = [255, 140, 26];

/** A direction as a colour, 0 … 255. */
const direction = (v: Rgb): Rgb => [127.5 * (v[0] + 1), 127.5 * (v[1] + 1), 127.5 * (v[2] + 1)];
/** The colour of a weight as documented: blue, cyan, green, yellow, red in equal steps. */
function heat(weight: number): Rgb {
  if (weight === 0) return [76.5, 76.5, 76.5];
  const stops: readonly Rgb[] = [
    [0, 0, 255],
    [0, 255, 255],
    [0, 255, 0],
    [255, 255, 0],
    [255, 0, 0],
    [255, 0, 0],
  ];
  const [at, rest] = [Math.floor(4 * weight), (4 * weight) % 1];
  const [from, to] = [stops[at] ?? [0, 0, 0], stops[at + 1] ?? [0, 0, 0]];
  return [0, 1, 2].map((i) => (from[i] ?? 0) * (1 - rest) + (to[i] ?? 0) * rest) as unknown as Rgb;
}
/** `true` if at least `part` of a pixel is covered by the colour over black, as at the edge of a line. */
const inked = (pixel: Rgb, ink: Rgb, part = 0.6): boolean =>
  pixel.every((value, i) => Math.abs(value - (ink[i] ?? 0) * 1) <= 255 * (1 - part) * ((ink[i] ?? 0) / 255) + 12);

/**
 * A square from -0.5 to 0.5, skinned to two joints: from left to right the weight moves from the first to the second.
 * The joints are behind it, at -0.25 and at 0.25.
 */
function strip(more: object = {}): Scene {
  const scene = new Scene();
  const joints = [
    scene.node({ name: 'Left Hand', translation: [-0.25, 0, -0.5], children: [2] }),
    scene.add('nodes', { name: 'Right', translation: [0.5, 0, 0] }),
  ];
  const bind = (x: number): number[] => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0, 0.5, 1];
  scene.add('skins', { joints, inverseBindMatrices: scene.accessor('MAT4', [...bind(0.25), ...bind(-0.25)]) });
  const attributes = {
    POSITION: scene.accessor('VEC3', [-0.5, -0.5, 0, 0.5, -0.5, 0, 0.5, 0.5, 0, -0.5, 0.5, 0]),
    JOINTS_0: scene.accessor(
      'VEC4',
      [0, 1, 2, 3].flatMap(() => [0, 1, 0, 0]),
      true,
    ),
    WEIGHTS_0: scene.accessor(
      'VEC4',
      [0, 1, 1, 0].flatMap((right) => [1 - right, right, 0, 0]),
    ),
  };
  scene.node({ mesh: scene.square(scene.matt(GREY), attributes), skin: 0, ...more });
  return scene;
}

/** The visible half of a sphere of radius 0.8. */
function ball(): Scene {
  const scene = new Scene();
  const [rings, segments] = [8, 24];
  const normals: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i <= rings; i++) {
    for (let j = 0; j <= segments; j++) {
      const [off, turn] = [(i / rings) * (Math.PI / 2), (j / segments) * 2 * Math.PI];
      normals.push(Math.sin(off) * Math.cos(turn), Math.sin(off) * Math.sin(turn), Math.cos(off));
      const at = i * (segments + 1) + j;
      if (i < rings && j < segments)
        indices.push(at, at + segments + 1, at + segments + 2, at, at + segments + 2, at + 1);
    }
  }
  const attributes = {
    POSITION: scene.accessor(
      'VEC3',
      normals.map((value) => 0.8 * value),
    ),
    NORMAL: scene.accessor('VEC3', normals),
    TEXCOORD_0: scene.accessor(
      'VEC2',
      normals.flatMap((value, i) => (i % 3 === 2 ? [] : [value])),
    ),
  };
  scene.node({
    mesh: scene.square(scene.matt(GREY), attributes, { indices: scene.accessor('SCALAR', indices, true) }),
  });
  return scene;
}

test('debug views: are set by name, and invalid names change nothing', async (t) => {
  const viewer = await through(t, strip());
  t.equal(viewer.debug, []);
  viewer.debug = ' skeleton  names ';
  t.equal(viewer.debug, ['skeleton', 'names']);
  viewer.debug = ['weights:Left Hand', 'wireframe', 'wireframe'];
  t.equal(viewer.debug, ['weights:Left Hand', 'wireframe']);
  for (const wrong of ['skeletons', 'weights', 'weights:', 'weights:Left Hand', ['normals', 'uv']]) {
    await t.throws(() => (viewer.debug = wrong), 'argument/invalid');
  }
  for (const wrong of [['weights:Tail'], 'weights:99']) await t.throws(() => (viewer.debug = wrong), 'joint/not-found');
  t.equal(viewer.debug, ['weights:Left Hand', 'wireframe']);
  const warnings: string[] = [];
  viewer.addEventListener('warning', ({ detail }) => warnings.push(detail.code));
  await viewer.load(ball().file());
  t.equal(warnings, ['joint/not-found'], 'the next model has no such joint');
  viewer.debug = 'none';
  t.equal(viewer.debug, []);
  viewer.dispose();
  await t.throws(() => (viewer.debug = 'skeleton'), 'viewer/disposed');
  t.equal(viewer.debug, []);
});

test('debug views: normals are shown as colours', async (t) => {
  const viewer = await through(t, ball());
  for (const view of ['normals', 'shading-normals']) {
    viewer.debug = view;
    const now = await seen(t, viewer);
    for (const [x, y] of places()) {
      const [a, b] = [x / 0.8, y / 0.8];
      const inside = 1 - a * a - b * b;
      // At the rim the sphere is visibly a polygon.
      if (inside > 0.25) t.close(now.at(x, y), direction([a, b, Math.sqrt(inside)]), 3, `${view} at ${x}, ${y}`);
    }
  }
  await t.screenshot('debug-normals');
});

test('debug views: normals follow skinning, skinning on the CPU and mirroring', async (t) => {
  for (const skinning of ['gpu', 'cpu'] as const) {
    const viewer = await through(t, strip(), { skinOn: skinning });
    viewer.debug = 'normals';
    const turn = [0, Math.sin(Math.PI / 8), 0, Math.cos(Math.PI / 8)] as const;
    for (const joint of ['Left Hand', 'Right']) viewer.joint(joint).override({ rotation: turn }, { space: 'world' });
    t.close((await seen(t, viewer)).at(0.01, 0.01), direction([Math.SQRT1_2, 0, Math.SQRT1_2]), 1.5, skinning);
    viewer.dispose();
  }
  const mirrored = new Scene();
  mirrored.node({
    mesh: mirrored.square(mirrored.matt(GREY)),
    scale: [-0.5, 0.5, 0.5],
    rotation: [0, Math.sin(-Math.PI / 8), 0, Math.cos(-Math.PI / 8)],
  });
  const viewer = await through(t, mirrored);
  viewer.debug = 'normals';
  t.close((await seen(t, viewer)).at(0.01, 0.01), direction([-Math.SQRT1_2, 0, Math.SQRT1_2]), 1.5, 'mirrored');
});

test('debug views: texture coordinates and tangents are shown as colours, also without textures', async (t) => {
  const scene = new Scene();
  scene.node({ mesh: scene.square(scene.matt(GREY)) });
  const viewer = await through(t, scene);
  viewer.debug = 'uv';
  let now = await seen(t, viewer);
  for (const [x, y] of places(3)) t.close(now.at(x, y), [127.5 * (x + 1), 127.5 * (1 - y), 0], 1.5, `at ${x}, ${y}`);
  viewer.debug = 'tangents';
  now = await seen(t, viewer);
  t.close(now.at(0.3, 0.3), direction([1, 0, 0]), 1.5, 'from coordinates');
  viewer.dispose();

  const given = new Scene();
  const tangent = given.accessor(
    'VEC4',
    [0, 1, 2, 3].flatMap(() => [0, 1, 0, 1]),
  );
  given.node({ mesh: given.square(given.matt(GREY), { TANGENT: tangent }) });
  const other = await through(t, given);
  other.debug = 'tangents';
  t.close((await seen(t, other)).at(0.3, 0.3), direction([0, 1, 0]), 1.5, 'as the file has them');
});

test('debug views: each material property has a view', async (t) => {
  const scene = new Scene();
  const extensions = {
    KHR_materials_specular: { specularFactor: 0.7, specularColorFactor: [0.2, 0.4, 0.6] },
    KHR_materials_clearcoat: { clearcoatFactor: 0.3, clearcoatRoughnessFactor: 0.45 },
    KHR_materials_sheen: { sheenColorFactor: [0.6, 0.3, 0.1], sheenRoughnessFactor: 0.35 },
    KHR_materials_transmission: { transmissionFactor: 0.55 },
    KHR_materials_volume: { thicknessFactor: 0.8 },
    KHR_materials_iridescence: { iridescenceFactor: 0.65 },
    KHR_materials_anisotropy: { anisotropyStrength: 0.15 },
    KHR_materials_diffuse_transmission: {
      diffuseTransmissionFactor: 0.85,
      diffuseTransmissionColorFactor: [0.9, 0.5, 0.2],
    },
  };
  Object.keys(extensions).forEach((name) => scene.use(name));
  const material = scene.add('materials', {
    pbrMetallicRoughness: {
      baseColorFactor: [0.5, 0.25, 0.125, 0.4],
      metallicFactor: 0.2,
      roughnessFactor: 0.9,
      metallicRoughnessTexture: { index: scene.texture() },
    },
    emissiveFactor: [0.05, 0.1, 0.2],
    alphaMode: 'BLEND',
    extensions,
  });
  const colors = scene.accessor(
    'VEC4',
    [0, 1, 2, 3].flatMap(() => [0.5, 1, 1, 1]),
  );
  scene.node({ mesh: scene.square(material, { COLOR_0: colors }) });
  const viewer = await through(t, scene);
  const grey = (value: number): Rgb => [255 * value, 255 * value, 255 * value];
  const color = (...value: number[]): Rgb => value.map(encoded) as unknown as Rgb;
  // The texel in the second column and the third row: its green and blue.
  const [green, blue] = [170 / 255, 200 / 255];
  const expected: readonly (readonly [string, Rgb])[] = [
    ['base-color', color(0.25, 0.25, 0.125)],
    ['alpha', grey(0.4)],
    ['metallic', grey(0.2 * blue)],
    ['roughness', grey(0.9 * green)],
    ['occlusion', grey(1)],
    ['emissive', color(0.05, 0.1, 0.2)],
    ['vertex-colors', color(0.5, 1, 1)],
    ['specular', grey(0.7)],
    ['specular-color', color(0.2, 0.4, 0.6)],
    ['clearcoat', grey(0.3)],
    ['clearcoat-roughness', grey(0.45)],
    ['sheen', color(0.6, 0.3, 0.1)],
    ['sheen-roughness', grey(0.35)],
    ['transmission', grey(0.55)],
    ['thickness', grey(0.8)],
    ['iridescence', grey(0.65)],
    ['anisotropy', grey(0.15)],
    ['diffuse-transmission', grey(0.85)],
    ['diffuse-transmission-color', color(0.9, 0.5, 0.2)],
  ];
  for (const [view, pixel] of expected) {
    viewer.debug = view;
    t.close((await seen(t, viewer)).at(-0.2, -0.2), pixel, 1.5, view);
  }
});

test('debug views: a normal map changes the shading normals, not the normals', async (t) => {
  const scene = new Scene();
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: 1, height: 1 });
  const context = t.some(canvas.getContext('2d'));
  // The normal (0.6, 0, 0.8) encoded for a normal map: 1 … 255.
  context.fillStyle = 'rgb(204, 128, 230)';
  context.fillRect(0, 0, 1, 1);
  const index = scene.add('textures', { source: scene.add('images', { uri: canvas.toDataURL() }) });
  scene.node({ mesh: scene.square(scene.matt(GREY, { normalTexture: { index } })) });
  const viewer = await through(t, scene);
  viewer.debug = 'shading-normals';
  t.close((await seen(t, viewer)).at(0.3, 0.3), direction([0.6, 0, 0.8]), 2);
  viewer.debug = 'normals';
  t.close((await seen(t, viewer)).at(0.3, 0.3), direction([0, 0, 1]), 1);
});

test('debug views: the heat map shows the skin weights of a joint', async (t) => {
  for (const skinning of ['gpu', 'cpu'] as const) {
    const viewer = await through(t, strip(), { skinOn: skinning });
    for (const [joint, weight] of [
      ['Right', (x: number) => x + 0.5],
      ['1', (x: number) => 0.5 - x],
    ] as const) {
      viewer.debug = [`weights:${joint}`];
      const now = await seen(t, viewer);
      for (const [x, y] of places(3)) {
        if (Math.max(Math.abs(x), Math.abs(y)) < 0.47)
          t.close(now.at(x, y), heat(weight(x)), 6, `${skinning}, ${joint}, at ${x}`);
      }
    }
    await t.screenshot(`debug-weights-${skinning}`);
    viewer.debug = ['weights:Eye'];
    t.close((await seen(t, viewer)).at(0, 0), heat(0), 1, 'a node that moves nothing');
    viewer.dispose();
  }
  const rigid = new Scene();
  rigid.node({ name: 'Box', mesh: rigid.square(rigid.matt(GREY)) });
  const viewer = await through(t, rigid);
  viewer.debug = 'weights:Box';
  t.close((await seen(t, viewer)).at(0, 0), heat(1), 1, 'what is rigid is moved by its node');
  viewer.debug = 'weights:Eye';
  t.close((await seen(t, viewer)).at(0, 0), heat(0), 1, 'and by no other');
});

test('debug views: apply to all instances and actors', async (t) => {
  const scene = new Scene();
  scene.use('EXT_mesh_gpu_instancing');
  const attributes = {
    TRANSLATION: scene.accessor('VEC3', [-0.5, 0, 0, 0.5, 0, 0]),
    SCALE: scene.accessor('VEC3', [0.2, 0.2, 1, 0.2, 0.2, 1]),
  };
  scene.node({ mesh: scene.square(scene.matt(GREY)), extensions: { EXT_mesh_gpu_instancing: { attributes } } });
  const viewer = await through(t, scene);
  await viewer.add(t.some(viewer.model), { position: [0, 0.6, 0] });
  viewer.debug = 'normals';
  const now = await seen(t, viewer);
  for (const [x, y] of [
    [-0.5, 0],
    [0.5, 0],
    [-0.5, 0.6],
    [0.5, 0.6],
  ] as const)
    t.close(now.at(x, y), direction([0, 0, 1]), 1, `at ${x}, ${y}`);
  t.equal(now.at(0, 0), [0, 0, 0]);
});

test('debug views: the wireframe shows the edges of moving triangles', async (t) => {
  for (const skinning of ['gpu', 'cpu'] as const) {
    const viewer = await through(t, strip(), { skinOn: skinning });
    viewer.debug = ['base-color', 'wireframe'];
    const crossed = async (y: number, from: number): Promise<number[]> => {
      const now = await seen(t, viewer);
      // The positions on a row of pixels where wires begin, from left to right.
      const row = [...places()]
        .filter(([, at]) => at === y)
        .map(([x]) => x)
        .sort((a, b) => a - b);
      const blue = row.map((x) => now.at(x, y)).map(([r, , b]) => b - r > 60);
      return row.filter((x, i) => x > from && blue[i] && !blue[i - 1]);
    };
    const y = -1 / 64 - 0.25;
    // The left edge, the diagonal from the lower left, the right edge.
    t.close(await crossed(y, -1), [-0.5, y, 0.5], 0.07, skinning);
    viewer.joint('Left Hand').override({ translation: [0, 0, -0.5] }, { space: 'world' });
    t.close(await crossed(y, -1), [-0.25, y + 0.25, 0.75], 0.07, `${skinning}, moved`);
    viewer.debug = 'base-color';
    await picture(t, viewer);
    const without = viewer.stats.drawCalls;
    viewer.debug = ['base-color', 'wireframe'];
    await picture(t, viewer);
    t.equal(viewer.stats.drawCalls, without + 1, 'one draw more');
    viewer.dispose();
  }
});

test('debug views: the skeleton connects the joints, over everything else', async (t) => {
  const viewer = await through(t, strip());
  viewer.debug = ['base-color', 'skeleton'];
  for (const moved of [false, true]) {
    if (moved) viewer.joint('Right').override({ translation: [0.125, 0.5, 0] }, { space: 'world' });
    const now = await seen(t, viewer);
    await t.screenshot(`debug-skeleton-${moved}`);
    for (const name of ['Left Hand', 'Right']) {
      const [x = 0, y = 0] = viewer.joint(name).world.slice(12, 14);
      // The bone's edges meet there; a neighbouring pixel counts as well.
      const around = [-1, 0, 1].flatMap((i) => [-1, 0, 1].map((j) => now.at(x + i / 32, y + j / 32)));
      t.ok(
        around.some((pixel) => inked(pixel, BONE)),
        `a bone at ${name}: ${around.join(' ')}`,
      );
    }
    // Half way along the bone, away from the axis, there is one of its edges.
    const [a, b] = ['Left Hand', 'Right'].map((name) => viewer.joint(name).world.slice(12, 14));
    const reds = [...places()].filter(([x, y]) => inked(now.at(x, y), BONE));
    const [ax = 0, ay = 0] = t.some(a);
    const [bx = 0, by = 0] = t.some(b);
    const far = reds.filter(
      ([x, y]) => distance([x, y], [ax, ay], [bx + 0.35 * (bx - ax), by + 0.35 * (by - ay)]) > 0.09,
    );
    t.ok(reds.length > 10, `a bone is drawn: ${reds.length}`);
    t.equal(far, [], 'and nothing elsewhere');
  }
});

/** The distance from a point to a segment. */
function distance(
  [x, y]: readonly [number, number],
  [ax, ay]: readonly [number, number],
  [bx, by]: readonly [number, number],
): number {
  const [dx, dy] = [bx - ax, by - ay];
  const along = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)));
  return Math.hypot(x - ax - along * dx, y - ay - along * dy);
}

test('debug views: bounds are a box, the boxes of joints and a sphere', async (t) => {
  const scene = new Scene();
  scene.node({ mesh: scene.square(scene.matt(GREY)), scale: [0.5, 0.5, 1] });
  const viewer = await through(t, scene);
  viewer.debug = 'bounds';
  const now = await seen(t, viewer);
  await t.screenshot('debug-bounds');
  const { radius } = t.some(viewer.boundingSphere);
  const near = (x: number, y: number, fits: (pixel: Rgb) => boolean): boolean =>
    [-1, 0, 1].some((i) => fits(now.at(x + i / 32, y)));
  t.ok(
    near(radius, 0, (pixel) => inked(pixel, [51, 191, 140])),
    'the sphere',
  );
  const box = (pixel: Rgb): boolean => inked(pixel, [242, 51, 115]) || inked(pixel, [158, 115, 255]);
  t.ok(near(0.5, 0.2, box) && near(-0.5, 0.2, box), 'the box');
  t.ok(!near(0.2, 0.3, box), 'only its edges');
});

test('debug views: normals and tangents are drawn as lines', async (t) => {
  const scene = new Scene();
  // Lines that are visible from the front: normals to the right, tangents up.
  const attributes = {
    NORMAL: scene.accessor(
      'VEC3',
      [0, 1, 2, 3].flatMap(() => [1, 0, 0]),
    ),
    TANGENT: scene.accessor(
      'VEC4',
      [0, 1, 2, 3].flatMap(() => [0, 1, 0, 1]),
    ),
  };
  scene.node({ mesh: scene.square(scene.unlit([0, 0, 0]), attributes), scale: [0.5, 0.5, 1] });
  const viewer = await createViewer(t.canvas(512, 512), { maxDpr: 1, background: [0, 0, 0, 1] });
  await viewer.load(scene.file());
  viewer.activeCamera = 0;
  viewer.debug = ['normal-lines', 'tangent-lines'];
  const { data, width } = await picture(t, viewer);
  await t.screenshot('debug-normal-lines');
  const pixel = (x: number, y: number): Rgb => {
    const i = 4 * (Math.round((1 - y) * 256) * width + Math.round((x + 1) * 256));
    return [data[i] ?? 0, data[i + 1] ?? 0, data[i + 2] ?? 0];
  };
  // A fortieth of the radius is 4.5 pixels.
  const lines = (dx: number, dy: number, ink: Rgb): boolean =>
    [-1, 0].every(
      (i) =>
        [0.5, -0.5].every((x) =>
          [0, 1].some((j) => inked(pixel(x + dx + (dy ? j - 1 : 0) / 256, 0.5 + dy + (dx ? j - 0.5 : 0) / 256), ink)),
        ) || i > 0,
    );
  t.ok(lines(2.5 / 256, 0, [77, 128, 255]), `normals to the right: ${pixel(0.51, 0.5).join()}`);
  t.ok(lines(0, 2.5 / 256, [255, 89, 77]), `tangents up: ${pixel(0.5, 0.51).join()}`);
  t.ok(!lines(-2.5 / 256, 0, [77, 128, 255]), 'and not to the left');
});

test('debug views: the bind pose is the mesh of the file', async (t) => {
  for (const skinning of ['gpu', 'cpu'] as const) {
    const viewer = await through(t, strip(), { skinOn: skinning });
    viewer.debug = 'base-color';
    const rest = await picture(t, viewer);
    viewer.joint('Right').override({ translation: [0.7, 0.3, 0] }, { space: 'world' });
    t.ok((await seen(t, viewer)).covered(0.7, 0.3), 'it is bent');
    viewer.debug = ['base-color', 'bind-pose'];
    t.samePixels(await picture(t, viewer), rest, { channel: 0 });
    t.close(viewer.joint('Right').world.slice(12, 15), [0.25, 0, -0.5], 1e-6, 'joints stand where they were bound');
    viewer.debug = 'base-color';
    t.ok((await seen(t, viewer)).covered(0.7, 0.3), 'it is bent again');
    viewer.dispose();
  }
});

test('debug views: names are placed at their joints', async (t) => {
  const viewer = await through(t, strip());
  const names = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('.gambol-names span')];
  viewer.debug = 'names';
  // The names are drawn by a script that is loaded lazily.
  await t.until(() => names().length > 0, 'names');
  await t.frames(2);
  const box = viewer.canvas.getBoundingClientRect();
  t.equal(
    names().map(({ textContent }) => textContent),
    ['Left Hand', 'Right'],
  );
  t.ok(
    names().every((name) => name.closest('[aria-hidden="true"]')),
    'for eyes only',
  );
  const right = t.some(names()[1]);
  const place = (): number[] => {
    const { left, top, height } = right.getBoundingClientRect();
    return [left - 7 - box.left, top + height / 2 - box.top];
  };
  t.ok(right.hidden, 'it would lie over the other one');
  viewer.joint('Right').override({ translation: [0, 0.5, 0] }, { space: 'world' });
  await t.frames(2);
  t.close(place(), [32, 16], 0.6);
  viewer.debug = 'skeleton';
  t.equal(names(), []);
  viewer.debug = 'names';
  await viewer.load(ball().file());
  await t.frames(2);
  t.equal(
    names().map(({ textContent }) => textContent),
    ['Eye'],
    'without a skin all nodes count',
  );
  viewer.dispose();
  t.equal(document.querySelector('.gambol-names'), null);
});

test('debug views: a steady frame allocates nothing, and no object remains', async (t) => {
  const made = countGlObjects();
  const viewer = await through(t, strip());
  await picture(t, viewer);
  const before = viewer.liveObjects();
  const all = [
    'weights:Right',
    'skeleton',
    'names',
    'bounds',
    'wireframe',
    'normal-lines',
    'tangent-lines',
    'bind-pose',
  ];
  viewer.debug = all;
  for (let i = 0; i < 4; i++) await picture(t, viewer);
  const [during, memory] = [made(), viewer.stats.memoryBytes];
  for (let i = 0; i < 20; i++) {
    viewer.joint('Right').override({ translation: [0.5 + i / 100, 0, 0] });
    await picture(t, viewer);
  }
  t.equal(made(), during);
  t.equal(viewer.stats.memoryBytes, memory);
  viewer.debug = 'none';
  await picture(t, viewer);
  const { programs: _, shaders: __, ...after } = viewer.liveObjects();
  const { programs: ___, shaders: ____, ...held } = before;
  t.equal(after, held);
});

test('debug views: survive a context loss', async (t) => {
  const viewer = await through(t, strip());
  viewer.debug = ['weights:Right', 'skeleton', 'wireframe', 'bounds'];
  const before = await picture(t, viewer);
  const events = recorded(viewer);
  const loss = t.some(t.some(viewer.canvas.getContext('webgl2')).getExtension('WEBGL_lose_context'));
  loss.loseContext();
  await t.until(() => events.includes('contextlost'), 'the loss');
  await t.sleep(50);
  loss.restoreContext();
  await t.until(() => events.includes('contextrestored'), 'the return');
  t.samePixels(await picture(t, viewer), before, { channel: 1 });
});

test(
  'debug views: real characters',
  async (t) => {
    const files = ['/sample.glb', '/shared/assets/gltf/CesiumMan.glb', '/shared/assets/gltf/Fox.glb'];
    const shown: Viewer[] = [];
    for (const file of files) {
      if (!(await fetch(file)).ok) continue;
      const viewer = await createViewer(t.canvas(300, 300), { maxDpr: 1 });
      await viewer.load(file);
      viewer.debug = 'normals skeleton bounds wireframe';
      const { data } = await picture(t, viewer);
      let ink = 0;
      for (let i = 0; i < data.length; i += 4)
        ink += inked([data[i] ?? 0, data[i + 1] ?? 0, data[i + 2] ?? 0], BONE) && (data[i + 3] ?? 0) > 200 ? 1 : 0;
      t.ok(ink > 50, `${file} has bones: ${ink}`);
      shown.push(viewer);
    }
    await t.screenshot('debug-characters');
  },
  { all: true, timeout: 90_000 },
);

test(
  'debug views: a still during the restore of a context keeps them',
  async (t) => {
    const viewer = await createViewer(t.canvas());
    await viewer.load('/sample.glb');
    viewer.debug = ['normals', 'wireframe'];
    const before = await picture(t, viewer);
    const heard = recorded(viewer);
    new Loss(t, viewer.canvas).take();
    await t.until(() => heard.includes('contextlost'), 'the loss');
    // This includes the steps in which the model is uploaded again.
    await t.until(() => {
      viewer.toDataURL();
      return heard.includes('contextrestored');
    }, 'the return');
    t.samePixels(await picture(t, viewer), before, { channel: 1 });
  },
  { all: true },
);
