// The keys of clips, as the page reads them: invalid calls first, then keys against the file and against sampled poses.

import { createViewer, loadAsset, type Asset, type ClipChannel } from 'gambol';
import { test, type T } from '../page/api.ts';
import { bvh } from './support/foreign.ts';
import { humanoid } from './support/humanoid.ts';
import { model } from './support/model.ts';

test('channels: unknown clips, other values and freed models are errors', async (t) => {
  const viewer = await createViewer(t.canvas());
  await viewer.load(model().glb);
  const shown = t.some(viewer.model);
  for (const clip of ['Slid', 7, -1]) await t.throws(() => shown.channels(clip), 'clip/not-found');
  for (const clip of [null, undefined, {}] as never[]) await t.throws(() => shown.channels(clip), 'argument/invalid');
  viewer.unload();
  await t.throws(() => shown.channels('Slide'), 'argument/invalid');
  const asset = await loadAsset(model().glb);
  await asset.removeClip('Short');
  await t.throws(() => asset.channels('Short'), 'clip/not-found');
  t.equal(asset.channels(2).length, 1, 'the other clips keep their indices');
  asset.dispose();
});

test('channels: keys are those of the file', async (t) => {
  const asset = await loadAsset(model({ node: 'Square' }).glb);
  const [channel, ...others] = asset.channels('Slide');
  t.equal(others, []);
  const { times, values, ...rest } = t.some(channel);
  t.equal(rest, { node: 0, name: 'Square', path: 'translation', interpolation: 'LINEAR', components: 3 });
  t.equal(
    [[...times], [...values]],
    [
      [0, 2],
      [0, 0, 0, 1, 0, 0],
    ],
  );
  // The arrays are copies.
  values.fill(9);
  t.equal([...t.some(asset.channels('Slide')[0]).values], [0, 0, 0, 1, 0, 0]);
  t.equal(
    asset.clips.map((clip) => asset.channels(clip).length),
    asset.clips.map(({ channels }) => channels),
  );
  asset.dispose();
  const unnamed = await loadAsset(model().glb);
  t.equal(unnamed.channels(0)[0]?.name ?? null, unnamed.joints[0]?.name || null);
  unnamed.dispose();
});

/** The size of roundings, within which keys count as one value: docs/design/frame.md#exact-poses. */
const ROUNDING = 3e-7;
/** The precision of sampled rotations, in radians. A quaternion and its negative are the same rotation. */
const PRECISION = 1e-7;

/** Checks that the pose on each key of a channel has the value of the key. */
function playedAsListed(
  t: T,
  asset: Asset,
  clip: number,
  { node, path, times, values, ...channel }: ClipChannel,
): void {
  const offset = { translation: 0, rotation: 3, scale: 7 }[path];
  if (node === null || offset === undefined) return;
  const { components, interpolation } = channel;
  const [row, skip] = interpolation === 'CUBICSPLINE' ? [3 * components, components] : [components, 0];
  t.equal(values.length, times.length * row, `${path} of node ${node}`);
  const keys = [...times.keys()].map((key) => [...values.subarray(key * row + skip, key * row + skip + components)]);
  const largest = Math.max(...keys.flat().map(Math.abs));
  const spread = (i: number): number => {
    const all = keys.map((key) => key[i] as number);
    return Math.max(...all) - Math.min(...all);
  };
  const constant = Array.from({ length: components }, (_, i) => i).every((i) => spread(i) <= 2 * ROUNDING * largest);
  for (const [key, time] of times.entries()) {
    const { transforms } = asset.sample(clip, time);
    const at = 10 * node + offset;
    const rotation = path === 'rotation';
    const got = transforms.subarray(at, at + components);
    const want = keys[key] ?? [];
    const sign = rotation && want.reduce((sum, part, i) => sum + part * (got[i] ?? 0), 0) < 0 ? -1 : 1;
    const tolerance = constant ? 2 * ROUNDING * largest : rotation ? PRECISION : 0;
    const place = `${path} of node ${node} at ${time} s`;
    t.close(
      got.map((part) => sign * part),
      want,
      tolerance,
      place,
    );
  }
}

test('channels: retargeted and converted clips have the keys that are played', async (t) => {
  const target = await loadAsset(humanoid({ names: 'vrm', scale: 1.4, turned: true }), {
    animations: [humanoid({ names: 'mixamo', clip: 'Wave' })],
  });
  const motion = await loadAsset(new File([bvh()], 'turn.bvh'));
  for (const asset of [target, motion]) {
    const channels = asset.channels(0);
    t.ok(channels.length > 1, 'channels');
    for (const channel of channels) {
      t.equal(channel.name, asset.joints[channel.node ?? -1]?.name || null);
      playedAsListed(t, asset, 0, channel);
    }
    asset.dispose();
  }
});

test('channels: compressed and quantised files have decoded keys', async (t) => {
  const files = ['variants/CesiumMan_meshopt.glb', 'variants/CesiumMan_anim_int16.glb'];
  for (const file of files) {
    const response = await fetch(`/shared/assets/${file}`);
    if (!response.ok) t.skip(`${file} is not in ../shared`);
    const asset = await loadAsset(await response.arrayBuffer());
    const channels = asset.channels(0);
    t.ok(channels.length > 10, file);
    for (const channel of channels) playedAsListed(t, asset, 0, channel);
    asset.dispose();
  }
});
