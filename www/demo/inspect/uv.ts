// The UV coordinates of the triangles that have a material.

import { type Document, type Primitive, WebIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS } from '@gltf-transform/extensions';
import type { GltfFile } from 'gambol/gltf';
import { MeshoptDecoder } from 'meshoptimizer';
import { list, text } from './document.ts';

/** The upper limit of triangles that are drawn. */
const MOST = 200_000;

const documents = new WeakMap<GltfFile, Promise<Document>>();

/** The lines of the triangles' edges: pairs of points, each u and v, v down. */
export async function uvLines(file: GltfFile, material: number, texCoord: number): Promise<Float32Array> {
  let reading = documents.get(file);
  if (!reading) {
    reading = read(file);
    documents.set(file, reading);
  }
  const document = await reading;
  const wanted = document.getRoot().listMaterials()[material];
  const lines: number[] = [];
  for (const mesh of document.getRoot().listMeshes())
    for (const primitive of mesh.listPrimitives())
      if (primitive.getMaterial() === wanted && primitive.getMode() === 4) add(lines, primitive, texCoord);
  return new Float32Array(lines);
}

function add(lines: number[], primitive: Primitive, texCoord: number): void {
  const coordinates = primitive.getAttribute(`TEXCOORD_${texCoord}`);
  if (!coordinates) return;
  const indices = primitive.getIndices();
  const count = Math.min(indices?.getCount() ?? coordinates.getCount(), 3 * MOST);
  const at = (i: number): number => indices?.getScalar(i) ?? i;
  const points = [
    [0, 0],
    [0, 0],
    [0, 0],
  ] as [number[], number[], number[]];
  for (let i = 0; i + 2 < count && lines.length < 12 * MOST; i += 3) {
    for (const corner of [0, 1, 2] as const) coordinates.getElement(at(i + corner), points[corner]);
    const [a, b, c] = points;
    lines.push(...a, ...b, ...b, ...c, ...c, ...a);
  }
}

async function read(file: GltfFile): Promise<Document> {
  await MeshoptDecoder.ready;
  const io = new WebIO().registerExtensions(ALL_EXTENSIONS).registerDependencies({ 'meshopt.decoder': MeshoptDecoder });
  const resources: Record<string, Uint8Array<ArrayBuffer>> = {};
  const buffers = list(file.json, 'buffers');
  await Promise.all(
    buffers.map(async (buffer, i) => {
      const bytes = (await file.buffer(i)) as Uint8Array<ArrayBuffer>;
      resources[text(buffer, 'uri') ?? '@glb.bin'] = bytes;
    }),
  );
  const json = structuredClone(file.json) as Record<string, unknown>;
  // Only coordinates are read, so images may be missing.
  for (const key of ['images', 'textures']) delete json[key];
  const materials = list(json, 'materials').map((_, i) => ({ name: String(i) }));
  return io.readJSON({ json: { ...json, materials } as never, resources });
}
