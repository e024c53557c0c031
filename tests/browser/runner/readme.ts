// The examples of README.md and of the guides as a module, so that they run under policies that forbid scripts made at run time.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

/** The variables that examples may use without declaring them; see `cases/readme.ts`. */
const GIVEN = ['viewer', 'canvas', 'slider', 'positions', 'rates', 'tints', 'starts', 'x', 'y'];

/** Resolves `readme:examples` to a list of functions, one for each example in JavaScript. */
export function readmeExamples(root: string): Plugin {
  return {
    name: 'readme',
    setup(build) {
      build.onResolve({ filter: /^readme:examples$/ }, ({ path }) => ({ path, namespace: 'readme' }));
      build.onLoad({ filter: /.*/, namespace: 'readme' }, async () => {
        const guides = (await readdir(join(root, 'docs/guides'))).filter((name) => name.endsWith('.md')).sort();
        const names = ['README.md', ...guides.map((name) => `docs/guides/${name}`)];
        const texts = await Promise.all(
          names.map(async (name) => [name, await readFile(join(root, name), 'utf8')] as const),
        );
        return { contents: moduleOf(texts), loader: 'js' };
      });
    },
  };
}

function moduleOf(texts: readonly (readonly [document: string, text: string])[]): string {
  const imports = new Set<string>();
  const all = texts.flatMap(([document, text]) => blocks(text).map((block) => ({ document, ...block })));
  const functions = all.map(({ document, line, code }) => {
    const body = code.replace(/^\s*import \{ (.*) \} from '(gambol.*)';.*$/gm, (_, names: string, from: string) => {
      for (const name of names.split(/,\s*/)) imports.add(`import { ${name} } from '${from}';`);
      return '';
    });
    const declared = [...body.matchAll(/\b(?:const|let) (\w+)/g)].map(([, name]) => name);
    const given = GIVEN.filter((name) => !declared.includes(name));
    const made = declared.includes('viewer') ? 'viewer' : 'undefined';
    return `{ document: ${JSON.stringify(document)}, line: ${line}, code: ${JSON.stringify(code)}, run: async ({ ${given.join(', ')} }) => {\n${body}\nreturn ${made};\n} }`;
  });
  return `import { createViewer } from 'gambol';\n${[...imports].filter((line) => !line.includes('createViewer')).join('\n')}\nexport const examples = [\n${functions.join(',\n')}\n];`;
}

/** The examples in JavaScript, including those in HTML pages, with their lines. */
function blocks(text: string): { readonly line: number; readonly code: string }[] {
  return [...text.matchAll(/```(js|html)\n([^]*?)```/g)].flatMap(([, language, code = ''], i, all) => {
    const line = text.slice(0, all[i]?.index).split('\n').length + 1;
    if (language === 'js') return [{ line, code }];
    const script = /<script type="module">([^]*?)<\/script>/.exec(code)?.[1];
    return script === undefined ? [] : [{ line, code: script }];
  });
}
