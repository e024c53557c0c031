// The clips that the attribute `animation-name` names.

import type { Clip } from '../../values/clips.ts';

/** A model with its clips. */
interface Clips {
  readonly clips: readonly Clip[];
}

/** The reference of a clip for a name. Digits that are no id or name of a clip are its index, as in <model-viewer>. */
export function clipNamed({ clips }: Clips, name: string | null): string | number | null {
  const isPlace = name !== null && /^\d+$/.test(name) && Number(name) < clips.length;
  return isPlace && !clips.some((clip) => clip.id === name || clip.name === name) ? Number(name) : name;
}

/** The clip of a name; undefined without one. */
export function findNamed(model: Clips, text: string | null): Clip | undefined {
  const { clips } = model;
  const named = clipNamed(model, text);
  if (typeof named === 'number') return clips[named];
  return clips.find(({ id }) => id === named) ?? clips.find(({ name }) => name === named);
}
