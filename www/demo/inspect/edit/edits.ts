// Edits of the model: clips, materials, nodes. Each is a pair of descriptions, before and after, which undo and redo apply.

import { signal } from '@preact/signals';
import type { Clip, ClipData, ClipEdit, MaterialValues, Model } from 'gambol';
import type { Inspector } from '../inspector.ts';
import { nameOf, save } from '../pictures.ts';
import type { FollowedClip } from '../timeline/timeline.ts';

/** A state of a part of the model, as plain data. */
export type Part =
  | { readonly kind: 'clip'; readonly clip: number; readonly data: ClipData }
  | { readonly kind: 'material'; readonly material: number; readonly values: MaterialValues }
  | { readonly kind: 'node'; readonly node: number; readonly visible: boolean | null };

export class Edits {
  /** Counts the edits that are applied, for panels that show values of the model. */
  readonly version = signal(0);
  readonly saving = signal(false);
  readonly #inspector: Inspector;
  /** Edits load scripts, so they are applied one after the other. */
  #last: Promise<unknown> = Promise.resolve();
  /** The values that the user has set, by the index of the material, and of nodes. */
  readonly #materials = new Map<number, MaterialValues>();
  readonly #nodes = new Map<number, boolean>();
  /** The present indices of clips that were split off, by their first ones: redo makes a clip of another index. */
  readonly #splits = new Map<number, number>();

  constructor(inspector: Inspector) {
    this.#inspector = inspector;
  }

  /** Forgets the edits of the model before. */
  clear(): void {
    this.#materials.clear();
    this.#nodes.clear();
    this.#splits.clear();
    this.version.value += 1;
  }

  /** Edits a clip, as one step of undo. Returns `false` if that failed, with a message; the clip is as before then. */
  clip(name: string, clip: Clip, edits: readonly ClipEdit[]): Promise<boolean> {
    return this.#queued(async (model) => {
      const { index } = clip;
      const before = model.clipData(index);
      await model.editClip(index, edits);
      this.#recordClip(name, model, index, before);
    });
  }

  /** Begins an edit of a clip that follows the pointer; null without a model. */
  follow({ index }: Clip): FollowedClip | null {
    const now = this.#inspector.viewer?.model;
    if (!now) return null;
    const before = now.clipData(index);
    let wanted: readonly ClipEdit[] | null = null;
    let running = false;
    let isChanged = false;
    const latest = async (model: Model): Promise<void> => {
      try {
        for (let edits = wanted; edits; edits = wanted) {
          wanted = null;
          // Edits are those of the clip as it was, not of the last place of the pointer.
          if (isChanged) await model.editClip(index, { replace: before });
          isChanged = false;
          if (edits.length > 0) await model.editClip(index, edits);
          isChanged = edits.length > 0;
        }
      } finally {
        running = false;
      }
    };
    return {
      show: (edits) => {
        // Of many movements of the pointer while an edit is made, the last one counts.
        wanted = edits;
        if (!running) void this.#queued(latest);
        running = true;
      },
      end: (name) =>
        this.#queued(async (model) => {
          if (isChanged) this.#recordClip(name, model, index, before);
        }),
      cancel: () => {
        wanted = null;
        return this.#queued(async (model) => {
          if (isChanged) await model.editClip(index, { replace: before });
        });
      },
    };
  }

  /** Splits a clip at a time, as one step of undo: the part after it is a new clip. */
  split(clip: Clip, at: number): Promise<boolean> {
    const first = this.#firstOf(clip.index);
    const name = `${clip.name || clip.id} 2`;
    return this.#queued(async (model) => {
      const before = model.clipData(clip.index);
      const cut = async (): Promise<number | undefined> => {
        const [, rest] = await model.editClip(this.#present(first), { split: { at, name } });
        return rest?.index;
      };
      const rest = await cut();
      if (rest === undefined || this.#inspector.viewer?.model !== model) return;
      this.#inspector.record({
        name: `split at ${at.toFixed(3)} s`,
        undo: () => void this.#queued(() => this.#join(model, first, rest, before)),
        redo: () =>
          void this.#queued(async () => {
            this.#splits.set(rest, (await cut()) ?? rest);
          }),
      });
      this.#inspector.status.notice(`“${name}” is the part after ${at.toFixed(3)} s`);
    });
  }

  /** Ends a split: the second part is removed, and the first one is whole again. */
  async #join(model: Model, first: number, rest: number, before: ClipData): Promise<void> {
    const { viewer } = this.#inspector;
    const [whole, second] = [this.#present(first), this.#present(rest)];
    // The removed part may be the one that is shown.
    const shown = model.clips.find(({ index }) => index === whole);
    if (viewer?.clip?.index === second && shown) this.#inspector.follow({ clip: shown.id });
    await model.removeClip(second);
    await model.editClip(whole, { replace: before });
  }

  /** The present index of a clip. */
  #present(clip: number): number {
    return this.#splits.get(clip) ?? clip;
  }

  /** The first index of a clip, which steps of undo have. */
  #firstOf(clip: number): number {
    for (const [first, now] of this.#splits) if (now === clip) return first;
    return clip;
  }

  /** Changes values of a material, as one step of undo; `null` gives back what the file has. */
  material(name: string, material: number, values: MaterialValues): Promise<boolean> {
    return this.#queued(async () => {
      const set: Readonly<Record<string, unknown>> = this.#materials.get(material) ?? {};
      const old = Object.fromEntries(Object.keys(values).map((key) => [key, set[key] ?? null]));
      const after: Part = { kind: 'material', material, values };
      await this.#set(after);
      this.#record(name, { kind: 'material', material, values: old as MaterialValues }, after);
    });
  }

  /** The values that the user has set; those that are missing or null are those of the file. */
  valuesOf(material: number): MaterialValues {
    return this.#materials.get(material) ?? {};
  }

  /** Gives back all values of the file to a material. */
  resetMaterial(name: string, material: number): void {
    const values = Object.keys(this.valuesOf(material)).map((key) => [key, null]);
    void this.material(name, material, Object.fromEntries(values));
  }

  /** `true` if the user has changed the material. */
  isChanged(material: number): boolean {
    return Object.values(this.valuesOf(material)).some((value) => value !== null);
  }

  /** Shows or hides a node with its branch; `null` gives back what the file has. */
  node(name: string, node: number, visible: boolean | null): void {
    const after: Part = { kind: 'node', node, visible };
    this.#record(name, { kind: 'node', node, visible: this.#nodes.get(node) ?? null }, after);
    void this.#apply(after);
  }

  /** Saves the file with all edits; everything else in it stays as it was. */
  async save(): Promise<void> {
    const { viewer, status } = this.#inspector;
    if (!viewer || this.saving.peek()) return;
    this.saving.value = true;
    try {
      await this.#last;
      const name = nameOf(this.#inspector, false);
      save(await viewer.exportGlb({ clips: 'all' }), `${name}-edited.glb`);
      status.announce('The file is saved.');
    } catch (error) {
      status.fail(error, true);
    } finally {
      this.saving.value = false;
    }
  }

  #recordClip(name: string, model: Model, index: number, before: ClipData): void {
    if (this.#inspector.viewer?.model !== model) return;
    const clip = this.#firstOf(index);
    const after: Part = { kind: 'clip', clip, data: model.clipData(index) };
    // Steps of one name are one step, so those of several clips have several names.
    this.#record(`${name} of ${after.data.name}`, { kind: 'clip', clip, data: before }, after);
  }

  #record(name: string, before: Part, after: Part): void {
    this.#inspector.record({
      name,
      undo: () => void this.#apply(before),
      redo: () => void this.#apply(after),
    });
  }

  #apply(part: Part): Promise<boolean> {
    return this.#queued(() => this.#set(part));
  }

  async #set(part: Part): Promise<void> {
    const { viewer } = this.#inspector;
    if (!viewer?.model) return;
    if (part.kind === 'clip') await viewer.model.editClip(this.#present(part.clip), { replace: part.data });
    else if (part.kind === 'material') {
      await viewer.material(part.material).set(part.values);
      this.#materials.set(part.material, { ...this.#materials.get(part.material), ...part.values });
    } else {
      viewer.node(part.node).visible = part.visible;
      if (part.visible === null) this.#nodes.delete(part.node);
      else this.#nodes.set(part.node, part.visible);
    }
  }

  /** Runs an edit after those before, unless another model is shown by then. */
  #queued(edit: (model: Model) => Promise<void>): Promise<boolean> {
    const model = this.#inspector.viewer?.model;
    const run = this.#last.then(async () => {
      if (!model || this.#inspector.viewer?.model !== model) return false;
      try {
        await edit(model);
        return true;
      } catch (error) {
        this.#inspector.status.fail(error, true);
        return false;
      } finally {
        this.version.value += 1;
      }
    });
    this.#last = run;
    return run;
  }
}
