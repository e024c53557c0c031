// `import type {} from 'gambol/solid'`: the elements in Solid's JSX; `prop:timeScale={2}` sets properties, `on:marker={…}` listens.

import type { JSX } from 'solid-js';
import type {
  Directives,
  GambolAttachProperties,
  GambolExpressionProperties,
  GambolIkProperties,
  GambolLayerProperties,
  GambolLookProperties,
  GambolMarkerProperties,
  GambolMorphProperties,
  GambolSpringProperties,
  GambolStateProperties,
  GambolStatesProperties,
  GambolTransitionProperties,
  GambolViewerProperties,
} from './attributes.js';
import type { Classes, Dispatcher, Elements } from './markup.js';

interface Properties {
  'gambol-viewer': GambolViewerProperties;
  'gambol-layer': GambolLayerProperties;
  'gambol-marker': GambolMarkerProperties;
  'gambol-morph': GambolMorphProperties;
  'gambol-expression': GambolExpressionProperties;
  'gambol-spring': GambolSpringProperties;
  'gambol-attach': GambolAttachProperties;
  'gambol-ik': GambolIkProperties;
  'gambol-look': GambolLookProperties;
  'gambol-states': GambolStatesProperties;
  'gambol-state': GambolStateProperties;
  'gambol-transition': GambolTransitionProperties;
}
type Props<Name extends keyof Elements> = (Name extends Dispatcher ? Directives : unknown) &
  Omit<JSX.HTMLAttributes<Classes[Name]>, keyof Elements[Name] | keyof Directives> &
  Elements[Name] &
  Properties[Name];

declare module 'solid-js' {
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
