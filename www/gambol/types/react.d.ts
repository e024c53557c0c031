// `import type {} from 'gambol/react'`: the elements in React's JSX (19 and later, which sets properties and knows custom events).
//
// React listens to `on` and the name of an event as it is dispatched: `onload`, `oncamera-change`. Its own `onLoad`, `onPlay`, `onError` …
// are for media, images and forms, and never called on other elements, so they are left out here.

import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { Classes, EventName } from './attributes.js';
import type { Elements } from './markup.js';
import type { ModelClass, ModelMarkup } from './model-markup.js';

/** React's own props for events of these names. */
type Silent<Props> = keyof {
  [Name in keyof Props & string as Lowercase<Name> extends `on${EventName}` | `on${EventName}capture`
    ? Name
    : never]: unknown;
};
type Html<Element> = DetailedHTMLProps<HTMLAttributes<Element>, Element>;
type Props<Name extends keyof Elements> = Omit<
  Html<Classes[Name]>,
  keyof Elements[Name] | Silent<HTMLAttributes<Classes[Name]>>
> &
  Elements[Name];
type Tags = { [Name in keyof Elements]: Props<Name> };

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements extends Tags {
      /** The element of `gambol/model`. */
      model: Html<ModelClass> &
        ModelMarkup & {
          /** The first animation plays on load. */
          autoPlay?: boolean | undefined;
          /** `use-credentials`: requests to other origins have credentials. */
          crossOrigin?: 'anonymous' | 'use-credentials' | '' | undefined;
        };
    }
  }
}
