export interface Comparison {
  readonly kind: string;
  readonly names: readonly string[];
  readonly here: 'same' | 'other' | 'missing';
  readonly difference: string;
}
export function comparisons(root: string): Comparison[];
