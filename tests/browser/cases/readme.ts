// The examples of the documents: those in JavaScript run to their end in a page with the variables and files that they use,
// those in HTML are pages of their own.

import { createViewer, type Viewer } from 'gambol';
import type { GambolViewer } from 'gambol/element';
import { machine, pages, scripts, type PageExample, type ScriptExample } from 'readme:examples';
import { freshPages, test, type T } from '../page/api.ts';
import { model as small, png } from './support/model.ts';
import { even } from './support/panorama.ts';

freshPages('examples leave viewers and promises');

/** The sample character for a document, with a camera and a joint that the examples name. */
async function hero(document: string): Promise<Uint8Array<ArrayBuffer>> {
  const file = document.endsWith('expressions.md') ? '/fen.glb' : '/sample.glb';
  const bytes = new Uint8Array(await (await fetch(file)).arrayBuffer());
  const view = new DataView(bytes.buffer);
  const length = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length))) as {
    nodes: object[];
    scenes: { nodes: number[] }[];
    cameras?: object[];
  };
  json.cameras = [{ type: 'perspective', perspective: { yfov: 0.5, znear: 0.1 } }];
  json.scenes[0]?.nodes.push(json.nodes.length, json.nodes.length + 1);
  json.nodes.push({ name: 'Close-up', camera: 0, translation: [0, 1, 3] }, { name: 'Left Arm' });
  const text = new TextEncoder().encode(JSON.stringify(json));
  const padded = Math.ceil(text.length / 4) * 4;
  const rest = bytes.subarray(20 + length);
  const glb = new Uint8Array(20 + padded + rest.length).fill(0x20);
  glb.set(bytes.subarray(0, 20));
  glb.set(text, 20);
  glb.set(rest, 20 + padded);
  new DataView(glb.buffer).setUint32(8, glb.length, true);
  new DataView(glb.buffer).setUint32(12, padded, true);
  return glb;
}

declare global {
  interface Window {
    /** Answers a request of an example; `given` is the `fetch` of its page. */
    gambolAnswer(given: typeof fetch, ...request: Parameters<typeof fetch>): Promise<Response>;
  }
}

/** Answers requests for the files that the examples name, of this page and of pages in frames. */
async function serve({ document: where }: PageExample | ScriptExample): Promise<void> {
  const [model, runner] = [await hero(where), small({ clips: [['Run', 1]] }).glb];
  const glb = { headers: { 'content-type': 'model/gltf-binary' } };
  window.gambolAnswer = async (given, input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, document.baseURI);
    // A thousand copies of the other model take a software GPU a minute.
    if (pathname.endsWith('/runner.glb')) return new Response(runner, glb);
    if (/\/(hero|pip|hat|sword|walk|dance)\.glb$/.test(pathname)) return new Response(model, glb);
    if (pathname.endsWith('/hero.json')) return new Response(machine);
    if (/\/(bubble|spark|stripes|weave)\.png$/.test(pathname)) return new Response(await png(8));
    if (pathname.endsWith('.hdr')) return new Response(even(0.5));
    if (/\/(squat|mocap)\.bvh$/.test(pathname)) return given('/examples/squat.bvh');
    // The copies of files of the package that examples name.
    if (pathname.startsWith('/files/')) return given(`/gambol/dist/${pathname.slice('/files/'.length)}`, init);
    return given(input, init);
  };
  const { fetch: given } = window;
  window.fetch = (...request) => window.gambolAnswer(given, ...request);
}

/** Runs an example; returns the viewer that it received or created. */
async function run(t: T, example: ScriptExample): Promise<Viewer | undefined> {
  await serve(example);
  document.body.style.position = 'relative';
  document.body.innerHTML = example.markup;
  const canvas = document.body.querySelector('canvas') ?? t.canvas(200, 150);
  for (const name of ['audio', 'div'] as const)
    if (!document.querySelector(`${name}#label`))
      document.body.append(Object.assign(document.createElement(name), { id: 'label' }));
  const slider = Object.assign(document.createElement('input'), { type: 'range', min: '0', max: '1', step: '0.1' });
  document.body.append(slider);
  // `init()` comes before the first viewer.
  const begins = /\b(createViewer|loadAsset|init)\(/.test(example.code);
  const viewer = begins ? undefined : await createViewer(canvas);
  await viewer?.load('hero.glb');
  const usesCrowd = /\bcrowd\./.test(example.code) && !/\bconst crowd\b/.test(example.code);
  const positions = [0, 0, 0, 1, 0, 0, 2, 0, 0];
  const made = await example.run({
    viewer: viewer as Viewer,
    crowd: usesCrowd ? await viewer?.addCrowd('hero.glb', { count: 3, positions }) : undefined,
    canvas,
    slider,
    positions: Float32Array.from({ length: 3000 }, (_, i) => (i * 7) % 30),
    rates: Float64Array.of(1),
    tints: Float32Array.of(1, 1, 1, 1),
    starts: Float64Array.of(0),
    x: 100,
    y: 75,
  });
  slider.value = '0.4';
  slider.dispatchEvent(new Event('input'));
  return made ?? viewer;
}

/** Opens an example as a page, with the package at `/gambol`, and the import map of the tests unless it has its own. */
async function open(example: PageExample): Promise<Window & typeof globalThis> {
  await serve(example);
  const map = /type="importmap"/.test(example.code) ? '' : document.querySelector('[type=importmap]')?.outerHTML;
  const element = /<script\b(?! type="importmap")/.test(example.code) ? '' : `import 'gambol/element';`;
  const frame = document.createElement('iframe');
  frame.style.cssText = 'display: block; border: 0; width: 600px; height: 500px';
  frame.srcdoc = `<!doctype html><base href="/"><script src="/__tests/trouble.js"></script>${map ?? ''}
    <script>{ const given = fetch; fetch = (...request) => parent.gambolAnswer(given, ...request); }</script>
    <script type="module">${element}</script>
    ${example.code.replaceAll('https://cdn.jsdelivr.net/npm/', '/')}`;
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
  document.body.append(frame);
  await loaded;
  return frame.contentWindow as Window & typeof globalThis;
}

const coloursOf = ({ data }: ImageData): number => new Set(new Uint32Array(data.buffer)).size;

/** `true` for an example of a guide after its first one, which runs with `--all`. */
const isLater = (example: PageExample | ScriptExample, all: readonly (PageExample | ScriptExample)[]): boolean =>
  example.document !== 'README.md' && all.find(({ document }) => document === example.document) !== example;

const named = ({ document, line, code }: PageExample): string =>
  `${document}, line ${line}: ${code.trim().split('\n')[0]?.trim()}`;

test('documentation: the documents have the expected examples', (t) => {
  const documents = new Set([...scripts, ...pages].map(({ document }) => document));
  t.ok(scripts.length >= 35 && pages.length >= 8, `${scripts.length} scripts, ${pages.length} pages`);
  t.ok(documents.size >= 17, [...documents].join(', '));
});

for (const example of scripts) {
  test(
    named(example),
    async (t) => {
      const viewer = await run(t, example);
      await t.frames(10);
      if (example.code.includes('init(')) {
        const names = [...example.code.matchAll(/[\w.]+\.wasm/g)].map(([name]) => `/gambol/dist/${name}`);
        const asked = (await t.requests()).map(({ path }) => path);
        t.ok(names.length > 0 && asked.includes(names[0] ?? ''), asked.join(', '));
      }
      if (!viewer || example.code.includes('dispose()')) return;
      t.ok(viewer.model === null || viewer.stats.frames > 0, 'it is drawn');
      // A disposed viewer rejects the promises that are still pending.
      if (!example.code.includes('.finished')) viewer.dispose();
    },
    { all: isLater(example, scripts) },
  );
}

for (const example of pages) {
  test(
    named(example),
    async (t) => {
      const messages = window.gambolMessages.length;
      const page = await open(example);
      const elements = [...page.document.querySelectorAll<GambolViewer>('gambol-viewer')];
      // The one file from a CDN without an element gives a page its global.
      if ('gambol' in page && elements.length === 0)
        return t.equal(typeof (page.gambol as { createViewer?: unknown }).createViewer, 'function');
      // The time limit of the test ends the wait.
      while (coloursOf(await t.screenshot()) < 50) await t.sleep(50);
      for (const { autoplay, paused } of elements) t.ok(!autoplay || !paused, 'it plays');
      // Warnings are messages, too.
      t.equal(window.gambolMessages.slice(messages), []);
    },
    { all: isLater(example, pages) },
  );
}

test('documentation: the example of playing and seeking plays Wave twice, then Idle', async (t) => {
  const first = t.some(scripts.find(({ code }) => code.includes('finished.then')));
  const viewer = t.some(await run(t, first));
  viewer.timeline = 'manual';
  t.equal([viewer.clip?.id, viewer.paused], ['Wave', false]);
  const { duration } = viewer;
  viewer.advance(2 * duration - viewer.currentTime - 0.01);
  await t.frames(2);
  t.equal(viewer.clip?.id, 'Wave', 'not yet');
  viewer.advance(0.02);
  await t.until(() => viewer.clip?.id === 'Idle', 'the clip after it');
  viewer.advance(10 * viewer.duration + 0.25);
  t.equal([viewer.ended, viewer.paused], [false, false], 'again and again');
  const before = viewer.poseHash();
  viewer.advance(0.3);
  t.ok(viewer.poseHash() !== before, 'it moves');
});
