/** Seconds with two decimals; negative times become 0. */
export function seconds(time: number): string {
  return Math.max(0, time).toFixed(2);
}

/** A number with thousands separators of the user's language. */
export function count(value: number): string {
  return value.toLocaleString();
}

export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

export function percent(ratio: number): string {
  return `${Math.round(ratio * 100)} %`;
}

/** The name of a file, from its URL. */
export function nameOf(url: string): string {
  return url.split(/[?#]/)[0]?.split('/').pop() || url;
}

export function byteSize(size: number): string {
  if (size < 10_000) return `${count(size)} B`;
  return size < 10_000_000 ? `${count(Math.round(size / 1000))} kB` : `${count(Math.round(size / 1e6))} MB`;
}
