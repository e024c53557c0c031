// Materials of actors.

import { GambolError } from '../base/errors.ts';
import { shown } from '../base/shown.ts';
import { choices } from '../base/suggestions.ts';
import type { Model } from '../load/model.ts';
import { coreFlipbook, type FlipbookOptions } from '../values/sprites.ts';
import type { MaterialOptions, MaterialValues, ShownMaterial } from '../values/materials.ts';
import { isUsed, loadScript, scriptOf } from './features.ts';
import type { MaterialOwner, MaterialRef } from './material-owner.ts';

/**
 * A material of an actor or a crowd. Made by {@link Viewer.material}, {@link Actor.material} and {@link Crowd.material}. Changes apply to
 * this actor or crowd only: others of the model keep theirs.
 *
 * After the viewer has loaded another model, a `Material` stands for the material of the same name in that model.
 *
 * ```js
 * viewer.material('Fire').flipbook({ columns: 4, rows: 4, fps: 24 });
 * ```
 * @category Sprites and materials
 */
export class Material {
  readonly #performer: MaterialOwner;
  #model: Model | null = null;
  #ref: MaterialRef;
  #name = '';

  /** @internal */
  constructor(performer: MaterialOwner, ref: MaterialRef) {
    this.#performer = performer;
    this.#ref = ref;
    this.#ref = this.index;
  }

  /** The name of the material in the file. */
  get name(): string {
    return this.#name;
  }

  /**
   * The index of the material in the file.
   *
   * @throws {@link GambolError} `material/not-found` if the current model has no material of this name; `actor/removed` without a
   * model
   */
  get index(): number {
    this.#performer.number();
    const { model } = this.#performer;
    if (model && model !== this.#model) {
      const { materials } = model;
      // Found by name in another model, because an index of another file is another material.
      const ref = this.#model ? this.#name : this.#ref;
      const index = typeof ref === 'number' ? ref : materials.indexOf(ref);
      const name = materials[index];
      if (name === undefined)
        throw new GambolError(
          'material/not-found',
          `The model has no material ${shown(ref)}${choices(
            ref,
            materials.filter((other) => other !== ''),
            'none of its materials has a name',
          )}`,
        );
      this.#model = model;
      this.#name = name;
      this.#ref = index;
    }
    return this.#ref as number;
  }

  /**
   * Changes the material: colours, numbers, switches and textures, each until a later call. Names that are missing stay as they are;
   * `null` gives back what the file has, as `set(null)` does for all. Where a clip animates a number, too, the hand wins, by `weight`.
   *
   * All values change together: at once if the feature `materials` runs and every texture is there, as in an animation of the page, else
   * when the promise resolves. If it rejects, nothing has changed.
   *
   * ```js
   * const body = viewer.material('Body');
   * await body.set({ baseColor: 'tomato', roughness: 0.4 }, { fade: 0.3 });
   * await body.set({ baseColorTexture: { source: 'cloth.webp', scale: [4, 4] }, clearcoat: 1 });
   * await body.set({ baseColor: null });
   * ```
   *
   * @throws {@link GambolError} `argument/invalid`, `material/not-found`, `fetch/…`, `image/unsupported`, `image/too-large`,
   * `image/broken`, `image/cross-origin`, `load/chunk`; `actor/removed` without a model
   */
  async set(values: MaterialValues | null, options: MaterialOptions = {}): Promise<void> {
    const { core } = this.#performer.engine;
    const script = isUsed(core, 'materials') ? scriptOf('materials') : await loadScript(core, 'materials');
    const pending = script.setMaterial(this.#performer, this.index, values, options);
    // Most changes are complete, and need no second promise.
    if (pending) await pending;
  }

  /**
   * All values of the material as it is shown, with animation and fades; a copy. Colours are linear numbers. Needs the feature
   * `materials`.
   *
   * @throws {@link GambolError} `feature/not-used`, `material/not-found`; `actor/removed` without a model
   */
  get values(): ShownMaterial {
    return scriptOf('materials', 'values').materialNow(this.#performer, this.index);
  }

  /**
   * Animates all textures of the material by cells: each shows one cell in place of the whole image. A texture transform of the
   * file applies before. A later call replaces the one before; `null` ends it.
   *
   * The cell is a pure function of the time: it is right after a seek, backwards, and in stills and recordings. Needs the feature
   * `extras`.
   *
   * ```js
   * viewer.material('Fire').flipbook({ columns: 8, rows: 4, frames: 30, fps: 24 });
   * viewer.material('Eyes').flipbook({ columns: 4, rows: 1, fps: 10, clock: 'clip' });
   * ```
   *
   * @throws {@link GambolError} `argument/invalid`, `material/not-found`, `feature/not-used`; `actor/removed` without a model
   */
  flipbook(options: FlipbookOptions | null): void {
    this.#performer.engine.needs('extras', 'flipbook()');
    const { index } = this;
    const flipbook = options === null ? undefined : coreFlipbook(options);
    this.#performer.change(({ joints }, actor) => joints.setFlipbook(actor, index, flipbook));
  }

  /**
   * The index of the cell that the textures show now; null without a flip-book. Needs the feature `extras`.
   *
   * @throws {@link GambolError} `feature/not-used`, `material/not-found`; `actor/removed` without a model
   */
  get cell(): number | null {
    this.#performer.engine.needs('extras', 'cell');
    const { index } = this;
    return this.#performer.readStage(({ query }, actor) => query.flipbookCell(actor, index)) ?? null;
  }
}
