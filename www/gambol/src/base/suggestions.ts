// Suggestions for names that do not exist.

/** The upper limit of existing names in a message. */
const LISTED = 8;
/** The upper limits of compared names and of their characters, which bound the time. */
const [MOST, LONGEST] = [2000, 64];

/**
 * The end of a message about a name that does not exist: the most similar names, and the existing names.
 *
 * - `none`: the text if there are no names.
 */
export function choices(name: string | number, names: readonly string[], none = 'it has none'): string {
  if (names.length === 0) return `; ${none}.`;
  const quoted = (list: readonly string[]): string => list.map((name) => `“${name}”`).join(', ');
  const all = `${quoted(names.slice(0, LISTED))}${names.length > LISTED ? ' …' : ''}`;
  const near = typeof name === 'string' ? nearest(name, names) : [];
  if (near.length === 0) return `; it has ${all}.`;
  return `; did you mean ${near.map((name) => `“${name}”`).join(' or ')}? It has ${all}.`;
}

/** The most similar names, at most three, the nearest first. Prefixes before a `:`, case and separators are ignored. */
export function nearest(name: string, names: readonly string[]): string[] {
  const wanted = normalized(name);
  if (wanted.length === 0) return [];
  const most = Math.max(1, Math.floor(wanted.length / 3));
  const found: { readonly name: string; readonly distance: number }[] = [];
  for (const name of new Set(names.slice(0, MOST))) {
    const known = normalized(name);
    const distance = editDistance(wanted, known);
    // A substring has a large edit distance, but is a good suggestion, too.
    const part = wanted.length >= 3 && known.length >= 3 && (known.includes(wanted) || wanted.includes(known));
    if (distance <= most) found.push({ name, distance });
    else if (part) found.push({ name, distance: most + distance });
  }
  return found
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}

function normalized(name: string): string {
  return name
    .slice(name.lastIndexOf(':') + 1)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .slice(0, LONGEST);
}

/** The edit distance: insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + Number(!same));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] ?? 0) + 1);
      row.push(least);
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
