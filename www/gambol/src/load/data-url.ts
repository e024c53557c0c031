/**
 * The bytes of a `data:` URL, or undefined for other URLs. It does not use `fetch`, which a strict Content-Security-Policy
 * refuses.
 */
export function dataUrlBytes(uri: string): { bytes: Uint8Array<ArrayBuffer>; mimeType: string } | undefined {
  if (!/^data:/i.test(uri)) return undefined;
  const comma = uri.indexOf(',');
  if (comma < 0) return undefined;
  const head = uri.slice(5, comma);
  const body = uri.slice(comma + 1);
  const mimeType = head.split(';', 1)[0] ?? '';
  try {
    if (!/;\s*base64\s*$/i.test(head)) return { bytes: new TextEncoder().encode(decodeURIComponent(body)), mimeType };
    const binary = atob(body.includes('%') ? decodeURIComponent(body) : body);
    return { bytes: Uint8Array.from(binary, (character) => character.charCodeAt(0)), mimeType };
  } catch {
    return undefined;
  }
}
