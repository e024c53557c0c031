// Values of a page in the text of a message.

/** The upper limit of characters of a string that a message repeats. */
const MOST_SHOWN = 200;

/** A value for a message: strings in quotation marks, the kind of objects. It does not throw for any value. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return `“${value.length > MOST_SHOWN ? `${value.slice(0, MOST_SHOWN)}…` : value}”`;
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
    ? described(value)
    : String(value);
}

/** The kind of a value for a message. It does not throw for any value. */
export function described(value: unknown): string {
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  try {
    return Object.prototype.toString.call(value).slice('[object '.length, -1);
  } catch {
    // A getter of the page has thrown.
    return 'object';
  }
}
