/** A message of the frame that runs an example. */
export type Message =
  | { readonly kind: 'ready' }
  | { readonly kind: 'error' | 'warn' | 'log'; readonly text: string; readonly line?: number | undefined };
