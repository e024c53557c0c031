// Images of 16 × 16 pixels: red, blue above green, white. Made with Pillow 13.0.0.

function bytes(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** Lossless: one chunk `VP8L`. */
export const WEBP_LOSSLESS = bytes(
  'UklGRjYAAABXRUJQVlA4TCoAAAAvD8ADAB8gEEjeHzqN+RcQFPwf3fxHZA+AMNtokpOc5L3PIKL/UfDp9gE=',
);

/** Lossy: one chunk `VP8 `. */
export const WEBP_LOSSY = bytes(
  'UklGRkgAAABXRUJQVlA4IDwAAABQAgCdASoQABAAAIAIJaACdLoB+AH6gfwACdAA/qJ//35z//83vf//m4mP/rl2AOex9//3WbG2UTgA' + 'AAA=',
);

/** Lossy, with alpha of 254 of 255: chunks `VP8X`, `ALPH` and `VP8 `. */
export const WEBP_ALPHA = bytes(
  'UklGRmwAAABXRUJQVlA4WAoAAAAQAAAADwAADwAAQUxQSAoAAAABB1D/iAhERP8DVlA4IDwAAABQAgCdASoQABAAAIAIJaACdLoB+AH6' +
    'gfwACdAA/qJ//35z//83vf//m4mP/rl2AOex9//3WbG2UTgAAAA=',
);

/** AVIF, 4:4:4. */
export const AVIF = bytes(
  'AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUEAAADrbWV0YQAAAAAAAAAhaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAAAA' +
    'AAAOcGl0bQAAAAAAAQAAAB5pbG9jAAAAAEQAAAEAAQAAAAEAAAETAAAAMQAAAChpaW5mAAAAAAABAAAAGmluZmUCAAAAAAEAAGF2MDFD' +
    'b2xvcgAAAABqaXBycAAAAEtpcGNvAAAAFGlzcGUAAAAAAAAAEAAAABAAAAAQcGl4aQAAAAADCAgIAAAADGF2MUOBIAAAAAAAE2NvbHJu' +
    'Y2x4AAEADQAGgAAAABdpcG1hAAAAAAAAAAEAAQQBAoMEAAAAOW1kYXQSAAoIOAz/2kBDQaQyI0RAiNSgADyAAQCiSSTTV11teHzUZsNz' +
    '5p//WpOZeP/ovjCA',
);
