// Makes the pages of `learn/` on the site: the guides and the reference of `docs/`, and the index of the search.
//
//     node xtask/src/learn.mjs dist/site
//
// The index has an entry for each section of a page, for each row of the tables that are looked up by name, and for each
// public item of the API reference (`api/search-entries.json`, which `api.mjs` writes).

import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import { Marked } from 'marked';
import MiniSearch from 'minisearch';
import { INDEX } from '../../www/demo/learn/index-options.mjs';
import { escaped, highlighted } from './highlight.mjs';

const [site] = process.argv.slice(2);
const out = join(site, 'learn');
const SOURCES = 'https://github.com/gambol-player/gambol/blob/main';

/**
 * The pages by the titles of their sections, in the order of the contents: those that the tables of `docs/guides/README.md` link in
 * their second column, without a fragment.
 */
const SECTIONS = Object.fromEntries(
  readFileSync('docs/guides/README.md', 'utf8')
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const links = [...section.matchAll(/^\|[^|]*\|[^|(]*\]\(([^)#]+)\.md\)/gm)];
      return [section.split('\n', 1)[0], links.map(([, path]) => posix.normalize(`guides/${path}`))];
    }),
);
const order = ['guides/README', ...Object.values(SECTIONS).flat()];
/** Pages whose tables are looked up by the first cell of a row. */
const LOOKED_UP = ['element', 'errors', 'findings', 'extensions', 'glossary', 'from-three-js'];

/** The comment of a page with words of other engines, under which the search finds it. */
const SEARCH = /<!-- Search:([^>]*)-->\n/;
/** The kinds of pages in the index of the search; other pages are guides. */
const KINDS = { element: 'element', errors: 'error', faults: 'error', findings: 'finding' };

const nameOf = (source) => (source === 'guides/README' ? 'index' : basename(source));
const sourceOf = new Map(order.map((source) => [`docs/${source}.md`, source]));
for (const file of readdirSync('docs/guides').filter((name) => name.endsWith('.md')))
  if (!sourceOf.has(`docs/guides/${file}`)) throw new Error(`docs/guides/README.md has no row of ${file}`);

/** The id that GitHub gives a heading. */
const slug = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
/** The text of HTML that was made from Markdown. */
const plain = (html) =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim();

/** The address of a link of a page, from `learn/`. */
function address(href, source) {
  if (/^[a-z]+:/.test(href) || href.startsWith('#')) return href;
  const [path, fragment] = href.split('#');
  const target = posix.normalize(posix.join(posix.dirname(`docs/${source}`), path));
  const hash = fragment ? `#${fragment}` : '';
  if (sourceOf.has(target)) return `./${nameOf(sourceOf.get(target))}.html${hash}`;
  const [, example] = target.match(/^www\/examples\/([\w-]+)\.html$/) ?? [];
  if (example) return `./examples.html#${example}`;
  if (target.startsWith('docs/images/')) return `./images/${basename(target)}`;
  return `${SOURCES}/${target}${hash}`;
}

/** Names of folders of the site, which the guides write as code. */
const FOLDERS = { 'api/': '../api/index.html', 'examples/': './examples.html' };

/** Renders a page; returns its HTML, its title, its headings and its entries in the index. */
function render(source) {
  const name = nameOf(source);
  const ids = new Set();
  const free = (wanted) => {
    let id = wanted;
    for (let i = 1; ids.has(id); i++) id = `${wanted}-${i}`;
    ids.add(id);
    return id;
  };
  const headings = [];
  const entries = [];
  let tables = 0;
  const say = (html) => {
    const entry = entries.at(-1);
    if (entry) entry.text += ` ${plain(html)}`;
  };
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens);
        const title = plain(html);
        const id = free(slug(title));
        headings.push({ id, title, html, depth });
        const url = depth === 1 ? `${name}.html` : `${name}.html#${id}`;
        entries.push({ url, title, text: '', kind: KINDS[name] ?? 'guide' });
        if (depth === 1) return `<h1 id="${id}">${html}</h1>\n`;
        return `<h${depth} id="${id}"><a href="#${id}">${html}</a></h${depth}>\n`;
      },
      paragraph({ tokens }) {
        const html = this.parser.parseInline(tokens);
        say(html);
        return `<p>${html}</p>\n`;
      },
      listitem(item) {
        const html = this.parser.parse(item.tokens);
        if (!html.includes('<p>')) say(html);
        return `<li>${html}</li>\n`;
      },
      code({ text, lang }) {
        say(escaped(text));
        const label = { sh: 'Commands', html: 'HTML', js: 'JavaScript', rust: 'Rust' }[lang] ?? 'Code';
        return (
          `<div class="code" data-copy><pre tabindex="0" role="group" aria-label="${label}"><code>${highlighted(text, lang)}</code></pre>` +
          '<button class="button icon-only copy" type="button" aria-label="Copy the code" hidden><svg class="icon"><use href="#i-copy"/></svg></button></div>\n'
        );
      },
      codespan({ text }) {
        const html = `<code>${escaped(text)}</code>`;
        return FOLDERS[text] ? `<a href="${FOLDERS[text]}">${html}</a>` : html;
      },
      link({ href, tokens }) {
        return `<a href="${escaped(address(href, source))}">${this.parser.parseInline(tokens)}</a>`;
      },
      html({ text }) {
        return text.replace(/ src="([^"]+)"/g, (_, href) => ` src="${escaped(address(href, source))}"`);
      },
      table({ header, rows }) {
        tables += 1;
        const inline = ({ tokens }) => this.parser.parseInline(tokens);
        const columns = header.map((cell) => {
          const html = inline(cell);
          return html === '' ? '<td></td>' : `<th scope="col">${html}</th>`;
        });
        const heading = headings.at(-1)?.title ?? '';
        const lines = rows.map((cells) => {
          const html = cells.map(inline);
          const [first, ...rest] = html;
          if (rest.every((one) => one === '') && first.startsWith('<strong>'))
            return `<tr class="group"><th scope="rowgroup" colspan="${cells.length}">${plain(first)}</th></tr>`;
          let id = '';
          if (LOOKED_UP.includes(name)) {
            const title = plain(first);
            const anchor = free(
              `${title
                .toLowerCase()
                .replace(/[^\p{L}\p{N}]+/gu, '-')
                .replace(/^-|-$/g, '')}`.slice(0, 60),
            );
            id = ` id="${anchor}"`;
            rowEntries.push({
              url: `${name}.html#${anchor}`,
              title,
              text: plain(rest.join(' ')),
              kind: KINDS[name] ?? 'guide',
              section: heading,
            });
          }
          const cells_ = rest.map((one) => `<td>${one}</td>`).join('');
          return `<tr${id}><th scope="row">${first}</th>${cells_}</tr>`;
        });
        if (!LOOKED_UP.includes(name)) say(rows.flat().map(inline).join(' '));
        const label = escaped(tables === 1 ? `Table: ${heading}` : `Table ${tables}: ${heading}`);
        return `<div class="scroll" tabindex="0" role="group" aria-label="${label}"><table>\n<thead><tr>${columns.join('')}</tr></thead>\n<tbody>\n${lines.join('\n')}\n</tbody></table></div>\n`;
      },
    },
  });
  const rowEntries = [];
  let terms = '';
  const text = readFileSync(`docs/${source}.md`, 'utf8').replace(SEARCH, (_, words) => {
    terms = words.trim().replace(/\s+/g, ' ');
    return '';
  });
  const article = marked.parse(text);
  const [first] = headings;
  if (first?.depth !== 1) throw new Error(`docs/${source}.md does not begin with a title`);
  entries[0].terms = terms;
  const all = [...entries, ...rowEntries].map((entry) => ({ ...entry, page: first.title }));
  return { source, name, title: first.title, headings, article, entries: all };
}

const pages = order.map(render);

const template = readFileSync('www/demo/learn/page.html', 'utf8');
const fill = (html, values) => html.replace(/\{(\w+)\}/g, (place, key) => (key === 'root' ? place : values[key]));

const titleOf = new Map(pages.map(({ source, title }) => [source, title]));
function contents(current) {
  const entry = (source, title = titleOf.get(source)) =>
    `<li><a href="./${nameOf(source)}.html"${source === current ? ' aria-current="page"' : ''}>${escaped(title)}</a></li>`;
  const sections = Object.entries(SECTIONS).map(
    ([title, sources]) =>
      `<h2>${title}</h2>\n<ul>\n${sources.map((source) => entry(source)).join('\n')}${
        title === 'Reference' ? '\n<li><a href="../api/index.html">API reference</a></li>' : ''
      }\n</ul>`,
  );
  return [`<ul>${entry('guides/README', 'Overview')}</ul>`, ...sections].join('\n');
}

mkdirSync(out, { recursive: true });
cpSync('docs/images', join(out, 'images'), { recursive: true });
for (const [at, page] of pages.entries()) {
  const [previous, next] = [pages[at - 1], pages[at + 1]];
  const turn = [
    previous &&
      `<a class="previous" rel="prev" href="./${previous.name}.html"><span>Previous</span> ${escaped(previous.title)}</a>`,
    next && `<a class="next" rel="next" href="./${next.name}.html"><span>Next</span> ${escaped(next.title)}</a>`,
  ];
  const parts = page.headings.filter(({ depth }) => depth === 2);
  const outline = parts.map(({ id, title }) => `<li><a href="#${id}">${escaped(title)}</a></li>`).join('\n');
  const [, paragraph] = page.article.match(/<p>([\s\S]*?)<\/p>/) ?? [];
  const html = fill(template, {
    title: escaped(page.title),
    description: escaped(plain(paragraph ?? page.title).slice(0, 200)),
    contents: contents(page.source),
    article: page.article,
    turn: turn.filter(Boolean).join('\n'),
    source: `${SOURCES}/docs/${page.source}.md`,
    outline:
      parts.length < 2
        ? ''
        : `<nav class="outline" aria-label="On this page">\n<h2>On this page</h2>\n<ul>\n${outline}\n</ul>\n</nav>`,
  });
  writeFileSync(join(out, `${page.name}.html`), html);
}

/** The examples, by the list of `www/examples/index.html`. */
const plainList = readFileSync('www/examples/index.html', 'utf8');
const examples = [...plainList.matchAll(/<dt><a href="([\w-]+)\.html">([^<]+)<\/a><\/dt>\s*<dd>([\s\S]*?)<\/dd>/g)].map(
  ([, name, title, text]) => ({ name, title, text: plain(text) }),
);
const list = examples.map(
  ({ name, title, text }) => `      <li><a id="${name}" href="#${name}" data-text="${escaped(text)}">${title}</a></li>`,
);
const editor = readFileSync('www/demo/learn/examples.html', 'utf8').replace('<!-- examples -->', () => list.join('\n'));
writeFileSync(join(out, 'examples.html'), editor);
// The list has the frame of the site; that of the repository stands alone.
const [, intro] = plainList.match(/<h1>[\s\S]*?(<p>[\s\S]*?<\/p>)/);
const [, terms] = plainList.match(/<dl>\n([\s\S]*?)\n<\/dl>/);
const listed = readFileSync('www/demo/learn/list.html', 'utf8')
  .replace('<!-- intro -->', () => intro)
  .replace('<!-- list -->', () => terms.replaceAll(/(<dt>[\s\S]*?<\/dt>\s*<dd>[\s\S]*?<\/dd>)/g, '<div>$1</div>'));
writeFileSync(join(site, 'examples/index.html'), listed);
// Beside the examples, so that their relative addresses hold in it.
cpSync('www/demo/learn/run.html', join(site, 'examples/run.html'));

const entries = [
  ...examples.map(({ name, title, text }) => ({
    url: `examples.html#${name}`,
    title,
    text,
    kind: 'example',
    page: 'Examples',
  })),
  ...pages.flatMap((page) => page.entries),
  ...JSON.parse(readFileSync(join(site, 'api/search-entries.json'), 'utf8')),
];
const index = new MiniSearch(INDEX);
index.addAll(
  entries.map((entry, id) => ({
    id,
    ...entry,
    text: entry.text.slice(0, 2000),
    excerpt: entry.text.trim().slice(0, 140),
  })),
);
writeFileSync(join(out, 'search.json'), JSON.stringify(index));
