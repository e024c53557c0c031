// The elements as markup has them; the frameworks' own types are made of this. The build generates `attributes.d.ts`.

import type {
  GambolAttach,
  GambolExpression,
  GambolIk,
  GambolLayer,
  GambolLook,
  GambolMarker,
  GambolMorph,
  GambolSpring,
  GambolState,
  GambolStates,
  GambolTransition,
  GambolViewer,
} from '../element.js';
import type {
  GambolAttachMarkup,
  GambolExpressionMarkup,
  GambolIkMarkup,
  GambolLayerMarkup,
  GambolLookMarkup,
  GambolMarkerMarkup,
  GambolMorphMarkup,
  GambolSpringMarkup,
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
  'gambol-expression': GambolExpression;
  'gambol-spring': GambolSpring;
  'gambol-attach': GambolAttach;
  'gambol-ik': GambolIk;
  'gambol-look': GambolLook;
  'gambol-states': GambolStates;
  'gambol-state': GambolState;
  'gambol-transition': GambolTransition;
}

/** The element that dispatches events; its children dispatch none. */
export type Dispatcher = 'gambol-viewer';

/** The attributes of the elements, and the listeners of the one that dispatches events. */
export interface Elements {
  'gambol-viewer': GambolViewerMarkup & Handlers;
  'gambol-layer': GambolLayerMarkup;
  'gambol-marker': GambolMarkerMarkup;
  'gambol-morph': GambolMorphMarkup;
  'gambol-expression': GambolExpressionMarkup;
  'gambol-spring': GambolSpringMarkup;
  'gambol-attach': GambolAttachMarkup;
  'gambol-ik': GambolIkMarkup;
  'gambol-look': GambolLookMarkup;
  'gambol-states': GambolStatesMarkup;
  'gambol-state': GambolStateMarkup;
  'gambol-transition': GambolTransitionMarkup;
}
