// Edits of the model: clips, materials, nodes. Each is a pair of descriptions, before and after, which undo and redo apply.

import { signal } from '@preact/signals';
import type { Clip, ClipData, ClipEdit, MaterialValues } from 'gambol';
import type { Inspector } from '../inspector.ts';
import { nameOf, save } from '../pictures.ts';

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

  constructor(inspector: Inspector) {
    this.#inspector = inspector;
  }

  /** Forgets the edits of the model before. */
  clear(): void {
    this.#materials.clear();
    this.#nodes.clear();
    this.version.value += 1;
  }

  /** Edits a clip, as one step of undo. Returns `false` if that failed, with a message; the clip is as before then. */
  clip(name: string, clip: Clip, edits: readonly ClipEdit[]): Promise<boolean> {
    return this.#queued(async (model) => {
      const { index } = clip;
      const before: Part = { kind: 'clip', clip: index, data: model.clipData(index) };
      await model.editClip(index, edits);
      if (this.#inspector.viewer?.model !== model) return;
      this.#record(name, before, { kind: 'clip', clip: index, data: model.clipData(index) });
    });
  }

  /** Changes values of a material, as one step of undo; `null` gives back what the file has. */
  material(name: string, material: number, values: MaterialValues): void {
    const set: Readonly<Record<string, unknown>> = this.#materials.get(material) ?? {};
    const old = Object.fromEntries(Object.keys(values).map((key) => [key, set[key] ?? null]));
    const after: Part = { kind: 'material', material, values };
    this.#record(name, { kind: 'material', material, values: old as MaterialValues }, after);
    void this.#apply(after);
  }

  /** Gives back all values of the file to a material. */
  resetMaterial(name: string, material: number): void {
    const values = this.#materials.get(material) ?? {};
    this.material(name, material, Object.fromEntries(Object.keys(values).map((key) => [key, null])));
  }

  /** `true` if the user has changed the material. */
  isChanged(material: number): boolean {
    return Object.values(this.#materials.get(material) ?? {}).some((value) => value !== null);
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

  #record(name: string, before: Part, after: Part): void {
    this.#inspector.record({
      name,
      undo: () => void this.#apply(before),
      redo: () => void this.#apply(after),
    });
  }

  #apply(part: Part): Promise<boolean> {
    return this.#queued(async (model) => {
      const { viewer } = this.#inspector;
      if (!viewer) return;
      if (part.kind === 'clip') await model.editClip(part.clip, { replace: part.data });
      else if (part.kind === 'material') {
        await viewer.material(part.material).set(part.values);
        this.#materials.set(part.material, { ...this.#materials.get(part.material), ...part.values });
      } else {
        viewer.node(part.node).visible = part.visible;
        if (part.visible === null) this.#nodes.delete(part.node);
        else this.#nodes.set(part.node, part.visible);
      }
    });
  }

  /** Runs an edit after those before, unless another model is shown by then. */
  #queued(edit: (model: NonNullable<Inspector['model']['value']>) => Promise<void>): Promise<boolean> {
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
