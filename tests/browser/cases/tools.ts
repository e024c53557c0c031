// `gambol/tools` in a page: smaller files that play, and their distance.

import { createViewer } from 'gambol';
import { diff, optimize } from 'gambol/tools';
import { OTHERS, longTests, test } from '../page/api.ts';
import { keyed } from './support/keyed.ts';

longTests();

const SAMPLE = '/sample.glb';

test('optimize: a smaller file that plays the same, without long tasks between its steps', async (t) => {
  const ratios: number[] = [];
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  const { bytes, report } = await optimize(SAMPLE, { error: 0.001, onProgress: (ratio) => ratios.push(ratio) });
  clearInterval(timer);
  t.ok(bytes.byteLength < 0.7 * report.before.total, `${bytes.byteLength} of ${report.before.total} bytes`);
  t.ok(report.error <= 0.001, `${report.error} m`);
  t.equal(ratios.at(-1), 1);
  t.ok(turns > 2, `the page had ${turns} turns`);
  const viewer = await createViewer(t.canvas(), { maxDpr: 1 });
  await viewer.load(bytes);
  viewer.clip = 'Walk';
  viewer.currentTime = 0.4;
  const small = t.some(viewer.measure());
  await viewer.load(SAMPLE);
  viewer.clip = 'Walk';
  viewer.currentTime = 0.4;
  const box = t.some(viewer.measure());
  for (const i of [0, 1, 2] as const)
    t.ok(Math.abs(small.min[i] - box.min[i]) <= 0.001 && Math.abs(small.max[i] - box.max[i]) <= 0.001, `axis ${i}`);
});

/** A file of little geometry and many keys, so that the cases of every run are short. */
const KEYED = keyed({ many: { nodes: 8, keys: 60 } });

test(
  'optimize: a call can be aborted between two steps, and the next one works',
  async (t) => {
    const abort = new AbortController();
    const error = await optimize(KEYED, { signal: abort.signal, onProgress: () => abort.abort() }).then(
      () => undefined,
      (reason: { readonly code?: string }) => reason.code,
    );
    t.equal(error, 'load/aborted');
    const { report } = await optimize(KEYED, { error: 0.01, compression: 'none' });
    t.ok(report.error <= 0.01 && report.after.total < report.before.total, `${report.error} m`);
  },
  { all: OTHERS },
);

test(
  'diff: the distance of a file to itself is 0, and to one that was made smaller within the bound',
  async (t) => {
    const same = await diff(KEYED, KEYED);
    t.equal([same.distance, same.unmatched], [0, []]);
    const { bytes } = await optimize(KEYED, { error: 0.002 });
    const { distance, clips } = await diff(KEYED, bytes);
    t.ok(distance > 0 && distance <= 0.002, `${distance} m`);
    t.equal(clips.length, 3);
  },
  { all: OTHERS },
);
