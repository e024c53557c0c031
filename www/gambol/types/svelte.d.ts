// `import type {} from 'gambol/svelte'`: the elements in Svelte's templates.

import type { HTMLAttributes } from 'svelte/elements';
import type { Classes, Directives, Dispatcher, EventName, Loader } from './attributes.js';
import type { Elements, LoadDirectives } from './markup.js';

type Own<Name extends keyof Elements> = Elements[Name] &
  (Name extends Dispatcher ? Directives : Name extends Loader ? LoadDirectives : unknown);
/** Svelte's own attributes for events of these names are of media, images and forms; other elements never dispatch them. */
type Silent = keyof Directives | `on${EventName}`;
type Props<Name extends keyof Elements> = Omit<HTMLAttributes<Classes[Name]>, keyof Own<Name> | Silent> & Own<Name>;
type Tags = { [Name in keyof Elements]: Props<Name> };

declare module 'svelte/elements' {
  interface SvelteHTMLElements extends Tags {}
}
