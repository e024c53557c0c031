// `import type {} from 'gambol/solid'`: the elements in Solid's JSX; `prop:timeScale={2}` sets properties, `on:marker={…}` listens.

import type { JSX } from 'solid-js';
import type { Classes, Directives, Dispatcher, Loader, Properties } from './attributes.js';
import type { Elements, LoadDirectives } from './markup.js';
import type { ModelClass, ModelMarkup } from './model-markup.js';

type Props<Name extends keyof Elements> = (Name extends Dispatcher
  ? Directives
  : Name extends Loader
    ? LoadDirectives
    : unknown) &
  Omit<JSX.HTMLAttributes<Classes[Name]>, keyof Elements[Name] | keyof Directives> &
  Elements[Name] &
  Properties[Name];
type Tags = { [Name in keyof Elements]: Props<Name> };

declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements extends Tags {
      /** The element of `gambol/model`. */
      model: JSX.HTMLAttributes<ModelClass> &
        ModelMarkup & {
          /** The first animation plays on load. */
          autoplay?: boolean | undefined;
          /** `use-credentials`: requests to other origins have credentials. */
          crossorigin?: 'anonymous' | 'use-credentials' | '' | undefined;
        };
    }
  }
}
