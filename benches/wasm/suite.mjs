// Times the animation kernels; runs in Node and in browsers, so it imports nothing.

/** The 10th percentile: other work on the machine only ever adds time. */
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
    // Batches of about 2 ms: long enough for a browser's clock, short enough to fit between other work of the machine.
    // Many short calls let the engine switch to its optimised code.
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
    // The two alternate, so that other load affects both alike.
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
  return results.concat(
    crowds(exports, joints),
    members(exports, joints),
    skinning(exports),
    picking(exports),
    retargeting(exports),
    machines(exports),
    procedural(exports),
    mixing(exports, joints),
  );
}

/**
 * Crowds, four characters at a time, compared with the same one by one and with a loop that only reads keys and writes
 * palettes. The frames of all variants alternate.
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
  const frames = [
    one,
    exports.quartets_seek,
    () => exports.quartets(1),
    exports.quartets_blended,
    exports.least_work,
    exports.forward,
  ];
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

/** The nanoseconds of each frame, divided by `things`, after a warm-up for the engine's optimised code. */
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
 * Whole crowds of 1,000 members with three clips, all in view, including culling, playback and palettes. The poses are
 * computed in each frame, at a reduced rate without visible difference, or interpolated from cached poses.
 */
function members(exports, joints) {
  const count = 1000;
  exports.setup_members(count);
  return ['full', 'auto', 'baked'].map((name, way) => {
    const times = nanoseconds(() => exports.members(way), count * joints);
    // The mean of the faster half: in the second way some frames pose many members, others few.
    const better = times.sort((a, b) => a - b).slice(0, times.length / 2);
    const value = name === 'auto' ? better.reduce((a, b) => a + b, 0) / better.length : lowest(times);
    return { name: `crowd.${count}.${name}.ns_per_joint`, value, unit: 'ns' };
  });
}

/** The CPU's time to skin a vertex with four joints: its position alone, and with its normal. */
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

/** The time of a ray to find the nearest of 100,000 triangles that joints move. */
function picking(exports) {
  const rays = exports.setup_pick();
  return [{ name: 'pick.100k.us', value: lowest(nanoseconds(exports.pick, rays)) / 1e3, unit: 'µs' }];
}

/** The time of an update of a state machine of 20 states in 3 layers with its player, and that of the player alone. */
function machines(exports) {
  const updates = 1000;
  const time = (update) => {
    exports.setup_states();
    const batch = () => {
      for (let i = 0; i < updates; i++) update();
    };
    return lowest(nanoseconds(batch, updates)) / 1e3;
  };
  return [
    { name: 'states.20x3.us', value: time(exports.states), unit: 'µs' },
    { name: 'states.20x3.player.us', value: time(exports.without_states), unit: 'µs' },
  ];
}

/** The time to retarget a clip of 1,000 keys to a body of 65 joints. */
function retargeting(exports) {
  exports.setup_retarget();
  const times = [];
  for (let round = -20; round < 60; round++) {
    const start = performance.now();
    exports.retarget();
    if (round >= 0) times.push(performance.now() - start);
  }
  return [{ name: 'retarget.1000x65.ms', value: lowest(times), unit: 'ms' }];
}

/** A frame of a chain of ten bones, of its player alone, and of two feet. */
function procedural(exports) {
  exports.setup_procedural();
  const count = 1000;
  const time = (frame) => {
    const frames = () => {
      for (let i = 0; i < count; i++) frame();
    };
    return lowest(nanoseconds(frames, count)) / 1e3;
  };
  return [
    { name: 'springs.10.us', value: time(exports.springs), unit: 'µs' },
    { name: 'springs.10.player.us', value: time(exports.without_springs), unit: 'µs' },
    { name: 'chain_ik.10.us', value: time(exports.chain_ik), unit: 'µs' },
    { name: 'feet.us', value: time(exports.feet), unit: 'µs' },
  ];
}

/** The cost of mixing for 1,000 characters: total, and in addition to one clip. */
function mixing(exports, joints) {
  const count = 1000;
  const results = [];
  exports.setup(count, false);
  // One frame per batch: two of the slowest would exceed the time slice of the operating system.
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
