// node xtask/src/sizes.mjs FILES: prints, as JSON, the bytes of each file as they are and with the strongest setting of each compression.

import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const sizes = process.argv.slice(2).map(async (file) => {
  const bytes = await readFile(file);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const [small, smaller] = await Promise.all([
    promisify(gzip)(bytes, { level: 9 }),
    promisify(brotliCompress)(bytes, { params }),
  ]);
  return { raw: bytes.length, gzip: small.length, brotli: smaller.length };
});
console.log(JSON.stringify(await Promise.all(sizes)));
