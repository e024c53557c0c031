// Describes the elements for editors: custom-elements.json (https://github.com/webcomponents/custom-elements-manifest),
// and, generated from it, custom data of VS Code for HTML and CSS, and types of the elements in markup.
//
//     node manifest.mjs dist docs/element.md
//
// Types, members and their descriptions come from the declarations that ship, and defaults from the elements at run
// time. The rest comes from the tables of docs/element.md. It is an error if an attribute is in one of the three and
// not in another.

import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { cssData, htmlData } from './custom-data.mjs';
import { markupTypes } from './markup.mjs';

const [dist, doc] = process.argv.slice(2);

// Stubs of the DOM that suffice to define the elements.
class HTMLElement {}
const defined = new Map();
Object.assign(globalThis, {
  HTMLElement,
  customElements: { get: (name) => defined.get(name), define: (name, element) => defined.set(name, element) },
});
const load = async (name) => Object.entries(await import(pathToFileURL(join(dist, name))));
// Some child elements are defined with the lazy script of children.
const lazy = (await readdir(dist)).find((name) => /^child-sync-.*\.js$/.test(name));
const exported = [...(await load('element.js')), ...(await load(lazy))];
const text = await readFile(doc, 'utf8');

const program = ts.createProgram([join(dist, 'element.d.ts')], {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  strict: true,
  types: [],
});
const checker = program.getTypeChecker();
const entry = program.getSourceFile(join(dist, 'element.d.ts'));
const symbols = new Map(
  checker
    .getExportsOfModule(checker.getSymbolAtLocation(entry))
    .map((symbol) => [symbol.name, symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol]),
);

const faults = [];
const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
/** Attributes of W3C's `<model>`: other names for attributes that are described. */
const ALIASES = ['stagemode', 'environmentmap'];

// ---- words

/** The text between a heading and the next one. */
const section = (title) =>
  text.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? (faults.push(`${doc} has no part “${title}”`), '');
/** The cells of the rows of the tables whose first columns are `columns`, or of all tables. */
function rows(part, ...columns) {
  const tables = part.split('\n\n').filter((block) => block.startsWith(`| ${columns.join(' | ')}`));
  return tables.flatMap((table) =>
    table
      .split('\n')
      .filter((line) => /^\| [`(]/.test(line))
      .map((line) =>
        line
          .split(/(?<!\\)\|/)
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ),
  );
}
/** The texts in backticks. */
const names = (cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
const described = (description) => (description ? { description } : {});
const wordsOf = (symbol) =>
  ts
    .displayPartsToString(symbol.getDocumentationComment(checker))
    .replace(/\{@link ([\w.]+)\}/g, '`$1`')
    .replaceAll('\n', ' ');

// ---- types

/** A type with the names of unions resolved: `'auto' | 'lazy'` in place of `Loading`. */
function typeText(type) {
  // The compiler represents `boolean` as a union of `false` and `true`.
  const members = type.isUnion() ? type.types : [type];
  const flags = members.filter((one) => one.flags & ts.TypeFlags.BooleanLiteral);
  const others = members.filter((one) => !flags.includes(one));
  const literal = (one) =>
    one.isStringLiteral() ? `'${one.value}'` : checker.typeToString(one, undefined, ts.TypeFormatFlags.NoTruncation);
  const words = others.map(literal).sort((a, b) => (a === 'null') - (b === 'null'));
  return [...(flags.length === 2 ? ['boolean'] : flags.map(literal)), ...words].join(' | ');
}

const ownTypes = (one) =>
  one.getSourceFile().fileName.includes('/dist/') && !program.isSourceFileDefaultLibrary(one.getSourceFile());
const isMethod = (symbol) => (symbol.flags & ts.SymbolFlags.Method) !== 0;
const HIDDEN = /Callback$|^(addEventListener|removeEventListener|observedAttributes|prototype|constructor)$/;

function member(symbol, at, extra) {
  const { name } = symbol;
  const type = checker.getTypeOfSymbolAtLocation(symbol, at);
  const base = { name, ...described(wordsOf(symbol)), ...extra };
  if (!isMethod(symbol)) {
    const settable = !(symbol.flags & ts.SymbolFlags.GetAccessor) || symbol.flags & ts.SymbolFlags.SetAccessor;
    return { kind: 'field', ...base, type: { text: typeText(type) }, ...(settable ? {} : { readonly: true }) };
  }
  const [signature] = type.getCallSignatures();
  const parameters = signature.getParameters().map((parameter) => {
    const { valueDeclaration: declaration } = parameter;
    return {
      // A pattern has no name of its own.
      name: ts.isIdentifier(declaration.name) ? parameter.name : 'options',
      type: { text: typeText(checker.getNonNullableType(checker.getTypeOfSymbolAtLocation(parameter, at))) },
      ...(declaration.questionToken || declaration.initializer ? { optional: true } : {}),
    };
  });
  return {
    kind: 'method',
    ...base,
    ...(parameters.length > 0 && { parameters }),
    return: { type: { text: typeText(signature.getReturnType()) } },
  };
}

/** The public members of a class, own or inherited from one of our classes. */
function members(symbol) {
  const at = symbol.valueDeclaration;
  const shown = (one) =>
    !HIDDEN.test(one.name) &&
    one.declarations?.some(ownTypes) &&
    !one.declarations.some(
      (declaration) =>
        ts.getCombinedModifierFlags(declaration) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected) ||
        ts.isPrivateIdentifier(declaration.name ?? declaration),
    );
  const own = checker
    .getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol))
    .filter(shown)
    .map((one) => member(one, at));
  const fixed = checker
    .getPropertiesOfType(checker.getTypeOfSymbol(symbol))
    .filter(shown)
    .map((one) => member(one, at, { static: true }));
  return [...fixed, ...own].sort((a, b) => a.name.localeCompare(b.name));
}

// ---- attributes

const table = new Map(
  rows(section('Attributes'), 'attribute').flatMap(([cell, values]) => names(cell).map((name) => [name, { values }])),
);

/** The value of a property on an element without attributes. */
function defaultOf(element, name) {
  const { get, enumerable } = Object.getOwnPropertyDescriptor(element.prototype, name) ?? {};
  // Accessors that only read their attribute are enumerable. The others, written out in the class, need a complete
  // element.
  const value = enumerable ? get?.call({ getAttribute: () => null }) : null;
  return value === null || value === undefined || value === ''
    ? {}
    : { default: typeof value === 'string' ? `'${value}'` : String(value) };
}

function attribute(element, field) {
  const fallback = defaultOf(element, field.name);
  // Null means that there is no attribute. The default comes first among the words.
  const types = field.type.text
    .split(' | ')
    .filter((one) => one !== 'null')
    // The text of an object is JSON.
    .map((one) => (/^[A-Z]/.test(one) ? 'string' : one))
    .sort((a, b) => (b === fallback.default) - (a === fallback.default));
  return {
    name: kebab(field.name),
    fieldName: field.name,
    type: { text: types.join(' | ') },
    ...fallback,
    ...described(field.description),
  };
}

/** The fields that are also attributes: those of `ViewerAttributes` for `GambolViewer`. */
function reflected(className, fields) {
  const attributes = symbols.get(className.replace(/^Gambol(.*)$/, '$1Attributes'));
  const known = new Set(
    checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(attributes)).map(({ name }) => name),
  );
  return fields.filter(({ name }) => known.has(name));
}

function attributesOf(tagName, className, element, fields) {
  const own = reflected(className, fields);
  if (tagName !== 'gambol-viewer') {
    const line =
      children.split('\n- ').find((one) => one.startsWith(`\`<${tagName}>\``)) ??
      (faults.push(`${doc} says nothing of <${tagName}>`), '');
    for (const { name } of own)
      if (!line.includes(`\`${kebab(name)}\``)) faults.push(`${doc} does not name ${kebab(name)} of <${tagName}>`);
    return own.map((field) => attribute(element, field));
  }
  const all = own.map((field) => attribute(element, field));
  all.push({
    name: 'current-time',
    fieldName: 'currentTime',
    type: { text: 'number' },
    default: '0',
    description: 'Seconds of the clip where playing begins.',
  });
  const observed = new Set(element.observedAttributes.filter((name) => !ALIASES.includes(name)));
  for (const name of observed) if (!table.has(name)) faults.push(`${doc} does not name the attribute ${name}`);
  for (const name of table.keys())
    if (!observed.has(name)) faults.push(`${doc} names the attribute ${name}, which the element does not have`);
  for (const { name } of all) if (!observed.has(name)) faults.push(`the element does not observe ${name}`);
  for (const name of observed)
    if (!all.some((one) => one.name === name))
      faults.push(`the element observes ${name}, which the declarations do not have`);
  return all;
}

// ---- elements

const children = section('Children');

function eventsOf() {
  const details = symbols.get('ElementEventDetails');
  const known = new Map(
    checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(details)).map((symbol) => [symbol.name, symbol]),
  );
  const said = rows(section('Events'), 'event').flatMap(([cell, detail]) => names(cell).map((name) => [name, detail]));
  for (const name of known.keys())
    if (!said.some(([other]) => other === name)) faults.push(`${doc} does not name the event ${name}`);
  return said.map(([name, detail]) => {
    const symbol = known.get(name);
    const type = symbol ? `CustomEvent<ElementEventDetails['${name}']>` : 'CustomEvent';
    // The text before the semicolon lists the fields of `detail`; the text behind it repeats the declaration's
    // description.
    const fields = detail.split(';')[0].trim();
    const description = [symbol && wordsOf(symbol), fields && `\`detail\`: ${fields}.`].filter(Boolean).join(' ');
    return { name, type: { text: type }, ...described(description) };
  });
}

/** The events of an element that adds a model: the base class of those dispatches them. */
function modelChildEvents(symbol) {
  const bases = checker.getDeclaredTypeOfSymbol(symbol).getBaseTypes?.() ?? [];
  if (!bases.some((base) => base.symbol.name === 'ModelChild')) return {};
  const details = checker.getDeclaredTypeOfSymbol(symbols.get('ModelChildEventDetails'));
  const events = checker.getPropertiesOfType(details).map((one) => ({
    name: one.name,
    type: { text: `CustomEvent<ModelChildEventDetails['${one.name}']>` },
    ...described(wordsOf(one)),
  }));
  for (const { name } of events)
    if (!children.includes(`\`${name}\``)) faults.push(`${doc} does not name the event ${name} of ${symbol.name}`);
  return { events };
}

function viewerOnly() {
  const style = section('Style');
  return {
    events: eventsOf(),
    // The row without a name is that of the default slot.
    slots: rows(children, 'slot').flatMap(([cell, description]) =>
      (cell.includes('`') ? names(cell) : ['']).map((name) => ({ name, description })),
    ),
    cssParts: rows(style, 'part').flatMap(([cell, description]) => names(cell).map((name) => ({ name, description }))),
    cssProperties: rows(style, 'property').map(([cell, value, fallback, description]) => ({
      name: names(cell)[0],
      default: fallback.replaceAll('`', ''),
      description: [description, `(${value.replaceAll('`', '')})`].filter(Boolean).join(' '),
    })),
    cssStates: rows(style, 'state').map(([cell, description]) => ({
      name: names(cell)[0].replace(/^:state\((.*)\)$/, '$1'),
      description: `While ${description}.`,
    })),
  };
}

const declarations = [...defined].map(([tagName, element]) => {
  const name =
    exported.find(([, value]) => value === element)?.[0] ?? faults.push(`the class of <${tagName}> is not exported`);
  const symbol = symbols.get(name);
  const fields = members(symbol);
  const attributes = attributesOf(tagName, name, element, fields);
  for (const field of fields) {
    const one = attributes.find(({ fieldName }) => fieldName === field.name);
    if (one)
      Object.assign(field, { attribute: one.name, reflects: true, ...(one.default && { default: one.default }) });
  }
  return {
    kind: 'class',
    customElement: true,
    name,
    tagName,
    superclass: { name: 'HTMLElement', package: 'global:' },
    ...described(wordsOf(symbol)),
    attributes,
    members: fields,
    ...(tagName === 'gambol-viewer' ? viewerOnly() : modelChildEvents(symbol)),
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
const manifest = { schemaVersion: '2.1.0', modules: [{ kind: 'javascript-module', path, declarations, exports }] };
/** Words that the documentation names as values of attributes whose type is any text. */
const wordsOfValues = (name) =>
  names(table.get(name)?.values ?? '').filter((word) => /^(\*|[A-Za-z][\w-]*)$/.test(word) && !table.has(word));
const files = {
  'custom-elements.json': manifest,
  'vscode.html-custom-data.json': htmlData(declarations, wordsOfValues),
  'vscode.css-custom-data.json': cssData(declarations),
};
for (const [name, content] of Object.entries(files))
  await writeFile(join(dist, name), `${JSON.stringify(content, null, 1)}\n`);
await mkdir(join(dist, 'types'), { recursive: true });
await writeFile(join(dist, 'types/attributes.d.ts'), markupTypes(declarations));
