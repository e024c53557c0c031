// The contents of a GLB without the layout of its bytes: each reference to an accessor or a buffer view is replaced by its numbers.
// It reads the container by itself, as the oracle of files that gambol writes.

type Json = Record<string, unknown>;

/** The JSON of a GLB, in which accessors and buffer views are their contents. Layout, such as indices of accessors, is left out. */
export function contentOf(glb: ArrayBuffer): Json {
  const view = new DataView(glb);
  const length = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(new Uint8Array(glb, 20, length))) as Json;
  const binary = new Uint8Array(glb, 20 + length + 8, view.getUint32(20 + length, true));
  const list = (name: string): Json[] => (json[name] as Json[] | undefined) ?? [];

  const bytes = ({ byteOffset = 0, byteLength }: Json): string => {
    const begin = Number(byteOffset);
    let text = '';
    for (const byte of binary.subarray(begin, begin + Number(byteLength))) text += String.fromCharCode(byte);
    return text;
  };
  const bufferView = (index: unknown): Json => {
    const { buffer: _, byteOffset: _offset, ...rest } = list('bufferViews')[Number(index)] ?? {};
    return { ...rest, bytes: bytes(list('bufferViews')[Number(index)] ?? {}) };
  };
  const accessor = (index: unknown): Json => {
    const { bufferView: at, ...rest } = list('accessors')[Number(index)] ?? {};
    return { ...rest, view: at === undefined ? null : bufferView(at) };
  };
  const accessors = (map: unknown): Json =>
    Object.fromEntries(Object.entries(map as Json).map(([name, index]) => [name, accessor(index)]));

  const meshes = list('meshes').map((mesh) => ({
    ...mesh,
    primitives: (mesh['primitives'] as Json[]).map((primitive) => ({
      ...primitive,
      attributes: accessors(primitive['attributes']),
      indices: primitive['indices'] === undefined ? null : accessor(primitive['indices']),
      targets: ((primitive['targets'] as Json[] | undefined) ?? []).map(accessors),
    })),
  }));
  const skins = list('skins').map((skin) => ({ ...skin, inverseBindMatrices: accessor(skin['inverseBindMatrices']) }));
  const images = list('images').map((image) => ({ ...image, bufferView: bufferView(image['bufferView']) }));
  const animations = list('animations').map((animation) => {
    const samplers = animation['samplers'] as Json[];
    return {
      ...animation,
      samplers: undefined,
      channels: (animation['channels'] as Json[]).map(({ sampler, ...channel }) => {
        const { input, output, interpolation = 'LINEAR' } = samplers[Number(sampler)] ?? {};
        return { ...channel, interpolation, input: accessor(input), output: accessor(output) };
      }),
    };
  });
  const { bufferViews: _views, accessors: _accessors, buffers: _buffers, ...rest } = json;
  return { ...rest, meshes, skins, images, animations };
}
