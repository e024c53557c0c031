export interface CodeBlock {
  readonly document: string;
  /** The line of the first line of code. */
  readonly line: number;
  readonly language: string;
  readonly code: string;
  /** The comment before the block, or an empty text. */
  readonly mark: string;
}
export function documents(root: string): string[];
export function codeBlocks(root: string): CodeBlock[];
