// Bundles the test cases to scripts for the page. `gambol` stays an import: an import map resolves it to the package as
// it ships, through `page/gambol.ts`, so that the tests use the published files.

import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { readmeExamples } from './readme.ts';

/** A file of test cases: the name of its script, and `true` if it runs in every browser on each change. */
export interface CaseFile {
  readonly name: string;
  readonly everywhere: boolean;
}

/** Bundles everything into `out` and returns the case files, the longest first. */
export async function bundle(root: string, out: string): Promise<CaseFile[]> {
  const tests = join(root, 'tests/browser');
  const folders = [
    { folder: join(tests, 'cases'), everywhere: false },
    { folder: join(tests, 'cases/everywhere'), everywhere: true },
  ];
  const found = await Promise.all(
    folders.map(async ({ folder, everywhere }) =>
      (await readdir(folder))
        .filter((file) => file.endsWith('.ts'))
        .map((file) => ({ path: join(folder, file), name: file.replace(/\.ts$/, ''), everywhere })),
    ),
  );
  const files = found.flat().sort((a, b) => (a.name < b.name ? -1 : 1));
  const twice = files.find(({ name }, i) => files[i + 1]?.name === name);
  if (twice) throw new Error(`two case files have the name ${twice.name}.ts`);
  // Long files first, so that parallel sessions end at about the same time.
  const sizes = new Map(await Promise.all(files.map(async ({ path }) => [path, (await stat(path)).size] as const)));
  files.sort((a, b) => (sizes.get(b.path) ?? 0) - (sizes.get(a.path) ?? 0));
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  await build({
    entryPoints: [
      { in: join(tests, 'page/boot.ts'), out: 'boot' },
      { in: join(tests, 'page/gambol.ts'), out: 'gambol' },
      ...files.map(({ path, name }) => ({ in: path, out: `cases/${name}` })),
    ],
    outdir: out,
    bundle: true,
    splitting: true, // one `api.ts` for all of them
    format: 'esm',
    target: 'es2022',
    sourcemap: 'inline',
    external: ['gambol', 'gambol/*', '/__tests/*'],
    plugins: [readmeExamples(root)],
    logLevel: 'warning',
  });
  const html = await readFile(join(tests, 'page/page.html'), 'utf8');
  await writeFile(
    join(out, 'page.html'),
    html.replace('<!-- import map -->', await importMap(root, '/__tests/gambol.js')),
  );
  for (const name of ['trouble.js', 'worker.js', 'probe.js'])
    await copyFile(join(tests, 'page', name), join(out, name));
  await copyFile(join(root, 'node_modules/axe-core/axe.min.js'), join(out, 'axe.js'));
  return files;
}

/**
 * The import map of `gambol`, `gambol/element` … by the package's exports. With `before`, `gambol` resolves to that
 * script, and the script's own import of `gambol` to the package.
 */
export async function importMap(root: string, before?: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(root, 'dist/gambol/package.json'), 'utf8')) as {
    exports: Record<string, string | Record<string, string>>;
  };
  const imports: Record<string, string> = {};
  for (const [name, target] of Object.entries(manifest.exports)) {
    const file = typeof target === 'string' ? target : (target.browser ?? target.import ?? target.default);
    if (file?.endsWith('.js')) imports[name.replace(/^\./, 'gambol')] = file.replace(/^\./, '/gambol');
  }
  const map =
    before === undefined ? { imports } : { imports: { ...imports, gambol: before }, scopes: { [before]: imports } };
  return `<script type="importmap">${JSON.stringify(map)}</script>`;
}
