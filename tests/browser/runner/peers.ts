// Runs a page of benches/peers in Chromium, with gambol as it ships and other glTF players. `cargo xtask compare` and
// `cargo xtask bench` run it. Prints one JSON object per line, and writes the page's files to a folder.

import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { importMap } from './bundle.ts';
import { answerOf, pageOf } from './page.ts';

const { values } = parseArgs({
  options: {
    chromium: { type: 'string' },
    page: { type: 'string' },
    out: { type: 'string' },
    only: { type: 'string' },
  },
});
const { chromium, page, out = 'target/peers', only = '' } = values;
if (!chromium || !page)
  throw new Error('usage: peers --chromium=PROGRAM --page=NAME [--out=FOLDER] [--only=WORDS FOR THE PAGE]');

/** The browser measures memory immediately, and not up to 20 s later. */
const MEASURING = ['--enable-blink-features=ForceEagerMeasureMemory'];

const root = process.cwd();
const folder = join(root, 'tests/output/build/peers', page);
await rm(folder, { recursive: true, force: true });
await build({
  entryPoints: [{ in: join(root, 'benches/peers', `${page}.ts`), out: 'page' }],
  outdir: folder,
  bundle: true,
  format: 'esm',
  target: 'es2022',
  // The production builds of the players.
  conditions: ['production'],
  define: { ONLY: JSON.stringify(only), 'process.env.NODE_ENV': '"production"' },
  external: ['gambol', 'gambol/*'],
  logLevel: 'warning',
});
const script = "const { run } = await import('/page.js');\n    await post('done', await run());";
await writeFile(join(folder, 'index.html'), pageOf(script, await importMap(root)));

const shared = resolve(process.env.GAMBOL_SHARED ?? join(root, '../shared'));
const results = await answerOf(
  chromium,
  [
    ['/gambol/', join(root, 'dist/gambol')],
    ...(existsSync(join(shared, 'assets')) ? [['/shared/', shared] as [string, string]] : []),
    ['/site/', join(root, 'dist/site')],
    // Pages report errors through a script of the browser tests.
    ['/__tests/', join(root, 'tests/browser/page')],
    ['/', folder],
  ],
  async (what, query, body) => {
    if (what !== 'keep') throw new Error(`the runner knows no ${what}`);
    await mkdir(join(root, out), { recursive: true });
    await writeFile(join(root, out, basename(query.get('name') ?? 'file')), body);
    return '';
  },
  MEASURING,
);
for (const result of results as object[]) console.log(JSON.stringify(result));
