// Generates the types of the elements in markup, from a custom elements manifest: `dist/types/attributes.d.ts`, of which
// `www/gambol/types` makes the types of frameworks.
//
// They are written out, because TypeScript keeps no comment for a property of a mapped type that is renamed, and an
// editor would show no description.

/** Properties of the viewer without an attribute, which the frameworks set, too. */
const PROPERTIES = ['srcObject', 'entityTransform'];

const capital = (name) => name.replace(/^./, (letter) => letter.toUpperCase());
const camel = (name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());

/** An interface from the tags to types. */
function byTag(name, comment, declarations, typeOf) {
  const lines = declarations.map((one) => `  '${one.tagName}': ${typeOf(one)};\n`);
  return `/** ${comment} */\nexport interface ${name} {\n${lines.join('')}}\n`;
}

/** An interface whose properties have comments. */
function type(name, comment, properties) {
  const lines = properties.map(
    ({ key, value, description }) => `  /** ${description.replaceAll('*/', '*\\/')} */\n  '${key}'?: ${value};\n`,
  );
  return `/** ${comment} */\nexport interface ${name} {\n${lines.join('')}}\n`;
}

export function markupTypes(declarations) {
  const imports = ['ElementEventDetails', 'ElementEventMap', ...declarations.map(({ name }) => name)];
  const elements = declarations.flatMap(({ name, tagName, attributes, members }) => {
    const fields = members.filter((one) => one.kind === 'field' && !one.static && !one.readonly);
    const others = name === 'GambolViewer' ? fields.filter((one) => PROPERTIES.includes(one.name)) : [];
    return [
      type(`${name}Markup`, `\`<${tagName}>\`, by the names of its attributes.`, [
        ...attributes.map((one) => ({
          ...one,
          key: one.name,
          value: `Written<${name}['${one.fieldName}']> | undefined`,
        })),
        ...others.map((one) => ({ ...one, key: one.name, value: `${name}['${one.name}'] | undefined` })),
      ]),
      type(
        `${name}Properties`,
        `Properties of \`<${tagName}>\`, as Solid writes them.`,
        fields.map((one) => ({ ...one, key: `prop:${one.name}`, value: `${name}['${one.name}']` })),
      ),
    ];
  });
  // Those of children have the same names.
  const viewer = declarations.find(({ tagName }) => tagName === 'gambol-viewer');
  const events = viewer.events.filter(({ type }) => type.text !== 'CustomEvent');
  const listeners = (name, comment, keyOf) =>
    type(
      name,
      comment,
      events.map((one) => ({ ...one, key: keyOf(one.name), value: `Listener<'${one.name}'>` })),
    );
  const loaders = declarations.filter(({ tagName, events }) => events && tagName !== 'gambol-viewer');
  return [
    '// The elements in markup, generated from the doc comments of the package and from docs/element.md.\n',
    `import type { ${imports.join(', ')} } from '../element.js';\n`,
    `/** A flag may be written as an empty attribute, a number as text. */
type Written<Value> =
  | Exclude<Value, null>
  | (true extends Value ? '' : never)
  | (number extends Value ? \`\${number}\` : never);
`,
    `/** The names of the element's events. */
export type EventName = keyof ElementEventDetails & string;
/** A listener of an event. */
export type Listener<Name extends EventName> = ((event: ElementEventMap[Name]) => void) | undefined;
`,
    `/** The element that dispatches all events. */
export type Dispatcher = 'gambol-viewer';
/** The children that load a model; they dispatch \`load\` and \`error\`. The others dispatch no events. */
export type Loader = ${loaders.map(({ tagName }) => `'${tagName}'`).join(' | ')};
`,
    byTag('Classes', 'The classes of the elements.', declarations, ({ name }) => name),
    byTag('Attributes', 'The attributes of the elements.', declarations, ({ name }) => `${name}Markup`),
    byTag(
      'Properties',
      'The properties of the elements, as Solid writes them.',
      declarations,
      ({ name }) => `${name}Properties`,
    ),
    ...elements,
    listeners('Handlers', 'Listeners by the names of events as they are dispatched.', (name) => `on${name}`),
    listeners(
      'Directives',
      'Listeners as Solid and components in Svelte’s legacy mode write them.',
      (name) => `on:${name}`,
    ),
    listeners('CamelHandlers', 'Listeners as Vue has them: `@camera-change`.', (name) => `on${capital(camel(name))}`),
  ].join('\n');
}
