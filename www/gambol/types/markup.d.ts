// The elements as markup has them; the frameworks' own types are made of this. The build generates `attributes.d.ts`.

import type {
  GambolActor,
  GambolAttach,
  GambolExpression,
  GambolBillboard,
  GambolFlipbook,
  GambolCrowd,
  GambolExtraModel,
  GambolIk,
  GambolLayer,
  GambolLook,
  GambolMarker,
  GambolMorph,
  GambolSpring,
  GambolSprite,
  GambolState,
  GambolStates,
  GambolTransition,
  GambolViewer,
} from '../element.js';
import type {
  CamelHandlers,
  Directives,
  GambolActorMarkup,
  GambolAttachMarkup,
  GambolExpressionMarkup,
  GambolBillboardMarkup,
  GambolFlipbookMarkup,
  GambolCrowdMarkup,
  GambolExtraModelMarkup,
  GambolIkMarkup,
  GambolLayerMarkup,
  GambolLookMarkup,
  GambolMarkerMarkup,
  GambolMorphMarkup,
  GambolSpringMarkup,
  GambolSpriteMarkup,
  GambolStateMarkup,
  GambolStatesMarkup,
  GambolTransitionMarkup,
  GambolViewerMarkup,
  Handlers,
} from './attributes.js';

/** The classes of the elements. */
export interface Classes {
  'gambol-viewer': GambolViewer;
  'gambol-layer': GambolLayer;
  'gambol-marker': GambolMarker;
  'gambol-morph': GambolMorph;
  'gambol-spring': GambolSpring;
  'gambol-expression': GambolExpression;
  'gambol-billboard': GambolBillboard;
  'gambol-flipbook': GambolFlipbook;
  'gambol-sprite': GambolSprite;
  'gambol-attach': GambolAttach;
  'gambol-ik': GambolIk;
  'gambol-look': GambolLook;
  'gambol-actor': GambolActor;
  'extra-model': GambolExtraModel;
  'gambol-crowd': GambolCrowd;
  'gambol-states': GambolStates;
  'gambol-state': GambolState;
  'gambol-transition': GambolTransition;
}

/** The element that dispatches all events. */
export type Dispatcher = 'gambol-viewer';
/** The children that load a model; they dispatch `load` and `error`. The others dispatch no events. */
export type Loader = 'gambol-actor' | 'extra-model' | 'gambol-crowd';
/** Listeners of the children that load a model. */
export interface LoadHandlers {
  /** The model is loaded and on stage. */
  onload?: Handlers['onload'];
  /** The model could not be loaded. */
  onerror?: Handlers['onerror'];
}
/** The same for Vue. */
export interface CamelLoadHandlers {
  /** The model is loaded and on stage. */
  onLoad?: CamelHandlers['onLoad'];
  /** The model could not be loaded. */
  onError?: CamelHandlers['onError'];
}
/** The same for Solid and Svelte. */
export interface LoadDirectives {
  /** The model is loaded and on stage. */
  'on:load'?: Directives['on:load'];
  /** The model could not be loaded. */
  'on:error'?: Directives['on:error'];
}

/** The attributes of the elements, and the listeners of the one that dispatches events. */
export interface Elements {
  'gambol-viewer': GambolViewerMarkup & Handlers;
  'gambol-layer': GambolLayerMarkup;
  'gambol-marker': GambolMarkerMarkup;
  'gambol-morph': GambolMorphMarkup;
  'gambol-spring': GambolSpringMarkup;
  'gambol-expression': GambolExpressionMarkup;
  'gambol-billboard': GambolBillboardMarkup;
  'gambol-flipbook': GambolFlipbookMarkup;
  'gambol-sprite': GambolSpriteMarkup;
  'gambol-attach': GambolAttachMarkup;
  'gambol-ik': GambolIkMarkup;
  'gambol-look': GambolLookMarkup;
  'gambol-actor': GambolActorMarkup & LoadHandlers;
  'extra-model': GambolExtraModelMarkup & LoadHandlers;
  'gambol-crowd': GambolCrowdMarkup & LoadHandlers;
  'gambol-states': GambolStatesMarkup;
  'gambol-state': GambolStateMarkup;
  'gambol-transition': GambolTransitionMarkup;
}
