// Lists that a page passes.

/** A copy of the elements of a list (an array, a typed array, any iterable); undefined for a value that is not a list. */
export function elementsOf(value: unknown): unknown[] | undefined {
  if (typeof value !== 'object' || value === null || !(Symbol.iterator in value)) return undefined;
  // The iterator of a typed array with a detached buffer throws, so `slice` is used, for which its length is 0.
  return ArrayBuffer.isView(value) ? Array.prototype.slice.call(value) : [...(value as Iterable<unknown>)];
}
