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
  return results;
}
