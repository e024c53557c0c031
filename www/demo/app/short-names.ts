// Short names for lists: without the part with which most names of the list begin.

/** The characters that end a namespace, such as `Armature|Walk` and `mixamorig:Hips`. */
const NAMESPACE = /[|:/]/;
/** Other characters after which a name may be cut. */
const SEPARATOR = /[_\s.-]/;
/** The least length of a prefix that is no namespace. A shorter one may be a word of its own. */
const LEAST = 8;

/**
 * The names without the longest prefix that at least two thirds of them share. Names that would be empty, or equal to another one of
 * the list, stay whole.
 */
export function shortNames(names: readonly string[]): string[] {
  const prefix = commonPrefix(names);
  const short = names.map((name) =>
    name.startsWith(prefix) && name.length > prefix.length ? name.slice(prefix.length) : name,
  );
  const counts = new Map<string, number>();
  for (const name of short) counts.set(name, (counts.get(name) ?? 0) + 1);
  return short.map((name, i) => ((counts.get(name) ?? 0) > 1 ? (names[i] ?? name) : name));
}

function commonPrefix(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of new Set(names))
    for (const end of ends(name)) counts.set(name.slice(0, end), (counts.get(name.slice(0, end)) ?? 0) + 1);
  const least = Math.max(2, (2 * new Set(names).size) / 3);
  let best = '';
  for (const [prefix, count] of counts) if (count >= least && prefix.length > best.length) best = prefix;
  return best;
}

/** The lengths of the prefixes at which a name may be cut. */
function ends(name: string): number[] {
  const found: number[] = [];
  for (let i = 1; i < name.length; i++) {
    const [before = '', after = ''] = [name[i - 1], name[i]];
    if (NAMESPACE.test(before)) found.push(i);
    else if (i >= LEAST && (SEPARATOR.test(before) || (/[\p{Ll}\d]/u.test(before) && /\p{Lu}/u.test(after))))
      found.push(i);
  }
  return found;
}
