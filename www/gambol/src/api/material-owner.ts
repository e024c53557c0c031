// The owner of a material: an actor or a crowd.

import type { Model } from '../load/model.ts';
import type { Engine } from '../stage/engine.ts';
import type { CoreStage } from '../wasm/core.ts';
import type { Pictures } from './material-pictures.ts';

/** A material: its name, or its index in the file. @category Sprites and materials */
export type MaterialRef = string | number;

/** The part of an actor or a crowd that its materials use. @internal */
export interface MaterialOwner {
  readonly model: Model | null;
  number(): number;
  readonly engine: Pick<Engine, 'needs' | 'core'>;
  /** The stage that has the pictures of its textures. */
  readonly pictures: Pictures;
  material(ref: MaterialRef): { readonly index: number };
  change(change: (stage: CoreStage, actor: number) => void): void;
  readStage<T>(read: (stage: CoreStage, actor: number) => T): T;
}
