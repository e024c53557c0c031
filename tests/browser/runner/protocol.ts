// What the page and the runner say to each other.

/** What the page says of a test before it runs. */
export interface Start {
  name: string;
  /** How many tests of the file the filter lets through. */
  total: number;
  /** Milliseconds the test may take. */
  timeout: number;
  /** Why it is known to fail. */
  fails?: string;
}

/** The end of one test, as the page tells it. */
export interface Report extends Omit<Start, 'timeout'> {
  outcome: 'passed' | 'failed' | 'skipped' | 'none';
  message: string;
  took?: number;
  /** Every address the page has loaded something from. */
  urls?: string[];
  /** `true` if the page can run the next test, which it does when the answer to its report is `next`. */
  stays?: boolean;
}

/** See `Action` in ../page/api.ts. */
export type Action =
  | { type: 'key'; key: string }
  | { type: 'move'; x: number; y: number }
  | { type: 'down' }
  | { type: 'up' }
  | { type: 'wheel'; x: number; y: number; deltaY: number }
  /** Only Chromium's driver can. */
  | { type: 'force-colors'; on: boolean }
  | { type: 'resize'; width: number; height: number };
