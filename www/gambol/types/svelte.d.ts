// `import type {} from 'gambol/svelte'`: the elements in Svelte's templates.

import type { HTMLAttributes } from 'svelte/elements';
import type { Directives, EventName } from './attributes.js';
import type { Classes, Dispatcher, Elements, LoadDirectives, Loader } from './markup.js';

type Own<Name extends keyof Elements> = Elements[Name] &
  (Name extends Dispatcher ? Directives : Name extends Loader ? LoadDirectives : unknown);
/** Svelte's own attributes for events of these names are of media, images and forms; other elements never dispatch them. */
type Silent = keyof Directives | `on${EventName}`;
type Props<Name extends keyof Elements> = Omit<HTMLAttributes<Classes[Name]>, keyof Own<Name> | Silent> & Own<Name>;

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'gambol-viewer': Props<'gambol-viewer'>;
    'gambol-layer': Props<'gambol-layer'>;
    'gambol-marker': Props<'gambol-marker'>;
    'gambol-morph': Props<'gambol-morph'>;
    'gambol-spring': Props<'gambol-spring'>;
    'gambol-expression': Props<'gambol-expression'>;
    'gambol-billboard': Props<'gambol-billboard'>;
    'gambol-flipbook': Props<'gambol-flipbook'>;
    'gambol-sprite': Props<'gambol-sprite'>;
    'gambol-attach': Props<'gambol-attach'>;
    'gambol-ik': Props<'gambol-ik'>;
    'gambol-look': Props<'gambol-look'>;
    'gambol-actor': Props<'gambol-actor'>;
    'extra-model': Props<'extra-model'>;
    'gambol-crowd': Props<'gambol-crowd'>;
    'gambol-states': Props<'gambol-states'>;
    'gambol-state': Props<'gambol-state'>;
    'gambol-transition': Props<'gambol-transition'>;
  }
}
