// `exportUsdz` of `gambol/tools` and `gambol convert` in Node: the archive, the clip, warnings.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { unzipSync } from 'fflate';
import { folder, run, runJson } from './support/cli.mjs';
import { packed, root } from './support/files.mjs';

const { GambolError, exportUsdz } = await import(pathToFileURL(join(packed, 'dist/tools.js')));
const { loadAsset } = await import(pathToFileURL(join(packed, 'dist/asset.js')));

const PIP = join(root, 'dist/site/sample.glb');
const sample = readFileSync(PIP);
const code = (wanted) => (error) => {
  assert.ok(error instanceof GambolError, String(error));
  assert.equal(error.code, wanted);
  return true;
};

/** The text of the layer, and the names of the other files. */
function opened(bytes) {
  const files = unzipSync(new Uint8Array(bytes));
  const [first, ...others] = Object.keys(files);
  assert.equal(first, 'model.usda');
  return { text: new TextDecoder().decode(files[first]), others, files };
}

test('usdz: wrong options, unknown clips and variants, other files', async () => {
  for (const options of [
    { animation: -1 },
    { animation: 0.5 },
    { animation: {} },
    { variant: 3 },
    { maxTextureSize: 0 },
    { maxTextureSize: NaN },
    { maxTextureSize: '1024' },
    { clip: 'Walk' },
    { onProgress: 3 },
  ])
    await assert.rejects(exportUsdz(sample, options), code('argument/invalid'), JSON.stringify(options));
  await assert.rejects(exportUsdz(sample, { animation: 'Fly' }), code('clip/not-found'));
  await assert.rejects(exportUsdz(sample, { animation: 999 }), code('clip/not-found'));
  await assert.rejects(exportUsdz(sample, { variant: 'Winter' }), code('tools/option'));
  await assert.rejects(exportUsdz(new Uint8Array([1, 2, 3])), code('import/unknown-format'));
  await assert.rejects(exportUsdz(sample, { signal: AbortSignal.abort() }), code('load/aborted'));
});

test('usdz: the clip of the option plays, or the first one that lasts, or none', async () => {
  const { clips } = await loadAsset(sample);
  const end = ({ duration, fps }) => `endTimeCode = ${Math.round(duration * fps)}\n`;
  const walk = clips.find(({ name }) => name === 'Walk');
  for (const [animation, clip] of [
    [undefined, clips[0]],
    ['Walk', walk],
    [walk.index, walk],
  ]) {
    const { bytes, warnings } = await exportUsdz(sample, { animation });
    assert.deepEqual(warnings, []);
    const { text, others } = opened(bytes);
    assert.ok(text.includes(end(clip)), String(animation));
    assert.ok(text.includes('rotations.timeSamples'));
    assert.ok(others.length > 0 && others.every((name) => /^textures\/\w+\.(png|jpg)$/.test(name)), String(others));
  }
  const { text } = opened((await exportUsdz(sample, { animation: null })).bytes);
  assert.ok(!text.includes('timeSamples') && !text.includes('endTimeCode'));
});

test('usdz: without a decoder for images, those of other formats are left out with a warning', async () => {
  const shared = join(process.env['GAMBOL_SHARED'] ?? join(root, '../shared'), 'assets/variants/Fox_webp.glb');
  let webp;
  try {
    webp = readFileSync(shared);
  } catch {
    return;
  }
  const { bytes, warnings } = await exportUsdz(webp);
  assert.deepEqual([...new Set(warnings.map(({ code: found }) => found))], ['usdz/image']);
  assert.deepEqual(opened(bytes).others, []);
});

test('cli convert: a .usdz has the clip of --clip, or the rest pose with --still', async (t) => {
  const cwd = folder(t);
  const { exit, files, stderr } = await runJson(['convert', PIP, 'pip.usdz', '--clip', 'Walk'], { cwd });
  assert.equal(exit, 0, stderr);
  assert.deepEqual(files[0].warnings, []);
  const bytes = readFileSync(join(cwd, 'pip.usdz'));
  assert.equal(files[0].outputs[0].bytes, bytes.byteLength);
  assert.ok(opened(bytes).text.includes('rotations.timeSamples'));
  assert.equal((await run(['convert', PIP, '--to', 'usdz', '-o', `${cwd}/`, '--still'], { cwd })).code, 0);
  assert.ok(!opened(readFileSync(join(cwd, 'sample.usdz'))).text.includes('timeSamples'));
});

test('cli convert: options of .usdz are refused for others, and unknown clips are named', async (t) => {
  const cwd = folder(t);
  writeFileSync(join(cwd, 'hero.glb'), sample);
  for (const line of [
    'hero.glb a.gltf --clip Walk',
    'hero.glb a.glb --still -f',
    'hero.glb a.usdz --clip Walk --still',
    'hero.glb a.usdz --to glb',
  ]) {
    const { error, exit } = await runJson(['convert', ...line.split(' ')], { cwd });
    assert.deepEqual([exit, error.code], [2, 'cli/usage'], line);
  }
  const { files, exit } = await runJson(['convert', 'hero.glb', 'a.usdz', '--clip', 'Fly'], { cwd });
  assert.deepEqual([exit, files[0].error.code], [2, 'clip/not-found']);
});
