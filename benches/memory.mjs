// Memory and speed of loading in Node: `node benches/memory.mjs [PACKAGE …]`, after `cargo xtask build`. Each package is a folder as
// `dist/gambol`, so that two builds are measured in one run. Prints one JSON object per line:
//
// - `memory.pictures.mb`: the module's memory after a model of 4 MB whose pictures are most of its bytes.
// - `memory.DamagedHelmet.mb`: the same of DamagedHelmet, if ../shared/assets exists.
// - `memory.large.ratio`: the module's memory after a file of 60 MB with meshes and clips, divided by the size of the file.
// - `memory.large.speed`: megabytes of that file per second of the processor, the fastest of five loads; more is better.
//
// The memory never shrinks, so that after a load is the peak. Each figure is of a process of its own.

import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = resolve(import.meta.dirname, '..');
const MB = 1e6;

/** A glTF file that grows by accessors of typed arrays. */
class File {
  json = { asset: { version: '2.0' }, buffers: [], bufferViews: [], accessors: [], meshes: [], nodes: [], skins: [] };
  #parts = [];
  #length = 0;

  view(bytes) {
    const view = { buffer: 0, byteOffset: this.#length, byteLength: bytes.byteLength };
    this.#parts.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    this.#length += bytes.byteLength;
    return this.json.bufferViews.push(view) - 1;
  }

  accessor(type, numbers, more = {}) {
    const components = new Map([
      [Uint8Array, 5121],
      [Uint32Array, 5125],
      [Float32Array, 5126],
    ]);
    const width = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 }[type];
    const accessor = {
      bufferView: this.view(numbers),
      componentType: components.get(numbers.constructor),
      type,
      count: numbers.length / width,
      ...more,
    };
    return this.json.accessors.push(accessor) - 1;
  }

  glb() {
    this.json.buffers = [{ byteLength: this.#length }];
    const text = Buffer.from(JSON.stringify(this.json));
    const json = Buffer.concat([text, Buffer.alloc(-text.length & 3, ' ')]);
    const bin = Buffer.concat(this.#parts);
    const head = Buffer.from('glTF\x02\0\0\0----....JSON', 'latin1');
    head.writeUInt32LE(28 + json.length + bin.length, 8);
    head.writeUInt32LE(json.length, 12);
    const middle = Buffer.from('....BIN\0', 'latin1');
    middle.writeUInt32LE(bin.length, 0);
    return new Uint8Array(Buffer.concat([head, json, middle, bin]));
  }
}

/** A grid of `side` × `side` vertices with normals, texture coordinates and four joints each. */
function grid(file, side, joints) {
  const count = side * side;
  const make = (type, Kind, width, number) =>
    file.accessor(
      type,
      Kind.from({ length: count * width }, (_, i) => number(i % width, Math.floor(i / width))),
    );
  const attributes = {
    POSITION: make('VEC3', Float32Array, 3, (axis, i) => [i % side, Math.floor(i / side), (i % 7) / 7][axis] / side),
    NORMAL: make('VEC3', Float32Array, 3, (axis) => (axis === 2 ? 1 : 0)),
    TEXCOORD_0: make('VEC2', Float32Array, 2, (axis, i) => (axis === 0 ? i % side : Math.floor(i / side)) / side),
    JOINTS_0: make('VEC4', Uint8Array, 4, (axis, i) => (i + axis) % joints),
    WEIGHTS_0: make('VEC4', Float32Array, 4, () => 0.25),
  };
  const indices = new Uint32Array(6 * (side - 1) ** 2);
  for (let i = 0, at = 0; i < count - side; i++) {
    if ((i + 1) % side === 0) continue;
    indices.set([i, i + 1, i + side, i + 1, i + side + 1, i + side], at);
    at += 6;
  }
  return { attributes, indices: file.accessor('SCALAR', indices) };
}

/** A file of about 60 MB: a skin of 60 joints, meshes of half its size, and clips. */
function large() {
  const [joints, keys] = [60, 450];
  const file = new File();
  const { json } = file;
  for (let i = 0; i < joints; i++) json.nodes.push(i + 1 < joints ? { children: [i + 1] } : {});
  const binds = Float32Array.from({ length: 16 * joints }, (_, i) =>
    i % 5 === 0 && i % 16 < 16 ? +((i % 16) % 5 === 0) : 0,
  );
  json.skins.push({ joints: [...Array(joints).keys()], inverseBindMatrices: file.accessor('MAT4', binds) });
  for (let i = 0; i < 8; i++) {
    json.meshes.push({ primitives: [grid(file, 220, joints)] });
    json.nodes.push({ mesh: i, skin: 0 });
  }
  const turn = (i, at) => Math.sin(i / 3 + at / 20) / 4;
  const [last] = [keys / 30];
  json.animations = Array.from({ length: 40 }, (_, clip) => {
    const times = Float32Array.from({ length: keys }, (_, at) => at / 30);
    const input = file.accessor('SCALAR', times, { min: [0], max: [last] });
    const [samplers, channels] = [[], []];
    for (let node = 0; node < joints; node++) {
      const places = Float32Array.from({ length: 3 * keys }, (_, i) => turn(node + clip + (i % 3), Math.floor(i / 3)));
      const turns = new Float32Array(4 * keys);
      for (let at = 0; at < keys; at++) {
        const angle = turn(node + clip, at);
        turns.set([Math.sin(angle), 0, 0, Math.cos(angle)], 4 * at);
      }
      for (const [path, output] of [
        ['translation', file.accessor('VEC3', places)],
        ['rotation', file.accessor('VEC4', turns)],
      ]) {
        channels.push({ sampler: samplers.length, target: { node, path } });
        samplers.push({ input, output });
      }
    }
    return { samplers, channels };
  });
  json.scenes = [{ nodes: [0, ...json.meshes.keys()].map((_, i) => (i === 0 ? 0 : joints + i - 1)) }];
  return file.glb();
}

/** A file of 4 MB, of which 3.5 MB are a picture. */
function pictures() {
  const file = new File();
  const { json } = file;
  for (let joint = 0; joint < 4; joint++) json.nodes.push({});
  json.skins.push({ joints: [0, 1, 2, 3] });
  json.images = [{ mimeType: 'image/png', bufferView: file.view(new Uint8Array(3.5 * MB)) }];
  json.textures = [{ source: 0 }];
  json.materials = [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }];
  json.meshes.push({ primitives: [{ ...grid(file, 80, 4), material: 0 }] });
  json.nodes.push({ mesh: 0, skin: 0 });
  return file.glb();
}

/** Loads `make()` with a package; returns the memory of the module after the first load, and the milliseconds of the fastest load. */
async function measure(folder, make, loads) {
  const memories = new Set();
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = async (...args) => {
    const result = await instantiate(...args);
    const { memory } = (result.instance ?? result).exports;
    if (memory) memories.add(memory);
    return result;
  };
  const { init, loadAsset } = await import(pathToFileURL(join(folder, 'dist/index.js')));
  await init?.();
  const bytes = await make();
  const times = [];
  let memory = 0;
  for (let i = 0; i < loads; i++) {
    const start = process.cpuUsage();
    const asset = await loadAsset(bytes);
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1e3);
    if (i === 0) memory = [...memories].reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
    asset.dispose();
  }
  return { memory, size: bytes.length, time: Math.min(...times) };
}

const WORK = {
  pictures: [pictures, 1],
  helmet: [async () => new Uint8Array(await readFile(join(root, '../shared/assets/gltf/DamagedHelmet.glb'))), 1],
  large: [large, 5],
};

if (process.argv[2] === '--one') {
  const [, , , name, folder] = process.argv;
  console.log(JSON.stringify(await measure(resolve(folder), ...WORK[name])));
} else {
  const folders = process.argv.length > 2 ? process.argv.slice(2) : [join(root, 'dist/gambol')];
  for (const folder of folders) {
    const one = (name) => {
      const script = [fileURLToPath(import.meta.url), '--one', name, folder];
      return JSON.parse(execFileSync(process.execPath, script, { encoding: 'utf8' }));
    };
    const print = (name, value, unit) => {
      const of = folders.length > 1 ? { package: folder } : {};
      console.log(JSON.stringify({ name: `memory.${name}`, value, unit, ...of }));
    };
    print('pictures.mb', one('pictures').memory / MB, 'MB');
    const helmet = await WORK.helmet[0]().then(
      () => one('helmet'),
      () => undefined,
    );
    if (helmet) print('DamagedHelmet.mb', helmet.memory / MB, 'MB');
    const { memory, size, time } = one('large');
    print('large.ratio', memory / size, 'of the size of the file');
    print('large.speed', size / 1e3 / time, 'MB/s');
  }
}
