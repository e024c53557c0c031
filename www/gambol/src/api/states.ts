// State machines of viewers and actors.

import { GambolError, type Warning } from '../base/errors.ts';
import { shown } from '../base/shown.ts';
import { choices } from '../base/suggestions.ts';
import type { ViewerEventDetails } from '../values/events.ts';
import { checkedFlag, checkedOptions } from '../values/options.ts';
import type { CoreStage, StageEvent, StatesDescription, StatesNow } from '../wasm/core.ts';

/**
 * A state machine: the URL of a file of the format `gambol-states`, its text or its contents, or a `Blob` with its text.
 * @category State machines
 */
export type StatesSource = string | URL | Blob | object;

/** Options of `loadStates()`. @category State machines */
export interface StatesOptions {
  /** `false` to start the machine paused, unless a clip is playing. Default: `true`. */
  readonly autoplay?: boolean;
}

/** The inputs of a state machine, by their names; see {@link States.inputs}. @category State machines */
export type StateInputs = Record<string, number | boolean>;

/** The parts of a performer that its state machine uses. @internal */
export interface StatesOwner extends EventTarget {
  states: States | null;
  readonly playbackRate: number;
  readonly paused: boolean;
  number(): number;
  change(change: (stage: CoreStage, actor: number) => void): void;
  readActor<T>(read: (stage: CoreStage, actor: number) => T, fallback: T): T;
  warn(warning: Warning): void;
}

/** The last call of `loadStates()` of each performer. */
const lastCalls = new WeakMap<StatesOwner, symbol>();

/**
 * The text of a state machine.
 * @throws {@link GambolError} `argument/invalid`, `fetch/…`; `load/aborted` if a later call has begun meanwhile
 * @internal
 */
export async function statesText(owner: StatesOwner, source: StatesSource): Promise<string> {
  const call = Symbol();
  lastCalls.set(owner, call);
  let text: string | undefined;
  if (typeof source === 'string' && /^\s*\{/.test(source)) text = source;
  else if (source instanceof Blob) text = await source.text();
  else if (typeof source === 'string' || source instanceof URL) {
    let url = String(source);
    try {
      ({ href: url } = new URL(source, globalThis.document?.baseURI));
    } catch (cause) {
      throw new GambolError('argument/invalid', `${shown(url)} is not a valid URL. Pass the URL of a state machine.`, {
        cause,
      });
    }
    const failed = (cause: unknown): never => {
      throw new GambolError('fetch/failed', `Cannot fetch ${url}: the network failed, or CORS forbids it.`, {
        url,
        cause,
      });
    };
    const response = await fetch(url).catch(failed);
    if (!response.ok)
      throw new GambolError('fetch/http', `Cannot fetch ${url}: the server answered ${response.status}.`, { url });
    text = await response.text().catch(failed);
  } else if (typeof source === 'object' && (source as object | null) !== null) {
    try {
      text = JSON.stringify(source);
    } catch {
      // A cycle, or a value without JSON.
    }
  }
  if (typeof text !== 'string')
    throw new GambolError(
      'argument/invalid',
      `A state machine must be a URL, JSON as text or as an object, or a Blob, not ${shown(source)}.`,
    );
  if (lastCalls.get(owner) !== call)
    throw new GambolError('load/aborted', 'The load was aborted: a later loadStates() has begun.');
  return text;
}

/**
 * A state machine that plays a model. Made by {@link Viewer.loadStates} and {@link Actor.loadStates}.
 *
 * ```js
 * const states = await viewer.loadStates('hero.json');
 * states.inputs.speed = 2;
 * states.fire('jump');
 * viewer.addEventListener('statechange', ({ detail }) => console.log(detail.from, detail.to));
 * ```
 *
 * `pause()`, `play()` and `playbackRate` of the viewer act on the whole machine, and a seek on the state that its first layer
 * plays. `play()` of a clip and another model end it. After its end, every call throws `states/removed`.
 * @category State machines
 */
export class States {
  /**
   * The inputs by their names. A new value has effect in the next frame. A trigger is `true` from {@link fire} until a transition
   * uses it; it may be set as well.
   *
   * Setting throws `argument/invalid` for an input that the machine does not have, and for a value of the wrong type.
   */
  readonly inputs: StateInputs;
  /** The names of the layers, from the lowest to the highest; a layer without a name has its index. */
  readonly layers: readonly string[];
  /** The paths of all states: the names of the machines around a state and its own, joined by `/`. */
  readonly names: readonly string[];
  readonly #owner: StatesOwner;
  readonly #about: StatesDescription;
  /** The innermost state that each layer has left in a transition, until the next state is entered. */
  readonly #left: (number | undefined)[] = [];

  /**
   * Starts a machine, in the place of the one before.
   * @throws {@link GambolError} `states/…`, `actor/removed`
   * @internal
   */
  constructor(owner: StatesOwner, json: string, options: StatesOptions) {
    checkedOptions(options, ['autoplay'], 'loadStates()');
    const { autoplay = true } = options;
    checkedFlag(autoplay, 'autoplay');
    this.#owner = owner;
    owner.number();
    const held = !autoplay && owner.paused;
    let about: StatesDescription | undefined;
    owner.change(({ layers, playback }, actor) => {
      about = layers.setStates(actor, json);
      // Before the events of its start.
      owner.states = this;
      layers.setStateInput(actor, undefined, owner.playbackRate);
      if (held) playback.pause(actor, 0);
    });
    const { inputs, layers, states, warnings } = (this.#about = about as unknown as StatesDescription);
    this.layers = Object.freeze([...layers]);
    this.names = Object.freeze(states.map(({ path }) => path));
    const known = Object.create(null) as StateInputs;
    inputs.forEach(({ name }, index) => {
      Object.defineProperty(known, name, { enumerable: true, configurable: true, get: () => this.#input(index) });
    });
    // A proxy, so that an unknown name is an error with the nearest names.
    this.inputs = new Proxy(known, {
      set: (_, name, value) => {
        this.#setInput(this.#index(String(name)), value);
        return true;
      },
    });
    for (const warning of warnings) owner.warn({ ...warning });
  }

  /**
   * Fires a trigger. It stays fired until a transition uses it.
   *
   * @throws {@link GambolError} `argument/invalid` if the machine has no such trigger; `states/removed`
   */
  fire(trigger: string): void {
    const index = this.#index(trigger);
    if (this.#about.inputs[index]?.type !== 'trigger')
      throw new GambolError(
        'argument/invalid',
        `The input ${shown(trigger)} is a ${this.#about.inputs[index]?.type}, not a trigger. Set it by inputs.`,
      );
    this.#setInput(index, true);
  }

  /**
   * The path of the active state of a layer: the names of the machines around it and its own, joined by `/`.
   *
   * @param layer the name or the index of the layer. Default: the first one.
   * @throws {@link GambolError} `argument/invalid` if the machine has no such layer; `states/removed`
   */
  current(layer: string | number = 0): string {
    const index = typeof layer === 'number' ? layer : this.layers.indexOf(layer);
    if (this.layers[index] === undefined)
      throw new GambolError(
        'argument/invalid',
        `The state machine has no layer ${shown(layer)}${choices(layer, this.layers)}`,
      );
    this.#check();
    return this.names[this.#leaf(index)] ?? '';
  }

  /** The time of the machine in seconds since it was started, without pauses; 0 after its end. */
  get time(): number {
    return this.#now()?.time ?? 0;
  }

  /** `true` after the end of the machine. */
  get removed(): boolean {
    return this.#owner.states !== this;
  }

  /** Ends the machine. Its layers fade out, and the clip of the first one plays on. Calling it again does nothing. */
  remove(): void {
    if (this.removed) return;
    this.#owner.change(({ layers }, actor) => void layers.setStates(actor));
    this.#owner.states = null;
  }

  /** Sets the factor of the rates of all states. @internal */
  setRate(rate: number): void {
    this.#owner.change(({ layers }, actor) => layers.setStateInput(actor, undefined, rate));
  }

  /** Handles an event of the machine. @internal */
  stageEvent({ from, to, time, skipped }: StageEvent): void {
    const state = this.#about.states[Math.max(from, to)];
    if (!state) return;
    const { layer: index, path, machine } = state;
    const layer = this.layers[index] ?? '';
    const more = skipped ? { skipped } : {};
    if (from === to) {
      this.#owner.warn({
        code: 'states/loop',
        message: `Transitions lead on and on within one step; 32 of them were taken, and the machine stays there (in ${layer}: ${path}).`,
        pointer: '',
      });
    } else if (to < 0) {
      // The innermost state is left first.
      this.#left[index] ??= from;
      this.#send('stateleave', { layer, state: path, name: state.leave ?? null, time, ...more });
    } else {
      this.#send('stateenter', { layer, state: path, name: state.enter ?? null, time, ...more });
      if (machine) return;
      const left = this.#left[index];
      this.#left[index] = undefined;
      this.#send('statechange', {
        layer,
        from: left === undefined ? null : (this.names[left] ?? null),
        to: path,
        time,
      });
    }
  }

  #send<Name extends 'statechange' | 'stateenter' | 'stateleave'>(name: Name, detail: ViewerEventDetails[Name]): void {
    this.#owner.dispatchEvent(new CustomEvent(name, { detail }));
  }

  #check(): void {
    if (this.removed)
      throw new GambolError(
        'states/removed',
        'The state machine has ended: remove(), play() of a clip, another machine or another model ended it.',
      );
  }

  #index(name: string): number {
    const { inputs } = this.#about;
    const index = inputs.findIndex((input) => input.name === name);
    if (index < 0)
      throw new GambolError(
        'argument/invalid',
        `The state machine has no input ${shown(name)}${choices(
          name,
          inputs.map((input) => input.name),
        )}`,
      );
    return index;
  }

  #input(index: number): number | boolean {
    const value = this.#now()?.inputs[index] ?? 0;
    return this.#about.inputs[index]?.type === 'number' ? value : value !== 0;
  }

  #setInput(index: number, value: unknown): void {
    this.#check();
    const input = this.#about.inputs[index];
    const fits = input?.type === 'number' ? Number.isFinite(value) : typeof value === 'boolean';
    if (!fits)
      throw new GambolError(
        'argument/invalid',
        `The input ${shown(input?.name)} must be ${
          input?.type === 'number' ? 'a finite number' : 'true or false'
        }, not ${shown(value)}.`,
      );
    this.#owner.change(({ layers }, actor) => layers.setStateInput(actor, index, Number(value)));
  }

  /** The index of the active state of a layer. */
  #leaf(layer: number): number {
    return this.#now()?.active[layer] ?? 0;
  }

  /** The state of the machine; undefined after its end. */
  #now(): StatesNow | undefined {
    return this.removed ? undefined : this.#owner.readActor(({ query }, actor) => query.states(actor), undefined);
  }
}
