// Applies the attribute `states` and `<gambol-states>` to the viewer or an actor.

import type { States } from '../../api/states.ts';
import type { Performer } from '../../api/performer.ts';
import { defineStateElements, GambolStates, machineOf } from './state-elements.ts';

defineStateElements();

export class StateMachine {
  readonly #host: HTMLElement;
  readonly #performer: Performer;
  /** `true` to play a machine when it is loaded. */
  readonly #autoplay: boolean;
  readonly #warn: (error: unknown) => void;
  /** The source that was applied: a URL or JSON. */
  #source: string | null = null;
  #states: States | undefined;
  /** Observes attributes that other child elements do not have. */
  readonly #observer = new MutationObserver(() => this.sync());

  constructor(host: HTMLElement, performer: Performer, warn: (error: unknown) => void, autoplay: boolean) {
    this.#host = host;
    this.#performer = performer;
    this.#warn = warn;
    this.#autoplay = autoplay;
  }

  /** Forgets the machine of the model before, after a change of model. */
  renew(): void {
    this.#source = null;
    this.#states = undefined;
  }

  /** Starts the machine of the element, or ends it, after a change. */
  sync(): void {
    const element = [...this.#host.children].find((child) => child instanceof GambolStates);
    this.#observer.disconnect();
    if (element) this.#observer.observe(element, { subtree: true, childList: true, attributes: true });
    const source =
      this.#host.getAttribute('states') ?? (element && (element.src ?? JSON.stringify(machineOf(element)))) ?? null;
    if (source === this.#source) return;
    this.#source = source;
    if (source === null) this.#states?.remove();
    else this.#start(source).catch(this.#warn);
  }

  dispose(): void {
    this.#observer.disconnect();
  }

  /** Starts a machine. Inputs of the same name and type as in the one before keep their values. */
  async #start(source: string): Promise<void> {
    const before = Object.entries(this.#states?.inputs ?? {});
    const states = await this.#performer.loadStates(source, { autoplay: this.#autoplay });
    if (this.#source !== source) return states.remove();
    this.#states = states;
    for (const [name, value] of before) if (typeof states.inputs[name] === typeof value) states.inputs[name] = value;
  }
}
