// The messages between the page and the runner.

/** The page's message before a test runs. */
export interface Start {
  name: string;
  /** The number of tests of the file that match the filter. */
  total: number;
  /** The time limit of the test, in milliseconds. */
  timeout: number;
  /** The reason for which the test is known to fail. */
  fails?: string;
}

/** The page's report at the end of a test. */
export interface Report extends Omit<Start, 'timeout'> {
  outcome: 'passed' | 'failed' | 'skipped' | 'none';
  message: string;
  took?: number;
  /** All addresses that the page has loaded from. */
  urls?: string[];
  /** `true` if the page can run the next test, which it does if the answer to its report is `next`. */
  stays?: boolean;
}

/** See `Action` in ../page/api.ts. */
export type Action =
  | { type: 'key'; key: string }
  | { type: 'move'; x: number; y: number }
  | { type: 'down' }
  | { type: 'up' }
  | { type: 'wheel'; x: number; y: number; deltaY: number }
  /** Only Chromium's driver supports these two. */
  | { type: 'force-colors'; on: boolean }
  | { type: 'reduce-motion'; on: boolean }
  | { type: 'resize'; width: number; height: number };
