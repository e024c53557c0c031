// docs/from-model-viewer.md as data.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The words of the column "here". */
const HERE = ['same', 'other', 'entry', 'missing'];

/**
 * The rows of the page's tables: the column's title (`attribute`, `event` …), the names in backticks, without parameters and
 * brackets, and `same`, `other`, `entry` or `missing`.
 */
export function comparisons(root) {
  const page = readFileSync(join(root, 'docs/from-model-viewer.md'), 'utf8');
  return page.split('\n\n').flatMap((block) => {
    const [, kind] = block.match(/^\| ([\w ]+) \| here \| difference \|\n/) ?? [];
    if (kind === undefined) return [];
    return block
      .trim()
      .split('\n')
      .slice(2)
      .map((row) => {
        const [, cell, here, difference] = row.split(/(?<!\\) ?\| ?/);
        if (!HERE.includes(here)) throw new Error(`“${row}” has none of ${HERE.join(', ')}`);
        const names = [...cell.matchAll(/`<?([\w…-]+)[^`]*`/g)].map(([, name]) => name);
        return { kind, names, here, difference };
      });
  });
}
