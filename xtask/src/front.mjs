// Fills the front page of the site: code with highlighting, live elements, and figures of `bench.json`. The code that the
// page shows is that of `www/demo/front/code`, which its scripts run.
//
//     node xtask/src/front.mjs dist/site

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import hljs from 'highlight.js/lib/core';
import javascript from 'highlight.js/lib/languages/javascript';
import xml from 'highlight.js/lib/languages/xml';

hljs.registerLanguage('js', javascript);
hljs.registerLanguage('html', xml);

const [site] = process.argv.slice(2);
const page = join(site, 'index.html');
const { results } = JSON.parse(readFileSync(join(site, 'bench.json'), 'utf8'));

const source = (name) => readFileSync(join('www/demo/front/code', name), 'utf8').trimEnd();
const update = (player) => {
  const name = `peers.${player}.cesium_man.1000.update_us`;
  const found = results.find((result) => result.name === name);
  if (!found) throw new Error(`bench.json has no ${name}`);
  return found.value;
};

const FILLS = {
  code: (name) => hljs.highlight(source(name), { language: name.split('.').at(-1) }).value,
  live: source,
  number: (name) => {
    if (name !== 'ratio') throw new Error(`there is no number ${name}`);
    return String(Math.floor(update('three') / update('gambol')));
  },
};

const html = readFileSync(page, 'utf8').replaceAll(/<!-- (code|live|number): (\S+) -->/g, (_, kind, name) =>
  FILLS[kind](name),
);
writeFileSync(page, html);
