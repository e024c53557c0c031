// `import type {} from 'gambol/vue'`: the elements in Vue's templates, for its language tools.

import type { DefineComponent, HTMLAttributes } from 'vue';
import type { CamelHandlers, EventName } from './attributes.js';
import type { CamelLoadHandlers, Dispatcher, Elements, Loader } from './markup.js';

type Component<Name extends keyof Elements> = DefineComponent<
  Omit<HTMLAttributes, keyof CamelHandlers> &
    Omit<Elements[Name], `on${EventName}`> &
    (Name extends Dispatcher ? CamelHandlers : Name extends Loader ? CamelLoadHandlers : unknown)
>;

declare module 'vue' {
  interface GlobalComponents {
    'gambol-viewer': Component<'gambol-viewer'>;
    'gambol-layer': Component<'gambol-layer'>;
    'gambol-marker': Component<'gambol-marker'>;
    'gambol-morph': Component<'gambol-morph'>;
    'gambol-spring': Component<'gambol-spring'>;
    'gambol-expression': Component<'gambol-expression'>;
    'gambol-billboard': Component<'gambol-billboard'>;
    'gambol-flipbook': Component<'gambol-flipbook'>;
    'gambol-sprite': Component<'gambol-sprite'>;
    'gambol-attach': Component<'gambol-attach'>;
    'gambol-ik': Component<'gambol-ik'>;
    'gambol-look': Component<'gambol-look'>;
    'gambol-actor': Component<'gambol-actor'>;
    'extra-model': Component<'extra-model'>;
    'gambol-crowd': Component<'gambol-crowd'>;
    'gambol-states': Component<'gambol-states'>;
    'gambol-state': Component<'gambol-state'>;
    'gambol-transition': Component<'gambol-transition'>;
  }
}
