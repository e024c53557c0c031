// Staging: the model's place, its variant, and the background.

import { parseColor } from '../../values/color.ts';
import { text, words, type AttributeTable } from '../base/attributes.ts';
import { placeOf, turned, type ModelPlace } from '../base/model-space.ts';
import type { OrbitCamera } from './camera.ts';
import type { Scene } from './scene.ts';
import type { Turntable } from './turntable.ts';

/** @internal */
export interface StagingScene extends Scene<StagingAttributes> {
  readonly staging: ElementStaging;
}

/** Attributes about the model on its stage. */
export interface StagingAttributes {
  /** Roll, pitch and yaw of the model: three angles. */
  orientation: string;
  /** Three factors of the model's size: x, y, z. */
  scale: string;
  /** A CSS colour that is drawn behind the model, so that pictures have it, too. */
  background: string | null;
  /** A variant of the materials, by its name (KHR_materials_variants). */
  variantName: string | null;
}

/** @internal */
export const STAGING: AttributeTable<StagingAttributes, StagingScene> = {
  orientation: { ...words('0 0 0'), values: 3, changed: (element) => element.standAsSaid(), effect: ({ staging }) => staging.put() },
  scale: { ...words('1 1 1'), values: 3, changed: (element) => element.standAsSaid(), effect: ({ staging }) => staging.put() },
  background: {
    ...text,
    effect: ({ viewer, host }) => {
      viewer.background = parseColor(host.background);
    },
  },
  variantName: {
    ...text,
    effect: ({ viewer, host }) => {
      if (!viewer.model) return;
      const { variantName } = host;
      viewer.variant = variantName === null || variantName === 'default' ? null : variantName;
      // Not before the setter has returned.
      queueMicrotask(() => host.dispatchEvent(new CustomEvent('variant-applied')));
    },
  },
};

/** The scene as {@link ElementStaging} needs it. */
interface StagedScene extends Pick<Scene<unknown>, 'viewer' | 'warn'> {
  /** `stand` is the place of the model before the turntable turns it. */
  readonly host: { readonly stand: ModelPlace };
}

/** The place of the model, as attributes, the turntable and root motion have it. @internal */
export class ElementStaging {
  readonly #scene: StagedScene;
  readonly #camera: Pick<OrbitCamera, 'pivot'>;
  readonly #turntable: Pick<Turntable, 'angle'>;
  #place: ModelPlace = placeOf('', '');

  constructor(scene: StagedScene, camera: Pick<OrbitCamera, 'pivot'>, turntable: Pick<Turntable, 'angle'>) {
    this.#scene = scene;
    this.#camera = camera;
    this.#turntable = turntable;
  }

  /** The place where the model stands, with the way that root motion has added. */
  get place(): ModelPlace {
    return { ...this.#place, position: this.#scene.viewer.place.position ?? this.#place.position };
  }

  /** Puts the model where it is to stand now. */
  put(): void {
    const { viewer, host } = this.#scene;
    this.#place = turned(host.stand, this.#turntable.angle, this.#camera.pivot);
    try {
      viewer.stand(this.#place);
    } catch (error) {
      this.#scene.warn(error);
    }
  }
}
