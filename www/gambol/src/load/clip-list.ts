// The clips of a model. The viewers that share the model share this list, too.

import { extendedClips, type Clip } from '../values/clips.ts';
import type { CoreAsset } from '../wasm/core.ts';
import { guarded } from '../wasm/guarded.ts';

/** A change of the list: the clips that it gained, those that it lost, and the one that was edited, before and after. @internal */
export interface ClipChange {
  readonly added: readonly Clip[];
  readonly removed: readonly Clip[];
  readonly edited?: { readonly from: Clip; readonly to: Clip } | undefined;
}

/** The clips of a compiled model. @internal */
export class ClipList {
  readonly #asset: CoreAsset;
  readonly #listeners = new Set<(change: ClipChange) => void>();
  readonly #edited = new Set<number>();
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

  /** `true` if the clip of the index is not as it was loaded or added. */
  isEdited(index: number): boolean {
    return this.#edited.has(index);
  }

  /** Reads the clips again after a change, and calls the listeners. Clips that stay are the same objects, except the edited one. */
  update(edited?: number): ClipChange {
    const before = this.#clips;
    this.#clips = extendedClips(
      before,
      guarded(() => this.#asset.clips()),
      edited,
    );
    if (edited !== undefined) this.#edited.add(edited);
    const [from, to] = [before, this.#clips].map((clips) => clips.find(({ index }) => index === edited));
    const change = {
      added: this.#clips.filter((clip) => clip !== to && !before.includes(clip)),
      removed: before.filter((clip) => clip !== from && !this.#clips.includes(clip)),
      edited: from && to && { from, to },
    };
    for (const listener of [...this.#listeners]) listener(change);
    return change;
  }
}
