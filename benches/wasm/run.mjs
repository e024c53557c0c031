// node run.mjs MODULE.wasm: prints one JSON object per line.
import { readFile } from 'node:fs/promises';
import { run } from './suite.mjs';

const module = await WebAssembly.compile(await readFile(process.argv[2]));
for (const result of await run(module)) console.log(JSON.stringify(result));
