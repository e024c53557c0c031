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
    exports.setup(count);
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
  return results.concat(mixing(exports, joints));
}

/** What mixing costs 1,000 characters: all of it, and beyond what one clip costs. */
function mixing(exports, joints) {
  const count = 1000;
  const results = [];
  exports.setup(count);
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
    results.push({ name: `palette.${count}.${name}.ns_per_joint`, value: time, unit: 'ns' });
    results.push({ name: `mix.${name}.ns_per_joint`, value: time - single, unit: 'ns' });
    if (name === 'blend2_additive') {
      results.push({ name: 'mix.blend2_additive_over_single', value: time / single, unit: '×' });
    }
  });
  return results;
}
