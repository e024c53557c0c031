// The models. All have unlit materials, so that no player computes more light than another. Large meshes are reduced to
// a few triangles, because a software renderer (SwiftShader) would block commands. Neither changes the animation.

import { character } from '../character.ts';

export interface Model {
  readonly name: string;
  /** The approximate height in metres. */
  readonly height: number;
  /** The file, or undefined if it does not exist. */
  file(): Promise<Uint8Array<ArrayBuffer> | undefined>;
}

export const MODELS: readonly Model[] = [
  { name: 'character', height: 2, file: async () => simplified(character()) },
  { name: 'parts', height: 2, file: async () => simplified(character(59)) },
  { name: 'cesium_man', height: 1.6, file: () => shared('CesiumMan.glb') },
];

/** The maximum number of triangles of a primitive. */
const TRIANGLES = 100;

async function shared(name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const response = await fetch(`/shared/assets/gltf/${name}`);
  return response.ok ? simplified(new Uint8Array(await response.arrayBuffer())) : undefined;
}

function simplified(glb: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const view = new DataView(glb.buffer, glb.byteOffset, glb.byteLength);
  const length = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + length)));
  json.extensionsUsed = [...new Set([...(json.extensionsUsed ?? []), 'KHR_materials_unlit'])];
  for (const material of json.materials ?? []) material.extensions = { KHR_materials_unlit: {} };
  for (const { primitives } of json.meshes) {
    for (const { indices } of primitives) {
      const accessor = json.accessors[indices];
      accessor.count = Math.min(accessor.count, 3 * TRIANGLES);
      // The bounds may belong to triangles that were removed.
      delete accessor.min;
      delete accessor.max;
    }
  }
  const text = new TextEncoder().encode(JSON.stringify(json));
  const padded = Math.ceil(text.length / 4) * 4;
  const rest = glb.subarray(20 + length);
  const made = new Uint8Array(20 + padded + rest.length);
  made.set(glb.subarray(0, 20));
  made.fill(0x20, 20).set(text, 20);
  made.set(rest, 20 + padded);
  const header = new DataView(made.buffer);
  header.setUint32(8, made.length, true);
  header.setUint32(12, padded, true);
  return made;
}
