// `import type {} from 'gambol/solid'`: the elements in Solid's JSX; `prop:timeScale={2}` sets properties, `on:marker={…}` listens.

import type { JSX } from 'solid-js';
import type {
  Directives,
  GambolActorProperties,
  GambolAttachProperties,
  GambolExpressionProperties,
  GambolBillboardProperties,
  GambolFlipbookProperties,
  GambolCrowdProperties,
  GambolExtraModelProperties,
  GambolIkProperties,
  GambolLayerProperties,
  GambolLookProperties,
  GambolMarkerProperties,
  GambolMorphProperties,
  GambolSpringProperties,
  GambolSpriteProperties,
  GambolStateProperties,
  GambolStatesProperties,
  GambolTransitionProperties,
  GambolViewerProperties,
} from './attributes.js';
import type { Classes, Dispatcher, Elements, LoadDirectives, Loader } from './markup.js';

interface Properties {
  'gambol-viewer': GambolViewerProperties;
  'gambol-layer': GambolLayerProperties;
  'gambol-marker': GambolMarkerProperties;
  'gambol-morph': GambolMorphProperties;
  'gambol-spring': GambolSpringProperties;
  'gambol-expression': GambolExpressionProperties;
  'gambol-billboard': GambolBillboardProperties;
  'gambol-flipbook': GambolFlipbookProperties;
  'gambol-sprite': GambolSpriteProperties;
  'gambol-attach': GambolAttachProperties;
  'gambol-ik': GambolIkProperties;
  'gambol-look': GambolLookProperties;
  'gambol-actor': GambolActorProperties;
  'extra-model': GambolExtraModelProperties;
  'gambol-crowd': GambolCrowdProperties;
  'gambol-states': GambolStatesProperties;
  'gambol-state': GambolStateProperties;
  'gambol-transition': GambolTransitionProperties;
}
type Props<Name extends keyof Elements> = (Name extends Dispatcher
  ? Directives
  : Name extends Loader
    ? LoadDirectives
    : unknown) &
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
      'gambol-spring': Props<'gambol-spring'>;
      'gambol-expression': Props<'gambol-expression'>;
      'gambol-billboard': Props<'gambol-billboard'>;
      'gambol-flipbook': Props<'gambol-flipbook'>;
      'gambol-sprite': Props<'gambol-sprite'>;
      'gambol-attach': Props<'gambol-attach'>;
      'gambol-ik': Props<'gambol-ik'>;
      'gambol-look': Props<'gambol-look'>;
      'gambol-actor': Props<'gambol-actor'>;
      'extra-model': Props<'extra-model'>;
      'gambol-crowd': Props<'gambol-crowd'>;
      'gambol-states': Props<'gambol-states'>;
      'gambol-state': Props<'gambol-state'>;
      'gambol-transition': Props<'gambol-transition'>;
    }
  }
}
