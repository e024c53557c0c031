// Levels of detail of a crowd's meshes, by meshoptimizer's simplifier. This script is loaded with the first crowd that has them.

import { MeshoptSimplifier } from 'meshoptimizer/simplifier';
import type { MeshLevel, PrimitiveGeometry } from '../wasm/core.ts';

/** The share of the triangles that each level keeps, at most. */
const SHARES = [0.5, 0.25, 0.12, 0.06, 0.03];

/** A level with more than this share of the triangles of the level before is not worth its memory. */
const WORTH = 0.8;

/** Models with fewer triangles are cheap as they are. */
const LEAST_TRIANGLES = 400;

/** The weight of normals beside positions, which are relative to the size of the primitive. */
const NORMAL_WEIGHT = 0.2;

/**
 * Simplifies the primitives of a model, from finer to coarser; undefined if that is not worth it. The core measures the errors of the
 * levels in the poses of the clips.
 *
 * - `pause`: called between levels; the work of one takes some milliseconds for 10,000 triangles.
 */
export async function meshLevels(
  primitives: readonly (PrimitiveGeometry | null)[],
  pause: () => Promise<void>,
): Promise<MeshLevel[] | undefined> {
  const triangles = primitives.reduce((sum, primitive) => sum + (primitive?.indices.length ?? 0) / 3, 0);
  if (triangles < LEAST_TRIANGLES) return undefined;
  await MeshoptSimplifier.ready;
  const levels: MeshLevel[] = [];
  let before = triangles;
  for (const share of SHARES) {
    await pause();
    const level = primitives.map((primitive) => (primitive ? simplified(primitive, share) : undefined));
    const left = level.reduce((sum, list) => sum + (list?.length ?? 0) / 3, 0);
    // Seams and borders may allow no further simplification.
    if (left > WORTH * before) break;
    before = left;
    levels.push({ primitives: level.map((indices) => ({ indices })) });
  }
  return levels.length > 0 ? levels : undefined;
}

function simplified({ positions, normals, indices }: PrimitiveGeometry, share: number): Uint32Array | undefined {
  const wanted = 3 * Math.max(1, Math.floor((indices.length / 3) * share));
  if (wanted >= indices.length) return undefined;
  // No limit of the error: the core chooses levels by the errors that it measures.
  const limit = 1;
  const [list] =
    normals.length > 0
      ? MeshoptSimplifier.simplifyWithAttributes(
          indices,
          positions,
          3,
          normals,
          3,
          [NORMAL_WEIGHT, NORMAL_WEIGHT, NORMAL_WEIGHT],
          null,
          wanted,
          limit,
        )
      : MeshoptSimplifier.simplify(indices, positions, 3, wanted, limit);
  return list.length > 0 ? list : undefined;
}
