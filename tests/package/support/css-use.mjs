// The features that a style sheet names, by their paths in @mdn/browser-compat-data.

import * as css from 'css-tree';
import { compat, feature } from './compat.mjs';

/** Types and functions of values, by their names: `color-mix` is `css.types.color.color-mix`. */
const VALUES = new Map();
const index = (node, path) => {
  for (const [key, value] of Object.entries(node)) {
    if (key === '__compat' || typeof value !== 'object' || value === null) continue;
    if (value.__compat && !VALUES.has(key))
      VALUES.set(key, { path: [...path, key].join('.'), support: value.__compat.support });
    index(value, [...path, key]);
  }
};
index(compat.css.types, ['css', 'types']);

/** Every feature of the sheet but those inside of `@supports`, which ask first: its path, and the lines. */
export function cssUse(text) {
  const found = new Map();
  const add = (node, one) => {
    if (one) found.set(one.path, { ...one, places: [...(found.get(one.path)?.places ?? []), node.loc?.start.line] });
  };
  const asks = [];
  css.walk(css.parse(text, { positions: true, parseCustomProperty: true }), {
    enter(node) {
      if (node.type === 'Atrule' && css.keyword(node.name).basename === 'supports') asks.push(node);
      if (asks.length > 0) return;
      if (node.type === 'Atrule') add(node, feature('css', 'at-rules', node.name));
      if (node.type === 'Feature') add(node, feature('css', 'at-rules', 'media', node.name));
      if (node.type === 'PseudoClassSelector' || node.type === 'PseudoElementSelector')
        add(node, feature('css', 'selectors', node.name));
      if (node.type === 'Function') add(node, VALUES.get(node.name));
      if (node.type === 'Declaration' && !node.property.startsWith('-')) {
        add(node, feature('css', 'properties', node.property));
        css.walk(node.value, (value) => {
          if (value.type === 'Identifier') add(node, feature('css', 'properties', node.property, value.name));
        });
      }
    },
    leave(node) {
      if (asks.at(-1) === node) asks.pop();
    },
  });
  return found;
}
