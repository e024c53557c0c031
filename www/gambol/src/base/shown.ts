// Values of a page in the text of a message.

/** The most letters of a text that a message repeats. */
const MOST_SHOWN = 200;

/** A value for a sentence: texts in quotation marks, of objects the kind. Reading it must not throw, whatever a page passes. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return `“${value.length > MOST_SHOWN ? `${value.slice(0, MOST_SHOWN)}…` : value}”`;
  return typeof value === 'object' && value !== null || typeof value === 'function' ? described(value) : String(value);
}

/** The kind of a value, for a sentence. Reading it must not throw, whatever a page passes. */
export function described(value: unknown): string {
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  try {
    return Object.prototype.toString.call(value).slice('[object '.length, -1);
  } catch {
    // A getter of the page.
    return 'object';
  }
}
