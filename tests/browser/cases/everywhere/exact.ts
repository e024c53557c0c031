// The same file, clip and time give the same bits, here as natively (tests/native/pose/hash.rs), whatever was played before.

import { createViewer } from 'gambol';
import { test, type T } from '../../page/api.ts';

interface Hasher {
  generated(): string[];
  mixed(): string[];
  moved(): string[];
  open(bytes: Uint8Array): string;
  at(clip: number, time: number): string;
}

const BASE = '/__tests/pose-hash/';

async function hasher(name: 'simd' | 'scalar'): Promise<Hasher> {
  const address = `${BASE}suite.mjs`;
  const suite = (await import(address)) as { hasher(module: WebAssembly.Module): Promise<Hasher> };
  return suite.hasher(await WebAssembly.compileStreaming(fetch(`${BASE}${name}.wasm`)));
}

async function character(t: T): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch('/sample.glb');
  t.ok(response.ok, 'the sample character is there');
  return new Uint8Array(await response.arrayBuffer());
}

/** Numbers at random, the same in every browser. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

for (const name of ['simd', 'scalar'] as const) {
  test(`poses have the bits that are recorded: ${name}`, async (t) => {
    type Golden = { generated: string[]; mixed: string[]; moved: string[] };
    const golden = (await (await fetch(`${BASE}pose_hashes.json`)).json()) as Golden;
    const hashes = await hasher(name);
    t.equal(hashes.generated(), golden.generated);
    t.equal(hashes.mixed(), golden.mixed);
    t.equal(hashes.moved(), golden.moved);
  });
}

test('the sample character has the same bits with SIMD and without', async (t) => {
  const bytes = await character(t);
  const [simd, scalar] = [await hasher('simd'), await hasher('scalar')];
  t.equal(simd.open(bytes), scalar.open(bytes));
});

test('no history of plays and seeks leaves a trace in a pose', async (t) => {
  const bytes = await character(t);
  const scalar = await hasher('scalar');
  scalar.open(bytes);
  const viewer = await createViewer(t.canvas());
  await viewer.load(bytes);
  const next = random(7);
  const pick = (end: number): number => Math.floor(next() * end);
  const acts: (() => unknown)[] = [
    () => viewer.play(pick(viewer.clips.length)).started.catch(() => undefined),
    () => viewer.pause(),
    () => (viewer.currentTime = next() * viewer.duration * 1.1),
    () => (viewer.playbackRate = next() * 6 - 3),
    () => (viewer.loopMode = (['once', 'repeat', 'pingpong'] as const)[pick(3)] ?? 'once'),
    () => viewer.step(pick(9) - 4),
    () => t.sleep(pick(40)),
  ];
  const seen = new Set<string>();
  for (let i = 0; i < 150; i++) {
    await acts[pick(acts.length)]?.();
    // A seek ends a transition: what is shown then is the pose of the time alone.
    viewer.currentTime = viewer.currentTime;
    const [clip, time] = [t.some(viewer.clip).index, viewer.currentTime];
    const hash = viewer.poseHash();
    t.equal(hash, scalar.at(clip, time), `clip ${clip} at ${time} after ${i} calls`);
    seen.add(hash);
  }
  t.ok(seen.size > 30, 'the poses differ');
  viewer.dispose();
});
