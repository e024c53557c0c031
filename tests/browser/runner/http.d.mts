import type { IncomingMessage, ServerResponse } from 'node:http';

/** A server that runs. */
export interface Listening {
  /** Its address, without a path. */
  readonly origin: string;
  /** Closes it and its connections. */
  stop(): Promise<void>;
}

/** An answer: the path of the request and the size of the sent body, in bytes. */
export interface Sent {
  readonly path: string;
  readonly bytes: number;
}

export interface Serving extends Listening {
  /** The answers since the last {@link forget}. */
  readonly sent: readonly Sent[];
  forget(): void;
}

export function typeOf(path: string): string;
export function listen(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<unknown>,
): Promise<Listening>;
/** `contentOf`: text or bytes; undefined for a path without a file. */
export function serve(
  contentOf: (path: string) => Promise<string | Uint8Array | undefined> | string | undefined,
  options?: { readonly compressed?: boolean },
): Promise<Serving>;
