// Validates glTF files with Khronos's validator; a message above the severity "information" is a failure.
// node xtask/src/validate.mjs FILE…

import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import validator from 'gltf-validator';

for (const file of process.argv.slice(2)) {
  const { issues, info } = await validator.validateBytes(new Uint8Array(await readFile(file)), { uri: basename(file) });
  for (const { severity, code, message, pointer } of issues.messages) {
    console.log(`${['error', 'warning', 'information', 'hint'][severity]} ${code} ${pointer ?? ''}: ${message}`);
  }
  const { totalVertexCount: vertices, totalTriangleCount: triangles, animationCount: clips } = info;
  console.log(
    `${basename(file)}: ${vertices} vertices, ${triangles} triangles, ${clips} clips;`,
    `${issues.numErrors} errors, ${issues.numWarnings} warnings`,
  );
  if (issues.numErrors + issues.numWarnings > 0) process.exitCode = 1;
}
