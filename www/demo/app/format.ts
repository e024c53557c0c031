/** Seconds with two decimals; a minus sign never appears before nothing. */
export function seconds(time: number): string {
  return Math.max(0, time).toFixed(2);
}

/** Thousands apart, as the reader's language has them. */
export function count(value: number): string {
  return value.toLocaleString();
}

export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

export function percent(ratio: number): string {
  return `${Math.round(ratio * 100)} %`;
}

/** What to call a file by its address. */
export function nameOf(url: string): string {
  return url.split(/[?#]/)[0]?.split('/').pop() || url;
}
