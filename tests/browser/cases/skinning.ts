// Skinning modes: linear blending of matrices, and dual quaternions.

import { createViewer, type Viewer, type ViewerOptions } from 'gambol';
import { OTHERS, longTests, test, type T } from '../page/api.ts';
import { address, placed } from './support/element.ts';
import { Loss } from './support/loss.ts';
import { Scene, seen } from './support/scene.ts';
import { picture } from './support/watch.ts';

longTests(OTHERS);

const SIZE = 128;

type Quaternion = readonly [number, number, number, number];

const about = (x: number, y: number, z: number, angle: number): Quaternion => {
  const [sin, cos] = [Math.sin(angle / 2), Math.cos(angle / 2)];
  return [x * sin, y * sin, z * sin, cos];
};

/**
 * A tube along Y, of radius 0.4. From below to above its weights move from fixed joints to the joints `B0`, `B1` …, two
 * of each for each set of influences.
 */
function tube(sets = 1): Scene {
  const scene = new Scene();
  const [rings, around] = [24, 32];
  const [positions, normals, indices]: [number[], number[], number[]] = [[], [], []];
  const weights: number[] = [];
  for (let i = 0; i <= rings; i++) {
    for (let j = 0; j <= around; j++) {
      const [angle, y] = [(j / around) * 2 * Math.PI, (i / rings) * 1.6 - 0.8];
      positions.push(0.4 * Math.sin(angle), y, 0.4 * Math.cos(angle));
      normals.push(Math.sin(angle), 0, Math.cos(angle));
      const above = Math.min(1, Math.max(0, (y + 0.6) / 1.2));
      weights.push(...[1 - above, above, 1 - above, above].map((weight) => weight / (2 * sets)));
      const at = i * (around + 1) + j;
      if (i < rings && j < around) indices.push(at, at + 1, at + around + 1, at + 1, at + around + 2, at + around + 1);
    }
  }
  const attributes: Record<string, number> = {
    POSITION: scene.accessor('VEC3', positions),
    NORMAL: scene.accessor('VEC3', normals),
  };
  const share = scene.accessor('VEC4', weights);
  const joints: number[] = [];
  for (let set = 0; set < sets; set++) {
    for (const i of [2 * set, 2 * set + 1]) joints.push(scene.node({ name: `A${i}` }), scene.node({ name: `B${i}` }));
    attributes[`JOINTS_${set}`] = scene.accessor(
      'VEC4',
      positions.flatMap((_, i) => (i % 3 ? [] : [0, 1, 2, 3].map((joint) => 4 * set + joint))),
      true,
    );
    attributes[`WEIGHTS_${set}`] = share;
  }
  const mesh = scene.add('meshes', {
    primitives: [
      { attributes, indices: scene.indices(indices), material: scene.matt([0.8, 0.5, 0.3], { doubleSided: true }) },
    ],
  });
  scene.node({ mesh, skin: scene.add('skins', { joints }) });
  return scene;
}

async function shown(t: T, scene: Scene, options: ViewerOptions = {}): Promise<Viewer> {
  const viewer = await createViewer(t.canvas(SIZE, SIZE), { maxDpr: 1, background: [0, 0, 0, 1], ...options });
  await viewer.load(scene.file());
  // All joints influence each vertex, and more than 20 influences cause a warning.
  const expected = (scene.json.skins[0]?.joints.length ?? 0) > 20 ? ['import/influences-many'] : [];
  t.equal(
    viewer.warnings.map(({ code }) => code),
    expected,
    'warnings',
  );
  viewer.activeCamera = 0;
  return viewer;
}

/** Rotates the upper joints, each a little further than the one before. */
function turn(
  viewer: Viewer,
  [x, y, z]: readonly [number, number, number],
  angle: number,
  scale: readonly [number, number, number] = [1, 1, 1],
): void {
  for (const { name } of viewer.joints) {
    if (name.startsWith('B'))
      viewer.joint(name).override({ rotation: about(x, y, z, angle + 0.02 * Number(name.slice(1))), scale });
  }
}

test('skinning: invalid methods are refused', async (t) => {
  const viewer = await shown(t, tube());
  for (const word of ['', 'dual', 'Linear', 1, null])
    await t.throws(() => (viewer.skinning = word as 'linear'), 'argument/invalid');
  t.equal(viewer.skinning, 'linear');
  viewer.dispose();
  await t.throws(() => (viewer.skinning = 'dual-quaternion'), 'viewer/disposed');
});

for (const skinning of ['gpu', 'cpu'] as const) {
  test(`skinning: dual quaternions keep the width of a twisted tube in picture, picking and bounds: ${skinning}`, async (t) => {
    const viewer = await shown(t, tube(), { skinOn: skinning });
    turn(viewer, [0, 1, 0], 3);
    const wide = async (): Promise<readonly boolean[]> => {
      const now = await seen(t, viewer);
      return [0.7, 0, -0.7].map((y) => now.covered(0.36, y));
    };
    const at = (): readonly number[] | null => viewer.pick(((1 + 0.36) / 2) * SIZE, SIZE / 2)?.position ?? null;
    const thin = await picture(t, viewer);
    t.equal([await wide(), at()], [[true, false, true], null], 'matrices');
    const { min, max } = t.some(viewer.bounds);

    viewer.skinning = 'dual-quaternion';
    t.equal(viewer.skinning, 'dual-quaternion');
    t.equal(await wide(), [true, true, true], 'dual quaternions');
    t.close(t.some(at()), [0.36, 0, Math.sqrt(0.16 - 0.36 * 0.36)], 0.01);
    const around = t.some(viewer.bounds);
    t.ok(
      around.min.every((x, i) => x <= (min[i] ?? NaN)) && around.max.every((x, i) => x >= (max[i] ?? NaN)),
      'the box has room for both',
    );
    const full = await picture(t, viewer);

    // The outside of the bend is farther out than any chord.
    turn(viewer, [0, 0, 1], 1.5);
    t.ok((await seen(t, viewer)).covered(0.3, 0.1), 'the bend is full');
    turn(viewer, [0, 1, 0], 3);
    await viewer.add(t.some(viewer.model), { position: [9, 0, 0] });
    t.samePixels(await picture(t, viewer), full);
    viewer.skinning = 'linear';
    t.samePixels(await picture(t, viewer), thin);
    t.equal(at(), null);
    viewer.dispose();
  });
}

test(
  'skinning: GPU and CPU agree for any influences, scales, mirroring and shadows',
  async (t) => {
    for (const sets of [1, 2, 5, 6]) {
      const scene = tube(sets);
      const both = [await shown(t, scene), await shown(t, scene, { skinOn: 'cpu' })] as const;
      let before: ImageData | undefined;
      for (const [angle, scale] of [
        [0.4, [1, 1, 1]],
        [1.7, [1.3, 0.8, 1]],
        [-2.6, [0.7, 1.2, 1.5]],
        [1, [-1, 1, 1]],
      ] as const) {
        for (const viewer of both) {
          viewer.skinning = 'dual-quaternion';
          viewer.shadowIntensity = angle === 1.7 ? 1 : 0;
          turn(viewer, [0.6, 0, 0.8], angle, scale);
          // A mirrored tube must be mirrored as a whole.
          for (const { name } of viewer.joints)
            if (name.startsWith('A')) viewer.joint(name).override({ scale: [Math.sign(scale[0]), 1, 1] });
        }
        const pictures = [await picture(t, both[0]), await picture(t, both[1])] as const;
        t.samePixels(pictures[0], pictures[1], { channel: 3, outliers: 0.001 });
        const seenBefore = before;
        before = pictures[0];
        if (seenBefore)
          t.ok(
            before.data.some((value, i) => Math.abs(value - (seenBefore.data[i] ?? 0)) > 40),
            'it moves',
          );
      }
      await t.screenshot(`dual-quaternions-${sets}`);
      both.forEach((viewer) => viewer.dispose());
    }
  },
  { all: true },
);

test('skinning: the method applies to debug views, to the next model and after a context loss', async (t) => {
  const viewer = await shown(t, tube(2));
  viewer.skinning = 'dual-quaternion';
  turn(viewer, [0, 1, 0], 3);
  viewer.debug = ['base-color', 'wireframe'];
  t.ok((await seen(t, viewer)).covered(0.36, 0), 'base colour');
  viewer.skinning = 'linear';
  t.ok(!(await seen(t, viewer)).covered(0.36, 0), 'base colour of what is thin');
  viewer.skinning = 'dual-quaternion';
  viewer.debug = 'none';
  await viewer.load(tube().file());
  viewer.activeCamera = 0;
  turn(viewer, [0, 1, 0], 3);
  const full = await picture(t, viewer);
  t.ok((await seen(t, viewer)).covered(0.36, 0), 'another model');
  const loss = new Loss(t, viewer.canvas);
  loss.take();
  await t.until(() => loss.times === 1, 'the loss');
  t.samePixels(await picture(t, viewer), full, { channel: 1 });
  viewer.dispose();
});

test('skinning: the attribute applies at the start and on change, and invalid words do not', async (t) => {
  XMLHttpRequest.prototype.send = () => {
    throw new Error('The page stood still.');
  };
  const element = placed({ src: '/sample.glb', skinning: 'dual-quaternion', 'animation-name': 'Walk' });
  await t.until(() => element.modelIsVisible, 'the model');
  t.equal([element.skinning, element.viewer?.skinning], ['dual-quaternion', 'dual-quaternion']);
  element.setAttribute('skinning', 'cubic');
  t.equal([element.skinning, element.viewer?.skinning], ['linear', 'linear']);
  element.skinning = 'dual-quaternion';
  t.equal([element.getAttribute('skinning'), element.viewer?.skinning], ['dual-quaternion', 'dual-quaternion']);
  element.src = address();
  await t.until(() => element.loaded, 'the next model');
  t.equal(element.viewer?.skinning, 'dual-quaternion');
  element.removeAttribute('skinning');
  t.equal([element.skinning, element.viewer?.skinning], ['linear', 'linear']);
});
