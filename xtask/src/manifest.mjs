// Writes custom-elements.json (https://github.com/webcomponents/custom-elements-manifest) of the elements as they are built,
// with the words of docs/element.md. What the element has and the text does not, or the other way round, is an error.
//
//     node manifest.mjs dist/element.js docs/element.md custom-elements.json

import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

const [script, doc, to] = process.argv.slice(2);

// Enough of a page that the elements are defined.
class HTMLElement {}
const defined = new Map();
Object.assign(globalThis, { HTMLElement, customElements: { get: (name) => defined.get(name), define: (name, element) => defined.set(name, element) } });
const exported = Object.entries(await import(pathToFileURL(script)));
const text = await readFile(doc, 'utf8');

const faults = [];
const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const camel = (name) => name.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase());
/** The text between a heading and the next one. */
const section = (title) => text.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? (faults.push(`${doc} has no part “${title}”`), '');
/** The cells of the rows of tables. */
const rows = (part) => part.split('\n').filter((line) => /^\| `/.test(line)).map((line) => line.split(/(?<!\\)\|/).slice(1, -1).map((cell) => cell.trim()));
/** What stands in backticks. */
const names = (cell, pattern = /`([^`]+)`/g) => [...cell.matchAll(pattern)].map(([, name]) => name);

/** What of a class is public, which is what the text names: fields that are accessors, and methods. */
function members(element) {
  const found = new Map();
  for (let proto = element.prototype; proto && proto !== HTMLElement.prototype; proto = Object.getPrototypeOf(proto)) {
    for (const [name, { get, set, value }] of Object.entries(Object.getOwnPropertyDescriptors(proto))) {
      if (name === 'constructor' || /Callback$/.test(name) || found.has(name)) continue;
      if (![name, kebab(name)].some((word) => new RegExp(`\`[^\`\n]*(?<![\\w-])${word}(?![\\w-])`).test(text))) continue;
      if (typeof value === 'function') found.set(name, { kind: 'method', name });
      else if (get) found.set(name, { kind: 'field', name, ...(set ? {} : { readonly: true }) });
    }
  }
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name));
}

const documented = new Map(rows(section('Attributes')).flatMap(([cell, type, value, description]) => (
  names(cell).map((name) => [name, { name, type: { text: type.replaceAll('`', '') }, ...(value && { default: value.replaceAll('`', '') }), ...(description && { description }) }])
)));
const children = section('Children');

const declarations = [...defined].map(([tagName, element]) => {
  const fields = members(element);
  const name = exported.find(([, value]) => value === element)?.[0] ?? faults.push(`the class of <${tagName}> is not exported`);
  const declaration = { kind: 'class', customElement: true, name, tagName, superclass: { name: 'HTMLElement', package: 'global:' }, members: fields };
  if (tagName !== 'gambol-viewer') {
    const line = children.split('\n- ').find((one) => one.startsWith(`\`<${tagName}>\``));
    if (!line) faults.push(`${doc} says nothing of <${tagName}>`);
    const attributes = fields.filter(({ kind, readonly }) => kind === 'field' && !readonly).map(({ name }) => ({ name: kebab(name), fieldName: name }));
    for (const { name } of attributes) if (line && !line.includes(`\`${name}\``)) faults.push(`${doc} does not name ${name} of <${tagName}>`);
    return { ...declaration, ...(line && { description: line.replaceAll('\n', ' ').trim() }), attributes };
  }
  // Of W3C's <model> there are two more names for attributes.
  const known = element.observedAttributes.filter((name) => !['stagemode', 'environmentmap'].includes(name));
  for (const name of known) if (!documented.has(name)) faults.push(`${doc} does not name the attribute ${name}`);
  for (const name of documented.keys()) if (!known.includes(name)) faults.push(`${doc} names the attribute ${name}, which the element does not have`);
  const style = section('Style');
  const [parts = '', properties = '', states = ''] = style.split(/\n(?:Properties|States): /);
  return {
    ...declaration,
    attributes: known.map((name) => ({ ...documented.get(name), name, ...(fields.some((field) => field.name === camel(name)) && { fieldName: camel(name) }) })),
    events: rows(section('Events')).flatMap(([cell, detail]) => names(cell).map((name) => (
      { name, type: { text: 'CustomEvent' }, ...(detail && { description: `detail: ${detail}` }) }
    ))),
    slots: names(children, /slot="([^"]+)"/g).filter((name, i, all) => all.indexOf(name) === i && !/hotspot-[a-z]/.test(name)).map((name) => ({ name })),
    cssParts: names(parts).map((name) => ({ name })),
    cssProperties: names(properties).filter((name) => name.startsWith('--')).map((name) => ({ name })),
    cssStates: names(states).map((name) => ({ name: name.replace(/^:state\((.*)\)$/, '$1') })),
  };
});
if (!defined.has('gambol-viewer')) faults.push('no <gambol-viewer> is defined');
if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exit(1);
}

const path = 'dist/element.js';
const exports = declarations.flatMap(({ name, tagName }) => [
  { kind: 'js', name, declaration: { name, module: path } },
  { kind: 'custom-element-definition', name: tagName, declaration: { name, module: path } },
]);
await writeFile(to, `${JSON.stringify({ schemaVersion: '2.1.0', modules: [{ kind: 'javascript-module', path, declarations, exports }] }, null, 1)}\n`);
