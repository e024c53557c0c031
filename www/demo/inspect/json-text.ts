// JSON as text for readers.

/** The number of characters up to which a value is on one line. */
const LINE = 88;

/** JSON in which short objects and lists are on one line. */
export function spaced(value: unknown, indent = ''): string {
  const line = JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ');
  if (typeof value !== 'object' || value === null || indent.length + line.length <= LINE) return line;
  const inner = `${indent}  `;
  const list = Array.isArray(value);
  const parts = list
    ? value.map((each: unknown) => spaced(each, inner))
    : Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${spaced(each, inner)}`);
  const [open, close] = list ? '[]' : '{}';
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`;
}
