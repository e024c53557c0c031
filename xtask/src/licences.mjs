// Writes the licences of the packages in the scripts of the site: `third-party.txt`. Those of the package itself are in
// `gambol/dist/THIRD-PARTY.txt`.
//
//     node xtask/src/licences.mjs dist/site METAFILE

import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [site, metafile] = process.argv.slice(2);
const { inputs } = JSON.parse(readFileSync(metafile, 'utf8'));
const packages = new Map();
for (const path of Object.keys(inputs)) {
  const [, folder, name] = path.match(/^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//) ?? [];
  if (name) packages.set(name, folder);
}
const parts = [...packages].sort().map(([name, folder]) => {
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  if (!file) throw new Error(`${name} has no licence file`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
});
writeFileSync(join(site, 'third-party.txt'), parts.join(`\n${'-'.repeat(80)}\n\n`));
