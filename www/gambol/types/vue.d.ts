// `import type {} from 'gambol/vue'`: the elements in Vue's templates, for its language tools.

import type { DefineComponent, HTMLAttributes } from 'vue';
import type { CamelHandlers, Dispatcher, EventName, Loader } from './attributes.js';
import type { CamelLoadHandlers, Elements } from './markup.js';

type Component<Name extends keyof Elements> = DefineComponent<
  Omit<HTMLAttributes, keyof CamelHandlers> &
    Omit<Elements[Name], `on${EventName}`> &
    (Name extends Dispatcher ? CamelHandlers : Name extends Loader ? CamelLoadHandlers : unknown)
>;
type Tags = { [Name in keyof Elements]: Component<Name> };

declare module 'vue' {
  interface GlobalComponents extends Tags {}
}
