// node run.mjs POSES GOLDEN: fails where the package of this repository has other hashes of sampled poses than those recorded.
// POSES is the folder that the native tests write, GOLDEN the recorded hashes.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadAsset } from 'gambol';
import { FILES, sampledHash } from './suite.mjs';

const [poses, golden] = process.argv.slice(2);
const json = async (file) => JSON.parse(await readFile(file, 'utf8'));
const [{ generated }, times] = [await json(golden), await json(join(poses, 'times.json'))];
for (let i = 0; i < FILES; i++) {
  const asset = await loadAsset(await readFile(join(poses, `${i}.glb`)));
  const hash = sampledHash(asset, times[i]);
  if (hash !== generated[i]) throw new Error(`file ${i} has ${hash}, not ${generated[i]}`);
  asset.dispose();
}
console.log(`${FILES} files have the bits that are recorded`);
