// The state machine of the view: starts it on the viewer, sets its inputs, and keeps its faults and last events.

import { computed, effect, signal } from '@preact/signals';
import type { GambolError, States, Viewer } from 'gambol';
import type { Inspector } from '../inspector.ts';
import { readMachine, transitionOf, type MachineFile } from './machine-file.ts';

/** An error or a warning of a machine. */
export interface Fault {
  readonly code: string;
  readonly message: string;
  /** A JSON pointer into the machine; may be empty. */
  readonly pointer: string;
}

export interface Running {
  readonly states: States;
  readonly text: string;
  readonly file: MachineFile;
}

export interface LogEntry {
  readonly event: string;
  readonly layer: string;
  readonly words: string;
  /** Seconds of the machine. */
  readonly time: number;
}

/** The last change of state of a layer. */
export interface Change {
  readonly from: string | null;
  readonly to: string;
  readonly time: number;
  /** Seconds. */
  readonly duration: number;
}

const MOST_ENTRIES = 40;

export class Machine {
  /** The machine that plays; with a broken text in the view, the one before. */
  readonly running = signal<Running | null>(null);
  readonly faults = signal<readonly Fault[]>([]);
  readonly log = signal<readonly LogEntry[]>([]);
  /** The last text, which stays for the editor after the machine has ended. */
  readonly draft = signal('');
  readonly changes = new Map<string, Change>();
  readonly #inspector: Inspector;

  constructor(inspector: Inspector) {
    this.#inspector = inspector;
    const { view, model, player } = inspector;
    const text = computed(() => view.value.states);
    effect(() => {
      const [now, loaded] = [text.value, model.value];
      if (!loaded || !player.viewer) return;
      if (now === '') this.#end();
      else void this.#start(now, player.viewer);
    });
    const inputs = computed(() => view.value.inputs);
    effect(() => {
      const [set, running] = [inputs.value, this.running.value];
      if (!running || running.states.removed) return;
      for (const { name, type, initial } of running.file.inputs) {
        const value = set[name] ?? initial;
        if (type !== 'trigger' && typeof value === typeof initial) running.states.inputs[name] = value;
      }
    });
    player.addEventListener('clipchange', () => {
      const [running, { viewer }] = [this.running.peek(), player];
      if (!running?.states.removed || !viewer) return;
      // A key, the bar or a script has played a clip.
      inspector.follow({ states: '', clip: viewer.clip?.id ?? null, blend: null });
    });
    player.addEventListener('warning', ({ detail }) => {
      if (detail.code.startsWith('states/')) this.faults.value = [...this.faults.peek(), detail];
    });
    player.addEventListener('statechange', ({ detail: { layer, from, to, time } }) => {
      const graph = this.running.peek()?.file.layers.find(({ name }) => name === layer)?.graph;
      const { duration = 0 } = (graph && from !== null && transitionOf(graph, from, to)) || {};
      this.changes.set(layer, { from, to, time, duration });
      this.#note('statechange', layer, `${from ?? 'start'} → ${to}`, time);
    });
    for (const event of ['stateenter', 'stateleave'] as const)
      player.addEventListener(event, ({ detail: { layer, state, name, time } }) =>
        this.#note(event, layer, name === null ? state : `${state}: “${name}”`, time),
      );
  }

  /** Plays a machine, as a step of undo. */
  play(text: string): void {
    void this.#inspector.player.play();
    this.#inspector.change({ states: text, inputs: {} }, 'state machine');
  }

  async #start(text: string, viewer: Viewer): Promise<void> {
    this.draft.value = text;
    this.faults.value = [];
    const isWanted = (): boolean => this.#inspector.view.peek().states === text;
    try {
      // The events of the start come before the promise resolves.
      const before = this.log.peek();
      this.log.value = [];
      const states = await viewer.loadStates(text, { autoplay: !this.#inspector.player.paused }).catch((error) => {
        this.log.value = before;
        throw error;
      });
      if (!isWanted()) return states.remove();
      this.running.value = { states, text, file: readMachine(text) };
    } catch (error) {
      if (!isWanted()) return;
      const { code = 'page/failed', message, pointer = '' } = error as Partial<GambolError> & Error;
      this.faults.value = [{ code, message, pointer }];
    }
  }

  #end(): void {
    const { view, viewer } = this.#inspector;
    this.faults.value = [];
    this.running.peek()?.states.remove();
    if (!this.running.peek()) return;
    this.running.value = null;
    this.changes.clear();
    const { clip, blend } = view.peek();
    if (clip === null && !blend) this.#inspector.follow({ clip: viewer?.clip?.id ?? null });
  }

  #note(event: string, layer: string, words: string, time: number): void {
    this.log.value = [{ event, layer, words, time }, ...this.log.peek()].slice(0, MOST_ENTRIES);
  }
}
