// Generates the API reference of the npm package with TypeDoc, from the doc comments of its sources.
//
//     node api.mjs OUT WARNINGS
//
// Warnings go to the file WARNINGS, one a line: public items without a doc comment or a category, links without a
// target, types that are used and not exported. `tests/package/reference.test.mjs` requires that there are none.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application, Converter, LogLevel, Logger, PageEvent, ReflectionKind, TSConfigReader } from 'typedoc';

const [out, warningsFile] = process.argv.slice(2);
const folder = fileURLToPath(new URL('../../www/gambol/', import.meta.url));
const pages = 'https://github.com/gambol-player/gambol';
/** The sources of the entries: the scripts of `exports` in package.json that have declarations of their own. */
const { exports: exported } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
const sources = Object.values(exported).flatMap(({ types, default: script }) => {
  const [, name] = /^\.\/dist\/([\w-]+)\.js$/.exec(script) ?? [];
  return name !== undefined && types === `./dist/${name}.d.ts` ? [join(folder, 'src', `${name}.ts`)] : [];
});
/** The categories in the order of the navigation; a doc comment names one with `@category`. */
const CATEGORIES = [
  'Viewers and actors',
  'Loading and models',
  'Clips of other files',
  'Clips from numbers',
  'Playback',
  'Mixing',
  'State machines',
  'Joints',
  'Morphs and expressions',
  'Lips',
  'Sprites and materials',
  'Crowds',
  'Camera',
  'Lighting',
  'Pictures',
  'Recordings',
  'Exports and baked clips',
  'Points on the surface',
  'Augmented and virtual reality',
  'Events',
  'Debug views and statistics',
  'Errors and warnings',
  'Poses without a viewer',
  'Files of other formats',
  'glTF files',
  'Tools for files',
  'The animation doctor',
  'The WebAssembly module',
  'Features',
  'Elements',
  'Attributes',
  'Events of the element',
  'Options and results of the element',
  'Exports',
  'Scene graph',
  'Texts and bar',
  'Augmented reality',
  'Custom element',
  'Names of model-viewer',
];
/** Stands for the site's top folder in links of TypeDoc's frame. */
const SITE = 'site:/';

const warnings = [];
let failed = false;
class Collector extends Logger {
  log(message, level) {
    if (level === LogLevel.Warn) warnings.push(message.replaceAll('\n', ' '));
    if (level !== LogLevel.Error) return;
    failed = true;
    console.error(message);
  }
}

const app = await Application.bootstrap(
  {
    name: 'gambol',
    includeVersion: true,
    entryPoints: sources,
    tsconfig: join(folder, '../../tsconfig.package.json'),
    // The types are checked by tsc.
    skipErrorChecking: true,
    readme: join(folder, 'reference.md'),
    excludeInternal: true,
    // Members of `HTMLElement` and `EventTarget`.
    excludeExternals: true,
    excludePrivate: true,
    excludeProtected: true,
    disableSources: true,
    requiredToBeDocumented: [
      'Variable',
      'Function',
      'Class',
      'Interface',
      'Property',
      'Method',
      'TypeAlias',
      'Enum',
      'EnumMember',
      // Editors show the comment of a getter for its setter, too.
      'GetSignature',
    ],
    validation: { notDocumented: true, notExported: true, invalidLink: true, rewrittenLink: true },
    categorizeByGroup: false,
    categoryOrder: CATEGORIES,
    sort: ['kind', 'alphabetical'],
    navigation: { includeCategories: true, includeGroups: false, includeFolders: false, compactFolders: false },
    visibilityFilters: { inherited: true },
    hideGenerator: true,
    favicon: join(folder, '../demo/favicon.svg'),
    customCss: join(folder, '../demo/learn/api.css'),
    titleLink: `${SITE}index.html`,
    navigationLinks: {
      Learn: `${SITE}learn/index.html`,
      Examples: `${SITE}learn/examples.html`,
      Inspector: `${SITE}inspect.html`,
      Compare: `${SITE}compare.html`,
      GitHub: pages,
    },
  },
  [new TSConfigReader()],
);
app.logger = new Collector();

/** The comment that a page shows for a declaration: its own, or that of its getter or its first signature. */
const commentOf = (one) => one.comment ?? one.getSignature?.comment ?? one.signatures?.[0]?.comment;

/** The category that the comment of a declaration names. */
const categoryOf = (one) => commentOf(one)?.getTag('@category')?.content[0]?.text.trim();

/** Warns of a public item without a category, or with one that is not in the list. */
function checkCategory(one) {
  const category = categoryOf(one);
  if (category === undefined) warnings.push(`${one.getFullName()} has no @category in its doc comment`);
  else if (!CATEGORIES.includes(category)) warnings.push(`${one.getFullName()}: xtask/src/api.mjs has no ${category}`);
}

app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
  for (const one of project.getReflectionsByKind(ReflectionKind.All)) {
    if (one.kindOf(ReflectionKind.Module))
      one.children?.filter((child) => !child.kindOf(ReflectionKind.Reference)).forEach(checkCategory);
    // The page of a class with many members has categories: of all members, or of none.
    if (!one.kindOf(ReflectionKind.ClassOrInterface)) continue;
    const members = one.children?.filter(commentOf) ?? [];
    if (members.some(categoryOf)) members.forEach(checkCategory);
  }
});

/** Entries of the index of the site's search: one for each public item. */
const entries = [];
/** The first paragraph of a comment, as text. */
const summaryOf = (one) =>
  (commentOf(one)?.summary ?? [])
    .map(({ text }) => text)
    .join('')
    .split('\n\n')[0]
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** The mark of the site beside its name, as in the header of the other pages. */
const [MARK] = (await readFile(join(folder, '../demo/partials/header.html'), 'utf8')).match(
  /<svg class="mark"[\s\S]*?<\/svg>/,
);
const THEME =
  '<button class="tsd-widget" id="site-theme" type="button" aria-label="Light or dark theme" title="Light or dark theme">' +
  '<svg width="20" height="20" viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.7"><circle cx="12" cy="12" r="8"/><path fill="currentColor" d="M12 4a8 8 0 0 1 0 16Z"/></svg></button>';

/** Gives a page the header of the site, and the roles and names that its parts lack. */
function finished(html, up) {
  return (
    html
      .replaceAll(`"${SITE}`, `"${up}`)
      .replace(
        /(<a href="[^"]*" class="title")>[^<]*<\/a>/,
        (_, start) => `${start} aria-label="gambol, start page">${MARK}<span>gambol</span></a>`,
      )
      .replace('>Compare</a>', `>Compare</a><a href="${up}api/index.html" aria-current="page">API</a>`)
      .replace('<a href="#" class="tsd-widget menu"', (menu) => `${THEME}${menu}`)
      .replace('<div class="col-content">', '<div class="col-content" role="main">')
      .replace('<div class="col-sidebar">', '<div class="col-sidebar" role="complementary" aria-label="Contents">')
      .replace('<nav id="tsd-sidebar-links"', '<nav id="tsd-sidebar-links" aria-label="Site"')
      // A link in the button that opens a group could not be reached.
      .replaceAll(/<summary[^>]*>[\s\S]*?<\/summary>/g, (summary) =>
        summary.replaceAll(/<a [^>]*class="tsd-anchor-icon"[^>]*>[\s\S]*?<\/a>/g, ''),
      )
  );
}

app.renderer.on(PageEvent.END, (page) => {
  const up = '../'.repeat(page.url.split('/').length);
  page.contents = (page.contents === undefined ? undefined : finished(page.contents, up))
    // The theme of the site's other pages.
    ?.replaceAll('"tsd-theme"', '"gambol-theme"');
  const one = page.model;
  if (!one.parent || one.kindOf(ReflectionKind.Module)) return;
  const add = (item, title, parent) =>
    entries.push({
      url: `../api/${app.renderer.router.getFullUrl(item)}`,
      title,
      text: summaryOf(item),
      kind: 'api',
      page: parent.name,
    });
  add(one, one.name, one.parent);
  for (const member of one.children ?? [])
    if (app.renderer.router.hasUrl(member) && !member.inheritedFrom) add(member, `${one.name}.${member.name}`, one);
});

const project = await app.convert();
if (!project || failed) process.exit(1);
app.validate(project);
await app.generateDocs(project, out);
const script = join(out, 'assets/main.js');
const themed = (await readFile(script, 'utf8')).replaceAll('"tsd-theme"', '"gambol-theme"');
if (!themed.includes('"gambol-theme"')) warnings.push('the script of TypeDoc stores its theme by another name');
/** In TypeDoc's script, the entry of a group in the contents: a link inside of the button that opens the group. */
const GROUP =
  /(\w+)(\.innerHTML='<svg[^']*<\/svg>'),(\w+)\((\w+),\1\)(;let (\w+)=\w+\.appendChild\(document\.createElement\("div"\)\);\6\.className="tsd-accordion-details";let (\w+)=\6\.appendChild\(document\.createElement\("ul"\)\);\7\.className="tsd-nested-navigation";)/;
if (!GROUP.test(themed)) warnings.push('the script of TypeDoc makes groups of its contents in another way');
const parted = themed.replace(
  GROUP,
  (_, summary, icon, add, group, rest, _details, list) =>
    `${summary}${icon},${summary}.append(Object.assign(document.createElement("span"),{textContent:${group}.text}))${rest}` +
    `if(${group}.path)${add}({...${group},text:"Overview"},${list}.appendChild(document.createElement("li")));`,
);
const button = `
document.getElementById("site-theme")?.addEventListener("click",()=>{const dark=matchMedia("(prefers-color-scheme: dark)").matches,now=localStorage.getItem("gambol-theme"),next=(now==="dark"||(now!=="light"&&dark))?"light":"dark",select=document.getElementById("gambol-theme");select.value=next;select.dispatchEvent(new Event("change"))});`;
await writeFile(script, `${parted}${button}`);
await writeFile(join(out, 'search-entries.json'), JSON.stringify(entries));
await writeFile(warningsFile, warnings.map((one) => `${one}\n`).join(''));
if (failed) process.exit(1);
