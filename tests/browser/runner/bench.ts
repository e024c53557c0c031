// Times benches/wasm in Chromium; `cargo xtask bench` runs it. Prints one JSON object per line.

import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { answerOf, pageOf } from './page.ts';

const { values } = parseArgs({
  options: { chromium: { type: 'string' }, suite: { type: 'string' }, module: { type: 'string' } },
});
const { chromium, suite, module } = values;
if (!chromium || !suite || !module) throw new Error('usage: bench --chromium=PROGRAM --suite=FILE --module=FILE');

const folder = join(process.cwd(), 'tests/output/build/bench');
await mkdir(folder, { recursive: true });
await writeFile(
  join(folder, 'index.html'),
  pageOf(`
    const { run } = await import('/suite/${basename(suite)}');
    const module = await WebAssembly.compileStreaming(fetch('/module/${basename(module)}'));
    await post('done', await run(module));`),
);

const results = await answerOf(chromium, [
  ['/suite/', dirname(suite)],
  ['/module/', dirname(module)],
  ['/', folder],
]);
for (const result of results as object[]) console.log(JSON.stringify(result));
