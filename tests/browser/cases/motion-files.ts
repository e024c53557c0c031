// Files of motion alone: a BVH file, a VRMA file, an FBX file without a mesh.

import { createViewer, loadAsset, type Viewer } from 'gambol';
import { test, type T } from '../page/api.ts';
import { shown } from './support/element.ts';
import { bvh } from './support/foreign.ts';
import { model } from './support/model.ts';

const motion = (): File => new File([bvh()], 'dance.bvh');

/** A glTF file with a chain of three nodes and one clip without a name, as a VRMA file may have. */
function unnamed(): File {
  const data = Float32Array.from([0, 1, 0, 0, 0, 1, 0, 0, 1, 0]);
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [
      { name: 'hips', children: [1], translation: [0, 1, 0] },
      { name: 'spine', children: [2], translation: [0, 0.4, 0] },
      { name: 'head', translation: [0, 0.3, 0] },
    ],
    animations: [
      { samplers: [{ input: 0, output: 1 }], channels: [{ sampler: 0, target: { node: 0, path: 'rotation' } }] },
    ],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 2, type: 'SCALAR', min: [0], max: [1] },
      { bufferView: 0, byteOffset: 8, componentType: 5126, count: 2, type: 'VEC4' },
    ],
    bufferViews: [{ buffer: 0, byteLength: data.byteLength }],
    buffers: [
      {
        byteLength: data.byteLength,
        uri: `data:application/octet-stream;base64,${btoa(String.fromCharCode(...new Uint8Array(data.buffer)))}`,
      },
    ],
  };
  return new File([JSON.stringify(json)], 'nod.vrma');
}

/** The part of the picture that is not transparent, in fractions of its width and height: left, top, right, bottom. */
async function drawn(t: T, viewer: Viewer): Promise<readonly number[]> {
  const { data, width, height } = t.pixels(await viewer.renderAt(viewer.currentTime));
  const box = [1, 1, 0, 0];
  for (let i = 0; i < width * height; i++) {
    if ((data[4 * i + 3] ?? 0) < 128) continue;
    const [x, y] = [(i % width) / width, Math.floor(i / width) / height];
    [box[0], box[1]] = [Math.min(box[0] ?? 1, x), Math.min(box[1] ?? 1, y)];
    [box[2], box[3]] = [Math.max(box[2] ?? 0, x), Math.max(box[3] ?? 0, y)];
  }
  return box;
}

for (const renderer of ['own', 'shared', 'worker'] as const) {
  test(`motion alone: its bones are shown and framed (${renderer})`, async (t) => {
    const viewer = await createViewer(t.canvas(128, 128), { renderer });
    await viewer.load(motion());
    const shownModel = t.some(viewer.model);
    // The bones are seen, so nothing warns of an empty picture.
    t.ok(!viewer.warnings.some(({ code }) => code === 'import/nothing-to-show'), 'no such warning');
    t.equal(
      [shownModel.isMotion, viewer.info?.vertices, shownModel.joints.map(({ skinned }) => skinned)],
      [true, 0, shownModel.joints.map(() => false)],
    );
    const [left = 0, top = 0, right = 0, bottom = 0] = await drawn(t, viewer);
    t.ok(bottom - top > 0.6 && top > 0 && bottom < 1 && left > 0.2 && right < 0.8, [left, top, right, bottom].join());
    // From the hips, which are a metre high, to the end of the spine, two metres above.
    const { min, max } = t.some(viewer.measure());
    t.close([min[1], max[1]], [1, 3], 0.05);
    const hit = t.some(viewer.pick(64, 64), 'a bone in the middle');
    t.ok(['Hips', 'Spine'].includes(hit.joint?.name ?? ''), hit.joint?.name);
    // The bones move with the clip: the hips turn by 90° in a quarter of it.
    const before = viewer.poseHash();
    await viewer.seek(0.1);
    t.ok(viewer.poseHash() !== before, 'it moves');
    t.equal([shownModel.materials, shownModel.warnings], [['Bones'], []]);
    await viewer.load('/sample.glb');
    t.equal(viewer.model?.isMotion, false);
  });
}

test('motion alone: a clip without a name has that of the file', async (t) => {
  const viewer = await createViewer(t.canvas(64, 64));
  await viewer.load(unnamed());
  t.equal([viewer.clip?.name, viewer.clip?.id, viewer.model?.isMotion], ['nod', 'nod', true]);
  // As clips of another model, too.
  await viewer.load(model({ node: 'hips' }).glb, { animations: [unnamed()] });
  t.equal(viewer.clips.at(-1)?.name, 'nod', 'of another model');
  const asset = await loadAsset(unnamed());
  t.equal(asset.clips[0]?.name, 'nod');
  asset.dispose();
});

test('motion alone: a file with a mesh, one without clips, and a camera on an arm are not', async (t) => {
  const viewer = await createViewer(t.canvas(64, 64));
  await viewer.load(model().glb);
  t.equal(viewer.model?.isMotion, false);
  const still = JSON.parse(await unnamed().text()) as { animations?: unknown };
  still.animations = undefined;
  await viewer.load(new Blob([JSON.stringify(still)]));
  t.equal([viewer.model?.isMotion, viewer.bounds], [false, null], 'no clip');
});

test('motion alone: the element shows it, and hotspots find its joints', async (t) => {
  const spot = document.createElement('button');
  spot.slot = 'hotspot-hips';
  spot.dataset['joint'] = 'Hips';
  const element = await shown(t, { src: URL.createObjectURL(motion()) }, spot);
  t.ok(element.viewer?.model?.isMotion, 'a file of motion');
  t.ok(element.getDimensions().y > 1.9, 'it has a size');
  await t.until(() => element.queryHotspot('hotspot-hips')?.facingCamera, 'the hotspot');
});
