// Sizes and errors of optimised files: gltfpack, glTF-Transform and `gambol/tools` with the same files.
//
//     npm ci --prefix benches/peers
//     node benches/peers/optimize.mjs [--output FILE] MODEL…
//
// Each of the other tools makes a file with its strongest usual settings. The error is the largest distance of any vertex at any time,
// by `diff()` of gambol. Then gambol makes a file with this error as its bound. So the two sizes of a row have the same error. The package
// must be built before (`cargo xtask build`).

import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, cpus } from 'node:os';
import { basename, extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(fileURLToPath(import.meta.url), '../../..');
const { diff, loadAsset, optimize } = await import(pathToFileURL(join(root, 'dist/gambol/dist/tools.js')));
const require = createRequire(import.meta.url);
const version = (name) =>
  JSON.parse(readFileSync(join(root, 'benches/peers/node_modules', name, 'package.json'), 'utf8')).version;

const peers = {
  'gltfpack -c': (file) => packed(file, ['-c']),
  'gltfpack -cc': (file) => packed(file, ['-cc']),
  'gltf-transform': transformed,
};

/** The file of gltfpack, with these options. */
async function packed(file, options) {
  const { pack } = await import('gltfpack');
  let bytes;
  const read = (path) => readFileSync(path);
  const write = (_path, data) => {
    bytes = data;
  };
  await pack(['-i', file, '-o', 'packed.glb', ...options], { read, write });
  return new Uint8Array(bytes);
}

/** The file of glTF-Transform: fewer keys, quantised, encoded by meshopt at its higher level. */
async function transformed(file) {
  const [
    { Logger, NodeIO },
    { ALL_EXTENSIONS },
    { dedup, meshopt, prune, resample },
    { MeshoptDecoder, MeshoptEncoder },
  ] = await Promise.all([
    import('@gltf-transform/core'),
    import('@gltf-transform/extensions'),
    import('@gltf-transform/functions'),
    import(pathToFileURL(require.resolve('meshoptimizer'))),
  ]);
  await Promise.all([MeshoptDecoder.ready, MeshoptEncoder.ready]);
  const io = new NodeIO()
    .registerExtensions(ALL_EXTENSIONS)
    .registerDependencies({ 'meshopt.decoder': MeshoptDecoder, 'meshopt.encoder': MeshoptEncoder });
  const document = await io.read(file);
  document.setLogger(new Logger(Logger.Verbosity.SILENT));
  await document.transform(dedup(), prune(), resample(), meshopt({ encoder: MeshoptEncoder, level: 'high' }));
  return io.writeBinary(document);
}

/** The bytes of the images in a GLB, which no tool here changes. */
function imagesIn(glb) {
  const view = new DataView(glb.buffer, glb.byteOffset, glb.byteLength);
  const json = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + view.getUint32(12, true))));
  const views = new Set((json.images ?? []).map(({ bufferView }) => bufferView));
  return (json.bufferViews ?? []).reduce((sum, { byteLength }, i) => sum + (views.has(i) ? byteLength : 0), 0);
}

const models = process.argv.slice(2);
const output = models[0] === '--output' ? models.splice(0, 2)[1] : undefined;
const rows = [];
for (const file of models) {
  const source = [new File([readFileSync(file)], basename(file))];
  const model = basename(file, extname(file));
  const standard = await optimize(source);
  const { before, after } = standard.report;
  rows.push({
    model,
    tool: 'gambol',
    bytes: after.total - after.images,
    before: before.total - before.images,
    error: standard.report.error,
    extent: 1e4 * standard.report.bound,
    seconds: round(standard.report.seconds),
  });
  for (const [tool, run] of Object.entries(peers)) {
    try {
      const since = performance.now();
      const bytes = await run(file);
      const seconds = (performance.now() - since) / 1000;
      await loadAsset(bytes);
      const { distance } = await diff(source, bytes);
      const row = { model, tool, bytes: bytes.length - imagesIn(bytes), error: distance, seconds: round(seconds) };
      if (distance > 0) {
        const { report } = await optimize(source, { error: distance });
        row.gambol = {
          bytes: report.after.total - report.after.images,
          error: report.error,
          seconds: round(report.seconds),
        };
        row.ratio = round(row.gambol.bytes / row.bytes);
      }
      rows.push(row);
      console.log(JSON.stringify(row));
    } catch (error) {
      rows.push({ model, tool, failed: String(error?.message ?? error).slice(0, 160) });
      console.log(JSON.stringify(rows.at(-1)));
    }
  }
}

/** Three digits are more than a repeated run keeps. */
function round(number) {
  return Number(number.toPrecision(3));
}

const about = {
  command: 'node benches/peers/optimize.mjs',
  date: new Date().toISOString().slice(0, 10),
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: availableParallelism(),
  node: process.version,
  versions: {
    gltfpack: version('gltfpack'),
    '@gltf-transform/functions': version('@gltf-transform/functions'),
    meshoptimizer: version('meshoptimizer'),
  },
  measures:
    'bytes of the GLB without images; error: the largest distance of a vertex at any time, in metres; ratio: gambol / tool',
};
if (output) writeFileSync(output, `${JSON.stringify({ about, rows }, null, 2)}\n`);
