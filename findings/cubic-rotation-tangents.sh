#!/usr/bin/env bash
# glTF-Transform's meshopt() turns smooth rotations into wrong ones: the tangents of CUBICSPLINE are stored as unit quaternions.
#
# Guess:  meshopt() with its defaults loses some bits of an animation, and nothing that can be seen.
# Truth:  the output of a CUBICSPLINE sampler has three quaternions for each key: in-tangent, value, out-tangent. Tangents are rates of
#         change, of any length. meshopt() encodes all of them with the filter QUATERNION of EXT_meshopt_compression, which stores unit
#         quaternions. So each tangent loses its length (a zero tangent becomes a rotation), the keys stay, and the motion between keys
#         is another one. The file is valid and no message says so. With level: 'medium' the filter is not used, and the motion stays.
# Meets:  whoever compresses animations with tangents by this function with its defaults, and whoever plays such files.
#
# Seen:   @gltf-transform/functions 4.5.1, meshoptimizer 1.3.0, Node 20, 27 November 2026:
#           level high: filter QUATERNION, 19.3° off at most
#           level medium: no filter, 0.0° off at most
#
# Fails if that changes. Needs Node 20 and npm.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --ignore-scripts @gltf-transform/core@4.5.1 @gltf-transform/extensions@4.5.1 @gltf-transform/functions@4.5.1 meshoptimizer@1.3.0
cat > run.mjs <<'SCRIPT'
import { Document, Logger, NodeIO } from '@gltf-transform/core';
import { EXTMeshoptCompression } from '@gltf-transform/extensions';
import { meshopt } from '@gltf-transform/functions';
import { MeshoptDecoder, MeshoptEncoder } from 'meshoptimizer';

await Promise.all([MeshoptDecoder.ready, MeshoptEncoder.ready]);
const io = new NodeIO()
  .registerExtensions([EXTMeshoptCompression])
  .registerDependencies({ 'meshopt.decoder': MeshoptDecoder, 'meshopt.encoder': MeshoptEncoder });

// A head that nods by 40° and back in two seconds: time, angle in degrees, degrees per second.
const KEYS = [[0, 0, 60], [1, 40, 0], [2, 0, -60]];
const half = (degrees) => (degrees * Math.PI) / 360;
const value = (angle) => [Math.sin(half(angle)), 0, 0, Math.cos(half(angle))];
const tangent = (angle, speed) => [Math.cos(half(angle)) * half(speed), 0, 0, -Math.sin(half(angle)) * half(speed)];

const model = new Document();
const buffer = model.createBuffer();
const head = model.createNode('Head');
model.createScene().addChild(head);
const accessor = (type, numbers) => model.createAccessor().setType(type).setArray(Float32Array.from(numbers)).setBuffer(buffer);
const sampler = model
  .createAnimationSampler()
  .setInterpolation('CUBICSPLINE')
  .setInput(accessor('SCALAR', KEYS.map(([time]) => time)))
  .setOutput(accessor('VEC4', KEYS.flatMap(([, angle, speed]) => [tangent(angle, speed), value(angle), tangent(angle, speed)].flat())));
const channel = model.createAnimationChannel().setSampler(sampler).setTargetNode(head).setTargetPath('rotation');
model.createAnimation('Nod').addSampler(sampler).addChannel(channel);

/** The nod at a time, in degrees, by appendix C.5 of glTF 2.0. */
function nod(document, time) {
  const output = document.getRoot().listAnimations()[0].listSamplers()[0].getOutput();
  const at = (key, part) => output.getElement(3 * key + part, []);
  const key = Math.min(1, Math.floor(time));
  const t = time - key;
  const weights = [2 * t ** 3 - 3 * t ** 2 + 1, t ** 3 - 2 * t ** 2 + t, -2 * t ** 3 + 3 * t ** 2, t ** 3 - t ** 2];
  const parts = [at(key, 1), at(key, 2), at(key + 1, 1), at(key + 1, 0)];
  const [x, , , w] = [0, 1, 2, 3].map((i) => parts.reduce((sum, part, k) => sum + weights[k] * part[i], 0));
  return (2 * Math.atan2(x, w) * 180) / Math.PI;
}

for (const level of ['high', 'medium']) {
  const copy = await io.readBinary(await io.writeBinary(model));
  copy.setLogger(new Logger(Logger.Verbosity.SILENT));
  await copy.transform(meshopt({ encoder: MeshoptEncoder, ...(level === 'high' ? {} : { level }) }));
  const bytes = await io.writeBinary(copy);
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(12, true);
  const { bufferViews } = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)));
  const filters = bufferViews.map(({ extensions }) => extensions?.EXT_meshopt_compression?.filter ?? 'NONE');
  const filter = filters.includes('QUATERNION') ? 'filter QUATERNION' : 'no filter';
  const after = await io.readBinary(bytes);
  const off = Array.from({ length: 41 }, (_, i) => Math.abs(nod(model, i / 20) - nod(after, i / 20)));
  console.log(`level ${level}: ${filter}, ${Math.max(...off).toFixed(1)}° off at most`);
}
SCRIPT
expected='level high: filter QUATERNION, 19.3° off at most
level medium: no filter, 0.0° off at most'
seen=$(node run.mjs)
printf '%s\n' "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'This has changed. Expected:\n%s\n' "$expected" >&2
  exit 1
fi
