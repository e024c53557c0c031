// node run.mjs EXPECTED.json MODULE.wasm… : fails where a module has other hashes than those expected.
import { readFile } from 'node:fs/promises';
import { hasher } from './suite.mjs';

const [expected, ...modules] = process.argv.slice(2);
const { generated } = JSON.parse(await readFile(expected, 'utf8'));
for (const file of modules) {
  const { generated: compute } = await hasher(await WebAssembly.compile(await readFile(file)));
  const got = compute();
  got.forEach((hash, i) => {
    if (hash !== generated[i]) throw new Error(`${file}: generated file ${i} has ${hash}, not ${generated[i]}`);
  });
  console.log(`${file}: ${got.length} files have the bits that are recorded`);
}
