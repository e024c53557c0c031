// Runs the cases of tests/browser/cases in browsers. Call it by `cargo xtask test --only browser`, which builds the
// package and passes the paths of the browsers.

import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { bundle } from './bundle.ts';
import { startChromium } from './drivers/chromium.ts';
import type { Driver } from './drivers/driver.ts';
import { startFirefox } from './drivers/firefox.ts';
import { startWebKit } from './drivers/webkit.ts';
import { UNTOUCHED } from './server.ts';
import { Session } from './session.ts';

const { values } = parseArgs({
  options: {
    chromium: { type: 'string' },
    firefox: { type: 'string' },
    webkit: { type: 'string' },
    'webkit-driver': { type: 'string' },
    filter: { type: 'string', default: '' },
    bless: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
  },
});

const root = process.cwd();
const output = join(root, 'tests/output');
const build = join(output, 'build/page');
await mkdir(output, { recursive: true });
const files = await bundle(root, build);

/** A browser, the files that are still to run in it, and the number of its sessions. */
interface Work {
  readonly name: string;
  readonly start: () => Promise<Driver>;
  readonly files: string[];
  sessions: number;
}

const works: Work[] = [];
// Chromium runs every case; the others run those that depend on the browser, and all of them with `--all`.
const add = (name: string, start: () => Promise<Driver>): void => {
  const chosen = files.filter(({ everywhere }) => everywhere || values.all || name === 'chromium');
  works.push({ name, start, files: chosen.map((file) => file.name), sessions: 0 });
};
const { chromium, firefox, webkit, 'webkit-driver': webkitDriver } = values;
// SwiftShader would also composite the page around the canvas in each frame; Chromium's software compositor takes a
// quarter less time.
if (chromium) add('chromium', () => startChromium(chromium, ['--disable-gpu-compositing']));
if (firefox) add('firefox', () => startFirefox(firefox));
if (webkit && webkitDriver) add('webkit', () => startWebKit(webkitDriver, webkit));

const shared = resolve(process.env.GAMBOL_SHARED ?? join(root, '../shared'));
const mounts: [string, string][] = [
  ['/__tests/golden/', join(root, 'tests/golden/pictures')],
  ['/__tests/poses/', join(root, 'target/web/poses')],
  ['/__tests/poses/', join(root, 'tests/poses')],
  ['/__tests/poses/', join(root, 'tests/golden')],
  ['/__tests/', build],
  ['/gambol/', join(root, 'dist/gambol')],
  // The models that are too large for the repository; tests that need them are skipped if they are missing.
  ...(existsSync(join(shared, 'assets')) ? [['/shared/', shared] as [string, string]] : []),
  [UNTOUCHED, join(root, 'dist/site')],
  ['/', join(root, 'dist/site')],
];

const bless = values.bless || process.env.GAMBOL_BLESS === '1';
const counts = { passed: 0, failed: 0, skipped: 0 };

async function run(work: Work, blesses: boolean): Promise<void> {
  const { name, start } = work;
  const session = new Session({
    name,
    start,
    mounts,
    output,
    root,
    filter: values.filter,
    bless: blesses,
    long: values.long,
  });
  const started = performance.now();
  work.sessions++;
  try {
    for (let file = work.files.shift(); file !== undefined; file = work.files.shift()) {
      for await (const { title, report, unsteady } of session.run(file)) {
        if (report.outcome === 'none') continue;
        counts[report.outcome]++;
        const label =
          unsteady === undefined
            ? { passed: 'ok      ', failed: 'FAILED  ', skipped: 'skipped ' }[report.outcome]
            : 'UNSTEADY';
        const took = report.took === undefined ? '' : ` (${Math.round(report.took)} ms)`;
        console.log(`${label} ${name}  ${title}${took}`);
        const message = unsteady ?? report.message;
        if (message) console.log(message.replace(/^/gm, '           '));
      }
    }
  } catch (error) {
    counts.failed++;
    console.log(`FAILED   ${name}  does not start:`, error);
  } finally {
    work.sessions--;
    await session.end();
  }
  console.log(`${name} ${session.version}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

// The first browser blesses; the others are then compared with its pictures.
if (bless && works[0]) await run(works[0], true);
// Three at a time: each waits half of its time for timers, frames and its own processes. A lane without a browser of its
// own helps with another's files.
const lane = async (): Promise<void> => {
  const left = (): Work[] => works.filter((work) => work.files.length > 0).sort((a, b) => a.sessions - b.sessions);
  for (let [work] = left(); work; [work] = left()) await run(work, false);
};
await Promise.all([lane(), lane(), lane()]);
await writeFile(join(output, 'results.json'), `${JSON.stringify(counts)}\n`);
process.exit(counts.failed > 0 ? 1 : 0);
