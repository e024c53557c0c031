// KTX2 images of 16 × 16 pixels with their mipmaps: red, blue above green, white. Made with ktx2-encoder 0.6.0.

function bytes(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** UASTC blocks with Zstandard supercompression. */
export const UASTC = bytes(
  'q0tUWCAyMLsNChoKAAAAAAEAAAAQAAAAEAAAAAAAAAAAAAAAAQAAAAUAAAACAAAAyAAAACwAAAD0AAAAJAAAAAAAAAAAAAAAAAAA' +
    'AAAAAACsAQAAAAAAAD0AAAAAAAAAAAEAAAAAAABjAQAAAAAAAEkAAAAAAAAAQAAAAAAAAABKAQAAAAAAABkAAAAAAAAAEAAAAAAA' +
    'AAAxAQAAAAAAABkAAAAAAAAAEAAAAAAAAAAYAQAAAAAAABkAAAAAAAAAEAAAAAAAAAAsAAAAAAAAAAIAKACmAQIAAwMAABAAAAAA' +
    'AAAAAAB/AAAAAAAAAAAA/////x8AAABLVFh3cml0ZXIAQmFzaXMgVW5pdmVyc2FsIDIuNTAAACi1L/0gEIEAAHeXl/cfVUoBAAAA' +
    'AAAAAAAotS/9IBCBAABTWCsQXUPXY5Kcsa///38AKLUv/SAQgQAA09QMLAHHJ2RIhkkAgP9/ACi1L/0gQAECAFMlnQ+AACAhyIQA' +
    'gP9/AAATJJsJHgCAJBKCSID/fwAAE7ahAYBOgEgIMiE8Hh4eABOTnEEeDSBJkiRJgP9/AAAotS/9YAAAnQEA+PcfAOAfegAXAOD/' +
    'HwLgARfgH+AfAg8A9////x987wEHAAUSACCfAbkDlgIAeSYKBTAC',
);

/** ETC1S slices with BasisLZ. */
export const ETC1S = bytes(
  'q0tUWCAyMLsNChoKAAAAAAEAAAAQAAAAEAAAAAAAAAAAAAAAAQAAAAUAAAABAAAAyAAAACwAAAD0AAAAJAAAABgBAAAAAAAACgEA' +
    'AAAAAAAoAgAAAAAAAAoAAAAAAAAAAAAAAAAAAAAlAgAAAAAAAAMAAAAAAAAAAAAAAAAAAAAkAgAAAAAAAAEAAAAAAAAAAAAAAAAA' +
    'AAAjAgAAAAAAAAEAAAAAAAAAAAAAAAAAAAAiAgAAAAAAAAEAAAAAAAAAAAAAAAAAAAAsAAAAAAAAAAIAKACjAQIAAwMAAAgAAAAA' +
    'AAAAAAA/AAAAAAAAAAAA/////x8AAABLVFh3cml0ZXIAQmFzaXMgVW5pdmVyc2FsIDIuNTAAAAsACAA+AAAAIQAAADMAAAAAAAAA' +
    'AAAAAAAAAAAKAAAAAAAAAAAAAAAAAAAAAAAAAAMAAAAAAAAAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAAAAAABAAAAAAAA' +
    'AAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAACBAhIABAAAgGDUMjwAmBAgAAACAIPBAfQBxBAYAAIaAp4b+QGJxAExAEAAAAARAQkNP' +
    'ghAg2N7z3sPb5GMABADQ1wfw9/ev8vWtqqqqqvqvqvr/Dwr6X7++XldVVVUFAMFEAAAAAAAAEuG/1QIwB0AAAEAQgDXoUFWANw4D' +
    'AAABYx9RKD2BAGACAAAAAAAAAQQAJ0sDXxnHTo6drgTx7HQlAA==',
);

/**
 * An uncompressed image of 2 × 2 pixels: `format` is Vulkan's R8G8B8A8 as UNORM (37) or as sRGB (43). KTX2 supports it,
 * glTF does not.
 */
export function vulkan(format: 37 | 43): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(80 + 24 + 92 + 16);
  const view = new DataView(out.buffer);
  const words = (at: number, ...values: number[]): void =>
    values.forEach((value, i) => view.setUint32(at + 4 * i, value, true));
  out.set(UASTC.subarray(0, 12));
  // Format, type size, width, height, depth, layers, faces, levels, no supercompression; offset of the descriptor.
  words(12, format, 1, 2, 2, 0, 0, 1, 1, 0, 104, 92);
  // The level: offset, length, uncompressed length.
  words(80, 196, 0, 16, 0, 16, 0);
  // A basic descriptor: RGBSDA, BT709, linear or sRGB, 1 × 1 texel of 4 bytes, and four samples of 8 bits.
  words(104, 92, 0, 2 | (88 << 16), 1 | (1 << 8) | ((format === 43 ? 2 : 1) << 16), 0, 4, 0);
  [0, 1, 2, 15].forEach((channel, i) => words(132 + 16 * i, (8 * i) | (7 << 16) | (channel << 24), 0, 0, 255));
  out.set([255, 0, 0, 255, 0, 0, 255, 255, 0, 255, 0, 255, 255, 255, 255, 255], 196);
  return out;
}
