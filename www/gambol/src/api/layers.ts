// The layers of a performer.

import type { Engine } from '../stage/engine.ts';
import type { LayerOptions } from '../values/options.ts';
import type { PlaySource } from './blend-space.ts';
import { addedLayer, type Layer, type LayerOwner } from './layer.ts';

/** The layers of a performer; iterates from the lowest to the topmost. @category Mixing */
export class Layers implements Iterable<Layer> {
  readonly #engine: Engine;
  readonly #performer: LayerOwner;
  readonly #all = new Map<number, Layer>();

  /** @internal */
  constructor(engine: Engine, performer: LayerOwner) {
    this.#engine = engine;
    this.#performer = performer;
  }

  /**
   * Adds a layer above the others and plays it from its beginning. A layer changes only the properties that its clips animate,
   * and only on the joints of its mask. Averaged layers blend with the performer's own clip, below all other layers.
   *
   * ```js
   * const wave = viewer.layers.add('Wave', { mask: 'ShoulderR/**', fade: 0.2 });
   * wave.fadeTo(0.5, 1);
   * ```
   *
   * @throws {@link GambolError} `clip/not-found`, `mask/no-such-joint`, `blend-space/…`, `argument/invalid`
   */
  add(source: PlaySource, options: LayerOptions = {}): Layer {
    const layer = addedLayer(
      this.#engine,
      this.#performer,
      (name) => this.get(name) !== undefined,
      source,
      options,
      ({ id }) => this.#all.delete(id),
    );
    this.#all.set(layer.id, layer);
    try {
      layer.begin(options);
    } catch (error) {
      layer.remove({ fade: 0 });
      throw error;
    }
    return layer;
  }

  /** The layer with this name, or undefined. */
  get(name: string): Layer | undefined {
    return [...this.#all.values()].find((layer) => layer.name === name);
  }

  /** The number of layers. */
  get size(): number {
    return this.#all.size;
  }

  /** Removes all layers; see {@link Layer.remove}. */
  clear(options: { readonly fade?: number } = {}): void {
    for (const layer of [...this.#all.values()]) layer.remove(options);
  }

  /** Iterates from the lowest layer to the topmost, over a copy: layers may be added and removed meanwhile. */
  [Symbol.iterator](): IterableIterator<Layer> {
    return [...this.#all.values()].values();
  }

  /** The layer with this track number of the core. @internal */
  byId(id: number): Layer | undefined {
    return this.#all.get(id);
  }

  /** Ends all layers, when the performer's model leaves the stage or an error ends playback. @internal */
  end(reason: string): void {
    for (const layer of [...this.#all.values()]) layer.end(reason);
  }
}
