// The examples of the documents as a module, so that they run under policies that forbid scripts made at run time.

import type { Plugin } from 'esbuild';
import { codeBlocks, type CodeBlock } from '../../package/support/blocks.mjs';

/** The variables that examples may use without declaring them; see `cases/readme.ts`. */
const GIVEN = ['viewer', 'crowd', 'canvas', 'slider', 'positions', 'rates', 'tints', 'starts', 'x', 'y'];

/**
 * Resolves `readme:examples` to the lists `scripts` and `pages`: the examples in JavaScript and those in HTML. `machine` is the text of
 * the state machine that they load.
 */
export function readmeExamples(root: string): Plugin {
  return {
    name: 'readme',
    setup(build) {
      build.onResolve({ filter: /^readme:examples$/ }, ({ path }) => ({ path, namespace: 'readme' }));
      build.onLoad({ filter: /.*/, namespace: 'readme' }, () => ({
        contents: moduleOf(codeBlocks(root)),
        loader: 'js',
      }));
    },
  };
}

function moduleOf(blocks: readonly CodeBlock[]): string {
  const imports = new Set<string>();
  const unmarked = blocks.filter(({ mark }) => mark === '');
  const scripts = unmarked.flatMap(({ language, ...block }, i) => {
    if (language !== 'js') return [];
    // Markup without a script is the page of the example after it.
    const before = unmarked[i - 1];
    const markup = before?.document === block.document && isMarkup(before) ? before.code : '';
    return [`{ ${described(block)}, markup: ${JSON.stringify(markup)}, run: ${functionOf(block.code, imports)} }`];
  });
  const pages = unmarked.flatMap((block) =>
    block.language === 'html' && !isMarkup(block) ? [`{ ${described(block)} }`] : [],
  );
  const machine = unmarked.find(({ language, code }) => language === 'json' && code.includes('"gambol-states"'));
  return `${[...imports].join('\n')}
export const machine = ${JSON.stringify(machine?.code ?? '')};
export const scripts = [\n${scripts.join(',\n')}\n];
export const pages = [\n${pages.join(',\n')}\n];`;
}

/** `true` for HTML that does nothing without the script of the next example. */
function isMarkup({ language, code }: CodeBlock): boolean {
  return language === 'html' && !/<(script|gambol-viewer)\b/.test(code);
}

function described({ document, line, code }: Pick<CodeBlock, 'document' | 'line' | 'code'>): string {
  return `document: ${JSON.stringify(document)}, line: ${line}, code: ${JSON.stringify(code)}`;
}

/** An example as a function of the given variables, which returns the viewer that it creates. Its imports are added to `imports`. */
function functionOf(code: string, imports: Set<string>): string {
  const body = code.replace(
    /^\s*import (?:\{ (.*) \} from )?'(gambol.*)';.*$/gm,
    (_, names: string | undefined, from: string) => {
      if (names === undefined) imports.add(`import '${from}';`);
      for (const name of names?.split(/,\s*/) ?? []) imports.add(`import { ${name} } from '${from}';`);
      return '';
    },
  );
  const declared = [...body.matchAll(/\b(?:const|let) (\w+)/g)].map(([, name]) => name);
  const given = GIVEN.filter((name) => !declared.includes(name));
  const made = declared.includes('viewer') ? 'viewer' : 'undefined';
  return `async ({ ${given.join(', ')} }) => {\n${body}\nreturn ${made};\n}`;
}
