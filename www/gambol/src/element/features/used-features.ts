// The attribute `features`: features whose synchronous calls the page makes.

import { GambolError } from '../../base/errors.ts';
import { FEATURES, type FeatureName } from '../../values/words.ts';
import { words, type AttributeTable } from '../base/attributes.ts';
import { whenUsed, type Scene } from './scene.ts';

/** The attribute for features. */
export interface FeaturesAttributes {
  /**
   * The features whose synchronous calls the page makes, separated by spaces, such as `picking body`; `all` for all of them. They are
   * loaded before the model is shown. Other attributes and children load what they need themselves.
   * @category Features
   */
  features: string;
}

/** Features that every element uses, besides those of its attribute. */
const always: FeatureName[] = [];

/** Lets every element load features before its model is shown. */
export function alwaysUse(names: readonly FeatureName[]): void {
  always.push(...names);
}

/** @internal */
export const USED_FEATURES: AttributeTable<FeaturesAttributes, Scene<FeaturesAttributes>> = {
  features: {
    ...words(''),
    needs: (text) =>
      FEATURES.filter((name) => always.includes(name) || namesIn(text).some((word) => word === name || word === ALL)),
    effect: (scene) => {
      const names = namesIn(scene.host.features);
      for (const name of names)
        if (name !== ALL && !FEATURES.includes(name as FeatureName))
          scene.warn(
            new GambolError(
              'argument/invalid',
              `features="${scene.host.features}": there is no feature “${name}”. Use ${FEATURES.join(', ')}.`,
            ),
          );
      whenUsed(
        scene,
        FEATURES.filter((name) => names.includes(name) || names.includes(ALL)),
        () => undefined,
      );
    },
  },
};

const ALL = 'all';

function namesIn(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
