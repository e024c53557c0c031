// node run.mjs EXPECTED.json MODULE.wasm… : fails where a module has other hashes than those expected.
import { readFile } from 'node:fs/promises';
import { hasher } from './suite.mjs';

const [expected, ...modules] = process.argv.slice(2);
const golden = JSON.parse(await readFile(expected, 'utf8'));
for (const file of modules) {
  const hashes = await hasher(await WebAssembly.compile(await readFile(file)));
  for (const kind of ['generated', 'mixed', 'moved']) {
    const got = hashes[kind]();
    got.forEach((hash, i) => {
      if (hash !== golden[kind][i]) throw new Error(`${file}: ${kind} file ${i} has ${hash}, not ${golden[kind][i]}`);
    });
    console.log(`${file}: ${got.length} ${kind} files have the bits that are recorded`);
  }
}
