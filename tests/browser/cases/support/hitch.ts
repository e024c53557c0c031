// A file with faults: a square that swings up and down and whose loop does not close, below two nodes of the same name.

import { model } from './model.ts';

/** The distance between the last pose and the first, in metres. */
export const GAP = 0.05;
/** The number of frames of the clip `Swing`, 30 a second, without the first. */
export const FRAMES = 30;

export function hitching(): Blob {
  const { json } = model({ clips: [], node: 'Square' });
  const times = Array.from({ length: FRAMES + 1 }, (_, i) => i / 30);
  const height = (i: number): number => 0.5 * Math.sin((2 * Math.PI * i) / FRAMES) + (i === FRAMES ? GAP : 0);
  const data = new Float32Array([...times, ...times.flatMap((_, i) => [0, height(i), 0])]);
  const bytes = new Uint8Array(data.buffer);
  const file = json as Record<'accessors' | 'bufferViews' | 'buffers' | 'nodes', object[]> & Record<string, unknown>;
  const { accessors, bufferViews, buffers, nodes } = file;
  const [buffer, view, accessor, count] = [buffers.length, bufferViews.length, accessors.length, FRAMES + 1];
  const gltf = {
    ...file,
    nodes: [...nodes, { name: 'Twin' }, { name: 'Twin' }],
    scenes: [{ nodes: [0, nodes.length, nodes.length + 1] }],
    buffers: [
      ...buffers,
      {
        byteLength: bytes.length,
        uri: `data:application/octet-stream;base64,${btoa(String.fromCharCode(...bytes))}`,
      },
    ],
    bufferViews: [
      ...bufferViews,
      { buffer, byteOffset: 0, byteLength: 4 * count },
      { buffer, byteOffset: 4 * count, byteLength: 12 * count },
    ],
    accessors: [
      ...accessors,
      { bufferView: view, componentType: 5126, type: 'SCALAR', count, min: [0], max: [FRAMES / 30] },
      { bufferView: view + 1, componentType: 5126, type: 'VEC3', count },
    ],
    animations: [
      {
        name: 'Swing',
        samplers: [{ input: accessor, output: accessor + 1 }],
        channels: [{ sampler: 0, target: { node: 0, path: 'translation' } }],
      },
    ],
  };
  return new Blob([JSON.stringify(gltf)], { type: 'model/gltf+json' });
}
