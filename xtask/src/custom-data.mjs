// Generates custom data of VS Code (https://github.com/microsoft/vscode-custom-data) from a custom elements manifest.

const PAGE = 'https://github.com/gambol-player/gambol/blob/main/docs/element.md';
const markdown = (value) => ({ kind: 'markdown', value });

/** The string literals of an attribute's type, and the values that `wordsOf` adds. */
function valuesOf({ name, type }, wordsOf) {
  const literals = [...type.text.matchAll(/'([^']+)'/g)].map(([, word]) => word);
  return [...new Set([...literals, ...wordsOf(name)])];
}

/** HTML custom data: elements, attributes and their values. `wordsOf(name)` returns further values of an attribute. */
export function htmlData(declarations, wordsOf) {
  const attribute = (tagName) => (one) => {
    const values = valuesOf(one, tagName === 'gambol-viewer' ? wordsOf : () => []);
    const facts = [one.default && `Default: \`${one.default.replaceAll("'", '')}\`.`, `Type: \`${one.type.text}\`.`]
      .filter(Boolean)
      .join(' ');
    return {
      name: one.name,
      description: markdown([one.description, facts].filter(Boolean).join('\n\n')),
      // `v` is the editor's set for attributes without a value.
      ...(one.type.text === 'boolean'
        ? { valueSet: 'v' }
        : values.length > 0 && { values: values.map((word) => ({ name: word })) }),
    };
  };
  const tags = declarations.map(({ tagName, description, attributes }) => ({
    name: tagName,
    ...(description && { description: markdown(description) }),
    attributes: attributes.map(attribute(tagName)),
    references: [{ name: 'Documentation', url: PAGE }],
  }));
  return { version: 1.1, tags };
}

/** CSS custom data: custom properties, and the parts that `::part()` selects. */
export function cssData(declarations) {
  const all = (key) => declarations.flatMap((one) => one[key] ?? []);
  return {
    version: 1.1,
    properties: all('cssProperties').map(({ name, description, default: fallback }) => ({
      name,
      description: markdown(`${description}\n\nDefault: \`${fallback}\`.`),
      references: [{ name: 'Documentation', url: `${PAGE}#style` }],
    })),
    pseudoElements: all('cssParts').map(({ name, description }) => ({
      name: `::part(${name})`,
      description: markdown(description),
    })),
    pseudoClasses: all('cssStates').map(({ name, description }) => ({
      name: `:state(${name})`,
      description: markdown(description),
    })),
  };
}
