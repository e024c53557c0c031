// Runs the code of a scene: the text that the page shows. Its imports from `gambol` are those of the page, so that all scenes
// share one module and one WebGL context.

import * as gambol from 'gambol';

/** The variables of the code in addition to its imports. */
export type Scope = Readonly<Record<string, unknown>>;

/** A failure of the code, with its line if that is known. */
export interface Failure {
  readonly message: string;
  readonly line?: number;
}

export interface Run {
  /** Resolves when the code has run to its end; to the failure if it threw. */
  readonly ended: Promise<Failure | undefined>;
  /** Disposes of all viewers that the code has created and will create. */
  dispose(): void;
}

/** Scopes of running code, where it finds them. */
const scopes: Record<number, Scope> = {};
declare global {
  interface Window {
    sceneScopes: typeof scopes;
  }
}
window.sceneScopes = scopes;
let runs = 0;

const IMPORT = /^import\s*\{([^}]*)\}\s*from\s*(['"])gambol\2;?/gm;

/** Runs code; `created` is called with each viewer that it creates. */
export function run(code: string, scope: Scope, created: (viewer: gambol.Viewer) => void): Run {
  const number = runs++;
  const viewers: gambol.Viewer[] = [];
  let disposed = false;
  const own = {
    ...gambol,
    createViewer: async (...options: Parameters<typeof gambol.createViewer>): Promise<gambol.Viewer> => {
      const viewer = await gambol.createViewer(...options);
      if (disposed) viewer.dispose();
      else {
        viewers.push(viewer);
        created(viewer);
      }
      return viewer;
    },
  };
  scopes[number] = { ...scope, gambol: own };
  // The block lets the code declare variables with the names of the scope. Lines keep their numbers.
  const names = Object.keys(scope).join(', ');
  const imports = code.replace(IMPORT, (_, list: string) => `const {${list.replaceAll(/\bas\b/g, ':')}} = gambol;`);
  const text = `const { gambol, ${names} } = sceneScopes[${number}]; { ${imports}\n}`;
  const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  const ended = import(url).then(
    () => undefined,
    (error: unknown) => (disposed ? undefined : failureOf(error, url)),
  );
  return {
    ended: ended.finally(() => URL.revokeObjectURL(url)),
    dispose: () => {
      disposed = true;
      delete scopes[number];
      for (const viewer of viewers) viewer.dispose();
    },
  };
}

function failureOf(error: unknown, url: string): Failure {
  const { code, message = String(error), stack = '' } = Object(error) as Partial<gambol.GambolError>;
  // A syntax error has no line; the editor knows it.
  const line = Number(stack.split(`${url}:`)[1]?.split(':')[0]);
  const words = code === undefined ? message : `${code}: ${message}`;
  return Number.isNaN(line) ? { message: words } : { message: words, line };
}
