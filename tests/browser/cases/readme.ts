// The examples of README.md and of docs/guides, each run to its end in a page with the variables and files that they use.

import { createViewer, type Viewer } from 'gambol';
import { examples } from 'readme:examples';
import { freshPages, test, type T } from '../page/api.ts';
import { model as small } from './support/model.ts';
import { even } from './support/panorama.ts';

freshPages('examples leave viewers and promises');

/** The sample character, with a camera and a joint that the examples name. */
async function hero(): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(await (await fetch('/sample.glb')).arrayBuffer());
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

/** Answers requests for the files that the examples name. */
async function serve(): Promise<void> {
  const [model, runner] = [await hero(), small({ clips: [['Run', 1]] }).glb];
  const { fetch: given } = window;
  window.fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, document.baseURI);
    // A thousand copies of the other model take a software GPU a minute.
    if (pathname.endsWith('/runner.glb'))
      return new Response(runner, { headers: { 'content-type': 'model/gltf-binary' } });
    if (/\/(hero|pip|hat)\.glb$/.test(pathname))
      return new Response(model, { headers: { 'content-type': 'model/gltf-binary' } });
    if (pathname.endsWith('.hdr')) return new Response(even(0.5));
    return given(input, init);
  };
}

/** Runs an example; returns the viewer that it received or created. */
async function run(t: T, example: (typeof examples)[number]): Promise<Viewer | undefined> {
  await serve();
  const canvas = t.canvas(200, 150);
  document.body.style.position = 'relative';
  for (const name of ['audio', 'div'] as const)
    document.body.append(Object.assign(document.createElement(name), { id: 'label' }));
  const slider = Object.assign(document.createElement('input'), { type: 'range', min: '0', max: '1', step: '0.1' });
  document.body.append(slider);
  const makes = /\b(createViewer|loadAsset)\(/.test(example.code);
  const viewer = makes ? undefined : await createViewer(canvas);
  await viewer?.load('hero.glb');
  const made = await example.run({
    viewer: viewer as Viewer,
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

test('documentation: README and guides have the expected examples', (t) => {
  const documents = new Set(examples.map(({ document }) => document));
  t.ok(examples.length >= 30, `${examples.length} examples`);
  t.ok(documents.size >= 14, [...documents].join(', '));
});

for (const example of examples) {
  test(
    `documentation: ${example.document}, line ${example.line}: ${example.code.trim().split('\n')[0]?.trim()}`,
    async (t) => {
      const viewer = await run(t, example);
      await t.frames(10);
      if (!viewer || example.code.includes('dispose()')) return;
      t.ok(viewer.model === null || viewer.stats.frames > 0, 'it is drawn');
      // A disposed viewer rejects the promises that are still pending.
      if (!example.code.includes('.finished')) viewer.dispose();
    },
    { timeout: 60_000 },
  );
}

test('documentation: the first example of README plays Wave twice, then Idle', async (t) => {
  const first = t.some(examples.find(({ code }) => code.includes('finished.then')));
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
