// Lists of numbers from a page are read once, so that a list that changes meanwhile cannot cause writes outside of its
// memory.

import { createViewer, type Crowd, type CrowdMembers, type Viewer } from 'gambol';
import { test } from '../page/api.ts';
import { model } from './support/model.ts';

const MEMBERS = 3;

/** A list of zeros and ones whose length is `first` for `reads` reads, and then `then`. */
function growing(first: number, reads: number, then: number): { readonly list: number[]; readonly read: () => number } {
  let read = 0;
  const list = new Proxy<number[]>([], {
    get: (_, key) => {
      if (key === 'length') return read++ < reads ? first : then;
      return typeof key === 'string' && /^\d+$/.test(key) ? Number(Number(key) % 4 === 3) : undefined;
    },
    has: (_, key) => key !== 'id',
  });
  return { list, read: () => read };
}

const LISTS: readonly (readonly [keyof CrowdMembers, number])[] = [
  ['positions', 3],
  ['rotations', 4],
  ['tints', 4],
  ['times', 1],
  ['rates', 1],
  ['starts', 1],
  ['clips', 1],
];

/** Exercises the module's allocator, which traps if its memory was overwritten. */
async function churn(viewer: Viewer, crowd: Crowd): Promise<void> {
  for (const count of [40, 0, 7, MEMBERS]) crowd.count = count;
  await (await viewer.add(model().glb)).remove();
  viewer.advance(0.01);
}

test('lists: a length that changes while a crowd is set is read once and reaches no other memory', async (t) => {
  const viewer = await createViewer(t.canvas(64, 64), { maxDpr: 1 });
  viewer.timeline = 'manual';
  const crowd = await viewer.addCrowd(model().glb, { count: MEMBERS });
  let most = 0;
  for (const [name, width] of LISTS) {
    for (let reads = 1; reads <= 16; reads++) {
      for (const then of [MEMBERS * width + 4000, 0]) {
        const { list, read } = growing(MEMBERS * width, reads, then);
        try {
          crowd.set({ [name]: list } as CrowdMembers);
        } catch (error) {
          // The call may be refused, but must have no other effect.
          t.equal((error as { code?: string }).code, 'argument/invalid');
        }
        most = Math.max(most, read());
      }
    }
    await churn(viewer, crowd);
  }
  t.equal(crowd.count, MEMBERS);
  t.equal(most, 1, 'the reads of a length');
});

test('lists: elements that call back, throw or are not numbers leave a crowd unchanged', async (t) => {
  const viewer = await createViewer(t.canvas(64, 64), { maxDpr: 1 });
  viewer.timeline = 'manual';
  const crowd = await viewer.addCrowd(model().glb, { count: MEMBERS, times: [0.1, 0.2, 0.3] });
  const before = [...crowd.times()];
  const element = (get: () => unknown): number[] => Object.defineProperty([0.5, 0.5, 0.5], 1, { get }) as number[];
  for (const get of [
    (): never => {
      throw new Error('mine');
    },
    () => 'text',
    () => 1n,
    () => NaN,
    () => undefined,
  ]) {
    let thrown: unknown;
    try {
      crowd.set({ times: element(get) });
    } catch (error) {
      thrown = error;
    }
    t.ok(
      (thrown as Error).message === 'mine' || (thrown as { code?: string }).code === 'argument/invalid',
      String(thrown),
    );
    t.equal([...crowd.times()], before);
  }
  // While the list is read, the crowd shrinks and the memory grows.
  await t.throws(
    () =>
      crowd.set({
        times: element(() => {
          crowd.count = 1;
          crowd.count = 20_000;
          crowd.count = 1;
          return 0.5;
        }),
      }),
    'argument/invalid',
  );
  await churn(viewer, crowd);
});

test('lists: typed arrays with an overridden length are read by their real length', async (t) => {
  const viewer = await createViewer(t.canvas(64, 64), { maxDpr: 1 });
  viewer.timeline = 'manual';
  const bytes = new Uint8Array(model().glb);
  let reads = 0;
  Object.defineProperty(bytes, 'length', { get: () => (reads++ === 0 ? 16 : 1e6) });
  await viewer.load(bytes);
  t.equal(viewer.clips.length, 3);
  const crowd = await viewer.addCrowd(model().glb, { count: MEMBERS });
  for (const length of [0, 3, 9, 5000]) {
    const positions = new Float32Array(9).fill(1);
    Object.defineProperty(positions, 'length', { value: length });
    try {
      crowd.set({ positions });
    } catch (error) {
      t.equal((error as { code?: string }).code, 'argument/invalid');
    }
  }
  await churn(viewer, crowd);
});
