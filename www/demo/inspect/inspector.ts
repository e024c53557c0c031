// The state of the inspector. Data flows one way: controls change the view, `apply.ts` sets it on the viewer, and events of the viewer
// come back as signals.

import { computed, signal } from '@preact/signals';
import type { AssetSource, Clip, EnvironmentSource, Model, Retarget, RetargetReport, Viewer, Warning } from 'gambol';
import type { GambolViewer } from 'gambol/element';
import { readGltf, type GltfFile } from 'gambol/gltf';
import { plural } from '../app/format.ts';
import type { Status } from '../app/status.ts';
import { Body } from './body/body.ts';
import { retargeted, type AddedClips } from './added-clips.ts';
import { missingImages, withCheckers } from './checkers.ts';
import { Comparison } from './comparison.ts';
import { Doctor } from './doctor/examine.ts';
import { DocumentIndex } from './document.ts';
import { Edits } from './edit/edits.ts';
import { namedEnvironment } from './environments.ts';
import { History, type Step } from './history.ts';
import { Recordings } from './recording.ts';
import { Machine } from './states/machine.ts';
import type { TimelineState } from './timeline/timeline.ts';
import { DEFAULTS, changesOf, forOtherModel, withEnded, type View } from './view.ts';
import { Wearing } from './wearing.ts';

/** The changes of the timeline from its defaults, and the clip for which they were made; null for the first one. */
export interface KeptTimeline {
  readonly clip: string | null;
  readonly changes: Partial<TimelineState>;
}

/** A file that is open, read for its JSON; it fails as the load does. */
export interface OpenFile {
  readonly file: GltfFile;
  readonly index: DocumentIndex;
}

export class Inspector {
  readonly player: GambolViewer;
  readonly status: Status;
  readonly view = signal<View>(DEFAULTS);
  readonly model = signal<Model | null>(null);
  readonly clips = signal<readonly Clip[]>([]);
  readonly warnings = signal<readonly Warning[]>([]);
  readonly added = signal<readonly AddedClips[]>([]);
  /** The JSON of the open file; null while it is read, and if it cannot be read. */
  readonly opened = signal<OpenFile | null>(null);
  /** The environment map that was chosen on this computer, in place of a URL. */
  readonly lightFile = signal<File | null>(null);
  /** The way in which the clips of other files are paired. */
  readonly retarget = signal<Retarget>('auto');
  /** The URL of the model, as a link needs it; null for files of this computer. */
  readonly address = signal<string | null>(null);
  /** The source of the open model, for a second viewer. */
  readonly source = signal<AssetSource | null>(null);
  /** The settings that differ from the defaults. */
  readonly changes = computed(() => changesOf(this.view.value));
  /** The state of the timeline; null before it was open. */
  readonly timeline = signal<KeptTimeline | null>(null);
  readonly comparison: Comparison;
  readonly machine: Machine;
  readonly body: Body;
  readonly recordings: Recordings;
  readonly doctor: Doctor;
  readonly wearing: Wearing;
  readonly edits: Edits;
  readonly #history = new History();
  /** The last change of pairs that is applied. */
  #pairing = Promise.resolve();
  /** The view that the next model gets: that of a link. */
  #next: View | undefined;
  #reading: AbortController | undefined;
  /** The warnings of a file of which a copy with checkers is shown, or which is shown without them. */
  #faults: readonly Warning[] | undefined;
  /** The name of the file that is loading. */
  #name = '';
  #isLoading = false;

  constructor(player: GambolViewer, status: Status) {
    this.player = player;
    this.status = status;
    this.comparison = new Comparison(this);
    this.machine = new Machine(this);
    this.body = new Body(this);
    this.recordings = new Recordings(this);
    this.doctor = new Doctor(this);
    this.wearing = new Wearing(this);
    this.edits = new Edits(this);
    player.addEventListener('progress', ({ detail }) => {
      // Not for what panels add to the picture.
      if (this.#isLoading) status.loading(this.#name, detail);
    });
    player.addEventListener('error', () => {
      this.#isLoading = false;
    });
    player.addEventListener('load', (event) => {
      this.#isLoading = false;
      if (!this.#needsCheckers()) return this.#loaded();
      // The copy sends the event again, so that a file is loaded once for all other parts.
      event.stopImmediatePropagation();
      void this.#showCheckers();
    });
    player.addEventListener('clipschange', () => this.#read());
    player.addEventListener('warning', () => this.#read());
  }

  /** The viewer, while there is one. */
  get viewer(): Viewer | null {
    return this.player.viewer;
  }

  /** Opens a model; with a view, that is shown, otherwise the settings of the model before end. */
  open(source: AssetSource, name: string, view?: View): void {
    this.#next = view;
    this.#name = name;
    this.address.value = typeof source === 'string' ? source : null;
    this.source.value = source;
    this.status.clearFailure();
    this.status.loading(name);
    this.#isLoading = true;
    this.opened.value = null;
    this.#faults = undefined;
    this.#reading?.abort();
    this.#reading = new AbortController();
    this.player.srcObject = source;
  }

  /** Adds the clips of a file to the model, and plays the first of them. */
  async addClips(source: AssetSource, name: string): Promise<void> {
    const model = this.viewer?.model;
    if (!model) return this.open(source, name);
    this.status.clearFailure();
    this.status.loading(name);
    try {
      const retarget = this.retarget.value;
      const report = await model.addClips(source, { retarget });
      this.status.loaded();
      this.added.value = [...this.added.value, { file: name, source, retarget, report, found: report }];
      this.change({ clip: report.clips[0]?.id ?? null, blend: null }, 'clip');
      this.player.play();
      this.status.notice(`${plural(report.clips.length, 'clip')} of ${name}: joints paired ${pairing(report)}`);
    } catch (error) {
      this.status.fail(error, true);
    }
  }

  /** Pairs the joints of an added file in another way, as a step of undo. */
  changePairs(index: number, retarget: Retarget): void {
    const before = this.added.peek()[index]?.retarget;
    if (before === undefined) return;
    const apply = (way: Retarget): void => {
      // One after the other, because each replaces the clips of the one before.
      this.#pairing = this.#pairing.then(() => this.#pair(index, way));
    };
    this.#history.record({
      name: `pairs of joints`,
      undo: () => apply(before),
      redo: () => apply(retarget),
    });
    apply(retarget);
  }

  async #pair(index: number, retarget: Retarget): Promise<void> {
    const { model } = this.viewer ?? {};
    const of = this.added.peek()[index];
    if (!model || !of) return;
    try {
      const now = await retargeted(this, of, retarget);
      if (this.viewer?.model !== model) return;
      this.added.value = this.added.peek().map((each, i) => (i === index ? now : each));
    } catch (error) {
      this.status.fail(error, true);
    }
  }

  /** Changes settings of the view, as one step of undo by the name of the setting. */
  change(settings: Partial<View>, setting = Object.keys(settings).join()): void {
    const before = this.view.peek();
    const all = withEnded(settings);
    const changed = Object.entries(all).some(([key, value]) => before[key as keyof View] !== value);
    if (!changed) return;
    const after = { ...before, ...all };
    const set = (view: View): void => {
      this.view.value = view;
    };
    this.#history.record({ name: inWords(setting), undo: () => set(before), redo: () => set(after) });
    set(after);
  }

  /** Records a step of undo that is no change of the view, such as one of a marker. */
  record(step: Step): void {
    this.#history.record(step);
  }

  /** Follows a change that the viewer made itself, without a step of undo. */
  follow(settings: Partial<View>): void {
    const before = this.view.peek();
    if (Object.entries(settings).some(([key, value]) => before[key as keyof View] !== value))
      this.view.value = { ...before, ...settings };
  }

  undo(): void {
    this.#told(this.#history.undo(), 'Undone', 'Nothing to undo');
  }

  redo(): void {
    this.#told(this.#history.redo(), 'Redone', 'Nothing to redo');
  }

  /** Resets all settings that do not belong to the model. */
  reset(): void {
    const { clip, node } = this.view.peek();
    this.change({ ...DEFAULTS, clip, node }, 'all settings');
  }

  /** Uses a file of this computer as the environment map. */
  light(file: File): void {
    this.lightFile.value = file;
    this.change({ environment: file.name });
  }

  /** The environment map that the view names. */
  environment({ environment }: View): EnvironmentSource {
    const named = namedEnvironment(environment);
    if (named !== undefined) return named;
    const file = this.lightFile.peek();
    return file?.name === environment ? file : environment;
  }

  #told(step: string | undefined, done: string, nothing: string): void {
    const words = step === undefined ? nothing : `${done}: ${step}`;
    this.status.notice(words);
    this.status.announce(words);
  }

  #loaded(): void {
    this.#history.clear();
    this.edits.clear();
    this.added.value = [];
    this.view.value = this.#next ?? forOtherModel(this.view.peek());
    if (!this.#next) this.timeline.value = null;
    this.#next = undefined;
    this.#read();
    const [{ viewer }, source] = [this, this.source.peek()];
    if (viewer && source !== null) this.wearing.show(viewer, source);
    if (!this.opened.peek()) void this.#readFile();
  }

  #read(): void {
    if (this.#needsCheckers()) return;
    const model = this.viewer?.model ?? null;
    this.model.value = model;
    this.clips.value = model?.clips ?? [];
    // A clip that plays may have got another name.
    const { clip } = this.view.peek();
    const playing = this.viewer?.clip;
    if (clip !== null && playing && model && !model.clips.some(({ id }) => id === clip))
      this.follow({ clip: playing.id });
    this.warnings.value = this.#faults ?? model?.warnings ?? [];
  }

  /** `true` if the file lacks images, and no copy of it with checkers is shown. */
  #needsCheckers(): boolean {
    return this.#faults === undefined && missingImages(this.viewer?.model?.warnings ?? []).length > 0;
  }

  /** Shows a copy of the file with checkers in place of missing images; if that is impossible, the file as it is. */
  async #showCheckers(): Promise<void> {
    const warnings = this.viewer?.model?.warnings ?? [];
    const signal = this.#reading?.signal;
    await this.#readFile();
    const file = this.opened.peek()?.file;
    const copy = file && (await withCheckers(file, missingImages(warnings)).catch(() => null));
    if (signal?.aborted) return;
    this.#faults = warnings;
    if (copy) this.player.srcObject = this.source.value = copy;
    else this.player.dispatchEvent(new CustomEvent('load', { detail: { url: this.player.src } }));
  }

  /** Reads the open file for its JSON; after its load, so that a URL is fetched once and the HTTP cache answers here. */
  async #readFile(): Promise<void> {
    const [source, signal] = [this.source.peek(), this.#reading?.signal];
    if (source === null) return;
    try {
      const file = await readGltf(source, { signal });
      if (!signal?.aborted) this.opened.value = { file, index: new DocumentIndex(file.json) };
    } catch {
      // The load succeeded, so this is a lost connection; panels say that there is no JSON.
    }
  }
}

/** The name of a setting in words: `toneMapping` → `tone mapping`. */
function inWords(setting: string): string {
  return setting.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll(',', ', ');
}

/** The way in which the joints of two files are paired, in words. */
export function pairing({ conventions, named }: RetargetReport): string {
  return conventions ? `as humanoids, ${conventions.join(' → ')}` : `by names, ${named}`;
}
