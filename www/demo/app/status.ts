import { GambolError, type Progress } from 'gambol';
import { byId } from './dom.ts';
import { percent } from './format.ts';

const TITLES: readonly [prefix: string, title: string][] = [
  ['fetch/', 'The file could not be fetched'],
  ['import/', 'The file cannot be read'],
  ['load/missing-resource', 'A file is missing'],
  ['load/', 'The file cannot be opened'],
  ['clip/', 'The clips do not fit this character'],
  ['convert/', 'The file cannot be read'],
  ['bvh/', 'The file cannot be read'],
  ['fbx/', 'The file cannot be read'],
  ['x/', 'The file cannot be read'],
  ['render/webgl2-unsupported', 'WebGL 2 is not available'],
  ['render/', 'Rendering has failed'],
  ['wasm/panic', 'gambol has stopped'],
  ['wasm/', 'gambol could not start'],
];

const PHASES: Record<Progress['phase'], string> = {
  fetch: 'Loading',
  parse: 'Parsing',
  decode: 'Decoding images of',
  upload: 'Uploading',
};

/** The time in ms for which a hint is shown. */
const HINT_TIME = 12_000;

/** The status of the page: loading, failures and short notices, also for screen readers. */
export class Status {
  readonly #failure = byId('failure');
  readonly #loading = byId('loading');
  readonly #toast = byId('toast');
  readonly #live = byId('live');
  #toastEnds = 0;
  #hintEnds = 0;

  constructor() {
    byId('failure-close').addEventListener('click', () => this.clearFailure());
  }

  loading(name: string, progress?: Progress): void {
    this.#loading.hidden = false;
    const words = `${PHASES[progress?.phase ?? 'fetch']} ${name}`;
    const known = progress !== undefined && progress.ratio > 0;
    byId('loading-words').textContent = known ? `${words} · ${percent(progress.ratio)}` : `${words} …`;
  }

  loaded(): void {
    this.#loading.hidden = true;
  }

  /** Shows an error over the model before, if there is one. */
  fail(error: unknown, canGoOn: boolean): void {
    this.loaded();
    const { code, message, pointer } =
      error instanceof GambolError ? error : { code: 'page/failed', message: String(error), pointer: undefined };
    byId('failure-title').textContent =
      TITLES.find(([prefix]) => code.startsWith(prefix))?.[1] ?? 'An error has occurred';
    byId('failure-words').textContent = message;
    byId('failure-code').textContent = pointer === undefined ? code : `${code} at ${pointer}`;
    for (const id of ['failure-open', 'failure-sample', 'failure-close']) byId(id).hidden = !canGoOn;
    this.#failure.hidden = false;
  }

  clearFailure(): void {
    this.#failure.hidden = true;
  }

  get failed(): boolean {
    return !this.#failure.hidden;
  }

  /** Shows a short text that disappears after a while. */
  notice(words: string): void {
    this.#toast.textContent = words;
    this.#toast.hidden = false;
    clearTimeout(this.#toastEnds);
    this.#toastEnds = window.setTimeout(() => {
      this.#toast.hidden = true;
    }, 1600);
  }

  /** Announces a text to screen readers only. */
  announce(words: string): void {
    this.#live.textContent = words;
  }

  /** Shows a text over the picture until the user touches the picture, or for some seconds. */
  hint(words: string): void {
    const hint = byId('hint');
    hint.textContent = words;
    hint.hidden = words === '';
    clearTimeout(this.#hintEnds);
    this.#hintEnds = window.setTimeout(() => this.endHint(), HINT_TIME);
  }

  endHint(): void {
    byId('hint').hidden = true;
  }
}
