// Lists that a page hands over.

/** The elements of any list (an array, a typed array, whatever can be iterated), copied; undefined for a value that is no list. */
export function elementsOf(value: unknown): unknown[] | undefined {
  return typeof value === 'object' && value !== null && Symbol.iterator in value ? [...value as Iterable<unknown>] : undefined;
}
