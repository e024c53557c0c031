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

/** A speed as people write it: `1×`, `−0.5×`. */
export function speed(rate: number): string {
  return `${String(Math.round(rate * 1000) / 1000).replace('-', '−')}×`;
}
