// The page's connection to a drawing worker: ordered calls, and asynchronous jobs.

import { trustedScriptUrl } from '../base/trusted.ts';
import type { FeatureModules, StepResult } from '../wasm/core.ts';
import type { ErrorDetail } from '../values/events.ts';
import type { PlainStill } from '../values/options.ts';
import type { WorkerNeeds } from '../wasm/init.ts';
import type { StillPixels } from '../stage/graphics-context.ts';
import type { Answer, Call, Commands, Done, Numbers, Ready, Show, Start, Target } from './protocol.ts';

export interface LinkListener {
  /** Called when the worker's context is lost, with the last picture, or restored. */
  context(event: 'lost' | 'restored', picture?: ImageBitmap): void;
  /** Called when the worker has failed. */
  failed(error: ErrorDetail): void;
}

/** The start timeout of a worker in milliseconds. Firefox may take more than ten seconds on a busy machine. */
const START_TIMEOUT = 30_000;

/**
 * The delay in milliseconds before the worker of a disposed viewer is terminated, so that the page can remove the canvas.
 * Firefox's compositor blocks the page for ten seconds if it waits for a frame of a terminated worker.
 */
const TERMINATE_DELAY = 200;

/** The number of a pending job, or its result. */
type Job = number | 'done' | ErrorDetail;

export class Link {
  readonly #worker: Worker;
  /** The limits of the worker's GPU, by their GL numbers. */
  readonly parameters: Readonly<Record<number, unknown>>;
  readonly extensions: readonly string[];
  #listener: LinkListener | undefined;
  /** The buffered calls, which are sent in a microtask at the latest. */
  #calls: Call[] = [];
  #numbers = 1;
  /** The resolvers of {@link shown}, by their numbers. */
  readonly #waiting = new Map<number, () => void>();
  readonly #jobs = new Map<unknown, Job>();
  readonly #stills = new Map<number, (answer: Omit<Done, 'done'>) => void>();
  #ended = false;
  /** The last statistics of the worker. */
  #known: Numbers | undefined;
  #requested = false;

  private constructor(worker: Worker, { ready, extensions }: Ready) {
    this.#worker = worker;
    this.parameters = ready;
    this.extensions = extensions;
  }

  /** Starts a worker. Throws an error with the reason if that fails. */
  static async open({ module, script }: WorkerNeeds, features: FeatureModules): Promise<Link> {
    if (typeof Worker === 'undefined') throw new Error('This browser has no workers.');
    if (typeof OffscreenCanvas === 'undefined' || !HTMLCanvasElement.prototype.transferControlToOffscreen)
      throw new Error('This browser has no OffscreenCanvas.');
    const compiled = await module;
    if (!compiled) throw new Error('The WebAssembly module is not loaded.');
    const start: Start = { module: compiled, features };
    // Bundlers detect exactly this form of expression, and copy the script, which imports nothing.
    const url = script ?? new URL('./worker.js', import.meta.url);
    const worker = new Worker(trustedScriptUrl(url), { type: 'module' });
    try {
      const answer = await answered(worker, start);
      if ('refused' in answer) throw new Error(answer.refused);
      if ('ready' in answer) return new Link(worker, answer);
      throw new Error('The worker script is of another version.');
    } catch (error) {
      worker.terminate();
      throw error;
    }
  }

  /** Transfers the canvas to the worker; resolves to the error, if there is one. */
  async show(show: Show, listener: LinkListener): Promise<ErrorDetail | undefined> {
    this.#listener = listener;
    const answer = await answered(this.#worker, show, [show.canvas]).catch(
      ({ message }: Error): Answer => ({ failed: { code: 'viewer/failed', message: `The worker failed: ${message}` } }),
    );
    if ('failed' in answer) return answer.failed;
    this.#worker.onmessage = ({ data }: MessageEvent<Answer>) => this.#receive(data);
    this.#worker.onerror = (event) =>
      this.#fail({ code: 'viewer/failed', message: `The worker failed: ${event.message}` });
    return undefined;
  }

  /** Returns a new number, for an object or a job. */
  number(): number {
    return this.#numbers++;
  }

  /**
   * Calls a method of an object of the worker. A call with objects as arguments is sent without buffering, because they may
   * change.
   */
  call(target: Target, name: string, args: readonly unknown[], made?: number, transfer: Transferable[] = []): void {
    if (this.#ended) return;
    this.#calls.push(made === undefined ? [target, name, args] : [target, name, args, made]);
    if (args.some((arg) => typeof arg === 'object')) this.#send(transfer);
    else if (this.#calls.length === 1) queueMicrotask(() => this.#send());
  }

  command<Name extends keyof Commands>(name: Name, ...args: Parameters<Commands[Name]>): void {
    this.call('worker', name, args);
  }

  /** Requests a frame at a time of the page's clock. */
  tick(now: number): void {
    if (this.#calls.length === 0) return this.#post(now);
    this.command('tick', now);
    this.#send();
  }

  /** Resolves when the effects of all calls so far are drawn, or when the link has ended. */
  shown(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#ended) return resolve();
      const number = this.number();
      this.#waiting.set(number, resolve);
      this.command('report', number);
    });
  }

  /** The last statistics of the worker; requests new ones. */
  numbers(): Numbers | undefined {
    if (!this.#requested) this.command('numbers');
    this.#requested = true;
    return this.#known;
  }

  /** Begins the job of a key, once; returns `done` if it has ended, else `busy`. Throws the error of the job. */
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

  /** Forgets the job of a key, or all jobs without a key. */
  drop(key?: unknown): void {
    if (key === undefined) this.#jobs.clear();
    else this.#jobs.delete(key);
  }

  /** Draws a still in the worker. Rejects with an {@link ErrorDetail}. */
  still(actor: number | undefined, options: PlainStill): Promise<ImageBitmap> {
    return new Promise((resolve, reject) => {
      const number = this.number();
      this.#stills.set(number, ({ error, picture }) => (picture ? resolve(picture) : reject(error as unknown)));
      this.command('still', number, actor, options);
    });
  }

  /** Draws a still of a film in the worker, and reads its pixels. Rejects with an {@link ErrorDetail}. */
  pixels(film: object, options: PlainStill): Promise<StillPixels> {
    return new Promise((resolve, reject) => {
      const number = this.number();
      this.#stills.set(number, ({ error, pixels }) => (pixels ? resolve(pixels) : reject(error as unknown)));
      this.command('pixels', number, film, options);
    });
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    const worker = this.#worker;
    worker.onmessage = worker.onerror = null;
    setTimeout(() => worker.terminate(), TERMINATE_DELAY);
    for (const resolve of this.#waiting.values()) resolve();
    for (const answer of this.#stills.values())
      answer({ error: { code: 'viewer/disposed', message: 'This viewer was disposed of. Create another one.' } });
  }

  #send(transfer: Transferable[] = []): void {
    if (this.#calls.length === 0) return;
    this.#post(this.#calls, transfer);
    this.#calls = [];
  }

  #post(message: number | readonly Call[], transfer: Transferable[] = []): void {
    if (!this.#ended) this.#worker.postMessage(message, transfer);
  }

  #receive(answer: Answer): void {
    if (this.#ended) return;
    if ('stats' in answer) {
      this.#known = answer;
      this.#requested = false;
      const { report = -1 } = answer;
      this.#waiting.get(report)?.();
      this.#waiting.delete(report);
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

/** Sends a message and resolves to the worker's next answer; rejects if the worker does not start. */
function answered(worker: Worker, message: unknown, transfer: Transferable[] = []): Promise<Answer> {
  let timer = 0;
  return new Promise<Answer>((resolve, reject) => {
    timer = window.setTimeout(() => reject(new Error('The worker does not answer.')), START_TIMEOUT);
    worker.onmessage = ({ data }: MessageEvent<Answer>) => resolve(data);
    worker.onerror = (event) => {
      event.preventDefault();
      reject(new Error(event.message || 'The worker script cannot be loaded.'));
    };
    worker.onmessageerror = () => reject(new Error('The worker cannot receive the WebAssembly module.'));
    worker.postMessage(message, transfer);
  }).finally(() => clearTimeout(timer));
}
