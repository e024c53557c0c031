// What the runner needs of a browser.

import type { Action } from '../protocol.ts';

export interface Driver {
  /** The browser's own version. */
  readonly version: string;
  /** Starts to load an address in a fresh document; does not wait for it. */
  open(url: string): Promise<void>;
  /** The window's content as a PNG. */
  screenshot(): Promise<Uint8Array>;
  act(action: Action): Promise<void>;
  /** Complaints of the browser itself, and addresses asked for, since `open` or since this was last called, as far as it tells. */
  noticed(): { complaints: string[]; urls: string[] };
  /** Ends the browser, even a stuck one. */
  close(): Promise<void>;
}

export const WINDOW = { width: 800, height: 600 };
