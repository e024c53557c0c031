// Removes the declarations that no entry of the package imports: they belong to internal modules. The others name typed arrays
// without the type of their buffer, because TypeScript before 5.7 does not know it.
//
//     node declarations.mjs dist index.d.ts element.d.ts …

import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import ts from 'typescript';

const [dist, ...entries] = process.argv.slice(2);
const program = ts.createProgram(
  entries.map((name) => join(dist, name)),
  {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: [],
  },
);
const needed = new Set(program.getSourceFiles().map(({ fileName }) => resolve(fileName)));
for (const entry of await readdir(dist, { recursive: true })) {
  const path = resolve(dist, entry);
  if (!path.endsWith('.d.ts')) continue;
  if (!needed.has(path)) {
    await rm(path);
    continue;
  }
  const text = await readFile(path, 'utf8');
  const plain = text.replace(/\b((?:Int|Uint|Float)\d+)Array<ArrayBuffer>/g, '$1Array');
  if (plain !== text) await writeFile(path, plain);
}
// The remaining declarations must be complete: a missing file would be `any` to pages that skip checks of libraries.
const missing = ts
  .getPreEmitDiagnostics(program)
  .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
if (missing.length > 0) {
  console.error(missing.join('\n'));
  process.exit(1);
}
