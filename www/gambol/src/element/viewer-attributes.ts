// All attributes of `<gambol-viewer>`. The module of each feature defines the types, conversions and effects of its attributes.

import type { FeatureName } from '../values/words.ts';
import { AR, type ArAttributes } from './ar/attributes.ts';
import { kebab, type Attribute } from './base/attributes.ts';
import { ANIMATION, type AnimationAttributes } from './features/animation.ts';
import { CAMERA, type CameraAttributes } from './features/camera.ts';
import { PROMPT, type PromptAttributes } from './features/interaction-prompt.ts';
import { LIGHTING, type LightingAttributes } from './features/lighting.ts';
import { LOADING, type LoadingAttributes } from './features/loading.ts';
import { RENDERING, type RenderingAttributes } from './features/rendering.ts';
import { STAGING, type StagingAttributes } from './features/staging.ts';
import { STRUCTURED_DATA, type StructuredDataAttributes } from './features/structured-data.ts';
import { TURNTABLE, type TurntableAttributes } from './features/turntable.ts';
import { USED_FEATURES, type FeaturesAttributes } from './features/used-features.ts';
import { INTERFACE, type InterfaceAttributes } from './features/user-interface.ts';

/**
 * The properties of `<gambol-viewer>` that are attributes, too. Camel case here is kebab case there.
 *
 * Lengths are metres and angles radians, where an attribute has no unit (`30deg`, `20cm`). A number outside its range is clamped,
 * and any other invalid value is the default.
 * @category Attributes
 */
export interface ViewerAttributes
  extends LoadingAttributes,
    InterfaceAttributes,
    FeaturesAttributes,
    StructuredDataAttributes,
    AnimationAttributes,
    CameraAttributes,
    PromptAttributes,
    TurntableAttributes,
    LightingAttributes,
    StagingAttributes,
    ArAttributes,
    RenderingAttributes {}

/** @internal */
export const ATTRIBUTES = {
  ...LOADING,
  ...INTERFACE,
  ...USED_FEATURES,
  ...STRUCTURED_DATA,
  ...ANIMATION,
  ...CAMERA,
  ...PROMPT,
  ...TURNTABLE,
  ...LIGHTING,
  ...STAGING,
  ...AR,
  ...RENDERING,
};

/** The properties by the names of their attributes. @internal */
export const PROPERTY_OF: ReadonlyMap<string, keyof ViewerAttributes> = new Map(
  (Object.keys(ATTRIBUTES) as (keyof ViewerAttributes)[]).map((name) => [kebab(name), name]),
);

/** The features that the attributes of an element need. @internal */
export function attributeFeatures(host: HTMLElement): readonly FeatureName[] {
  return [...PROPERTY_OF].flatMap(([attribute, name]) => {
    const { read, needs }: Pick<Attribute<unknown, unknown>, 'read' | 'needs'> = ATTRIBUTES[name];
    return needs?.(read(host.getAttribute(attribute))) ?? [];
  });
}

/**
 * Attributes of `<model-viewer>` and of media elements that set a property of another name.
 * @internal
 */
export const ALIASES: Readonly<
  Record<
    string,
    (
      element: Pick<ViewerAttributes, 'cameraControls' | 'environmentImage'> & { currentTime: number },
      text: string | null,
    ) => void
  >
> = {
  'current-time': (element, text) => {
    if (text !== null && Number.isFinite(Number(text))) element.currentTime = Number(text);
  },
  environmentmap: (element, text) => (element.environmentImage = text),
  stagemode: (element, text) => (element.cameraControls = text === 'orbit'),
};
