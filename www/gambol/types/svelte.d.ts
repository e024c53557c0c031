// `import type {} from 'gambol/svelte'`: the elements in Svelte's templates.

import type { HTMLAttributes } from 'svelte/elements';
import type { Classes, Elements } from './markup.js';

type Props<Name extends keyof Elements> = Omit<HTMLAttributes<Classes[Name]>, keyof Elements[Name]> & Elements[Name];

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'gambol-viewer': Props<'gambol-viewer'>;
    'gambol-layer': Props<'gambol-layer'>;
    'gambol-marker': Props<'gambol-marker'>;
    'gambol-attach': Props<'gambol-attach'>;
    'gambol-ik': Props<'gambol-ik'>;
    'gambol-look': Props<'gambol-look'>;
  }
}
