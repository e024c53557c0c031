// Inserts the common parts of pages, `www/demo/partials`, into the pages of the site that have a place for them: `<!-- head -->` (colours,
// icon and common styles), `<!-- header: PAGE -->` (the page's name in the header, if it has one) and `<!-- footer -->`.
//
//     node xtask/src/partials.mjs dist/site

import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [site] = process.argv.slice(2);
const partial = (name) => readFileSync(join('www/demo/partials', `${name}.html`), 'utf8').trimEnd();
const [head, header, footer] = ['head', 'header', 'footer'].map(partial);

/** The entry of the header that is current on each kind of page. */
const ENTRIES = { learn: 'Learn', examples: 'Examples', inspect: 'Inspector', compare: 'Compare' };

for (const folder of ['.', 'learn', 'examples']) {
  const root = folder === '.' ? './' : '../';
  for (const name of readdirSync(join(site, folder)).filter((one) => one.endsWith('.html'))) {
    const file = join(site, folder, name);
    const html = readFileSync(file, 'utf8');
    const filled = html
      .replace(/<!-- header(?:: (\w+))? -->/, (_, page) => {
        if (page && !(page in ENTRIES)) throw new Error(`${name}: the header has no entry for ${page}`);
        return header.replace(`>${ENTRIES[page]}</a>`, (entry) => ` aria-current="page"${entry}`);
      })
      .replace('<!-- head -->', () => head)
      .replace('<!-- footer -->', () => footer)
      .replaceAll('{root}', root);
    if (filled !== html) writeFileSync(file, filled);
  }
}
