// `import type {} from 'gambol/react'`: the elements in React's JSX (19 and later, which sets properties and knows custom events).

import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { Classes, Elements } from './markup.js';

type Props<Name extends keyof Elements> = Omit<DetailedHTMLProps<HTMLAttributes<Classes[Name]>, Classes[Name]>, keyof Elements[Name]> & Elements[Name];

declare module 'react' {
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
