// The command `gambol` of the package: wrong command lines and files first, then the effect of each command.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { folder, glbParts, names, program, run, runJson } from './support/cli.mjs';
import { manifest, packed, root } from './support/files.mjs';

const { toGlb } = await import(pathToFileURL(join(packed, 'dist/formats.js')));
const { loadAsset } = await import(pathToFileURL(join(packed, 'dist/asset.js')));

const SAMPLE = join(root, 'dist/site/sample.glb');
const BVH = `HIERARCHY
ROOT Hips
{
  OFFSET 0 100 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  End Site
  {
    OFFSET 0 60 0
  }
}
MOTION
Frames: 2
Frame Time: 0.5
0 100 0 0 0 0
0 100 0 0 90 0
`;
/** A triangle with its buffer and its image beside it, a value that no reader knows, and a placeholder of a buffer. */
const GLTF = {
  asset: { version: '2.0', extras: { made: 'by hand' } },
  scene: 0,
  scenes: [{ nodes: [0] }],
  nodes: [{ mesh: 0 }],
  meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1, material: 0 }] }],
  materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } }, extensions: { ACME_glow: { strength: 7 } } }],
  textures: [{ source: 0 }],
  images: [{ uri: 'skin%201.png' }],
  extensionsUsed: ['ACME_glow'],
  accessors: [
    { bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] },
    { bufferView: 1, byteOffset: 2, componentType: 5123, count: 3, type: 'SCALAR' },
  ],
  bufferViews: [
    { buffer: 0, byteLength: 36 },
    { buffer: 1, byteOffset: 2, byteLength: 8 },
  ],
  buffers: [
    { uri: 'a.bin', byteLength: 37, name: 'a' },
    {
      uri: `data:application/octet-stream;base64,${Buffer.from([9, 9, 9, 9, 0, 0, 1, 0, 2, 0]).toString('base64')}`,
      byteLength: 10,
    },
  ],
};
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

function writeGltf(path) {
  writeFileSync(join(path, 'triangle.gltf'), JSON.stringify(GLTF));
  const positions = Buffer.alloc(37);
  [0, 0, 0, 1, 0, 0, 0, 1, 0].forEach((value, i) => positions.writeFloatLE(value, 4 * i));
  writeFileSync(join(path, 'a.bin'), positions);
  writeFileSync(join(path, 'skin 1.png'), PNG);
}

test('cli: a wrong command line has exit code 2, a message with a suggestion, and no output', async (t) => {
  const cwd = folder(t);
  writeFileSync(join(cwd, 'walk.bvh'), BVH);
  for (const [line, message] of [
    [[], /a command is missing/],
    [['convrt', 'walk.bvh'], /no command “convrt”; did you mean “convert”\?/],
    [['xyzzy'], /no command “xyzzy”; it is one of .*convert/],
    [['--quiet', 'convert', 'walk.bvh'], /The command comes before its options/],
    [['convert', '--froce', 'walk.bvh'], /no option --froce; did you mean --force\?/],
    [['convert', '-x', 'walk.bvh'], /no option -x/],
    [['convert'], /Operands are missing: gambol convert IN/],
    [['convert', 'walk.bvh', '-o'], /needs a value: -o OUT/],
    [['convert', 'walk.bvh', '-o', '--force'], /needs a value/],
    [['convert', 'walk.bvh', '--force=yes'], /--force takes no value/],
    [['convert', 'walk.bvh', '--to', 'gtlf'], /no value “gtlf”; did you mean “gltf”\?/],
    [['convert', 'walk.bvh', '--to', 'glb', '--to', 'gltf'], /--to is given several times/],
    [
      ['convert', 'walk.bvh', '--unit', '1 parsec'],
      /--unit must be a number, with or without one of the units m, mm, cm/,
    ],
    [['convert', 'walk.bvh', '--unit', '-1cm'], /--unit must be above 0 m/],
    [['convert', 'walk.bvh', '--unit', '1e999'], /--unit must be a number/],
    [['convert', 'walk.bvh', 'walk.obj'], /none of \.glb, \.gltf and \.usdz/],
    [['convert', 'walk.bvh', 'walk.glb', '--to', 'gltf'], /differ/],
    [['convert', 'walk.bvh', 'walk.glb', '--embed'], /--embed is for/],
    [['convert', 'walk.bvh', 'walk.gltf', '-'], /walk\.gltf|Several/],
    [['render', 'walk.bvh', '--time', '3 days'], /--time must be a number/],
    [['render', 'walk.bvh', '--width', '0'], /--width must be at least 1/],
    [['render', 'walk.bvh', '--width', '10.5'], /--width must be a whole number/],
    [['render', 'walk.bvh', '--turntable'], /--turntable is for films/],
    [['render', 'walk.bvh', '-o', 'walk.tiff'], /no format of a picture/],
    [['render', 'walk.bvh', '--camera', 'front'], /--camera must be/],
    [['render', 'walk.bvh', '--target', '1 2'], /--target must be three lengths/],
    [['render', 'walk.bvh', '--camera', '1 2', '--file-camera', '0'], /--file-camera excludes/],
    [['completions', 'tcsh'], /completions for bash, zsh, fish/],
    [['help', 'covnert'], /did you mean “convert”/],
  ]) {
    const { code, stdout, stderr } = await run(line, { cwd });
    assert.equal(code, 2, `${line}: ${stderr}`);
    assert.equal(stdout, '', String(line));
    assert.match(stderr, message, String(line));
  }
  assert.deepEqual(names(cwd), ['walk.bvh']);
});

test('cli: with --json, an error is in the document', async (t) => {
  const cwd = folder(t);
  const { gambol, command, error, exit } = await runJson(['convert', '--nope'], { cwd });
  assert.deepEqual([gambol, command, error.code, exit], [manifest.version, 'convert', 'cli/usage', 2]);
  const other = await runJson(['nope'], { cwd });
  assert.deepEqual([other.command, other.error.code], [null, 'cli/usage']);
});

test('cli: a file that is missing or faulty has exit code 3, its code and its place', async (t) => {
  const cwd = folder(t);
  writeFileSync(join(cwd, 'broken.bvh'), BVH.replace('OFFSET 0 100', 'OFFSET 0 ?'));
  writeFileSync(join(cwd, 'text.glb'), 'not a model');
  writeFileSync(
    join(cwd, 'short.gltf'),
    JSON.stringify({ asset: { version: '2.0' }, buffers: [{ uri: 'no.bin', byteLength: 4 }] }),
  );
  writeFileSync(join(cwd, 'walk.bvh'), BVH);
  for (const [file, code, text] of [
    ['wlak.bvh', 'cli/no-such-file', /Did you mean walk\.bvh\?/],
    ['*.fbx', 'cli/no-such-file', /No file matches/],
    ['.', 'cli/not-a-file', /is a folder/],
    ['broken.bvh', 'bvh/syntax', /line 4/],
    ['text.glb', 'import/unknown-format', /text\.glb/],
    ['short.gltf', 'fetch/failed', /no\.bin/],
  ]) {
    const {
      exit,
      files = [],
      error = files[0]?.error,
      stderr,
    } = await runJson(['convert', file, '-o', 'out/'], { cwd });
    assert.deepEqual([exit, error.code], [3, code], stderr);
    assert.match(`${error.message} ${error.file} ${error.pointer}`, text);
    assert.ok(stderr.includes(`[${code}`), stderr);
  }
  // The other files are converted all the same.
  const { files, exit } = await runJson(['convert', 'broken.bvh', 'walk.bvh'], { cwd });
  assert.deepEqual([exit, files.map(({ error }) => error?.code)], [3, ['bvh/syntax', undefined]]);
  assert.ok(existsSync(join(cwd, 'walk.glb')));
});

test('cli: help, of each command with each option, and the version', async () => {
  assert.equal((await run(['--version'])).stdout, `${manifest.version}\n`);
  const { code, stdout: help } = await run(['help']);
  assert.equal(code, 0);
  assert.equal((await run(['--help'])).stdout, help);
  const commands = [...help.matchAll(/^ {2}([a-z]+) {2}/gm)].map(([, name]) => name);
  assert.ok(commands.length >= 4, help);
  for (const name of commands) {
    const one = (await run(['help', name])).stdout;
    assert.ok(one.startsWith(`gambol ${name}: `), one);
    assert.equal((await run([name, '--help', '--nonsense'])).stdout, one);
    for (const line of one.split('\n')) assert.ok(line.length <= 80 || /^ {2}\S/.test(line), line);
  }
});

test('cli convert: the result is that of gambol/formats, to the byte', async (t) => {
  const cwd = folder(t);
  writeFileSync(join(cwd, 'walk.bvh'), BVH);
  const { stdout, stderr, code } = await run(['convert', 'walk.bvh', 'out/walk.glb'], { cwd });
  assert.equal(code, 0);
  assert.match(stderr, /^warning: walk\.bvh: .*\[bvh\/unit-guessed\]\n$/);
  assert.match(stdout, /^walk\.bvh → out\/walk\.glb \([\d.]+ k?B\)\n$/);
  const bytes = readFileSync(join(cwd, 'walk.bvh'));
  assert.deepEqual(new Uint8Array(readFileSync(join(cwd, 'out/walk.glb'))), (await toGlb(bytes, 'walk.bvh')).glb);

  await run(['convert', 'walk.bvh', '-o', 'inches.glb', '--unit', '1in'], { cwd });
  const inches = (await toGlb(bytes, 'walk.bvh', { metresPerUnit: 0.0254 })).glb;
  assert.deepEqual(new Uint8Array(readFileSync(join(cwd, 'inches.glb'))), inches);

  await run(['convert', 'walk.bvh', '-o', 'z.glb', '--up', 'z'], { cwd });
  const turned = (await toGlb(bytes, 'walk.bvh', { up: 'z' })).glb;
  assert.deepEqual(new Uint8Array(readFileSync(join(cwd, 'z.glb'))), turned);

  const piped = await run(['convert', '-', '-', '--name', 'walk.bvh'], { cwd, input: BVH });
  assert.equal(piped.code, 0, piped.stderr);
  assert.deepEqual(new Uint8Array(piped.bytes), (await toGlb(bytes, 'walk.bvh')).glb);
});

test('cli convert: a file is overwritten only with --force, and appears only when it is complete', async (t) => {
  const cwd = folder(t);
  writeFileSync(join(cwd, 'walk.bvh'), BVH);
  writeFileSync(join(cwd, 'walk.glb'), 'precious');
  const { exit, files, stderr } = await runJson(['convert', 'walk.bvh'], { cwd });
  assert.deepEqual([exit, files[0].error.code], [2, 'cli/file-exists'], stderr);
  assert.equal(readFileSync(join(cwd, 'walk.glb'), 'utf8'), 'precious');
  assert.equal((await run(['convert', 'walk.bvh', '-f'], { cwd })).code, 0);
  assert.equal(glbParts(join(cwd, 'walk.glb')).json.asset.version, '2.0');
  const { code } = await run(['convert', 'walk.bvh', 'walk.bvh/out.glb'], { cwd });
  assert.equal(code, 5);
  assert.deepEqual(names(cwd), ['walk.bvh', 'walk.glb']);
});

test('cli convert: patterns and several files go into a folder', async (t) => {
  const cwd = folder(t);
  mkdirSync(join(cwd, 'in/deep'), { recursive: true });
  for (const name of ['in/a.bvh', 'in/deep/b.bvh', 'in/[c].bvh']) writeFileSync(join(cwd, name), BVH);
  const { files, exit } = await runJson(['convert', 'in/**/*.bvh', 'out/'], { cwd });
  assert.equal(exit, 0);
  assert.deepEqual(
    files.map(({ file }) => file),
    ['in/[c].bvh', 'in/a.bvh', 'in/deep/b.bvh'],
  );
  assert.deepEqual(names(join(cwd, 'out')), ['[c].glb', 'a.glb', 'b.glb']);
  // A name with characters of patterns is a name first.
  assert.equal((await run(['convert', 'in/[c].bvh'], { cwd })).code, 0);
  assert.ok(existsSync(join(cwd, 'in/[c].glb')));
  const { code, stderr } = await run(['convert', 'in/a.bvh', 'in/deep/b.bvh', 'one.glb'], { cwd });
  assert.equal(code, 2);
  assert.match(stderr, /Several files need a folder/);
});

test('cli convert: a .gltf becomes a .glb with its buffers and images, and its other parts stay', async (t) => {
  const cwd = folder(t);
  writeGltf(cwd);
  assert.equal((await run(['convert', 'triangle.gltf', 'triangle.glb'], { cwd })).stderr, '');
  const { json, binary } = glbParts(join(cwd, 'triangle.glb'));
  assert.deepEqual([json.buffers.length, json.buffers[0].uri, json.images[0].uri], [1, undefined, undefined]);
  for (const key of ['asset', 'materials', 'accessors', 'meshes', 'extensionsUsed'])
    assert.deepEqual(json[key], GLTF[key], key);
  const view = ({ byteOffset = 0, byteLength }) => binary.subarray(byteOffset, byteOffset + byteLength);
  assert.equal(view(json.bufferViews[0]).readFloatLE(12), 1);
  assert.deepEqual([...view(json.bufferViews[1])], [9, 9, 0, 0, 1, 0, 2, 0]);
  assert.equal(json.bufferViews[1].byteOffset % 2, 0);
  assert.deepEqual(view(json.bufferViews[json.images[0].bufferView]), PNG);
  assert.equal(json.images[0].mimeType, 'image/png');

  // And back: the buffer is the chunk.
  assert.equal((await run(['convert', 'triangle.glb', 'again.gltf'], { cwd })).stderr, '');
  const again = JSON.parse(readFileSync(join(cwd, 'again.gltf'), 'utf8'));
  assert.deepEqual(again, { ...json, buffers: [{ ...json.buffers[0], uri: 'again.bin' }] });
  assert.deepEqual(readFileSync(join(cwd, 'again.bin')), Buffer.from(binary.subarray(0, json.buffers[0].byteLength)));
  assert.equal((await run(['convert', 'triangle.glb', '-', '--to', 'gltf', '--embed'], { cwd })).code, 0);

  // Images that are missing, and images that are kept.
  assert.equal((await run(['convert', 'triangle.gltf', 'kept.glb', '--keep-images'], { cwd })).stderr, '');
  assert.deepEqual(glbParts(join(cwd, 'kept.glb')).json.images, GLTF.images);
  const lonely = join(cwd, 'lonely');
  mkdirSync(lonely);
  for (const name of ['triangle.gltf', 'a.bin']) copyFileSync(join(cwd, name), join(lonely, name));
  const { files, exit } = await runJson(['convert', 'triangle.gltf'], { cwd: lonely });
  assert.deepEqual([exit, files[0].warnings.map(({ pointer }) => pointer)], [0, ['/images/0/uri']]);
});

test('cli convert: the smallest .gltf is converted as it is', async (t) => {
  const cwd = folder(t);
  writeFileSync(join(cwd, 'empty.gltf'), '{}');
  assert.equal((await run(['convert', 'empty.gltf', 'empty.glb'], { cwd })).stderr, '');
  assert.deepEqual(glbParts(join(cwd, 'empty.glb')).json, {});
});

test('cli convert: a GLB goes through .gltf without a change of its poses', async (t) => {
  const cwd = folder(t);
  for (const line of [
    ['convert', SAMPLE, 'pip.gltf'],
    ['convert', 'pip.gltf', 'pip.glb'],
  ])
    assert.equal((await run(line, { cwd })).code, 0);
  const [before, after] = await Promise.all(
    [SAMPLE, join(cwd, 'pip.glb')].map((path) => loadAsset(pathToFileURL(path))),
  );
  for (const clip of before.clips)
    assert.equal(after.sample(clip.id, clip.duration / 3).hash, before.sample(clip.id, clip.duration / 3).hash);
});

test('cli completions: scripts are valid, and complete commands, options, values and files', async (t) => {
  const cwd = folder(t);
  for (const name of ['hero.glb', 'hero.png', 'notes.txt']) writeFileSync(join(cwd, name), '');
  mkdirSync(join(cwd, 'heroes'));
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout } = await run(['completions', shell]);
    assert.equal(code, 0);
    writeFileSync(join(cwd, shell), stdout);
    const { error, status, stderr } = spawnSync(shell, ['-n', join(cwd, shell)], { encoding: 'utf8' });
    if (error?.code === 'ENOENT') t.diagnostic(`${shell} is not installed`);
    else assert.equal(status, 0, stderr);
  }
  if (spawnSync('bash', ['--version']).error) return;
  const complete = (...words) => {
    const script = `source ./bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gambol; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const out = execFileSync('bash', ['-c', script, 'bash', ...words], { cwd, encoding: 'utf8' });
    return out.split('\n').filter(Boolean).sort();
  };
  assert.deepEqual(complete('gambol', 'conv'), ['convert']);
  assert.ok(complete('gambol', '').includes('render'));
  assert.deepEqual(complete('gambol', 'convert', '--fo'), ['--force']);
  assert.deepEqual(complete('gambol', 'convert', '--to', 'gl'), ['glb', 'gltf']);
  assert.deepEqual(complete('gambol', 'convert', '--to', '=', 'glt'), ['gltf']);
  assert.deepEqual(complete('gambol', 'convert', 'he'), ['hero.glb', 'heroes']);
  assert.deepEqual(complete('gambol', 'convert', '-q', 'he'), ['hero.glb', 'heroes']);
  assert.deepEqual(complete('gambol', 'convert', '-o', 'n'), ['notes.txt']);
  assert.deepEqual(complete('gambol', 'completions', 'f'), ['fish']);
  assert.deepEqual(complete('gambol', 'help', 'conv'), ['convert']);
});

test('cli: npx runs the packed package in an empty folder', async (t) => {
  const cwd = folder(t);
  const npm = (...args) =>
    execFileSync(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, { cwd, encoding: 'utf8', stdio: 'pipe' });
  const [{ filename }] = JSON.parse(npm('pack', packed, '--json', '--loglevel=error'));
  writeFileSync(join(cwd, 'package.json'), '{ "private": true }');
  npm('install', `./${filename}`, '--offline', '--no-audit', '--no-fund', '--loglevel=error');
  writeFileSync(join(cwd, 'walk.bvh'), BVH);
  const npx = (...args) => npm('exec', '--offline', '--', 'gambol', ...args);
  assert.equal(npx('--version').trim(), manifest.version);
  npx('convert', 'walk.bvh', 'walk.glb');
  assert.equal(glbParts(join(cwd, 'walk.glb')).json.animations[0].name, 'walk');
  const { status, stderr } = spawnSync(
    process.execPath,
    ['node_modules/gambol/dist/cli.js', 'inspect', 'walk.glb', '--khronos'],
    {
      cwd,
      encoding: 'utf8',
    },
  );
  assert.deepEqual([status, /npm install gltf-validator/.test(stderr)], [4, true], stderr);
  // And it needs nothing else.
  assert.deepEqual([manifest.dependencies, manifest.optionalDependencies], [undefined, undefined]);
  assert.ok(readFileSync(program, 'utf8').startsWith('#!/usr/bin/env node\n'));
});
