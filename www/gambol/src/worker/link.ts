// The page's end of a worker that draws: calls in their order, and works that take a while.

import type { StepResult } from '../wasm/core.ts';
import type { ErrorDetail } from '../values/events.ts';
import type { PlainStill } from '../values/options.ts';
import type { WorkerNeeds } from '../wasm/init.ts';
import type { Answer, Call, Commands, Numbers, Ready, Show, Start, Target } from './protocol.ts';

export interface LinkListener {
  /** The worker's context was lost, with the last picture, or given back. */
  context(event: 'lost' | 'restored', picture?: ImageBitmap): void;
  /** Nothing goes on. */
  failed(error: ErrorDetail): void;
}

/** How many milliseconds a worker may take to start. Firefox takes more than ten seconds now and then, where the machine is at work. */
const PATIENCE = 30_000;

/**
 * Milliseconds in which a page may take away the canvas of a viewer that has ended. Firefox's compositor, and with it all that the page
 * shows, stands still for ten seconds where it looks for the picture of a worker that is gone.
 */
const ENDING = 200;

/** A work under way, by its number; what came of it. */
type Job = number | 'done' | ErrorDetail;

export class Link {
  readonly #worker: Worker;
  /** Of the worker's GPU. */
  readonly parameters: Readonly<Record<number, unknown>>;
  readonly extensions: readonly string[];
  #listener: LinkListener | undefined;
  /** What is sent at the end of the task at the latest. */
  #calls: Call[] = [];
  #numbers = 1;
  /** Who waits until all is drawn. */
  readonly #waiting = new Map<number, () => void>();
  readonly #jobs = new Map<unknown, Job>();
  readonly #stills = new Map<number, (answer: { readonly error?: ErrorDetail; readonly picture?: ImageBitmap }) => void>();
  #ended = false;
  /** The last that came. */
  #known: Numbers | undefined;
  #asked = false;

  private constructor(worker: Worker, { ready, extensions }: Ready) {
    this.#worker = worker;
    this.parameters = ready;
    this.extensions = extensions;
  }

  /** Starts a worker. Throws in words why there is none. */
  static async open({ module, rest, script }: WorkerNeeds): Promise<Link> {
    if (typeof Worker === 'undefined') throw new Error('There are no workers.');
    if (typeof OffscreenCanvas === 'undefined' || !HTMLCanvasElement.prototype.transferControlToOffscreen) throw new Error('Workers have no canvas.');
    const compiled = await module;
    if (!compiled) throw new Error('There is no module.');
    const start: Start = { module: compiled, rest: await rest };
    // Bundlers look for exactly these words.
    const worker = script === undefined ? new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }) : new Worker(script, { type: 'module' });
    try {
      const answer = await answered(worker, start);
      if ('refused' in answer) throw new Error(answer.refused);
      if ('ready' in answer) return new Link(worker, answer);
      throw new Error('The worker is of another version.');
    } catch (error) {
      worker.terminate();
      throw error;
    }
  }

  /** Gives the worker its canvas; resolves to what went wrong, if anything. */
  async show(show: Show, listener: LinkListener): Promise<ErrorDetail | undefined> {
    this.#listener = listener;
    const answer = await answered(this.#worker, show, [show.canvas]).catch(({ message }: Error): Answer => ({ failed: { code: 'viewer/failed', message: `The worker failed: ${message}` } }));
    if ('failed' in answer) return answer.failed;
    this.#worker.onmessage = ({ data }: MessageEvent<Answer>) => this.#hear(data);
    this.#worker.onerror = (event) => this.#fail({ code: 'viewer/failed', message: `The worker failed: ${event.message}` });
    return undefined;
  }

  /** A number for an object that is made. */
  number(): number {
    return this.#numbers++;
  }

  /** Calls a function of an object of the worker's. What is no plain value is sent at once, since it may change. */
  call(target: Target, name: string, args: readonly unknown[], made?: number, transfer: Transferable[] = []): void {
    if (this.#ended) return;
    this.#calls.push(made === undefined ? [target, name, args] : [target, name, args, made]);
    if (args.some((arg) => typeof arg === 'object')) this.#send(transfer);
    else if (this.#calls.length === 1) queueMicrotask(() => this.#send());
  }

  command<Name extends keyof Commands>(name: Name, ...args: Parameters<Commands[Name]>): void {
    this.call('worker', name, args);
  }

  /** A frame at a time of the page's clock. */
  tick(now: number): void {
    if (this.#calls.length === 0) return this.#post(now);
    this.command('tick', now);
    this.#send();
  }

  /** Resolves when all that was called so far is drawn, or all is over. */
  shown(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#ended) return resolve();
      const number = this.number();
      this.#waiting.set(number, resolve);
      this.command('tell', number);
    });
  }

  /** What the worker said last; asks it for more. */
  numbers(): Numbers | undefined {
    if (!this.#asked) this.command('numbers');
    this.#asked = true;
    return this.#known;
  }

  /** Has a work begun that goes by a key; as a step of it says: `done`, or `busy` until then. Throws its error. */
  job(key: unknown, begin: (number: number) => void): StepResult {
    const job = this.#jobs.get(key);
    if (job === undefined) {
      const number = this.number();
      this.#jobs.set(key, number);
      begin(number);
    } else if (typeof job !== 'number') {
      this.#jobs.delete(key);
      if (job === 'done') return 'done';
      throw Object.assign(new Error(job.message), job);
    }
    return 'busy';
  }

  /** What was begun means nothing any more; of all keys, if none is said. */
  drop(key?: unknown): void {
    if (key === undefined) this.#jobs.clear();
    else this.#jobs.delete(key);
  }

  /** Rejects with an {@link ErrorDetail}. */
  still(actor: number | undefined, options: PlainStill): Promise<ImageBitmap> {
    return new Promise((resolve, reject) => {
      const number = this.number();
      this.#stills.set(number, ({ error, picture }) => (picture ? resolve(picture) : reject(error as unknown)));
      this.command('still', number, actor, options);
    });
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    const worker = this.#worker;
    worker.onmessage = worker.onerror = null;
    setTimeout(() => worker.terminate(), ENDING);
    for (const resolve of this.#waiting.values()) resolve();
    for (const answer of this.#stills.values()) answer({ error: { code: 'viewer/disposed', message: 'This viewer has been disposed of.' } });
  }

  #send(transfer: Transferable[] = []): void {
    if (this.#calls.length === 0) return;
    this.#post(this.#calls, transfer);
    this.#calls = [];
  }

  #post(message: number | readonly Call[], transfer: Transferable[] = []): void {
    if (!this.#ended) this.#worker.postMessage(message, transfer);
  }

  #hear(answer: Answer): void {
    if (this.#ended) return;
    if ('stats' in answer) {
      this.#known = answer;
      this.#asked = false;
      const { told = -1 } = answer;
      this.#waiting.get(told)?.();
      this.#waiting.delete(told);
    } else if ('done' in answer) {
      for (const [key, job] of this.#jobs) if (job === answer.done) this.#jobs.set(key, answer.error ?? 'done');
      this.#stills.get(answer.done)?.(answer);
      this.#stills.delete(answer.done);
    } else if ('context' in answer) {
      this.#listener?.context(answer.context, answer.picture);
    } else if ('failed' in answer) {
      this.#fail(answer.failed);
    }
  }

  #fail(error: ErrorDetail): void {
    this.#listener?.failed(error);
    this.end();
  }
}

/** What a worker says to its first messages; rejects if it does not start. */
function answered(worker: Worker, message: unknown, transfer: Transferable[] = []): Promise<Answer> {
  let timer = 0;
  return new Promise<Answer>((resolve, reject) => {
    timer = window.setTimeout(() => reject(new Error('It does not answer.')), PATIENCE);
    worker.onmessage = ({ data }: MessageEvent<Answer>) => resolve(data);
    worker.onerror = (event) => {
      event.preventDefault();
      reject(new Error(event.message || 'Its script cannot be loaded.'));
    };
    worker.onmessageerror = () => reject(new Error('It does not understand the module.'));
    worker.postMessage(message, transfer);
  }).finally(() => clearTimeout(timer));
}
