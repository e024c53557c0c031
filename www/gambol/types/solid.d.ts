// `import type {} from 'gambol/solid'`: the elements in Solid's JSX; `prop:timeScale={2}` sets properties, `on:marker={…}` listens.

import type { JSX } from 'solid-js';
import type { Classes, Dispatcher, Elements, EventName, Listener } from './markup.js';

type Properties<Element> = {
  [Name in Exclude<keyof Element, keyof HTMLElement> & string as `prop:${Name}`]?: Element[Name];
};
type Listeners = { [Name in EventName as `on:${Name}`]?: Listener<Name> };
type Props<Name extends keyof Elements> = (Name extends Dispatcher ? Listeners : unknown) &
  Omit<JSX.HTMLAttributes<Classes[Name]>, keyof Elements[Name] | keyof Listeners> &
  Elements[Name] &
  Properties<Classes[Name]>;

declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements {
      'gambol-viewer': Props<'gambol-viewer'>;
      'gambol-layer': Props<'gambol-layer'>;
      'gambol-marker': Props<'gambol-marker'>;
      'gambol-attach': Props<'gambol-attach'>;
      'gambol-ik': Props<'gambol-ik'>;
      'gambol-look': Props<'gambol-look'>;
    }
  }
}
