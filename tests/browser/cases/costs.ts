// Expensive files: their cost grows linearly with their size, not with its square.

import { createViewer, type GambolError } from 'gambol';
import { test } from '../page/api.ts';
import { Scene, seen, through, type Rgb } from './support/scene.ts';

const GREEN: Rgb = [0, 1, 0];

/** A scene of `count` clips with the same name. */
function clips(count: number): Scene {
  const scene = new Scene();
  const node = scene.node({ mesh: scene.square(scene.unlit(GREEN)) });
  const input = scene.accessor('SCALAR', [0, 1]);
  const output = scene.accessor('VEC3', [0, 0, 0, 1, 0, 0]);
  for (let i = 0; i < count; i++) {
    scene.add('animations', {
      name: 'Same',
      samplers: [{ input, output }],
      channels: [{ sampler: 0, target: { node, path: 'translation' } }],
    });
  }
  return scene;
}

test('clip ids: equal names take linear time', async (t) => {
  const viewer = await createViewer(t.canvas(8, 8));
  const { has } = Set.prototype;
  let asked = 0;
  Set.prototype.has = function (value) {
    if (typeof value === 'string' && value.startsWith('Same')) asked += 1;
    return has.call(this, value);
  };
  try {
    await viewer.load(clips(500).file());
  } finally {
    Set.prototype.has = has;
  }
  t.equal([viewer.clips[0]?.id, viewer.clips[1]?.id, viewer.clips[499]?.id], ['Same', 'Same~2', 'Same~500']);
  t.equal(new Set(viewer.clips.map(({ id }) => id)).size, 500);
  t.ok(asked <= 3 * 500, `${asked} questions for 500 clips`);
});

test('clip ids: names that look numbered stay unique', async (t) => {
  const viewer = await createViewer(t.canvas(8, 8));
  const scene = clips(6);
  ['A', 'A~2', 'A', 'A', 'A~2', ''].forEach((name, i) => {
    scene.json.animations[i].name = name;
  });
  await viewer.load(scene.file());
  t.equal(
    viewer.clips.map(({ id }) => id),
    ['A', 'A~2', 'A~3', 'A~4', 'A~2~2', 'Clip 6'],
  );
});

/** 300 squares side by side, the last one mirrored, in the upper half; one more square below. */
function instances(material: (scene: Scene) => number): Scene {
  const scene = new Scene();
  scene.use('EXT_mesh_gpu_instancing');
  const places = Array.from({ length: 300 }, (_, i) => [(i / 299) * 1.6 - 0.8, 0.5, 0]).flat();
  const scales = Array.from({ length: 300 }, (_, i) => [i === 299 ? -0.05 : 0.05, 0.3, 1]).flat();
  const attributes = { TRANSLATION: scene.accessor('VEC3', places), SCALE: scene.accessor('VEC3', scales) };
  const mesh = scene.square(material(scene));
  scene.node({ mesh, extensions: { EXT_mesh_gpu_instancing: { attributes } } });
  scene.node({ mesh, translation: [0, -0.5, 0], scale: [0.8, 0.3, 1] });
  return scene;
}

test('EXT_mesh_gpu_instancing: instances of a mesh are one draw call, and mirrored ones another', async (t) => {
  const viewer = await through(
    t,
    instances((scene) => scene.unlit(GREEN)),
  );
  const now = await seen(t, viewer);
  for (const x of [-0.82, -0.3, 0, 0.5, 0.78, 0.84]) t.equal(now.at(x, 0.5), [0, 255, 0], `at ${x}`);
  t.equal(
    [now.at(-0.9, 0.5), now.at(0.9, 0.5), now.at(0, 0), now.at(0.5, -0.5)],
    [
      [0, 0, 0],
      [0, 0, 0],
      [0, 0, 0],
      [0, 255, 0],
    ],
  );
  t.equal(viewer.stats.drawCalls, 3);
  viewer.debug = 'normals';
  const normals = await seen(t, viewer);
  t.ok(
    normals.covered(-0.8, 0.5) && normals.covered(0.8, 0.5) && normals.covered(0.5, -0.5),
    'debug views show them all',
  );
  t.equal(viewer.stats.drawCalls, 3);
});

test('EXT_mesh_gpu_instancing: blended and CPU-skinned instances have a draw call each', async (t) => {
  const glass = await through(
    t,
    instances((scene) => scene.matt(GREEN, { alphaMode: 'BLEND' })),
  );
  t.ok(glass.stats.drawCalls >= 301, `${glass.stats.drawCalls} draws of glass`);
  const viewer = await through(
    t,
    instances((scene) => scene.unlit(GREEN)),
    { skinOn: 'cpu' },
  );
  t.equal(viewer.stats.drawCalls, 301);
  const now = await seen(t, viewer);
  t.equal(
    [now.at(-0.82, 0.5), now.at(0.84, 0.5), now.at(0.5, -0.5)],
    [
      [0, 255, 0],
      [0, 255, 0],
      [0, 255, 0],
    ],
  );
});

test('limits: models with too many draw calls, instances or joints are refused', async (t) => {
  const viewer = await createViewer(t.canvas(8, 8));
  const refused = async (scene: Scene, limits: object): Promise<string> =>
    ((await t.throws(() => viewer.load(scene.file(), { limits }), 'import/too-many')) as GambolError).message;
  const scene = instances((some) => some.unlit(GREEN));
  t.ok((await refused(scene, { instances: 299 })).includes('300 instances'));
  t.ok((await refused(scene, { draws: 1 })).includes('2 draws'));
  await viewer.load(scene.file(), { limits: { instances: 300, draws: 2 } });
});
