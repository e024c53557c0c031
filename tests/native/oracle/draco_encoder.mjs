// Encodes a mesh with the encoder of npm's draco3dgltf, for `encodings.rs`.
//
// The standard input is the length of a JSON text (u32, little endian), the text, and the bytes that it describes:
// - { "faces": n, "vertices": n, "method": 0 sequential | 1 edgebreaker, "attributes": [{ "kind", "type", "components",
//   "bits" }] }
// - three u32 for each face, then the attributes one after the other. `bits`: of quantisation; 0 preserves the numbers.
// The standard output is the encoded mesh, whose attributes have the ids 0, 1, …

import { readFileSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';

const input = readFileSync(0);
const length = input.readUInt32LE(0);
const request = JSON.parse(input.subarray(4, 4 + length));
const bytes = new Uint8Array(input.subarray(4 + length));
let at = 0;
const take = (Type, count) => {
  const values = new Type(bytes.slice(at, at + count * Type.BYTES_PER_ELEMENT).buffer);
  at += values.byteLength;
  return values;
};

const draco = await createRequire(import.meta.url)('draco3dgltf').createEncoderModule({});
const [builder, mesh] = [new draco.MeshBuilder(), new draco.Mesh()];
builder.AddFacesToMesh(mesh, request.faces, take(Uint32Array, 3 * request.faces));
for (const { kind, type, components } of request.attributes) {
  const [name, Type] = { 5126: ['AddFloatAttribute', Float32Array], 5123: ['AddUInt16Attribute', Uint16Array] }[type];
  builder[name](mesh, draco[kind], request.vertices, components, take(Type, components * request.vertices));
}
const encoder = new draco.ExpertEncoder(mesh);
encoder.SetEncodingMethod(request.method);
encoder.SetSpeedOptions(5, 5);
request.attributes.forEach(({ bits }, id) => bits > 0 && encoder.SetAttributeQuantization(id, bits));
const encoded = new draco.DracoInt8Array();
const size = encoder.EncodeToDracoBuffer(false, encoded);
if (size === 0) throw new Error('the mesh cannot be encoded');
const out = Uint8Array.from({ length: size }, (_, i) => encoded.GetValue(i) & 255);
for (let done = 0; done < size; ) done += writeSync(1, out.subarray(done));
