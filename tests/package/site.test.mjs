// The built site: its links, and the API reference in `dist/site/api`.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import test from 'node:test';
import { entries, read, root } from './support/files.mjs';

const site = join(root, 'dist/site');
const pages = readdirSync(site, { recursive: true })
  .filter((name) => name.endsWith('.html'))
  .map((name) => join(site, name));
const content = new Map(pages.map((page) => [page, readFileSync(page, 'utf8')]));
const decoded = (text) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&lt;', '<');
/** Values of `href` and `src` in the tags of a page, which its scripts cannot hold. */
const links = (page) =>
  [
    ...content
      .get(page)
      .replace(/<script\b[^>]*>[^]*?<\/script>/g, (script) => script.slice(0, script.indexOf('>') + 1))
      .matchAll(/<[a-z][^<>]*?\s(?:href|src)="([^"]*)"/g),
  ].map(([tag, url]) => ({ tag, url: decoded(url) }));
const isAbsolute = (url) => /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(url);
const ids = new Map();
const hasId = (page, id) => {
  if (!ids.has(page))
    ids.set(page, new Set([...content.get(page).matchAll(/\s(?:id|name)="([^"]*)"/g)].map(([, one]) => decoded(one))));
  return ids.get(page).has(id);
};

test('site: every link leads to a file of the site, and to a place in it', () => {
  const broken = [];
  let seen = 0;
  for (const page of pages) {
    for (const { url } of links(page)) {
      if (isAbsolute(url)) continue;
      seen += 1;
      const [path, fragment] = url.split('#');
      const file = decodeURIComponent(path.split('?')[0]);
      let target = file === '' ? page : join(dirname(page), file);
      if (existsSync(target) && statSync(target).isDirectory()) target = join(target, 'index.html');
      const found = existsSync(target) && target.startsWith(site);
      if (!found || (fragment && content.has(target) && !hasId(target, decodeURIComponent(fragment))))
        broken.push(`${relative(site, page)}: ${url}`);
    }
  }
  assert.ok(seen > 1000, `${seen} links`);
  assert.deepEqual(broken, []);
});

test('site: the front page leads to the API reference', () => {
  const urls = links(join(site, 'index.html')).map(({ url }) => url);
  assert.ok(urls.includes('./api/index.html'));
});

test('API reference: every public item is documented, has a category, and its links resolve', () => {
  assert.equal(read('target/web/api-warnings.txt'), '');
});

test('API reference: every entry with types of its own is in it, and nothing loads from another origin', () => {
  for (const { name } of entries) assert.ok(existsSync(join(site, `api/modules/${name.replace('/', '_')}.html`)), name);
  const own = pages.filter((page) => page.startsWith(join(site, 'api')));
  assert.ok(own.length > 100, `${own.length} pages`);
  const loaded = own.flatMap((page) =>
    links(page)
      .filter(({ tag, url }) => /^<(script|link|img|iframe)\b/.test(tag) && isAbsolute(url))
      .map(({ url }) => `${relative(site, page)}: ${url}`),
  );
  assert.deepEqual(loaded, []);
});
