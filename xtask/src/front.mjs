// Fills the front page, the crowd page and the page of Pip who lives: code with highlighting, live elements, and figures of `bench.json`.
// The code is that of `www/demo/front/code`. The front page runs the text that it shows.
//
//     node xtask/src/front.mjs dist/site

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { highlighted } from './highlight.mjs';

const [site] = process.argv.slice(2);
const { results } = JSON.parse(readFileSync(join(site, 'bench.json'), 'utf8'));
const figure = (name) => {
  const found = results.find((result) => result.name === name);
  if (!found) throw new Error(`bench.json has no ${name}`);
  return found.value;
};

const source = (name) => readFileSync(join('www/demo/front/code', name), 'utf8').trimEnd();
const update = (player) => figure(`peers.${player}.cesium_man.1000.update_us`);

/** Values of the crowd page that its controls change, by their names in the code. */
const VALUES = { SHADOW: ['shadow', '0.6'], COUNT: ['count', '400'], RATE: ['rate', "'auto'"] };

const FILLS = {
  code: (name) =>
    highlighted(source(name), name.split('.').at(-1)).replaceAll(
      /(?:<span class="[^"]*">)?\b(SHADOW|COUNT|RATE)\b(?:<\/span>)?/g,
      (_, value) => {
        const [name, initial] = VALUES[value];
        return `<span data-value="${name}">${initial}</span>`;
      },
    ),
  live: source,
  number: (name) => {
    if (name !== 'ratio') throw new Error(`there is no number ${name}`);
    return String(Math.floor(update('three') / update('gambol')));
  },
};

for (const name of ['index.html', 'crowd.html', 'alive.html']) {
  const page = join(site, name);
  const html = readFileSync(page, 'utf8').replaceAll(/<!-- (code|live|number): (\S+) -->/g, (_, kind, what) =>
    FILLS[kind](what),
  );
  writeFileSync(page, html);
}
