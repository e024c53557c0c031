// Times the animation kernels; runs in Node and in browsers, so it imports nothing.

/** The value that a tenth of the numbers are below: other work on the machine only ever adds time. */
const lowest = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 10)];

/**
 * @param {WebAssembly.Module} module built from this folder
 * @returns {Promise<{ name: string, value: number, unit: string }[]>}
 */
export async function run(module) {
  const { exports } = await WebAssembly.instantiate(module, {});
  const results = [];
  const joints = exports.joints();
  for (const count of [1, 100, 1000]) {
    exports.setup(count, false);
    // Batches of about 2 ms: long enough for the clock of a browser, short enough to slip between what else the
    // machine does. Many short calls, so that the engine can put in its optimised code.
    const frames = Math.ceil(6000 / count);
    const batch = (frame) => {
      const start = performance.now();
      for (let i = 0; i < frames; i++) frame();
      return (performance.now() - start) / frames;
    };
    for (let i = 0; i < 100; i++) {
      batch(exports.forward);
      batch(exports.seek);
    }
    // In turns, so that a neighbour's load hits both alike.
    const forward = [];
    const seek = [];
    for (let i = 0; i < 300; i++) {
      forward.push(batch(exports.forward));
      seek.push(batch(exports.seek));
    }
    const time = lowest(forward);
    const ratio = lowest(seek) / time;
    const add = (name, value, unit) => results.push({ name: `palette.${count}.${name}`, value, unit });
    add('us', 1e3 * time, 'µs');
    add('ns_per_joint', (1e6 * time) / (count * joints), 'ns');
    add('seek_over_forward', ratio, '×');
  }
  return results.concat(crowds(exports, joints), members(exports, joints), skinning(exports), picking(exports), mixing(exports, joints));
}

/**
 * Crowds, four characters at a time, beside the same one by one and beside what merely reads keys and writes palettes: each figure
 * comes from frames in turns.
 */
function crowds(exports, joints) {
  const results = [];
  const add = (name, value, unit) => results.push({ name: `palette.${name}`, value, unit });
  const perJoint = (count, general, frames) => {
    exports.setup(count, general);
    const rounds = Math.ceil(600_000 / count);
    const times = frames.map(() => []);
    for (let round = -rounds / 3; round < rounds; round++) {
      frames.forEach((frame, at) => {
        const start = performance.now();
        frame();
        if (round >= 0) times[at].push((1e6 * (performance.now() - start)) / (count * joints));
      });
    }
    return times.map(lowest);
  };
  const one = () => exports.quartets(0);
  const frames = [one, exports.quartets_seek, () => exports.quartets(1), exports.quartets_blended, exports.least_work, exports.forward];
  const [rigid, seek, mixed, blended, floor, alone] = perJoint(1000, false, frames);
  add('1000.rigid.ns_per_joint', rigid, 'ns');
  add('floor.ns_per_joint', floor, 'ns');
  add('1000.rigid_over_floor', rigid / floor, '×');
  add('1000.rigid_over_one_by_one', rigid / alone, '×');
  add('1000.rigid.seek_over_forward', seek / rigid, '×');
  add('1000.mixed_over_one', mixed / rigid, '×');
  add('1000.blend2.ns_per_joint', blended, 'ns');
  const [general] = perJoint(1000, true, [one]);
  add('1000.general.ns_per_joint', general, 'ns');
  const [many] = perJoint(10_000, false, [one]);
  add('10000_over_1000', many / rigid, '×');
  return results;
}

/** What frames take for each of so many things, once the engine has put in its optimised code. */
function nanoseconds(frame, things) {
  const times = [];
  for (let round = -200; round < 600; round++) {
    const start = performance.now();
    frame();
    if (round >= 0) times.push((1e6 * (performance.now() - start)) / things);
  }
  return times;
}

/**
 * Whole crowds of 1,000, of three clips, all in the picture: who is seen, where each is in its clip, and palettes; posed in each frame,
 * as seldom as nobody can see, and of poses that were made ahead.
 */
function members(exports, joints) {
  const count = 1000;
  exports.setup_members(count);
  return ['full', 'auto', 'baked'].map((name, way) => {
    const times = nanoseconds(() => exports.members(way), count * joints);
    // The mean of the better half: some frames of the second way pose many, others few.
    const better = times.sort((a, b) => a - b).slice(0, times.length / 2);
    const value = name === 'auto' ? better.reduce((a, b) => a + b, 0) / better.length : lowest(times);
    return { name: `crowd.${count}.${name}.ns_per_joint`, value, unit: 'ns' };
  });
}

/** What a vertex costs that the CPU takes along with four joints: its position, and its normal, too. */
function skinning(exports) {
  const [positions, normals] = [0, 1].map((normals) => {
    const vertices = exports.setup_skin(normals);
    return lowest(nanoseconds(exports.skin, vertices));
  });
  return [
    { name: 'skin.ns_per_vertex', value: positions, unit: 'ns' },
    { name: 'skin.with_normals.ns_per_vertex', value: normals, unit: 'ns' },
  ];
}

/** How long a ray looks for the first of 100,000 triangles that joints move. */
function picking(exports) {
  const rays = exports.setup_pick();
  return [{ name: 'pick.100k.us', value: lowest(nanoseconds(exports.pick, rays)) / 1e3, unit: 'µs' }];
}

/** What mixing costs 1,000 characters: all of it, and beyond what one clip costs. */
function mixing(exports, joints) {
  const count = 1000;
  const results = [];
  exports.setup(count, false);
  // A frame each time: two of the dearest ones last longer than the machine leaves to one program at a stretch.
  const batch = (frame) => {
    const start = performance.now();
    frame();
    return (1e6 * (performance.now() - start)) / (count * joints);
  };
  const names = Array.from({ length: exports.features() }, (_, feature) => {
    let name = '';
    for (let letter; (letter = exports.feature_name(feature, name.length)); ) name += String.fromCharCode(letter);
    return name;
  });
  const frames = [exports.forward, ...names.map((_, feature) => () => exports.mixed(feature))];
  for (let i = 0; i < 200; i++) frames.forEach(batch);
  const times = frames.map(() => []);
  for (let i = 0; i < 1000; i++) frames.forEach((frame, at) => times[at].push(batch(frame)));
  const [single, ...mixed] = times.map(lowest);
  mixed.forEach((time, feature) => {
    const name = names[feature];
    results.push({ name: `palette.${count}.one_by_one.${name}.ns_per_joint`, value: time, unit: 'ns' });
    results.push({ name: `mix.${name}.ns_per_joint`, value: time - single, unit: 'ns' });
    if (name === 'blend2_additive') {
      results.push({ name: 'mix.blend2_additive_over_single', value: time / single, unit: '×' });
    }
  });
  return results;
}
