// Names that are not there, and those that may have been meant.

/** How many of the names that there are a message lists. */
const LISTED = 8;
/** So many are compared, and so many letters of each: who has more of them gets no help. */
const [MOST, LONGEST] = [2000, 64];

/**
 * The end of a sentence that says that a name is not there: those that are nearest, and those that there are.
 *
 * - `none`: what is said if there are no names.
 */
export function choices(asked: string | number, names: readonly string[], none = 'it has none'): string {
  if (names.length === 0) return `; ${none}.`;
  const quoted = (list: readonly string[]): string => list.map((name) => `“${name}”`).join(', ');
  const all = `${quoted(names.slice(0, LISTED))}${names.length > LISTED ? ' …' : ''}`;
  const near = typeof asked === 'string' ? nearest(asked, names) : [];
  if (near.length === 0) return `; it has ${all}.`;
  return `; did you mean ${near.map((name) => `“${name}”`).join(' or ')}? It has ${all}.`;
}

/** The names that are most like one, at most three, the nearest first. Prefixes before a `:`, case and separators do not count. */
export function nearest(asked: string, names: readonly string[]): string[] {
  const wanted = essence(asked);
  if (wanted.length === 0) return [];
  const most = Math.max(1, Math.floor(wanted.length / 3));
  const found: { readonly name: string; readonly distance: number }[] = [];
  for (const name of new Set(names.slice(0, MOST))) {
    const known = essence(name);
    const distance = editDistance(wanted, known);
    // A part of a name is no typo, and may be meant all the same.
    const part = wanted.length >= 3 && known.length >= 3 && (known.includes(wanted) || wanted.includes(known));
    if (distance <= most) found.push({ name, distance });
    else if (part) found.push({ name, distance: most + distance });
  }
  return found.sort((a, b) => a.distance - b.distance).slice(0, 3).map(({ name }) => name);
}

function essence(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1).toLowerCase().replace(/[^\p{L}\p{N}]/gu, '').slice(0, LONGEST);
}

/** How many letters are inserted, left out, replaced or swapped with their neighbour (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + Number(!same));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, (before[j - 2] ?? 0) + 1);
      row.push(least);
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
