// `model.createClip()` and `model.editClip()` in Node: faults first, then each edit beside an evaluation of the clip before it by the
// formulas of glTF (Appendix C) in double precision, with three.js for spherical interpolation.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { Quaternion } from 'three';
import { packed, root } from './support/files.mjs';

const { GambolError, loadAsset } = await import(pathToFileURL(join(packed, 'dist/index.js')));
const SAMPLE = readFileSync(join(root, 'dist/site/sample.glb'));
const sample = () => loadAsset(new Uint8Array(SAMPLE));

const rejects = (promise, code, pointer) =>
  assert.rejects(promise, (error) => {
    assert.ok(error instanceof GambolError, String(error));
    assert.equal(error.code, code, error.message);
    if (pointer !== undefined) assert.equal(error.pointer, pointer, error.message);
    return true;
  });

/** Pseudorandom numbers (mulberry32). */
function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Nodes without meshes: a rig with two arms, whose bones have names of humans. */
function rig() {
  const nodes = [
    { name: 'Hips', translation: [0, 1, 0], children: [1, 4, 6] },
    { name: 'Spine', translation: [0, 0.4, 0], rotation: [0.1, 0, 0, Math.sqrt(0.99)], children: [2, 3] },
    { name: 'ArmL', translation: [0.2, 0.1, 0], rotation: [0, 0, 0.6, 0.8], children: [8] },
    { name: 'ArmR', translation: [-0.2, 0.1, 0], rotation: [0, 0, -0.6, 0.8], children: [9] },
    { name: 'LegL', translation: [0.1, -0.1, 0], children: [5] },
    { name: 'FootL', translation: [0, -0.4, 0] },
    { name: 'LegR', translation: [-0.1, -0.1, 0], children: [7] },
    { name: 'FootR', translation: [0, -0.4, 0] },
    { name: 'HandL', translation: [0, 0.3, 0.05] },
    { name: 'HandR', translation: [0, 0.3, 0.05] },
  ];
  const json = { asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }], nodes };
  return loadAsset(new Blob([JSON.stringify(json)]));
}

const unit = (q) => q.map((value) => value / Math.hypot(...q));

/** A clip with a track of each kind and interpolation. Rotations turn up to 80 degrees from key to key. */
function everything(seed, name = 'Everything') {
  const next = random(seed);
  const signed = () => 2 * next() - 1;
  const tracks = [];
  for (const [i, interpolation] of ['LINEAR', 'STEP', 'CUBICSPLINE'].entries()) {
    const times = [0, 0.3, 0.7, 1.1, 2].map((time, k) => (k === 0 || k === 4 ? time : time + 0.1 * signed()));
    const parts = interpolation === 'CUBICSPLINE' ? 3 : 1;
    const vector = times.flatMap(() => Array.from({ length: 3 * parts }, signed));
    let q = [0, 0, 0, 1];
    const rotations = times.flatMap(() => {
      q = unit(q.map((value) => value + 0.6 * signed()));
      const tangent = () => [signed(), signed(), signed(), signed()];
      return parts === 3 ? [...tangent(), ...q, ...tangent()] : q;
    });
    tracks.push({ node: 1 + i, path: 'translation', interpolation, times, values: vector });
    tracks.push({ node: 1 + i, path: 'rotation', interpolation, times, values: rotations });
  }
  return {
    name,
    tracks,
    markers: [
      { name: 'a', time: 0.5 },
      { name: 'b', time: 1.5 },
    ],
  };
}

/** The value of a track at a time, by Appendix C of glTF 2.0. */
function evaluate({ path, interpolation, times, values }, time) {
  const parts = interpolation === 'CUBICSPLINE' ? 3 : 1;
  const width = values.length / times.length / parts;
  const part = (k, p) => [...values.slice((k * parts + p) * width, (k * parts + p + 1) * width)];
  const value = (k) => part(k, parts === 3 ? 1 : 0);
  const last = times.length - 1;
  if (time <= times[0]) return value(0);
  if (time >= times[last]) return value(last);
  const k = times.findIndex((_, i) => times[i + 1] > time);
  if (interpolation === 'STEP') return value(k);
  const td = times[k + 1] - times[k];
  const s = (time - times[k]) / td;
  const [a, b] = [value(k), value(k + 1)];
  if (parts === 3) {
    const [m, n] = [part(k, 2), part(k + 1, 0)];
    const sum = a.map(
      (_, i) =>
        (2 * s ** 3 - 3 * s ** 2 + 1) * a[i] +
        td * (s ** 3 - 2 * s ** 2 + s) * m[i] +
        (-2 * s ** 3 + 3 * s ** 2) * b[i] +
        td * (s ** 3 - s ** 2) * n[i],
    );
    return path === 'rotation' ? unit(sum) : sum;
  }
  if (path === 'rotation') return new Quaternion(...a).slerp(new Quaternion(...b), s).toArray();
  return a.map((from, i) => from + (b[i] - from) * s);
}

const OFFSETS = { translation: [0, 3], rotation: [3, 7], scale: [7, 10] };

/** The largest distance of a clip, as it is sampled, from tracks at the times of a function. */
function distance(asset, clip, tracks, timeOf, times) {
  let worst = 0;
  for (const time of times) {
    const { transforms } = asset.sample(clip, time);
    for (const track of tracks) {
      const [from, to] = OFFSETS[track.path];
      const got = [...transforms.slice(10 * track.node + from, 10 * track.node + to)];
      const want = evaluate(track, timeOf(time));
      const sign = track.path === 'rotation' && got.reduce((sum, value, i) => sum + value * want[i], 0) < 0 ? -1 : 1;
      worst = Math.max(worst, ...got.map((value, i) => Math.abs(value - sign * want[i])));
    }
  }
  return worst;
}

const range = (from, to, count = 97) =>
  Array.from({ length: count }, (_, i) => from + ((to - from) * (i + 0.31)) / count);
/** Rounding of keys and times to single precision; the slopes of the tests are below 20 per second. */
const NEAR = 5e-6;

test('edits: faults are errors with their place, and the clip stays as it is', async () => {
  const asset = await rig();
  await asset.createClip(everything(1));
  const before = asset.clipData(0);
  const clips = asset.clips;
  const keys = [0];
  const faults = [
    [undefined, 'argument/invalid'],
    ['trim', 'argument/invalid'],
    [{}, 'argument/invalid', 'edits'],
    [[{}], 'argument/invalid', 'edits[0]'],
    [[{ speed: 2, reverse: true }], 'argument/invalid', 'edits[0]'],
    [{ fly: true }, 'argument/invalid'],
    [() => 1, 'argument/invalid'],
    [{ rename: 3 }, 'argument/invalid'],
    [{ markers: 3 }, 'argument/invalid'],
    [{ markers: [{ name: 'late', time: 3 }] }, 'import/marker-ignored', 'markers[0]'],
    [{ trim: { from: -1 } }, 'argument/invalid', 'edits.trim.from'],
    [{ trim: { to: 9 } }, 'argument/invalid', 'edits.trim.to'],
    [{ trim: { from: 1, to: 1 } }, 'argument/invalid', 'edits.trim'],
    [{ trim: { from: NaN } }, 'argument/invalid'],
    [{ split: { at: 0 } }, 'argument/invalid', 'edits.split.at'],
    [{ split: { at: 2 } }, 'argument/invalid', 'edits.split.at'],
    [{ split: { at: 1, name: 4 } }, 'argument/invalid'],
    [{ speed: 0 }, 'argument/invalid', 'edits.speed'],
    [{ speed: -1 }, 'argument/invalid', 'edits.speed'],
    [{ speed: Infinity }, 'argument/invalid'],
    [{ speed: 1e-45 }, 'import/key-time-not-finite'],
    // All keys at one time.
    [{ speed: 1e60 }, 'import/key-times-unsorted'],
    [{ reverse: false }, 'argument/invalid'],
    [{ closeLoop: { over: 0 } }, 'argument/invalid', 'edits.closeLoop.over'],
    [{ closeLoop: { over: 3 } }, 'argument/invalid', 'edits.closeLoop.over'],
    [{ closeLoop: { except: ['Wing'] } }, 'joint/not-found'],
    [{ closeLoop: false }, 'argument/invalid'],
    [{ removeTrack: 9 }, 'track/not-found', 'edits.removeTrack'],
    [{ removeTrack: -1 }, 'track/not-found'],
    [{ removeTrack: { node: 'Hips', path: 'scale' } }, 'track/not-found'],
    [{ removeTrack: { node: 'Wing', path: 'scale' } }, 'joint/not-found'],
    [{ removeTrack: { pointer: '/materials/0' } }, 'track/not-found'],
    [{ removeTrack: null }, 'argument/invalid'],
    [{ deleteKeys: { track: 0, keys: [5] } }, 'argument/invalid', 'edits.deleteKeys.keys[0]'],
    [{ deleteKeys: { track: 0, keys: 0 } }, 'argument/invalid', 'edits.deleteKeys.keys'],
    [{ moveKeys: { track: 0, keys, by: -1 } }, 'argument/invalid', 'edits.moveKeys.by'],
    [{ moveKeys: { track: 0, keys, by: '1' } }, 'argument/invalid'],
    [{ setKeys: { track: 0, keys: [{ time: -1 }] } }, 'argument/invalid', 'edits.setKeys.keys[0].time'],
    [{ setKeys: { track: 0, keys: [{ time: 1, value: [1, 2] }] } }, 'argument/invalid', 'edits.setKeys.keys[0].value'],
    [
      { setKeys: { track: 0, keys: [{ time: 1, value: [1, 2, NaN] }] } },
      'argument/invalid',
      'edits.setKeys.keys[0].value[2]',
    ],
    [{ setKeys: { track: 0, keys: [{ time: 1, in: [1, 2, 3] }] } }, 'argument/invalid', 'edits.setKeys.keys[0]'],
    [{ setKeys: { track: 0, keys: [null] } }, 'argument/invalid'],
    [{ interpolation: { to: 'BEZIER' } }, 'argument/invalid'],
    [{ interpolation: { to: 'STEP', track: 9 } }, 'track/not-found'],
    [{ interpolation: { to: 'CUBICSPLINE', tangents: 'auto' } }, 'argument/invalid'],
    [
      { addTrack: { node: 0, path: 'scale', times: [0, NaN], values: [1, 1, 1, 1, 1, 1] } },
      'import/key-time-not-finite',
      'tracks[6].times[1]',
    ],
    [
      { addTrack: { node: 1, path: 'translation', times: [0], values: [0, 0, 0] } },
      'import/channel-duplicate',
      'tracks[6]',
    ],
    [{ replace: { name: 'No' } }, 'argument/invalid', 'edits.replace.tracks'],
    [{ replace: 3 }, 'argument/invalid'],
    [[{ rename: 'Other' }, { speed: 0 }], 'argument/invalid', 'edits[1].speed'],
    // The part that is split is made with the rest, or not at all.
    [[{ split: { at: 1 } }, { markers: [{ name: 'late', time: 3 }] }], 'import/marker-ignored'],
  ];
  for (const [edits, code, pointer] of faults) await rejects(asset.editClip(0, edits), code, pointer);
  await rejects(asset.editClip('Nothing', { reverse: true }), 'clip/not-found');
  assert.deepEqual(asset.clipData(0), before);
  assert.equal(asset.clips, clips);
  asset.dispose();
  await rejects(asset.editClip(0, { reverse: true }), 'argument/invalid');
});

test('edits: a clip stays the same clip, names and markers change, and a copy from before is an undo', async () => {
  const asset = await sample();
  const [walk] = asset.clips.filter(({ id }) => id === 'Walk');
  const before = asset.clipData('Walk');
  const hash = asset.sample('Walk', 0.3).hash;
  const [edited, ...others] = await asset.editClip(walk, [
    { rename: 'Stroll' },
    {
      markers: [
        { name: 'end', time: 0.4 },
        { name: 'begin', time: 0 },
      ],
    },
    { speed: 0.5 },
  ]);
  assert.deepEqual(others, []);
  assert.deepEqual([edited.index, edited.id, edited.name], [walk.index, 'Stroll', 'Stroll']);
  assert.deepEqual(edited.markers, [
    { name: 'begin', time: 0 },
    { name: 'end', time: 0.8 },
  ]);
  assert.ok(Math.abs(edited.duration - 2 * walk.duration) < 1e-6);
  assert.equal(asset.clips[walk.index], edited);
  assert.notEqual(asset.sample('Stroll', 0.3).hash, hash);
  const [again] = await asset.editClip('Stroll', { replace: before });
  assert.deepEqual(again, walk);
  assert.deepEqual(asset.clipData('Walk'), before);
  assert.equal(asset.sample('Walk', 0.3).hash, hash);
  // An edit that does nothing leaves every bit.
  await asset.editClip('Walk', [{ trim: {} }, { moveKeys: { track: 0, keys: [1], by: 0 } }, { speed: 1 }]);
  assert.deepEqual(asset.clipData('Walk'), before);
  asset.dispose();
});

test('edits: trim and split play as the clip before, with every interpolation', async () => {
  const asset = await rig();
  for (const seed of [2, 3, 4]) {
    for (const [from, to] of [
      [0.2, 1.3],
      [0, 0.65],
      [0.9, 2],
      [0.31, 0.33],
    ]) {
      const clip = await asset.createClip(everything(seed));
      const { tracks } = asset.clipData(clip);
      const [cut] = await asset.editClip(clip, { trim: { from, to } });
      assert.ok(Math.abs(cut.duration - (to - from)) < 1e-6);
      const far = distance(asset, cut, tracks, (time) => time + Math.fround(from), range(0, to - from));
      assert.ok(far < NEAR, `${from} … ${to} s: ${far}`);
      assert.deepEqual(
        cut.markers.map(({ name }) => name),
        [
          ['a', 0.5],
          ['b', 1.5],
        ]
          .filter(([, time]) => time >= from && time < to)
          .map(([name]) => name),
      );
      await asset.removeClip(cut);
    }
    const clip = await asset.createClip(everything(seed));
    const { tracks } = asset.clipData(clip);
    const [first, second, third] = await asset.editClip(clip, [
      { split: { at: 1.4, name: 'End' } },
      { split: { at: 0.6, name: 'Middle' } },
    ]);
    assert.deepEqual([first.name, second.name, third.name], ['Everything', 'End', 'Middle']);
    for (const [part, begin, end] of [
      [first, 0, 0.6],
      [third, 0.6, 1.4],
      [second, 1.4, 2],
    ]) {
      assert.ok(Math.abs(part.duration - (end - begin)) < 1e-6);
      const far = distance(asset, part, tracks, (time) => time + Math.fround(begin), range(0, end - begin));
      assert.ok(far < NEAR, `${part.name}: ${far}`);
    }
    for (const part of [first, second, third]) await asset.removeClip(part);
  }
  asset.dispose();
});

test('edits: speed and direction', async () => {
  const asset = await rig();
  for (const factor of [0.25, 3]) {
    const clip = await asset.createClip(everything(5));
    const { tracks } = asset.clipData(clip);
    const [fast] = await asset.editClip(clip, { speed: factor });
    assert.ok(Math.abs(fast.duration - 2 / factor) < 1e-6);
    assert.ok(distance(asset, fast, tracks, (time) => time * factor, range(0, 2 / factor)) < NEAR);
    await asset.removeClip(fast);
  }
  const clip = await asset.createClip(everything(6));
  const data = asset.clipData(clip);
  const [back] = await asset.editClip(clip, { reverse: true });
  assert.deepEqual(back.markers, [
    { name: 'b', time: 0.5 },
    { name: 'a', time: 1.5 },
  ]);
  assert.ok(distance(asset, back, data.tracks, (time) => 2 - time, range(0, 2)) < NEAR);
  await asset.editClip(clip, { reverse: true });
  assert.ok(distance(asset, clip, data.tracks, (time) => time, range(0, 2)) < NEAR);
  asset.dispose();
});

/** The value and the slope of a track, at its first and last moment. */
function seam(track) {
  const end = track.times.at(-1);
  const h = 1e-4;
  const slope = (time, step) => {
    const [a, b] = [evaluate(track, time), evaluate(track, time + step)];
    const sign = track.path === 'rotation' && a.reduce((sum, value, i) => sum + value * b[i], 0) < 0 ? -1 : 1;
    // Of a quaternion relative to itself: the velocity in its own space.
    const relative = (q) =>
      new Quaternion(...a)
        .invert()
        .multiply(new Quaternion(...q.map((value) => sign * value)))
        .toArray();
    return track.path === 'rotation'
      ? relative(b).map((value, i) => (value - (i === 3)) / step)
      : a.map((value, i) => (b[i] - value) / step);
  };
  return { values: [evaluate(track, 0), evaluate(track, end)], slopes: [slope(0, h), slope(end, -h)] };
}

test('edits: a closed loop goes over in value and velocity, and its beginning stays', async () => {
  const asset = await rig();
  for (const seed of [7, 8]) {
    const clip = await asset.createClip(everything(seed));
    // Many keys, as lines need for a velocity.
    const dense = { node: 4, path: 'rotation', times: range(0, 2, 40), values: [] };
    const line = { node: 4, path: 'translation', times: dense.times, values: [] };
    for (const time of dense.times) {
      dense.values.push(...unit([Math.sin(time), 0.3 * time, 0.2, 1]));
      line.values.push(0.1 * Math.sin(5 * time), Math.cos(3 * time), 0.2);
    }
    // The root goes on over the ground.
    const root = { node: 'Hips', path: 'translation', times: [0, 2], values: [0, 1, 0, 0, 1, 3] };
    await asset.editClip(clip, [{ addTrack: dense }, { addTrack: line }, { addTrack: root }]);
    const before = asset.clipData(clip);
    await asset.editClip(clip, { closeLoop: { over: 0.5 } });
    const after = asset.clipData(clip);
    for (const [i, track] of after.tracks.entries()) {
      if (track.interpolation === 'STEP' || track.node === 0) {
        assert.deepEqual(track, before.tracks[i]);
        continue;
      }
      const { values, slopes } = seam(track);
      const sign =
        track.path === 'rotation' && values[0].reduce((sum, value, c) => sum + value * values[1][c], 0) < 0 ? -1 : 1;
      const far = (a, b, by = 1) => Math.max(...a.map((value, c) => Math.abs(value - by * b[c])));
      const place = `track ${i} (${track.interpolation} ${track.path})`;
      assert.ok(far(values[0], values[1], sign) < 1e-6, `${place}: ${values}`);
      const smooth = track.interpolation === 'CUBICSPLINE' || track.times.length > 10;
      if (smooth) assert.ok(far(slopes[0], slopes[1]) < 2e-2, `${place}: ${slopes.join(' | ')}`);
      assert.ok(distance(asset, clip, [before.tracks[i]], (time) => time, range(0, 1.4)) < NEAR || !smooth, place);
    }
    await asset.removeClip(clip);
  }
  // A walk that goes on stays where it ends; a root that is held is closed.
  const steps = { node: 'Hips', path: 'translation', times: [0, 1, 2], values: [0, 1, 0, 0.02, 1.1, 1, 0, 1.05, 2] };
  const walk = await asset.createClip({ name: 'Walk', tracks: [steps] });
  await asset.editClip(walk, { closeLoop: true });
  assert.deepEqual([...asset.clipData(walk).tracks[0].values], [...Float32Array.from(steps.values)]);
  await asset.editClip(walk, [{ holdRoot: true }]);
  const held = [...asset.clipData(walk).tracks[0].values];
  for (const [i, want] of [0, 1, 0, 0.02, 1.1, 0, 0, 1.05, 0].entries())
    assert.ok(Math.abs(held[i] - want) < 1e-6, `${held}`);
  await asset.editClip(walk, { closeLoop: true });
  const { values } = asset.clipData(walk).tracks[0];
  assert.deepEqual([...values.slice(-3)], [...values.slice(0, 3)]);
  asset.dispose();
});

test('edits: a mirrored clip moves each side as the other one did', async () => {
  for (const [asset, clip] of [
    [await sample(), 'Walk'],
    [await sample(), 'Wave'],
    [await rig(), 'Everything'],
  ]) {
    if (clip === 'Everything') {
      const { tracks, ...rest } = everything(9);
      const names = { 1: 'ArmL', 2: 'HandL', 3: 'Spine' };
      // Splines between far keys are no unit quaternions, and mirror, too.
      await asset.createClip({ ...rest, tracks: tracks.map((track) => ({ ...track, node: names[track.node] })) });
    }
    const side = (name) => name.replace(/[LR](?=\d*$)/, (letter) => (letter === 'L' ? 'R' : 'L'));
    const index = new Map(asset.joints.map((joint) => [joint.name, joint.index]));
    const data = asset.clipData(clip);
    const times = range(0, asset.clips.find(({ id }) => id === clip).duration, 23);
    const before = times.map((time) => asset.sample(clip, time).matrices);
    const rest = asset.sample(null).matrices;
    const point = (matrices, joint) => [...matrices.slice(16 * joint + 12, 16 * joint + 15)];
    const mirror = ([x, y, z]) => [-x, y, z];
    const apart = (a, b) => Math.hypot(...a.map((value, i) => value - b[i]));
    await asset.editClip(clip, { mirror: true });
    let checked = 0;
    for (const { name, index: joint } of asset.joints) {
      const other = index.get(side(name));
      // Only joints that stand symmetrically.
      if (other === undefined || apart(mirror(point(rest, joint)), point(rest, other)) > 1e-5) continue;
      checked += 1;
      for (const [i, time] of times.entries()) {
        const far = apart(mirror(point(before[i], joint)), point(asset.sample(clip, time).matrices, other));
        assert.ok(far < 2e-5, `${clip}, ${name} at ${time}: ${far}`);
      }
    }
    assert.ok(checked >= 10, `${checked} joints`);
    await asset.editClip(clip, { mirror: true });
    const again = asset.clipData(clip);
    for (const [i, track] of data.tracks.entries()) {
      assert.equal(again.tracks[i].node, track.node);
      const far = Math.max(...track.values.map((value, k) => Math.abs(value - again.tracks[i].values[k])));
      assert.ok(far < 2e-6, `${clip}, track ${i}: ${far}`);
    }
    asset.dispose();
  }
});

test('edits: keys are set, moved and deleted', async () => {
  const asset = await rig();
  const clip = await asset.createClip(everything(10));
  const { tracks } = asset.clipData(clip);
  // A key without a value changes nothing, with every interpolation.
  await asset.editClip(
    clip,
    tracks.map((_, track) => ({
      setKeys: { track, keys: [{ time: 0.51 }, { time: 1.77 }, { time: 2 }, { time: 2.5 }] },
    })),
  );
  assert.ok(distance(asset, clip, tracks, (time) => time, range(0, 2.5)) < NEAR);
  assert.equal(asset.clips.find(({ index }) => index === clip.index).duration, 2.5);
  assert.equal(asset.clipData(clip).tracks[0].times.length, 8);
  const ref = { node: 'Spine', path: 'translation' };
  await asset.editClip(clip, { setKeys: { track: ref, keys: [{ time: 0.51, value: [1, 2, 3] }] } });
  const at = (time) => [...asset.sample(clip, time).transforms.slice(10, 13)];
  assert.deepEqual(at(Math.fround(0.51)), [1, 2, 3]);
  const find = () => asset.clipData(clip).tracks.find(({ node, path }) => node === 1 && path === 'translation');
  const key = () => find().times.indexOf(Math.fround(0.51));
  await asset.editClip(clip, { moveKeys: { track: ref, keys: [key()], by: 0.07 } });
  assert.equal(key(), -1);
  assert.deepEqual(at(Math.fround(Math.fround(0.51) + 0.07)), [1, 2, 3]);
  // Past others, and onto one.
  const { times } = find();
  await asset.editClip(clip, { moveKeys: { track: ref, keys: [0], by: times[3] } });
  assert.equal(find().times.length, times.length - 1);
  assert.ok([...find().times].every((time, i, all) => i === 0 || time > all[i - 1]));
  await asset.editClip(clip, { deleteKeys: { track: ref, keys: [...find().times.keys()].slice(1) } });
  assert.equal(find().times.length, 1);
  await asset.editClip(clip, { deleteKeys: { track: ref, keys: [0] } });
  assert.equal(find(), undefined);
  // Tangents of splines.
  const spline = { node: 'LegL', path: 'translation' };
  await asset.editClip(clip, [
    { addTrack: { ...spline, interpolation: 'CUBICSPLINE', times: [0, 1], values: new Float32Array(18) } },
  ]);
  await asset.editClip(clip, {
    setKeys: {
      track: spline,
      keys: [
        { time: 0, out: [3, 0, 0] },
        { time: 1, value: [1, 0, 0], in: [3, 0, 0], out: [7, 0, 0] },
      ],
    },
  });
  const last = asset.clipData(clip).tracks.at(-1);
  assert.deepEqual([...last.values], [0, 0, 0, 0, 0, 0, 3, 0, 0, 3, 0, 0, 1, 0, 0, 7, 0, 0]);
  asset.dispose();
});

test('edits: other interpolations keep the keys', async () => {
  const asset = await rig();
  for (const to of ['STEP', 'LINEAR', 'CUBICSPLINE']) {
    const clip = await asset.createClip(everything(11));
    const { tracks } = asset.clipData(clip);
    await asset.editClip(clip, { interpolation: { to } });
    const after = asset.clipData(clip).tracks;
    for (const [i, track] of tracks.entries()) {
      assert.equal(after[i].interpolation, to);
      assert.deepEqual(after[i].times, track.times);
      for (const time of track.times) {
        const [a, b] = [evaluate(track, time), evaluate(after[i], time)];
        const sign = track.path === 'rotation' && a.reduce((sum, value, c) => sum + value * b[c], 0) < 0 ? -1 : 1;
        assert.ok(Math.max(...a.map((value, c) => Math.abs(value - sign * b[c]))) < 1e-6);
      }
    }
    await asset.removeClip(clip);
  }
  // Smooth tangents of a line are the line.
  const line = { node: 'Hips', path: 'translation', times: [0, 0.5, 2], values: [0, 0, 0, 1, 0, 2, 4, 0, 8] };
  const clip = await asset.createClip({ name: 'Line', tracks: [line] });
  await asset.editClip(clip, { interpolation: { to: 'CUBICSPLINE', track: 0 } });
  assert.ok(distance(asset, clip, [{ ...line, node: 0, interpolation: 'LINEAR' }], (time) => time, range(0, 2)) < 1e-6);
  asset.dispose();
});

test('edits: random ones are errors with a code, or valid clips', async () => {
  const asset = await rig();
  const next = random(12);
  const one = (list) => list[Math.floor(next() * list.length)];
  const number = () => one([0, -1, 0.5, 1, 1.5, 2, 9, NaN, Infinity, 1e-9, '1', undefined]);
  const track = () =>
    one([0, 1, 2, 5, 9, { node: 'Spine', path: one(['rotation', 'scale']) }, { pointer: '/x' }, null]);
  const keys = () => one([[0], [1, 2], [4, 0, 4], [7], [], 'all']);
  const edit = () =>
    one([
      () => ({ trim: { from: number(), to: number() } }),
      () => ({ split: { at: number() } }),
      () => ({ speed: number() }),
      () => ({ reverse: true }),
      () => ({ closeLoop: one([true, { over: number() }, { velocity: false }]) }),
      () => ({ holdRoot: true }),
      () => ({ mirror: true }),
      () => ({ setKeys: { track: track(), keys: one([[{ time: number() }], [{ time: 0.3, value: [1, 2, 3] }], 7]) } }),
      () => ({ moveKeys: { track: track(), keys: keys(), by: number() } }),
      () => ({ deleteKeys: { track: track(), keys: keys() } }),
      () => ({ interpolation: { to: one(['STEP', 'LINEAR', 'CUBICSPLINE', 'X']), track: one([undefined, track()]) } }),
      () => ({ removeTrack: track() }),
    ])();
  let [made, refused] = [0, 0];
  for (let i = 0; i < 1500; i += 1) {
    if (i % 25 === 0) {
      for (const clip of asset.clips) await asset.removeClip(clip);
      await asset.createClip(everything(i));
    }
    const clip = one(asset.clips);
    const before = asset.clipData(clip);
    try {
      const clips = await asset.editClip(clip, Array.from({ length: 1 + Math.floor(next() * 3) }, edit));
      for (const { id } of clips) assert.match(asset.sample(id, 0.3).hash, /^[\da-f]{16}$/);
      made += 1;
    } catch (error) {
      assert.ok(
        error instanceof GambolError && /^(argument|track|joint|import)\//.test(error.code),
        String(error.stack ?? error),
      );
      assert.deepEqual(asset.clipData(clip), before);
      refused += 1;
    }
  }
  assert.ok(made > 150 && refused > 300, `${made} made, ${refused} refused`);
  asset.dispose();
});
