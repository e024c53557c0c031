// `import type {} from 'gambol/react'`: the elements in React's JSX (19 and later, which sets properties and knows custom events).
//
// React listens to `on` and the name of an event as it is dispatched: `onload`, `oncamera-change`. Its own `onLoad`, `onPlay`, `onError` …
// are for media, images and forms, and never called on other elements, so they are left out here.

import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { EventName } from './attributes.js';
import type { Classes, Elements } from './markup.js';

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

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'gambol-viewer': Props<'gambol-viewer'>;
      'gambol-layer': Props<'gambol-layer'>;
      'gambol-marker': Props<'gambol-marker'>;
      'gambol-morph': Props<'gambol-morph'>;
      'gambol-expression': Props<'gambol-expression'>;
      'gambol-spring': Props<'gambol-spring'>;
      'gambol-attach': Props<'gambol-attach'>;
      'gambol-ik': Props<'gambol-ik'>;
      'gambol-look': Props<'gambol-look'>;
      'gambol-states': Props<'gambol-states'>;
      'gambol-state': Props<'gambol-state'>;
      'gambol-transition': Props<'gambol-transition'>;
    }
  }
}
