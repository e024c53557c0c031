import type { Player } from './player.ts';

/** The name of the model, as that of a file without its end. */
export function fileStem({ viewer }: Player): string {
  return (viewer?.model?.name ?? '').replace(/\.[^.]*$/, '').replace(/[^\p{L}\p{N} _-]+/gu, '_') || 'gambol';
}
