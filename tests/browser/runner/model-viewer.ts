// The names that `<model-viewer>` has, read from the sources in its npm package, compared with docs/from-model-viewer.md.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { comparisons } from '../../package/support/model-viewer.mjs';

/** Static accessors and methods of the mixins' classes that are not for pages. */
const INTERNAL = ['is'];

/**
 * The names that are only in the package of `<model-viewer>` in `folder`, or only on the page: `attribute src`, `event load` …
 */
export async function unnamed(root: string, folder: string): Promise<string[]> {
  const there = await namesOf(folder);
  const here = new Set(comparisons(root).flatMap(({ kind, names }) => names.map((name) => `${kind} ${name}`)));
  const isOther = (name: string): boolean =>
    // Other packages, and words that stand for several names.
    /^element effect-composer$|^property or method updateComplete$|^slot (children|hotspot-)/.test(name);
  return [
    ...[...there].filter((name) => !here.has(name)).map((name) => `${name} is not on the page`),
    ...[...here].filter((name) => !there.has(name) && !isOther(name)).map((name) => `${name} is not in the package`),
  ];
}

async function namesOf(folder: string): Promise<Set<string>> {
  const source = join(folder, 'src');
  const files = (await readdir(source, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !name.startsWith('test/'),
  );
  const texts = new Map(
    await Promise.all(files.map(async (name) => [name, await readFile(join(source, name), 'utf8')] as const)),
  );
  const names = new Set<string>();
  const attributes = new Set<string>();
  const add = (kind: string, all: Iterable<RegExpMatchArray>): void => {
    for (const [, name] of all) if (name !== undefined && !INTERNAL.includes(name)) names.add(`${kind} ${name}`);
  };
  for (const [name, text] of texts) {
    const mixin = /^(features\/(?!extra-model)[\w-]+|model-viewer-base)\.ts$/.test(name);
    if (mixin) {
      for (const [, options = '', property = ''] of text.matchAll(/@property\(\s*(\{[^}]*\})?\)\s*(\w+)/g)) {
        const attribute = /attribute: '([\w-]+)'/.exec(options)?.[1] ?? property;
        names.add(`attribute ${attribute}`);
        attributes.add(property);
      }
      // A mixin names its interface, and that of its static members, in its result.
      const [, own, fixed] = /Constructor<(\w+)(?:, (\w+))?>&T =>/.exec(text) ?? [];
      for (const [, title, body = ''] of text.matchAll(/interface (\w+) \{\n([^]*?)\n\}/g)) {
        const kind = title === own ? 'property or method' : title === fixed ? 'static' : undefined;
        if (kind) add(kind, body.matchAll(/^ {2}(?:readonly )?(\w+)(?=[(:?])/gm));
      }
      add('static', text.matchAll(/^ {2,4}static (?:[gs]et )?(\w+)(?=[(:])/gm));
      // The base has no interface; its members are those of the class.
      const base = /^export default class [^]*/m.exec(text)?.[0] ?? '';
      add('property or method', base.matchAll(/^ {2}(?:get |async )?([a-z]\w+)\([^)]*\)[^;]*\{$/gm));
      for (const [, key = ''] of text.matchAll(/dataset\.(\w+)/g))
        names.add(`data of hotspots data-${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
    }
    add('event', text.matchAll(/new CustomEvent(?:<\w+>)?\(\s*'([\w-]+)'/g));
    add('CSS property', text.matchAll(/var\((--[a-z-]+)/g));
    add('element', text.matchAll(/customElements\.define\('([\w-]+)'/g));
  }
  const template = texts.get('template.ts') ?? '';
  add('slot', template.matchAll(/<slot name="([\w-]+)"/g));
  add('part', template.matchAll(/\bpart="([\w-]+)"/g));
  // The page has attributes and their properties in one row, and callbacks of custom elements are not for pages.
  for (const name of names) {
    const [, member = ''] = /^property or method (\w+)$/.exec(name) ?? [];
    if (attributes.has(member) || /Callback$|^(constructor|updated)$/.test(member)) names.delete(name);
  }
  names.delete('element model-viewer');
  return names;
}
