// The interface between the runner and a browser.

import type { Action } from '../protocol.ts';

export interface Driver {
  /** The browser's own version. */
  readonly version: string;
  /** Starts to load an address in a new document; does not wait for it. */
  open(url: string): Promise<void>;
  /** The window's content as a PNG. */
  screenshot(): Promise<Uint8Array>;
  act(action: Action): Promise<void>;
  /**
   * The browser's own error messages, and requested addresses, since `open` or the last call, as far as the browser
   * reports them.
   */
  noticed(): { complaints: string[]; urls: string[] };
  /** Closes the browser, even if it hangs. */
  close(): Promise<void>;
}

export const WINDOW = { width: 800, height: 600 };
