// `inspect` of `gambol/tools` in Node: findings, the validator, faults.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { packed, root } from './support/files.mjs';

const { GambolError, inspect } = await import(pathToFileURL(join(packed, 'dist/tools.js')));
const sample = new Uint8Array(readFileSync(join(root, 'dist/site/sample.glb')));

const json = (value) => new TextEncoder().encode(JSON.stringify(value));
const floats = (...values) => Buffer.from(new Float32Array(values).buffer);
const code = (wanted) => (error) => {
  assert.ok(error instanceof GambolError, String(error));
  assert.equal(error.code, wanted);
  return true;
};

/** A node with a clip of four rotations about Y, in degrees, whose second one is scaled. */
function turning(degrees, scale = 1) {
  const rows = degrees.map((angle, i) => {
    const half = (angle * Math.PI) / 360;
    return [0, Math.sin(half), 0, Math.cos(half)].map((part) => part * (i === 1 ? scale : 1));
  });
  const bin = Buffer.concat([floats(...degrees.map((_, i) => i / 30)), floats(...rows.flat())]);
  const count = degrees.length;
  return json({
    asset: { version: '2.0' },
    nodes: [{ name: 'Door' }],
    scenes: [{ nodes: [0] }],
    buffers: [{ byteLength: bin.length, uri: `data:application/octet-stream;base64,${bin.toString('base64')}` }],
    bufferViews: [
      { buffer: 0, byteLength: 4 * count },
      { buffer: 0, byteOffset: 4 * count, byteLength: 16 * count },
    ],
    accessors: [
      { bufferView: 0, componentType: 5126, type: 'SCALAR', count, min: [0], max: [(count - 1) / 30] },
      { bufferView: 1, componentType: 5126, type: 'VEC4', count },
    ],
    animations: [
      {
        name: 'Open',
        samplers: [{ input: 0, output: 1 }],
        channels: [{ sampler: 0, target: { node: 0, path: 'rotation' } }],
      },
    ],
  });
}

test('inspect: wrong arguments are refused', async () => {
  await assert.rejects(inspect(7), code('argument/invalid'));
  await assert.rejects(inspect(sample, { ignore: 'inspect/jump' }), code('argument/invalid'));
  await assert.rejects(inspect(sample, { validator: {} }), code('argument/invalid'));
  await assert.rejects(inspect(sample, { validator: async () => ({}) }), code('argument/invalid'));
  await assert.rejects(inspect(sample, { signal: AbortSignal.abort() }), code('load/aborted'));
  await assert.rejects(inspect(new Uint8Array()), code('load/not-a-model'));
});

test('inspect: files that cannot be read have a finding of severity error', async () => {
  for (const [bytes, wanted] of [
    [new TextEncoder().encode('{"asset":'), 'import/invalid-json'],
    [json({ asset: { version: '1.0' } }), 'import/unsupported-version'],
    [json({ asset: { version: '2.0' }, nodes: [{ children: [0] }] }), 'import/node-cycle'],
  ]) {
    const { findings, summary } = await inspect(bytes);
    assert.equal(findings[0].code, wanted);
    assert.equal(findings[0].severity, 'error');
    assert.equal(summary.errors, findings.filter(({ severity }) => severity === 'error').length);
  }
  // A buffer that does not exist.
  const missing = await inspect(json({ asset: { version: '2.0' }, buffers: [{ byteLength: 4, uri: 'none.bin' }] }));
  assert.ok(
    missing.findings.some((finding) => finding.code === 'import/buffer-missing'),
    JSON.stringify(missing),
  );
});

test('inspect: findings have numbers with units, indices and places', async () => {
  const { findings, summary } = await inspect(turning([0, 10, 20, 200, 210], 1.1));
  assert.deepEqual([summary.clips, summary.channels, summary.keys, summary.joints], [1, 1, 5, 0]);
  const length = findings.find((finding) => finding.code === 'inspect/rotation-not-unit');
  assert.equal(length.severity, 'error');
  assert.deepEqual([length.clip, length.node, length.nodes], [0, 0, [0]]);
  assert.equal(length.pointer, '/animations/0/channels/0');
  assert.ok(Math.abs(length.values.deviation.value - 0.1) < 1e-6 && length.values.deviation.unit === '');
  assert.ok(length.fix.optimize && length.fix.description.length > 0);
  const turn = findings.find((finding) => finding.code === 'inspect/rotation-half-turn');
  assert.deepEqual([Math.round(turn.values.turn.value), turn.values.turn.unit], [180, '°']);
  assert.ok(Math.abs(turn.time - 2 / 30) < 1e-6);
  const order = findings.map(({ severity }) => ['error', 'warning', 'info'].indexOf(severity));
  assert.deepEqual(order, [...order].sort());
  const { findings: fewer } = await inspect(turning([0, 10, 20, 200, 210]), { ignore: [turn.code] });
  assert.ok(fewer.every((finding) => finding.code !== turn.code));
});

test('inspect: the sample character has no error and no warning', async () => {
  const progress = [];
  const { findings, summary } = await inspect(sample, { onProgress: (ratio) => progress.push(ratio) });
  assert.deepEqual([summary.errors, summary.warnings], [0, 0], JSON.stringify(findings.slice(0, 3)));
  assert.ok(summary.clips > 5 && summary.joints > 20);
  assert.equal(progress.at(-1), 1);
});

test('inspect: messages of the Khronos validator are findings, and it is asked for only with the option', async () => {
  const validator = createRequire(join(root, 'package.json'))('gltf-validator');
  const file = turning([0, 10, 20, 30], 1.1);
  const plain = await inspect(file);
  assert.ok(plain.findings.every(({ code }) => !code.startsWith('khronos/')));
  const own = await validator.validateBytes(file, {});
  for (const given of [validator, async () => validator, async () => ({ default: validator })]) {
    const { findings, summary } = await inspect(file, { validator: given });
    const said = findings.filter(({ code }) => code.startsWith('khronos/'));
    assert.deepEqual(
      said.map(({ code, message }) => `${code} ${message}`).sort(),
      own.issues.messages.map(({ code, message }) => `khronos/${code} ${message}`).sort(),
    );
    assert.ok(said.length > 0 && summary.errors >= own.issues.numErrors);
    assert.equal(said[0].severity, 'error');
  }
});
