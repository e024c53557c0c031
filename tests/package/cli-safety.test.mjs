// The command `gambol` with files that are made to harm: names for the terminal, files outside the folder, results of one name.

import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { folder, glbParts, names, run, runJson, start } from './support/cli.mjs';
import { packed, root } from './support/files.mjs';

const { readGltf } = await import(pathToFileURL(join(packed, 'dist/gltf.js')));

const PIP = join(root, 'dist/site/sample.glb');
const SECRET = 'TOP-SECRET-'.repeat(6);
const DATA = `data:application/octet-stream;base64,${Buffer.alloc(36).toString('base64')}`;

/** A triangle whose buffer has a URI. */
const triangle = (uri, more = {}) =>
  JSON.stringify({
    asset: { version: '2.0' },
    buffers: [{ uri, byteLength: 36 }],
    bufferViews: [{ buffer: 0, byteLength: 36 }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [0, 0, 0] }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, ...(more.images && { material: 0 }) }] }],
    nodes: [{ mesh: 0 }],
    scenes: [{ nodes: [0] }],
    ...more,
  });
const textured = (uri, name) =>
  triangle(DATA, {
    images: [{ uri }],
    textures: [{ source: 0 }],
    materials: [{ name, pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
  });

/** A folder `m` of a model with `ok.bin`, beside a folder with a secret. */
function around(t) {
  const cwd = folder(t);
  for (const name of ['m', 'm/sub', 'secret']) mkdirSync(join(cwd, name));
  writeFileSync(join(cwd, 'secret/key.txt'), SECRET);
  writeFileSync(join(cwd, 'm/ok.bin'), Buffer.alloc(36));
  symlinkSync('../secret/key.txt', join(cwd, 'm/link.txt'));
  symlinkSync('../secret', join(cwd, 'm/linked'));
  return cwd;
}

/** URIs that lead out of the folder `m`. */
const outside = (cwd) => [
  '../secret/key.txt',
  './../secret/key.txt',
  'sub/../../secret/key.txt',
  '%2e%2e/secret/key.txt',
  '..%2fsecret%2fkey.txt',
  '..%2Fsecret/key.txt',
  '..\\secret\\key.txt',
  '..%5Csecret%5Ckey.txt',
  join(cwd, 'secret/key.txt'),
  pathToFileURL(join(cwd, 'secret/key.txt')).href,
  'FILE:../secret/key.txt',
  'link.txt',
  'linked/key.txt',
  'LINKED/KEY.TXT',
  '//127.0.0.1/key.txt',
  'http://127.0.0.1:9/key.txt',
];

test('cli: a model reads no file outside its folder and no address, unless that is allowed', async (t) => {
  const cwd = around(t);
  for (const uri of outside(cwd)) {
    writeFileSync(join(cwd, 'm/model.gltf'), triangle(uri));
    const { exit, files, stderr } = await runJson(['convert', 'm/model.gltf', 'out.glb', '--force'], { cwd });
    const { code, message } = files[0].error;
    assert.deepEqual([exit, code], [3, 'load/foreign-resource'], `${uri}: ${stderr}`);
    assert.match(message, /--allow-outside/);
    assert.deepEqual(names(cwd), ['m', 'secret'], uri);
  }
  writeFileSync(join(cwd, 'm/model.gltf'), triangle('../secret/key.txt'));
  for (const command of ['optimize', 'bake', 'render']) {
    const { exit, files } = await runJson([command, 'm/model.gltf', '-o', 'out.glb'], {
      cwd,
      env: { GAMBOL_BROWSER: process.execPath },
    }).catch((error) => assert.fail(`${command}: ${error.message}`));
    if (command !== 'render') assert.deepEqual([exit, files[0].error.code], [3, 'load/foreign-resource'], command);
  }
  // It says so in place of a missing buffer.
  const { files } = await runJson(['inspect', 'm/model.gltf'], { cwd });
  assert.deepEqual(
    files[0].findings.map(({ code, pointer }) => `${code} ${pointer}`),
    ['import/buffer-missing /buffers/0/uri', 'load/foreign-resource /buffers/0/uri'],
  );
  assert.equal((await run(['convert', 'm/model.gltf', 'out.glb', '--allow-outside'], { cwd })).code, 0);
  assert.ok(readFileSync(join(cwd, 'out.glb')).includes('TOP-SECRET'));
  // An image stays a reference.
  writeFileSync(join(cwd, 'm/image.gltf'), textured('../secret/key.txt'));
  const { code, stderr } = await run(['convert', 'm/image.gltf', 'image.glb'], { cwd });
  assert.equal(code, 0);
  assert.match(stderr, /--allow-outside.*\[load\/foreign-resource at \/images\/0\/uri\]/);
  assert.equal(glbParts(join(cwd, 'image.glb')).json.images[0].uri, '../secret/key.txt');
  // From stdin, the folder is the current one.
  const piped = await runJson(['convert', '-', 'x.glb'], { cwd: join(cwd, 'm'), input: triangle('../secret/key.txt') });
  assert.deepEqual([piped.exit, piped.files[0].error.code], [3, 'load/foreign-resource']);
  assert.equal((await run(['convert', '-', 'x.glb'], { cwd: join(cwd, 'm'), input: triangle('ok.bin') })).code, 0);
});

test('readGltf: externalResources of local files and of a server', async (t) => {
  const cwd = around(t);
  const path = join(cwd, 'm/model.gltf');
  const read = async (uri, options) => {
    writeFileSync(path, triangle(uri));
    const file = await readGltf(pathToFileURL(path), options);
    return file.buffer(0).then(
      (bytes) => Buffer.from(bytes).toString('latin1', 0, 10),
      ({ code }) => code,
    );
  };
  const zeros = '\0'.repeat(10);
  for (const externalResources of ['same-folder', 'same-origin']) {
    for (const uri of outside(cwd))
      assert.equal(await read(uri, { externalResources }), 'load/foreign-resource', `${externalResources} ${uri}`);
    for (const uri of ['ok.bin', './ok.bin', '../m/ok.bin', 'sub/../ok.bin', 'OK.bin', 'textures/ok.bin', DATA])
      assert.equal(await read(uri, { externalResources }), zeros, `${externalResources} ${uri}`);
    assert.equal(await read('no.bin', { externalResources }), 'fetch/failed');
    assert.equal(await read('sub', { externalResources }), 'fetch/failed', 'a folder');
  }
  assert.equal(await read('../secret/key.txt', {}), SECRET.slice(0, 10));
  assert.equal(await read('x.bin', { mapURL: (url) => url.replace('m/x.bin', 'm/ok.bin') }), zeros);
  assert.equal(
    await read('ok.bin', {
      externalResources: 'same-folder',
      mapURL: (url) => url.replace('m/ok.bin', 'secret/key.txt'),
    }),
    'load/foreign-resource',
  );

  const asked = [];
  const server = createServer(({ url }, response) => {
    asked.push(url);
    const uri = /^\/m\/model\.gltf\?(.*)/.exec(url)?.[1];
    if (uri !== undefined) return response.end(triangle(decodeURIComponent(uri)));
    if (url === '/m/moved.bin') return response.writeHead(302, { location: '/secret/key.txt' }).end();
    if (url === '/m/near.bin') return response.writeHead(302, { location: '/m/ok.bin' }).end();
    return response.end(url.startsWith('/m/') ? Buffer.alloc(36) : SECRET);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const host = `127.0.0.1:${server.address().port}`;
  const fetched = async (uri, externalResources) => {
    const file = await readGltf(`http://${host}/m/model.gltf?${encodeURIComponent(uri)}`, { externalResources });
    return file.buffer(0).then(
      (bytes) => Buffer.from(bytes).toString('latin1', 0, 10),
      ({ code }) => code,
    );
  };
  for (const [uri, sameFolder, sameOrigin] of [
    ['ok.bin', zeros, zeros],
    ['sub/ok.bin', zeros, zeros],
    ['near.bin', zeros, zeros],
    ['../secret/key.txt', 'load/foreign-resource', SECRET.slice(0, 10)],
    ['%2e%2e/secret/key.txt', 'load/foreign-resource', SECRET.slice(0, 10)],
    ['..%2fsecret%2fkey.txt', 'load/foreign-resource', zeros],
    ['sub%5c..%5c..%5csecret', 'load/foreign-resource', zeros],
    ['moved.bin', 'load/foreign-resource', SECRET.slice(0, 10)],
    [`http://${host}/m/ok.bin`, zeros, zeros],
    [`http://localhost:1/m/ok.bin`, 'load/foreign-resource', 'load/foreign-resource'],
    [pathToFileURL(join(cwd, 'm/ok.bin')).href, 'load/missing-resource', 'load/missing-resource'],
  ]) {
    assert.equal(await fetched(uri, 'same-folder'), sameFolder, uri);
    assert.equal(await fetched(uri, 'same-origin'), sameOrigin, uri);
  }
});

test('cli: local files are found as picked files are, by path and by URL', async (t) => {
  const cwd = folder(t);
  mkdirSync(join(cwd, 'data'));
  for (const [uri, path] of [
    ['walk 10%.bin', 'walk 10%.bin'],
    ['walk%2010%25.bin', 'walk 10%.bin'],
    ['walk#1.bin', 'walk#1.bin'],
    ['walk?1.bin', 'walk?1.bin'],
    ['data%5Cwalk.bin', 'data/walk.bin'],
    ['data\\walk.bin', 'data/walk.bin'],
    ['Data/WALK.bin', 'data/walk.bin'],
    ['C%3A/art/walk.bin', 'walk.bin'],
    ['50%20.bin', '50%20.bin'],
  ]) {
    const bytes = Buffer.alloc(36, uri.length);
    writeFileSync(join(cwd, path), bytes);
    // The model's own name is one of this kind, too.
    for (const name of ['model.gltf', 'model 10%.gltf', 'model#1.gltf']) {
      writeFileSync(join(cwd, name), triangle(uri));
      const { code, stderr } = await run(['convert', name, 'out.glb', '-f'], { cwd });
      assert.equal(code, 0, `${uri}: ${stderr}`);
      assert.deepEqual(glbParts(join(cwd, 'out.glb')).binary.subarray(0, 36), bytes, uri);
      for (const url of [pathToFileURL(join(cwd, name)), `file://${join(cwd, name)}`])
        assert.deepEqual(Buffer.from(await (await readGltf(url)).buffer(0)), bytes, `${uri} of ${url}`);
    }
  }
});

test('cli: control characters of names and URIs are shown as escapes, and the JSON document keeps them', async (t) => {
  const cwd = folder(t);
  const evil = '\u001b]0;PWNED\u0007\u001b[31m\r\nline\u009b2J\u202e';
  const { json, binary } = glbParts(PIP);
  json.animations = [{ ...json.animations[0], name: evil }];
  for (const node of json.nodes) node.name = `${evil}${node.name}`;
  json.nodes[json.skins[0].joints[1]].rotation = [0, 0, 0, 2];
  json.animations[0].channels.push(json.animations[0].channels[0]);
  json.buffers = [{ byteLength: binary.length, uri: `data:;base64,${binary.toString('base64')}` }];
  writeFileSync(join(cwd, 'evil.gltf'), JSON.stringify(json));
  writeFileSync(join(cwd, 'image.gltf'), textured(`${evil}.png`, evil));
  writeFileSync(join(cwd, `bad${evil}.glb`.replaceAll('/', '')), 'nothing');
  writeFileSync(
    join(cwd, 'walk.bvh'),
    `HIERARCHY\nROOT ${evil.replace(/\s/g, '')}\n{\nOFFSET 0 0 0\nCHANNELS 1 ${evil.replace(/\s/g, '')}\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 1\nFrame Time: 1\n0\n`,
  );
  const control = (text) => /(?!\n)\p{Cc}|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u.exec(text);
  let escapes = 0;
  for (const line of [
    ['inspect', 'evil.gltf'],
    ['inspect', 'image.gltf'],
    ['inspect', 'bad*.glb'],
    ['optimize', 'evil.gltf', '-o', 'o.glb'],
    ['convert', 'image.gltf', '-o', 'i.glb'],
    ['convert', 'bad*.glb', '-o', 'b.glb'],
    ['convert', 'walk.bvh', '-o', 'w.glb'],
    ['diff', 'evil.gltf', PIP],
    ['retarget', PIP, '--onto', 'evil.gltf', '-o', 'r.glb', '--clip', evil],
    ['retarget', 'evil.gltf', '--onto', PIP, '-o', 's.glb'],
    ['bake', 'evil.gltf', '-o', 'k.glb', '--clip', evil],
    ['convert', evil],
    [evil],
    ['convert', `--${evil}`],
  ]) {
    const { stdout, stderr } = await run(line, { cwd });
    assert.equal(control(`${stdout}${stderr}`), null, `${line[0]}: ${JSON.stringify(`${stdout}${stderr}`)}`);
    // No name makes a line of its own.
    assert.doesNotMatch(`${stdout}${stderr}`, /^line/m);
    if (/\\x1b\]0;PWNED\\x07/.test(`${stdout}${stderr}`)) escapes += 1;
  }
  assert.ok(escapes >= 10, String(escapes));
  const { code, stdout, stderr } = await run(['diff', 'evil.gltf', 'evil.gltf', '--json'], { cwd });
  assert.deepEqual([code, stderr], [0, '']);
  assert.equal(control(stdout), null);
  assert.equal(JSON.parse(stdout).clips[0].name, evil);
});

test('cli: results of one name are refused before any work, with the names of both inputs', async (t) => {
  const cwd = folder(t);
  for (const name of ['a', 'b', 'out']) mkdirSync(join(cwd, name));
  for (const name of ['a/hero.glb', 'b/hero.glb', 'hero.glb', 'hero.gltf']) copyFileSync(PIP, join(cwd, name));
  symlinkSync('a', join(cwd, 'c'));
  for (const [line, ...words] of [
    ['optimize a/hero.glb b/hero.glb out/', 'a/hero.glb', 'b/hero.glb', 'out/hero.optimized.glb'],
    ['optimize a/hero.glb b/hero.glb out/ --force', 'a/hero.glb', 'b/hero.glb'],
    ['convert */hero.glb -o out --force', 'a/hero.glb', 'b/hero.glb'],
    ['bake a/hero.glb b/hero.glb new/', 'a/hero.glb', 'b/hero.glb'],
    ['render a/hero.glb b/hero.glb -o out/', 'a/hero.glb', 'b/hero.glb', 'out/hero.png'],
    ['render a/hero.glb b/hero.glb -o out/ --format png-sequence', 'a/hero.glb', 'b/hero.glb'],
    // Beside the inputs, through a link, and in the place of another input.
    ['optimize hero.glb hero.gltf -o .', 'hero.glb', 'hero.gltf'],
    ['render a/hero.glb c/hero.glb', 'a/hero.glb', 'c/hero.glb'],
    ['convert hero.gltf a/hero.glb hero.glb -o . --force', 'hero.gltf', 'a/hero.glb'],
    ['convert hero.gltf b/hero.glb -o b/ --force', 'hero.gltf', 'b/hero.glb'],
  ]) {
    const { exit, error, stderr } = await runJson(line.split(' '), { cwd });
    assert.deepEqual([exit, error?.code], [2, 'cli/usage'], `${line}: ${stderr}`);
    for (const word of words) assert.ok(error.message.includes(word), `${line}: ${error.message}`);
    assert.deepEqual([names(cwd), names(join(cwd, 'out'))], [['a', 'b', 'c', 'hero.glb', 'hero.gltf', 'out'], []]);
  }
  writeFileSync(join(cwd, 'walk.gltf'), triangle(DATA));
  writeFileSync(join(cwd, 'walk.bvh'), 'HIERARCHY');
  const { error } = await runJson('convert walk.gltf walk.bvh'.split(' '), { cwd });
  assert.match(error.message, /walk\.gltf and walk\.bvh would both be walk\.glb/);
  // Two paths of one file are one input.
  const { files, exit } = await runJson('convert a/hero.glb ./a/hero.glb -o out/'.split(' '), { cwd });
  assert.deepEqual([exit, files.length], [0, 1]);
});

test('cli inspect: a file that is no model has exit code 3; with --json, stderr is empty', async (t) => {
  const cwd = folder(t);
  const pip = readFileSync(PIP);
  for (const [name, bytes, code] of [
    ['empty.glb', '', 'load/not-a-model'],
    ['text.glb', 'nothing', 'import/unknown-format'],
    ['page.glb', '<!doctype html>', 'load/not-a-model'],
    ['image.glb', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'import/unknown-format'],
    ['list.gltf', '[1]', 'import/unknown-format'],
    ['other.gltf', '{ "name": "package" }', 'import/invalid-value'],
    ['json.gltf', '{ "asset": ', 'import/invalid-json'],
    ['old.gltf', '{ "asset": { "version": "1.0" } }', 'import/unsupported-version'],
    ['cut.glb', pip.subarray(0, 3000), 'import/invalid-json'],
    ['half.glb', pip.subarray(0, pip.length >> 1), 'import/glb-truncated'],
    ['head.glb', pip.subarray(0, 16), undefined],
  ]) {
    writeFileSync(join(cwd, name), bytes);
    for (const more of [[], ['--fail-on', 'never']]) {
      const { exit, files, stderr } = await runJson(['inspect', name, ...more], { cwd });
      assert.equal(exit, 3, `${name}: ${stderr}`);
      const said = files[0].error?.code ?? files[0].findings[0].code;
      if (code) assert.equal(said, code, name);
    }
  }
  // A fault within a model is a finding, as before.
  writeFileSync(join(cwd, 'fault.gltf'), triangle(DATA, { nodes: [{ mesh: 7 }] }));
  const { exit, files, stderr } = await runJson(['inspect', 'fault.gltf'], { cwd });
  assert.deepEqual([exit, files[0].findings[0].severity, stderr], [1, 'error', '']);
  // The report for people is on stdout only.
  const plain = await run(['inspect', 'fault.gltf'], { cwd });
  assert.deepEqual([plain.code, plain.stderr, plain.stdout.startsWith('fault.gltf: ')], [1, '', true]);
});

test('cli retarget: clips that move nothing of the model have exit code 3', async (t) => {
  const cwd = folder(t);
  writeFileSync(join(cwd, 'stone.gltf'), triangle(DATA));
  const { exit, error } = await runJson(['retarget', PIP, '--onto', 'stone.gltf', '-o', 'out.glb'], { cwd });
  assert.deepEqual([exit, error.code, names(cwd)], [3, 'clip/no-match', ['stone.gltf']]);
});

test('cli: an interrupted command says so, leaves no part of a file, and has exit code 130', {
  skip: process.platform === 'win32' && 'no signals',
}, async (t) => {
  const cwd = folder(t);
  const corners = Buffer.from(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0).buffer).toString('base64');
  writeFileSync(join(cwd, 'small.gltf'), triangle(`data:application/octet-stream;base64,${corners}`));
  for (const [signal, line] of [
    ['SIGINT', ['optimize', 'small.gltf', PIP, '-o', 'out/', '--error', '1um']],
    ['SIGTERM', ['optimize', 'small.gltf', PIP, '-o', 'out/', '--error', '1um', '--json']],
    ['SIGHUP', ['optimize', 'small.gltf', PIP, '-o', 'out/', '--error', '1um', '--quiet']],
  ]) {
    const { child, ended } = start([...line, '--force'], { cwd });
    // The first file is done, so that the second is being worked on.
    const name = 'small.optimized.glb';
    for (let i = 0; i < 600 && !existsSync(join(cwd, 'out', name)); i++) await delay(50);
    assert.ok(existsSync(join(cwd, 'out', name)));
    await delay(100);
    child.kill(signal);
    const { code, stdout, stderr } = await ended;
    assert.equal(code, 130, `${line}: ${stderr}`);
    assert.match(stderr, new RegExp(`error: Interrupted by ${signal}\\. \\[cli/interrupted\\]`));
    if (line.includes('--json')) {
      const { error, exit, files } = JSON.parse(stdout);
      assert.deepEqual([error.code, exit, files.map(({ file }) => file)], ['cli/interrupted', 130, ['small.gltf']]);
    }
    assert.deepEqual(
      names(join(cwd, 'out')).filter((one) => one !== name),
      [],
    );
    rmSync(join(cwd, 'out'), { recursive: true });
  }
});
