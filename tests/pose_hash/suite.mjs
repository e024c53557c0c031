// For any engine: the hashes of a module of tests/pose_hash, as hexadecimal text.

/** @param {WebAssembly.Module} module */
export async function hasher(module) {
  const { exports } = await WebAssembly.instantiate(module);
  const hex = (/** @type {bigint} */ hash) => BigInt.asUintN(64, hash).toString(16).padStart(16, '0');
  const opened = (/** @type {number} */ good) => {
    if (!good) throw new Error('the file cannot be imported');
  };
  return {
    /** Of each file that the module makes itself. */
    generated() {
      return Array.from({ length: exports.files() }, (_, i) => {
        opened(exports.open_generated(i));
        return hex(exports.hash());
      });
    },
    /** Of poses that are mixed of the clips of each of these files. */
    mixed() {
      return Array.from({ length: exports.files() }, (_, i) => {
        opened(exports.open_generated(i));
        return hex(exports.mixed_hash());
      });
    },
    /** Of poses of each of these files whose joints are put elsewhere, reach and look. */
    moved() {
      return Array.from({ length: exports.files() }, (_, i) => {
        opened(exports.open_generated(i));
        return hex(exports.moved_hash());
      });
    },
    /** Takes a file, and hashes it as a whole. */
    open(/** @type {Uint8Array} */ bytes) {
      // First the room: the memory has another buffer once it has grown.
      const at = exports.room(bytes.length);
      new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
      opened(exports.open());
      return hex(exports.hash());
    },
    /** Of the pose of a clip of the file that was opened last. */
    at: (/** @type {number} */ clip, /** @type {number} */ time) => hex(exports.hash_at(clip, time)),
  };
}
