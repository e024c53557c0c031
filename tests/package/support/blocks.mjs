// The code blocks of the documents for users.
//
// A comment directly before a block changes its test: `<!-- run: node -->` runs it in Node instead of a page, and
// `<!-- not run: REASON -->` leaves it out.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The documents whose code blocks are tests, relative to the folder of the repository. */
export function documents(root) {
  const inFolder = (folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .sort()
      .map((name) => `${folder}/${name}`);
  return [
    'README.md',
    'www/gambol/README.md',
    ...inFolder('docs'),
    ...inFolder('docs/design'),
    ...inFolder('docs/guides'),
  ];
}

/** The code blocks of all documents: document, line, language, code, and the mark of the comment before it. */
export function codeBlocks(root) {
  return documents(root).flatMap((document) => {
    const text = readFileSync(join(root, document), 'utf8');
    const blocks = text.matchAll(/^(?:<!-- (.*) -->\n)?```(\S*)\n([^]*?)^```$/gm);
    return [...blocks].map(({ 1: mark = '', 2: language, 3: code, index }) => ({
      document,
      line: text.slice(0, index).split('\n').length + (mark === '' ? 1 : 2),
      language,
      code,
      mark,
    }));
  });
}
