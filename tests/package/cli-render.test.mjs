// `gambol render`: the browser that it finds, its pictures, and the end of the browser in every case.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { extname, join } from 'node:path';
import test from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { chromium as playwright } from 'playwright-core';
import { PNG } from 'pngjs';
import { folder, names, run, runJson, short, start } from './support/cli.mjs';
import { packed, root } from './support/files.mjs';

const { loadAsset } = await import(pathToFileURL(join(packed, 'dist/asset.js')));

const SAMPLE = join(root, 'dist/site/sample.glb');
const browser = [
  process.env.GAMBOL_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
].find((path) => path && existsSync(path));
const skip = browser === undefined && 'no Chromium';
const env = { GAMBOL_BROWSER: browser ?? '' };

/** The functions of a source file of the command line. */
async function source(t, name) {
  const out = join(folder(t), 'module.mjs');
  const entry = join(root, 'www/gambol/src/cli', name);
  await build({ entryPoints: [entry], outfile: out, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' });
  return import(pathToFileURL(out));
}

const pixels = (path) => PNG.sync.read(readFileSync(path)).data;
/** The command line of a picture of the sample. */
const draw = (options) => ['render', SAMPLE, ...options.split(' ')];
const size = (png) => [png.readUInt32BE(16), png.readUInt32BE(20)];

test('cli render: without a browser, the message says how to get one (exit code 4)', async (t) => {
  const cwd = folder(t);
  const { exit, error } = await runJson(draw('-o a.png --browser /nowhere/chrome'), { cwd });
  assert.deepEqual([exit, error.code], [4, 'cli/no-browser']);
  assert.match(error.message, /\/nowhere\/chrome of --browser is no program/);
  const other = await runJson(['render', SAMPLE], { cwd, env: { GAMBOL_BROWSER: cwd } });
  assert.match(other.error.message, /GAMBOL_BROWSER is no program/);
  assert.deepEqual(names(cwd), []);

  const { candidates, findBrowser, kindOf } = await source(t, 'browser/find.ts');
  // A machine whose folders are empty.
  const bare = (platform) => ({ platform, env: { PATH: cwd }, home: cwd });
  for (const [platform, advice] of [
    ['darwin', /brew install/],
    ['win32', /winget install/],
  ]) {
    assert.throws(
      () => findBrowser(undefined, bare(platform)),
      ({ code, exit: status, message }) =>
        code === 'cli/no-browser' && status === 4 && advice.test(message) && /npx playwright install/.test(message),
    );
  }
  const linux = candidates(bare('linux'));
  assert.ok(linux.indexOf(join(cwd, 'chromium')) < linux.indexOf(join(cwd, 'firefox')));
  // Browsers that Playwright has downloaded, the newest first.
  for (const version of ['chromium-999', 'chromium-1100'])
    mkdirSync(join(cwd, '.cache/ms-playwright', version, 'chrome-linux'), { recursive: true });
  const found = candidates(bare('linux')).filter((path) => path.endsWith('chrome-linux/chrome'));
  assert.deepEqual(
    found,
    ['chromium-1100', 'chromium-999'].map((name) => join(cwd, '.cache/ms-playwright', name, 'chrome-linux/chrome')),
  );
  assert.deepEqual(['/usr/bin/firefox-esr', '/opt/google/chrome/chrome'].map(kindOf), ['firefox', 'chromium']);
});

test('cli render: a program that is no browser, or ends by itself, is an error with its messages', async (t) => {
  const cwd = folder(t);
  const fake = join(cwd, 'fake-chrome');
  writeFileSync(fake, '#!/bin/sh\necho "no display at all" >&2\nexit 7\n', { mode: 0o755 });
  const { files, exit } = await runJson(draw('-o a.png'), {
    cwd,
    env: { GAMBOL_BROWSER: fake, TMPDIR: cwd },
  });
  assert.deepEqual([exit, files[0].error.code], [4, 'cli/browser-failed']);
  assert.match(files[0].error.message, /ended by itself \(exit code 7\)\.\nno display at all/);
  // One that does nothing.
  writeFileSync(fake, '#!/bin/sh\nexec sleep 600\n', { mode: 0o755 });
  const late = await runJson(draw('-o a.png --timeout 1s'), {
    cwd,
    env: { GAMBOL_BROWSER: fake, TMPDIR: cwd },
  });
  assert.deepEqual([late.exit, late.files[0].error.code], [5, 'cli/timeout']);
  assert.deepEqual(names(cwd), ['fake-chrome']);
});

/** The stills of a page of its own, as PNG. */
async function stills(list) {
  const types = { '.js': 'text/javascript', '.wasm': 'application/wasm' };
  const server = createServer((request, response) => {
    const path = request.url === '/sample.glb' ? SAMPLE : join(packed, request.url);
    if (request.url === '/')
      return response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><body>');
    if (!existsSync(path)) return response.writeHead(404).end();
    return response
      .writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' })
      .end(readFileSync(path));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const flags = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'];
  const started = await playwright.launch({ executablePath: browser, args: flags });
  try {
    const page = await started.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    const pictures = await page.evaluate(async (wanted) => {
      const { createViewer } = await import('/dist/index.js');
      const made = [];
      for (const { clip, camera, options } of wanted) {
        const canvas = document.body.appendChild(document.createElement('canvas'));
        canvas.style.cssText = 'width: 100px; height: 80px';
        const viewer = await createViewer(canvas);
        await viewer.load('/sample.glb');
        if (clip) viewer.play(clip);
        viewer.pause();
        if (camera) viewer.camera = camera;
        const bytes = new Uint8Array(await (await viewer.toBlob(options)).arrayBuffer());
        made.push(btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')));
        viewer.dispose();
      }
      return made;
    }, list);
    return pictures.map((picture) => Buffer.from(picture, 'base64'));
  } finally {
    await started.close();
    server.close();
  }
}

test('cli render: a picture is the still of a page, to the byte', { skip }, async (t) => {
  const cwd = folder(t);
  const tmp = join(cwd, 'tmp');
  mkdirSync(tmp);
  const camera = { azimuth: Math.PI / 2, polar: Math.PI / 3, distance: 2, target: [0, 0.5, 0], fovY: Math.PI / 6 };
  const [first, second] = await stills([
    { clip: 'Wave', options: { time: 0.4, width: 120, height: 90, background: 'white' } },
    { clip: 'Idle', camera, options: { time: 0, width: 64, height: 64, background: null } },
  ]);
  const options = { cwd, env: { ...env, TMPDIR: tmp } };
  const { exit, files, stderr } = await runJson(
    draw('-o wave.png --clip Wave --time 400ms --width 120 --height 90 --background white'),
    options,
  );
  assert.equal(exit, 0, stderr);
  const wave = readFileSync(join(cwd, 'wave.png'));
  assert.deepEqual(files[0].outputs, [{ path: 'wave.png', bytes: wave.length }]);
  assert.deepEqual(
    [files[0].clip, files[0].time, files[0].width, files[0].height, files[0].format],
    ['Wave', 0.4, 120, 90, 'png'],
  );
  assert.deepEqual(size(wave), [120, 90]);
  assert.ok(wave.equals(first), 'the picture differs from the still of the page');
  const line = ['render', '-', '--width', '64', '--camera', '90deg 60deg 2m', '--target', '0 50cm 0', '--fov', '30deg'];
  const { bytes, code, stderr: said } = await run(line, { ...options, input: readFileSync(SAMPLE) });
  assert.equal(code, 0, said);
  assert.ok(bytes.equals(second), 'the picture on stdout differs from the still of the page');
  assert.deepEqual(names(tmp), []);
});

test('cli render: unknown clips, and models without a frame to show', { skip }, async (t) => {
  const cwd = folder(t);
  const { exit, files } = await runJson(draw('-o a.png --clip Wvae'), { cwd, env });
  assert.deepEqual([exit, files[0].error.code], [2, 'clip/not-found']);
  assert.match(files[0].error.message, /did you mean “Wave”/);
  const film = await runJson(draw('-o a.png --format png-sequence --clip none'), {
    cwd,
    env,
  });
  assert.deepEqual([film.exit, film.error.code], [2, 'cli/usage']);
  const camera = await runJson(draw('-o a.png --file-camera Main'), { cwd, env });
  assert.deepEqual([camera.exit, camera.files[0].error.code], [2, 'argument/invalid']);
  assert.deepEqual(names(cwd), []);
});

test('cli render: a sequence has a picture for each frame, and one browser draws several files', {
  skip: skip || short,
}, async (t) => {
  const cwd = folder(t);
  const films = draw('-o wave.png --format png-sequence --clip Wave --from 0.1 --to 0.5 --fps 10fps');
  const { exit, files, stderr } = await runJson([...films, '--width', '32', '--background', 'white'], { cwd, env });
  assert.equal(exit, 0, stderr);
  assert.deepEqual(names(cwd), ['wave-0000.png', 'wave-0001.png', 'wave-0002.png', 'wave-0003.png']);
  const { from, to, fps, frames, outputs } = files[0];
  assert.deepEqual([from, to, fps, frames, outputs.length], [0.1, 0.5, 10, 4, 4]);
  const one = draw('-o one.png --clip Wave --time 0.3 --width 32 --background white');
  assert.equal((await run(one, { cwd, env })).code, 0);
  assert.deepEqual(pixels(join(cwd, 'one.png')), pixels(join(cwd, 'wave-0002.png')));
  // A faulty file does not stop the others.
  writeFileSync(join(cwd, 'bad.glb'), 'nothing');
  const several = await runJson(
    ['render', 'bad.glb', SAMPLE, join(root, 'dist/site/lumi.glb'), '-o', 'out/', '--width', '32'],
    { cwd, env },
  );
  assert.equal(several.exit, 3);
  assert.deepEqual(names(join(cwd, 'out')), ['lumi.png', 'sample.png']);
});

test('cli render: films in one file have a frame for each time, and loops close', {
  skip: skip || short,
}, async (t) => {
  const cwd = folder(t);
  const line = (out, ...rest) => [...draw(`-o ${out} --clip Wave --fps 4 --width 48 --background #fed`), ...rest];
  const { files, exit, stderr } = await runJson(line('sheet.png', '--format', 'sheet', '--columns', '3'), { cwd, env });
  assert.equal(exit, 0, stderr);
  const { duration } = (await loadAsset(pathToFileURL(SAMPLE))).clips.find(({ name }) => name === 'Wave');
  const { frames, sheet } = files[0];
  assert.deepEqual([frames, sheet.frames, sheet.columns], [Math.ceil(duration * 4 - 1e-6), frames, 3]);
  assert.deepEqual(size(readFileSync(join(cwd, 'sheet.png'))), [3 * 48, Math.ceil(frames / 3) * 48]);
  // An opaque background, since transparent pixels are rounded in two ways. The frame in the second row, second column.
  assert.equal(
    (await run(draw('-o still.png --clip Wave --time 1s --width 48 --background #fed'), { cwd, env })).code,
    0,
  );
  const [whole, still] = ['sheet.png', 'still.png'].map((name) => PNG.sync.read(readFileSync(join(cwd, name))));
  const cell = new PNG({ width: 48, height: 48 });
  PNG.bitblt(whole, cell, 48, 48, 48, 48, 0, 0);
  assert.deepEqual(cell.data, still.data);

  assert.equal((await run(line('wave.gif', '--to', '0.5'), { cwd, env })).code, 0);
  const gif = readFileSync(join(cwd, 'wave.gif'));
  assert.equal(gif.toString('latin1', 0, 6), 'GIF89a');
  assert.deepEqual([gif.readUInt16LE(6), gif.readUInt16LE(8)], [48, 48]);
  const piped = await run(line('-', '--format', 'apng', '--to', '0.5'), { cwd, env });
  assert.equal(piped.code, 0, piped.stderr);
  assert.ok(piped.bytes.includes('acTL') && piped.bytes.subarray(1, 4).toString() === 'PNG');
  // Chromium from Debian encodes WebM; where it does not, that is a missing part.
  const webm = await runJson(line('wave.webm', '--to', '0.5', '--turntable'), { cwd, env });
  if (webm.exit === 0) assert.equal(readFileSync(join(cwd, 'wave.webm')).readUInt32BE(0), 0x1a45dfa3);
  else assert.deepEqual([webm.exit, webm.files[0].error.code], [4, 'record/unsupported']);
});

/** Sends bytes to a port; resolves with the first line of the answer, or the code of the error. */
const raw = (port, text) =>
  new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.end(text));
    socket.on('data', (bytes) => (answer += bytes));
    socket.on('error', ({ code }) => resolve(code));
    socket.on('close', () => resolve(answer.split('\r\n')[0]));
    socket.setTimeout(5000, () => socket.destroy());
  });

test('cli render: the server answers malformed requests, and none of them ends the work', async (t) => {
  const { serve } = await source(t, 'browser/server.ts');
  const calls = [];
  const server = await serve({
    next: async () => ({ model: 'model.glb' }),
    file: (name) => (name === 'model.glb' ? new Uint8Array(3) : undefined),
    result: async (name, bytes) => void calls.push([name, bytes.length]),
    message: (name, body) => calls.push([name, body]),
  });
  t.after(() => server.close());
  const { host, port, pathname } = new URL(server.url);
  assert.match(pathname, /^\/[0-9a-f]{32}\/$/);
  const ask = async (method, path, { body = '', to = host, more = '' } = {}) => {
    const length = method === 'GET' ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
    const head = `${method} ${path} HTTP/1.1\r\n${to === null ? '' : `Host: ${to}\r\n`}${length}${more}Connection: close\r\n\r\n`;
    return Number((await raw(port, head + body)).split(' ')[1]);
  };
  // Without the secret, or with the name of another host.
  for (const path of ['//', '/', '/%', '/%E0%A4%A', 'http://', 'http://[', '*', '/..', '///\\', `/${'0'.repeat(32)}/`])
    for (const to of [host, 'evil.example', `localhost:${port}`, '', null])
      assert.ok([400, 404].includes(await ask('GET', path, { to })), `${path} ${to}`);
  for (const to of ['evil.example', `evil.example:${port}`]) assert.equal(await ask('GET', pathname, { to }), 404);
  assert.equal(await ask('POST', '//', { body: '{' }), 404);
  assert.equal(await ask('PUT', '/result/a.png', { body: 'x' }), 404);
  // With it.
  for (const [method, path, body, status] of [
    ['GET', '%', '', 400],
    ['GET', '%E0%A4%A', '', 400],
    ['GET', 'dist/%00', '', 404],
    ['GET', 'dist/../package.json', '', 404],
    ['GET', 'dist/%2e%2e/package.json', '', 404],
    ['GET', 'dist/..%2f..%2f..%2f..%2f..%2f..%2fetc%2fpasswd', '', 404],
    ['GET', 'nothing', '', 404],
    ['DELETE', 'next', '', 404],
    ['POST', 'progress', '{', 400],
    ['POST', 'progress', 'null', 400],
    ['POST', 'done', '[1]', 400],
    ['POST', 'failed', '', 400],
    ['POST', 'nothing', '{}', 404],
    ['PUT', 'result/..%2fx', 'x', 404],
    ['PUT', 'result/', 'x', 404],
  ])
    assert.equal(await ask(method, pathname + path, { body }), status, `${method} ${path}`);
  await raw(port, 'nonsense\r\n\r\n');
  await raw(port, `POST ${pathname}progress HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 100\r\n\r\n{`);
  assert.deepEqual(calls, []);
  // And it still works; the page is served once.
  assert.deepEqual([await ask('GET', pathname), await ask('GET', pathname)], [200, 404]);
  assert.equal(await ask('GET', `${pathname}next?x#y`), 200);
  assert.equal(await ask('GET', `${pathname}model.glb`), 200);
  assert.equal(await ask('POST', `${pathname}progress`, { body: '{"label":"a"}' }), 204);
  assert.equal(await ask('PUT', `${pathname}result/a.png`, { body: 'xyz' }), 204);
  assert.deepEqual(calls, [
    ['progress', { label: 'a' }],
    ['a.png', 3],
  ]);
});

test('cli render: no process tells the secret of the server in its command line', {
  skip: skip || process.platform !== 'linux',
}, async (t) => {
  const cwd = folder(t);
  const tmp = join(cwd, 'tmp');
  mkdirSync(tmp);
  const { child, ended } = start(draw('-o a.png --width 32'), { cwd, env: { ...env, TMPDIR: tmp } });
  const seen = new Set();
  let isOver = false;
  const over = ended.then((result) => {
    isOver = true;
    return result;
  });
  while (!isOver) {
    for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        const command = readFileSync(`/proc/${id}/cmdline`, 'latin1');
        if (command.includes(tmp)) seen.add(command);
      } catch {
        // The process has ended.
      }
    }
    await delay(20);
  }
  const { code, stderr } = await over;
  assert.equal(code, 0, stderr);
  assert.ok(seen.size > 1 && child.exitCode === 0, `${seen.size} processes of the browser`);
  for (const command of seen) assert.doesNotMatch(command, /https?:\/\/127\.0\.0\.1|\b[0-9a-f]{32}\b/);
});

test('cli render: SIGINT ends the browser and removes its profile', {
  skip: skip || process.platform !== 'linux',
}, async (t) => {
  const cwd = folder(t);
  const tmp = join(cwd, 'tmp');
  mkdirSync(tmp);
  const line = draw('-o wave.png --format png-sequence --clip Wave --fps 240');
  const { child, ended } = start(line, { cwd, env: { ...env, TMPDIR: tmp } });
  /** The command lines of processes that name the temporary folder. */
  const processes = () =>
    readdirSync('/proc')
      .filter((id) => /^\d+$/.test(id))
      .map((id) => {
        try {
          return readFileSync(`/proc/${id}/cmdline`, 'utf8');
        } catch {
          return '';
        }
      })
      .filter((command) => command.includes(tmp));
  const draws = () => processes().some((command) => command.includes('--type=renderer'));
  for (let i = 0; i < 600 && !draws(); i++) await delay(100);
  assert.ok(draws() && names(tmp).length > 0, 'the browser runs');
  child.kill('SIGINT');
  const { code, stderr } = await ended;
  assert.equal(code, 130, stderr);
  assert.deepEqual(names(tmp), []);
  assert.deepEqual(processes(), []);
  assert.deepEqual(names(cwd), ['tmp']);
});
