// Makes the test cases into scripts for the page. `gambol` stays an import: an import map leads it to the package
// as it ships, so that what is tested is what people get.

import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Bundles everything into `out` and returns the names of the case files. */
export async function bundle(root: string, out: string): Promise<string[]> {
  const tests = join(root, 'tests/browser');
  const files = (await readdir(join(tests, 'cases'))).filter((name) => name.endsWith('.ts')).sort();
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  await build({
    entryPoints: [
      { in: join(tests, 'page/boot.ts'), out: 'boot' },
      ...files.map((name) => ({ in: join(tests, 'cases', name), out: `cases/${name.replace(/\.ts$/, '')}` })),
    ],
    outdir: out,
    bundle: true,
    splitting: true, // one `api.ts` for all of them
    format: 'esm',
    target: 'es2022',
    sourcemap: 'inline',
    external: ['gambol', 'gambol/*', '/__tests/*'],
    logLevel: 'warning',
  });
  const html = await readFile(join(tests, 'page/page.html'), 'utf8');
  await writeFile(join(out, 'page.html'), html.replace('<!-- import map -->', await importMap(root)));
  for (const name of ['trouble.js', 'worker.js', 'probe.js']) await copyFile(join(tests, 'page', name), join(out, name));
  return files.map((name) => name.replace(/\.ts$/, ''));
}

/** Leads `gambol`, `gambol/element` … to the files that the package's exports name. */
export async function importMap(root: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(root, 'dist/gambol/package.json'), 'utf8')) as {
    exports: Record<string, string | Record<string, string>>;
  };
  const imports: Record<string, string> = {};
  for (const [name, target] of Object.entries(manifest.exports)) {
    const file = typeof target === 'string' ? target : (target.browser ?? target.import ?? target.default);
    if (file?.endsWith('.js')) imports[name.replace(/^\./, 'gambol')] = file.replace(/^\./, '/gambol');
  }
  return `<script type="importmap">${JSON.stringify({ imports })}</script>`;
}
