// The service worker of the built site, in Node: with a network, a cache and pages of the test.

import assert from 'node:assert/strict';
import { createHash, webcrypto } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { runInNewContext } from 'node:vm';
import { root } from './support/files.mjs';

const site = join(root, 'dist/site');
const built = readFileSync(join(site, 'sw.js'), 'utf8');
let scope = 'https://example.org/sub/';
const hash = (text) => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** A browser with one site: `network` has the files that its server has, `pages` are open. */
function browser() {
  const cache = new Map();
  const state = { network: {}, online: true, pages: [], cache };
  const stored = {
    match: async (key) => cache.get(String(key))?.clone(),
    put: async (key, response) => void cache.set(String(key), new Response(await response.arrayBuffer(), response)),
    keys: async () => [...cache.keys()].map((url) => ({ url })),
    delete: async (key) => cache.delete(String(key)),
  };
  const load = async (request) => {
    if (!state.online) throw new TypeError('Failed to fetch');
    const path = new URL(request.url ?? request).pathname.slice('/sub/'.length) || 'index.html';
    const found = state.network[path];
    if (found instanceof Response) return found.clone();
    return found === undefined ? new Response('', { status: 404 }) : new Response(found);
  };
  /** Starts a worker of a version: its files, and the paths that are stored at once. */
  state.start = (files, first = Object.keys(files)) => {
    const lists = [Object.fromEntries(Object.entries(files).map(([path, text]) => [path, hash(text)])), first];
    const script = built.replace(/^const FILES=.*\nconst FIRST=.*\n/, '');
    assert.ok(script.length < built.length, 'the lists of the build');
    const listeners = {};
    const self = {
      registration: { scope },
      clients: { claim: async () => undefined, matchAll: async () => state.pages },
      skipWaiting: async () => undefined,
      addEventListener: (type, listener) => (listeners[type] = listener),
    };
    runInNewContext(`const FILES = ${JSON.stringify(lists[0])}, FIRST = ${JSON.stringify(lists[1])};\n${script}`, {
      self,
      caches: { open: async () => stored },
      fetch: load,
      crypto: webcrypto,
      ...{ Response, URL, Set, Map, Promise, Uint8Array, Error, decodeURIComponent },
    });
    const run = async (type) => {
      const waits = [];
      listeners[type]({ waitUntil: (promise) => waits.push(promise) });
      await Promise.all(waits);
    };
    return {
      install: () => run('install'),
      activate: () => run('activate'),
      /** The text or the status that a page gets, or undefined if the worker leaves the request to the browser. */
      async get(path, { clientId = '', mode = 'no-cors', method = 'GET' } = {}) {
        let answer;
        const waits = [];
        const request = { url: path.includes('//') ? path : scope + path, mode, method };
        listeners.fetch({
          request,
          clientId,
          respondWith: (promise) => (answer = promise),
          waitUntil: (promise) => waits.push(promise),
        });
        const response = await answer;
        await Promise.all(waits);
        return response && (response.status === 200 ? response.text() : response.status);
      },
    };
  };
  return state;
}

async function ready(state, files, first) {
  state.network = { ...files };
  const worker = state.start(files, first);
  await worker.install();
  await worker.activate();
  return worker;
}

test('offline: the list has every file that pages load, with its hash', () => {
  const files = JSON.parse(built.match(/^const FILES=(.*);$/m)[1]);
  const first = JSON.parse(built.match(/^const FIRST=(.*);$/m)[1]);
  for (const path of first) assert.ok(files[path], path);
  for (const path of [
    'index.html',
    'inspect.html',
    'learn/index.html',
    'learn/search.json',
    'gambol.wasm',
    'gambol.body.wasm',
    'sample.glb',
  ])
    assert.ok(first.includes(path), path);
  for (const [path, wanted] of Object.entries(files)) assert.equal(hash(readFileSync(join(site, path))), wanted, path);
  const manifest = JSON.parse(readFileSync(join(site, 'manifest.webmanifest'), 'utf8'));
  for (const { src } of manifest.icons) assert.ok(existsSync(join(site, src)), src);
  for (const { url } of [...manifest.shortcuts, { url: manifest.start_url }])
    assert.ok(existsSync(join(site, url)), url);
});

test('offline: stored files are shown without a network, others when they were loaded before', async () => {
  const state = browser();
  const files = { 'index.html': 'front', 'a.js': 'script', 'large.wasm': 'module', 'offline.html': 'offline' };
  const worker = await ready(state, files, ['index.html', 'a.js', 'offline.html']);
  assert.equal(await worker.get('large.wasm'), 'module');
  state.online = false;
  assert.equal(await worker.get('', { mode: 'navigate' }), 'front');
  assert.equal(await worker.get('index.html?model=x#y', { mode: 'navigate' }), 'front');
  assert.equal(await worker.get('a.js'), 'script');
  assert.equal(await worker.get('large.wasm'), 'module');
  const restarted = state.start(files);
  assert.equal(await restarted.get('large.wasm'), 'module');
});

test('offline: requests of others are left to the browser', async () => {
  const state = browser();
  const worker = await ready(state, { 'index.html': 'front' });
  assert.equal(await worker.get('https://example.org/other/index.html'), undefined);
  assert.equal(await worker.get('https://elsewhere.org/sub/index.html'), undefined);
  assert.equal(await worker.get('index.html?x'), undefined);
  assert.equal(await worker.get('index.html', { method: 'POST' }), undefined);
});

test('offline: errors, incomplete files and files of another version are never stored', async () => {
  const state = browser();
  const worker = await ready(state, { 'index.html': 'front', 'late.js': 'whole' }, ['index.html']);
  state.network['late.js'] = new Response('whole', { status: 503 });
  assert.equal(await worker.get('late.js'), 503);
  state.network['late.js'] = 'who';
  assert.equal(await worker.get('late.js'), 'who');
  state.online = false;
  await assert.rejects(worker.get('late.js'));
  state.online = true;
  state.network['late.js'] = 'whole';
  assert.equal(await worker.get('late.js'), 'whole');
  state.online = false;
  assert.equal(await worker.get('late.js'), 'whole');
});

test('offline: an installation that breaks off leaves the version before it, and goes on later', async () => {
  const state = browser();
  const worker = await ready(state, { 'index.html': 'old', 'a.js': 'old script' });
  const files = { 'index.html': 'new', 'a.js': 'new script' };
  state.network = { 'index.html': 'new' };
  const next = state.start(files);
  await assert.rejects(next.install());
  assert.equal(await worker.get('index.html'), 'old');
  state.network = files;
  await next.install();
  await next.activate();
  assert.equal(await next.get('a.js'), 'new script');
});

test('offline: a new version is shown by the next navigation, and open pages keep the files of theirs', async () => {
  const state = browser();
  const old = { 'index.html': 'old', 'main.js': 'old main', 'part-1.js': 'old part', 'same.glb': 'fox' };
  await ready(state, old);
  state.pages = [{ id: 'open', url: scope }];
  const files = { 'index.html': 'new', 'main.js': 'new main', 'part-2.js': 'new part', 'same.glb': 'fox' };
  const worker = await ready(state, files);
  assert.equal(await worker.get('main.js', { clientId: 'open' }), 'old main');
  assert.equal(await worker.get('part-1.js', { clientId: 'open' }), 'old part');
  // The navigation has the id of the page that it leaves.
  assert.equal(await worker.get('index.html', { clientId: 'open', mode: 'navigate' }), 'new');
  assert.equal(await worker.get('main.js', { clientId: 'next' }), 'new main');
  const third = { 'index.html': 'third' };
  const last = await ready(state, third);
  state.online = false;
  assert.equal(await last.get('index.html', { mode: 'navigate' }), 'third');
  const kept = [...state.cache.keys()].join();
  assert.ok(!kept.includes('part-1.js'), 'files of the version before the last are gone');
});

test('offline: a page that was not opened before is told', async () => {
  const state = browser();
  const files = { 'index.html': 'front', 'offline.html': 'offline', 'api/x.html': 'api' };
  const worker = await ready(state, files, ['index.html', 'offline.html']);
  state.online = false;
  assert.equal(await worker.get('api/x.html', { mode: 'navigate' }), 'offline');
  await assert.rejects(worker.get('api/x.html'));
});

test('offline: on the machine of a developer the network comes first', async () => {
  scope = 'http://127.0.0.1:8000/sub/';
  const state = browser();
  const worker = await ready(state, { 'index.html': 'old' });
  state.network['index.html'] = 'rebuilt';
  assert.equal(await worker.get('index.html'), 'rebuilt');
  state.network['index.html'] = new Response('', { status: 503 });
  assert.equal(await worker.get('index.html'), 'old');
  state.online = false;
  assert.equal(await worker.get('index.html'), 'old');
});
