// A browser that draws one job after the other.

import { EXIT, Failure, failureOf } from '../base/failure.ts';
import type { Browser } from './find.ts';
import { runBrowser, type Running } from './run.ts';
import { serve, type Message, type Server } from './server.ts';

/** A job, and what becomes of it. */
export interface Task {
  readonly job: object;
  /** Files that the job names. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  progress(label: string, fraction: number | undefined): void;
  warning(message: string): void;
  result(name: string, bytes: Uint8Array): Promise<void>;
}

export interface SessionOptions {
  readonly browser: Browser;
  /** Seconds without any message of the page after which the work fails. */
  readonly limit: number;
  /** Ends the work: the browser is closed first. */
  readonly signal: AbortSignal;
}

export class Session {
  readonly #options: SessionOptions;
  #server: Server | undefined;
  #browser: Running | undefined;
  #task: Task | undefined;
  #settle: { resolve: (summary: Message) => void; reject: (error: unknown) => void } | undefined;
  #waiting: ((job: object | undefined) => void) | undefined;
  #taken = false;
  #timer: NodeJS.Timeout | undefined;

  private constructor(options: SessionOptions) {
    this.#options = options;
  }

  /**
   * Runs `work` with a session. The signal ends the browser first and then the work.
   *
   * @throws {@link Failure} of the work
   */
  static async use<T>(options: SessionOptions, work: (session: Session) => Promise<T>): Promise<T> {
    const session = new Session(options);
    try {
      return await work(session);
    } finally {
      await session.#close();
    }
  }

  /** Draws a job; resolves with the page's summary. The first call starts the browser. */
  async run(task: Task): Promise<Message> {
    this.#task = task;
    this.#taken = false;
    const { browser, signal } = this.#options;
    const done = new Promise<Message>((resolve, reject) => (this.#settle = { resolve, reject }));
    done.catch(() => undefined);
    const onAbort = (): void => this.#settle?.reject(signal.reason);
    signal.addEventListener('abort', onAbort);
    try {
      signal.throwIfAborted();
      this.#server ??= await serve({
        next: () => this.#next(),
        file: (name) => this.#task?.files.get(name),
        result: async (name, bytes) => {
          this.#alive();
          await this.#task?.result(name, bytes).catch((error: unknown) => this.#settle?.reject(error));
        },
        message: (name, body) => this.#message(name, body),
      });
      this.#alive();
      if (this.#waiting) this.#give(task.job);
      else this.#browser ??= runBrowser(browser, this.#server.url);
      return await (this.#browser ? Promise.race([done, this.#browser.ended]) : done);
    } finally {
      signal.removeEventListener('abort', onAbort);
      clearTimeout(this.#timer);
      this.#task = undefined;
    }
  }

  #next(): Promise<object | undefined> {
    return new Promise((resolve) => {
      this.#waiting = resolve;
      if (this.#task && !this.#taken) this.#give(this.#task.job);
    });
  }

  #give(job: object): void {
    this.#taken = true;
    this.#waiting?.(job);
    this.#waiting = undefined;
  }

  #message(name: string, body: Message): void {
    this.#alive();
    const { label, fraction, message, code, pointer } = body;
    if (name === 'progress') this.#task?.progress(String(label), typeof fraction === 'number' ? fraction : undefined);
    if (name === 'warning') this.#task?.warning(String(message));
    if (name === 'done') this.#settle?.resolve(body);
    if (name === 'failed')
      this.#settle?.reject(failureOf(Object.assign(new Error(String(message)), { code, pointer })));
  }

  /** The page has sent something. */
  #alive(): void {
    clearTimeout(this.#timer);
    if (!this.#task) return;
    const { limit, browser } = this.#options;
    this.#timer = setTimeout(() => {
      const message = `${browser.path} has sent nothing for ${limit} s. Raise --timeout, or choose another browser with --browser.`;
      this.#settle?.reject(new Failure(EXIT.failed, 'cli/timeout', message));
    }, 1000 * limit);
  }

  async #close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#waiting?.(undefined);
    await this.#browser?.close();
    await this.#server?.close();
  }
}
