// For any engine: hashes of poses of the files that `tests/native/pose/corpus.rs` makes, as hexadecimal text.

/** The number of files. */
export const FILES = 6;

/** A hash of hashes, as `folded` in corpus.rs. */
function folded(/** @type {bigint} */ hash, /** @type {string} */ one) {
  const product = BigInt.asUintN(64, (hash ^ BigInt(`0x${one}`)) * 0x100000001b3n);
  return BigInt.asUintN(64, (product << 7n) | (product >> 57n));
}

const hex = (/** @type {bigint} */ hash) => hash.toString(16).padStart(16, '0');

/** Of the rest pose and the poses of each clip at its times: a list for each clip. */
export function sampledHash(asset, /** @type {number[][]} */ times) {
  let hash = BigInt(`0x${asset.sample(null).hash}`);
  times.forEach((list, clip) => list.forEach((time) => (hash = folded(hash, asset.sample(clip, time).hash))));
  return hex(hash);
}

/** Of the frames of a viewer that plays the file, step for step as `played_hash` in corpus.rs. */
export async function playedHash(viewer, /** @type {Uint8Array} */ file) {
  viewer.timeline = 'manual';
  await viewer.load(file);
  let hash = 0n;
  const frames = (/** @type {number} */ count) => {
    for (let i = 0; i < count; i++) {
      viewer.advance(1 / 16);
      hash = folded(hash, viewer.poseHash());
    }
  };
  viewer.play(0);
  frames(4);

  const { joints } = viewer;
  const mask = Object.fromEntries(joints.map((_, i) => [`n${i}`, (i % 5) / 4]));
  viewer.layers.add(1, { mode: 'additive', reference: { clip: 2, time: 0.125 }, weight: 0.625, fade: 0.25, mask });
  frames(4);

  viewer.transitionTo(2, { transition: 'inertial', transitionDuration: 0.5 });
  frames(6);
  viewer.transitionTo(1, { transition: 'crossfade', transitionDuration: 0.25 });
  frames(3);

  joints.forEach(({ index, parent }, i) => {
    const joint = viewer.joint(index);
    if (i % 5 === 0)
      joint.override({ rotation: [0.5, 0.5, 0.5, 0.5] }, { space: ['local', 'model', 'world'][i % 3], weight: 0.5 });
    if (i % 4 === 1) joint.lookAt([1, 2, 3], { limit: 1, space: 'world', weight: 0.75 });
    const chain = parent !== null && joints[parent].parent !== null;
    if (i % 3 === 2 && chain) joint.ik([0.5, 0.25, -0.75], { pole: [0, 0, 1], space: 'model', weight: 0.25 });
  });
  frames(4);
  return hex(hash);
}
