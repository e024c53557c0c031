// Lists that a page hands over.

/** The elements of any list (an array, a typed array, whatever can be iterated), copied; undefined for a value that is no list. */
export function elementsOf(value: unknown): unknown[] | undefined {
  if (typeof value !== 'object' || value === null || !(Symbol.iterator in value)) return undefined;
  // Of a typed array whose buffer is detached the length is 0, but the iterator throws.
  return ArrayBuffer.isView(value) ? Array.prototype.slice.call(value) : [...value as Iterable<unknown>];
}
