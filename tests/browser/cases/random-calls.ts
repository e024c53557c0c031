// Random calls of the package, valid and invalid, by a seed. `cargo xtask test --all` makes 204,000 calls, a third of
// the seeds in each browser; on each change one seed makes some hundred calls. To run one seed of the long form again:
// `cargo xtask test --all --only browser --browser chromium --filter "(own, seed 4,"`.

import { browser, long, test } from '../page/api.ts';
import { Run, type Renderer } from './support/random/run.ts';

/** The seeds of a long run; each runs with each renderer. */
const LONG_SEEDS: Record<string, readonly number[]> = {
  chromium: [1, 2, 3, 4, 5, 6],
  firefox: [7, 8, 9, 10, 11, 12],
  webkit: [13, 14, 15, 16, 17],
};
/** The calls per seed of a long run. */
const CALLS = 4000;
/** The calls per seed of a short run. */
const FEW_CALLS = 300;
/** The limit of WebAssembly memory after a run, far above the memory of calls without a leak. */
const MOST_MEMORY = 256 * 2 ** 20;

const RENDERERS: readonly Renderer[] = ['own', 'shared', 'worker'];

for (const renderer of RENDERERS) {
  for (const seed of long ? (LONG_SEEDS[browser] ?? []) : [1]) {
    test(
      `random calls: no call stops the module or leaks (${renderer}, seed ${seed}, ${long ? CALLS : FEW_CALLS} calls)`,
      async (t) => {
        // Missing files, and lost contexts.
        t.expectTrouble(/status of 404|Failed to load resource|CONTEXT_LOST/);
        const run = await Run.begin(t, renderer, seed);
        await run.calls(long ? CALLS : FEW_CALLS);
        await run.end();
        // Each kind of fault once, since a message has limited room.
        t.equal([...new Set(run.faults.map((fault) => fault.split('\n', 1)[0]))], [], run.faults[0] ?? 'faults');
        t.ok(run.held.memory() < MOST_MEMORY, `the memory has grown to ${run.held.memory()} bytes`);
      },
      { timeout: long ? 600_000 : 60_000 },
    );
  }
}
