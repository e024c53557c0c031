// `import type {} from 'gambol/vue'`: the elements in Vue's templates, for its language tools.

import type { DefineComponent, HTMLAttributes } from 'vue';
import type { Dispatcher, Elements, EventName, Listener } from './markup.js';

type Camel<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;
/** Vue's templates write `@camera-change` as `onCameraChange`. */
type Listeners = { [Name in EventName as `on${Capitalize<Camel<Name>>}`]?: Listener<Name> };
type Component<Name extends keyof Elements> = DefineComponent<
  Omit<HTMLAttributes, keyof Listeners> &
    Omit<Elements[Name], `on${EventName}`> &
    (Name extends Dispatcher ? Listeners : unknown)
>;

declare module 'vue' {
  interface GlobalComponents {
    'gambol-viewer': Component<'gambol-viewer'>;
    'gambol-layer': Component<'gambol-layer'>;
    'gambol-marker': Component<'gambol-marker'>;
    'gambol-attach': Component<'gambol-attach'>;
    'gambol-ik': Component<'gambol-ik'>;
    'gambol-look': Component<'gambol-look'>;
  }
}
