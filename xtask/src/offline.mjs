// Makes the site usable without a network: writes the list of files into the service worker, and names the manifest and the script
// that registers the worker in each page. It runs last, since the list has the hashes of all files.
//
//     node xtask/src/offline.mjs dist/site METAFILE
//
// METAFILE describes the bundled scripts (of esbuild).

import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join, sep } from 'node:path';

const [site, metafile] = process.argv.slice(2);
const all = readdirSync(site, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(join(site, sep).length).replaceAll(sep, '/'))
  .sort();

/** Pages without a script: the page that is shown offline, and those that visitors copy. */
const plain = (path) => path === 'offline.html' || path.startsWith('examples/');
for (const path of all.filter((one) => one.endsWith('.html') && !plain(one))) {
  const root = '../'.repeat(path.split('/').length - 1) || './';
  const file = join(site, path);
  const html = readFileSync(file, 'utf8');
  const tags = [
    `<link rel="manifest" href="${root}manifest.webmanifest">`,
    `<link rel="apple-touch-icon" href="${root}images/icon-maskable.png">`,
    `<script type="module" src="${root}offline.js"></script>`,
  ];
  if (html.split('</head>').length !== 2) throw new Error(`${path} has no head`);
  writeFileSync(
    file,
    html.replace('</head>', () => `${tags.join('\n')}\n</head>`),
  );
}

/** Not on a visitor's device: the worker itself, and files for developers. */
const left = (path) => path === 'sw.js' || path.endsWith('.map') || path === 'api/search-entries.json';
/** The bundled scripts by their paths on the site. */
const scripts = new Map(
  Object.entries(JSON.parse(readFileSync(metafile, 'utf8')).outputs).map(([path, output]) => [basename(path), output]),
);
/** Scripts that pages need to start, except the editor of the examples, which does not run offline. */
const needed = new Set();
function need(name) {
  if (needed.has(name)) return;
  needed.add(name);
  for (const { path, kind } of scripts.get(name)?.imports ?? []) if (kind === 'import-statement') need(basename(path));
}
for (const [name, { entryPoint }] of scripts)
  if (
    entryPoint?.startsWith('www/demo/') &&
    !entryPoint.slice('www/demo/'.length).includes('/') &&
    name !== 'playground.js'
  )
    need(name);

/** The size from which a file that no page needs to start is stored when a page loads it. */
const LARGE = 100_000;
/** Files that are stored when a page loads them: large ones that not every visitor needs. */
const later = (path) =>
  /^(api|examples|gambol)\//.test(path) ||
  /^(basis|draco|gambol\.base.*|gambol\.formats|gambol\.tools)\.wasm$/.test(path) ||
  /^images\/(social|icon)/.test(path) ||
  (scripts.has(path) && !needed.has(path) && scripts.get(path).bytes > LARGE);

const files = {};
let bytes = 0;
for (const path of all.filter((one) => !left(one))) {
  const content = readFileSync(join(site, path));
  files[path] = createHash('sha256').update(content).digest('hex').slice(0, 16);
  if (!later(path)) bytes += content.length;
}
const first = Object.keys(files).filter((path) => !later(path));
const worker = join(site, 'sw.js');
const script = readFileSync(worker, 'utf8');
writeFileSync(worker, `const FILES=${JSON.stringify(files)};\nconst FIRST=${JSON.stringify(first)};\n${script}`);
console.log(
  `Offline: ${first.length} files of ${(bytes / 1e6).toFixed(1)} MB at once, ${Object.keys(files).length} in all`,
);
