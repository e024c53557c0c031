// The header of a GLB file. Spec: glTF 2.0 §4.4. The first script needs no more of the format.

/** The first four bytes of a GLB, little-endian: `glTF`. */
export const GLB_MAGIC = 0x46546c67;

/** `true` if the bytes begin as a GLB does. */
export function isGlb(bytes: Uint8Array): boolean {
  return bytes.byteLength >= 4 && viewOf(bytes).getUint32(0, true) === GLB_MAGIC;
}

/** The length that the header states; 0 if the bytes are no GLB or less than its header. */
export function glbLength(bytes: Uint8Array): number {
  return isGlb(bytes) && bytes.byteLength >= 12 ? viewOf(bytes).getUint32(8, true) : 0;
}

/** A view of the same bytes. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
