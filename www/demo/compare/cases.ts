// Generated files for the comparison of poses: trees of nodes whose clips have keys at random times, in all interpolations.

import { GlbWriter } from '../app/glb-writer.ts';

/** Pseudo-random numbers from 0 to 1, the same for the same seed (Mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const WIDTHS = { translation: 3, rotation: 4, scale: 3 } as const;
export const INTERPOLATIONS = ['STEP', 'LINEAR', 'CUBICSPLINE'] as const;

/** A file with a tree of twelve nodes and one clip, which animates all of them. */
export function randomFile(seed: number, interpolation: (typeof INTERPOLATIONS)[number]): Uint8Array<ArrayBuffer> {
  const random = randomNumbers(seed);
  const between = (from: number, to: number): number => from + (to - from) * random();
  const writer = new GlbWriter();
  const values = {
    translation: () => [between(-0.4, 0.4), between(-0.4, 0.4), between(-0.4, 0.4)],
    scale: () => [between(0.6, 1.5), between(0.6, 1.5), between(0.6, 1.5)],
    rotation: () => {
      const q = [between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1)];
      const length = Math.hypot(...q);
      return q.map((value) => value / length);
    },
  };
  const nodes: { name: string; children?: number[] }[] = [];
  const [channels, samplers]: [object[], object[]] = [[], []];
  for (let node = 0; node < 12; node++) {
    nodes.push({ name: `Node ${node}` });
    if (node > 0) {
      const parent = nodes[Math.floor(random() * node)];
      if (parent) (parent.children ??= []).push(node);
    }
    for (const path of ['translation', 'rotation', 'scale'] as const) {
      const count = 2 + Math.floor(random() * 8);
      let time = random();
      const times = Array.from({ length: count }, () => (time += between(0.02, 0.6)));
      const outputs = times.flatMap(() => {
        const tangent = (): number[] => Array.from({ length: WIDTHS[path] }, () => between(-1, 1));
        return interpolation === 'CUBICSPLINE' ? [...tangent(), ...values[path](), ...tangent()] : values[path]();
      });
      samplers.push({ input: writer.add(times, 1), output: writer.add(outputs, WIDTHS[path]), interpolation });
      channels.push({ sampler: samplers.length - 1, target: { node, path } });
    }
  }
  return writer.finish({
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes,
    animations: [{ name: 'Clip', channels, samplers }],
  });
}
