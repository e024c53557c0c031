// The clips of a model. The viewers that share the model share this list, too.

import { extendedClips, type Clip } from '../values/clips.ts';
import type { CoreAsset } from '../wasm/core.ts';
import { guarded } from '../wasm/guarded.ts';

/** A change of the list: the clips that it gained and those that it lost. @internal */
export interface ClipChange {
  readonly added: readonly Clip[];
  readonly removed: readonly Clip[];
}

/** The clips of a compiled model. @internal */
export class ClipList {
  readonly #asset: CoreAsset;
  readonly #listeners = new Set<(change: ClipChange) => void>();
  #clips: readonly Clip[];

  constructor(asset: CoreAsset) {
    this.#asset = asset;
    this.#clips = extendedClips(
      [],
      guarded(() => asset.clips()),
    );
  }

  get clips(): readonly Clip[] {
    return this.#clips;
  }

  /** Adds a listener; returns a function that removes it. */
  listen(listener: (change: ClipChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reads the clips again after a change, and calls the listeners. Clips that stay are the same objects. */
  update(): ClipChange {
    const before = this.#clips;
    this.#clips = extendedClips(
      before,
      guarded(() => this.#asset.clips()),
    );
    const change = {
      added: this.#clips.filter((clip) => !before.includes(clip)),
      removed: before.filter((clip) => !this.#clips.includes(clip)),
    };
    for (const listener of [...this.#listeners]) listener(change);
    return change;
  }
}
