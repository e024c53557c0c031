// The same file, clip and time give the same bits, here and natively (tests/native/pose/hash.rs), independent of
// earlier playback.

import { createViewer, loadAsset, type Asset, type Viewer } from 'gambol';
import { test, type T } from '../../page/api.ts';

interface Suite {
  FILES: number;
  sampledHash(asset: Asset, times: number[][]): string;
  playedHash(viewer: Viewer, file: Uint8Array): Promise<string>;
}

const BASE = '/__tests/poses/';

async function suite(): Promise<Suite> {
  const address = `${BASE}suite.mjs`;
  return import(address) as Promise<Suite>;
}

const json = async <V>(name: string): Promise<V> => (await (await fetch(`${BASE}${name}`)).json()) as V;
const bytesOf = async (address: string): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await (await fetch(address)).arrayBuffer());

async function character(t: T): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch('/sample.glb');
  t.ok(response.ok, 'the sample character is there');
  return new Uint8Array(await response.arrayBuffer());
}

/** Pseudorandom numbers, the same in every browser. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

test('exact poses: hashes equal the recorded native ones', async (t) => {
  const golden = await json<{ generated: string[]; played: string[] }>('pose_hashes.json');
  const times = await json<number[][][]>('times.json');
  const { FILES, sampledHash, playedHash } = await suite();
  for (let i = 0; i < FILES; i++) {
    const file = await bytesOf(`${BASE}${i}.glb`);
    const asset = await loadAsset(file);
    t.equal(sampledHash(asset, t.some(times[i])), golden.generated[i], `sampled, file ${i}`);
    asset.dispose();
    const viewer = await createViewer(t.canvas(32, 32));
    t.equal(await playedHash(viewer, file), golden.played[i], `played, file ${i}`);
    viewer.dispose();
  }
});

test(
  'exact poses: do not depend on earlier playback',
  async (t) => {
    const bytes = await character(t);
    const asset = await loadAsset(bytes);
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
      // A seek ends a transition: the pose then depends on the time alone.
      viewer.currentTime = viewer.currentTime;
      const [clip, time] = [t.some(viewer.clip).index, viewer.currentTime];
      const hash = viewer.poseHash();
      t.equal(hash, asset.sample(clip, time).hash, `clip ${clip} at ${time} after ${i} calls`);
      seen.add(hash);
    }
    t.ok(seen.size > 30, 'the poses differ');
    asset.dispose();
    viewer.dispose();
  },
  { all: true },
);
