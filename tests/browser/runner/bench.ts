// Times benches/wasm in Chromium; `cargo xtask bench` calls it. One JSON object a line on the standard output.

import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { startChromium } from './drivers/chromium.ts';
import { StaticServer } from './server.ts';

const { values } = parseArgs({
  options: { chromium: { type: 'string' }, suite: { type: 'string' }, module: { type: 'string' } },
});
const { chromium, suite, module } = values;
if (!chromium || !suite || !module) throw new Error('usage: bench --chromium=PROGRAM --suite=FILE --module=FILE');

const PAGE = `<!doctype html>
<title>bench</title>
<script type="module">
  const post = (what, body) => fetch('/__runner/' + what, { method: 'POST', body: JSON.stringify(body) });
  try {
    const { run } = await import('/suite/${basename(suite)}');
    const module = await WebAssembly.compileStreaming(fetch('/module/${basename(module)}'));
    await post('done', await run(module));
  } catch (error) {
    await post('failed', String(error?.stack ?? error));
  }
</script>`;

const folder = join(process.cwd(), 'tests/output/build/bench');
await mkdir(folder, { recursive: true });
await writeFile(join(folder, 'index.html'), PAGE);

let settle: { resolve: (results: object[]) => void; reject: (error: Error) => void };
const answer = new Promise<object[]>((resolve, reject) => (settle = { resolve, reject }));
const mounts: [string, string][] = [
  ['/suite/', dirname(suite)],
  ['/module/', dirname(module)],
  ['/', folder],
];
const server = await StaticServer.start(mounts, async (what, _query, body) => {
  const value: unknown = JSON.parse(body.toString());
  if (what === 'done') settle.resolve(value as object[]);
  else settle.reject(new Error(String(value)));
  return '';
});
const driver = await startChromium(chromium);
try {
  await driver.open(`${server.origin}/`);
  for (const result of await answer) console.log(JSON.stringify(result));
} finally {
  await driver.close();
  await server.stop();
}
