// Staging: the model's place, its variant, and the background.

import { parseColor } from '../../values/color.ts';
import { text, words, type AttributeTable } from '../base/attributes.ts';
import { placeOf, turned, type ModelPlace } from '../base/model-space.ts';
import type { OrbitCamera } from './camera.ts';
import type { Models, Scene } from './scene.ts';
import type { Turntable } from './turntable.ts';

/** @internal */
export interface StagingScene extends Scene<StagingAttributes> {
  readonly staging: ElementStaging;
}

/** Attributes of the model's place, its variant, and the background. */
export interface StagingAttributes {
  /** The rotation of the model by roll, pitch and yaw: three angles. @category Viewers and actors */
  orientation: string;
  /** The scale of the model: three factors x, y, z. @category Viewers and actors */
  scale: string;
  /** The background: a CSS colour that is drawn behind the model, also in pictures. @category Pictures */
  background: string | null;
  /** The name of a material variant (KHR_materials_variants). @category Loading and models */
  variantName: string | null;
}

/** @internal */
export const STAGING: AttributeTable<StagingAttributes, StagingScene> = {
  orientation: {
    ...words('0 0 0'),
    values: 3,
    changed: (element) => element.resetEntityTransform(),
    effect: ({ staging }) => staging.applyPlace(true),
  },
  scale: {
    ...words('1 1 1'),
    values: 3,
    changed: (element) => element.resetEntityTransform(),
    effect: ({ staging }) => staging.applyPlace(true),
  },
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
      // Dispatched after the setter has returned.
      queueMicrotask(() => host.dispatchEvent(new CustomEvent('variant-applied')));
    },
  },
};

/** The part of a scene that {@link ElementStaging} uses. */
interface StagedScene extends Pick<Scene<unknown>, 'viewer' | 'warn'> {
  /** `stand` is the place of the model without the rotation of the turntable. */
  readonly host: { readonly basePlace: ModelPlace };
  readonly extras: Pick<NonNullable<Models['extras']>, 'turn'> | undefined;
}

/** The place of the model, from attributes, turntable and root motion. @internal */
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

  /** The place of the model, including its root motion. */
  get place(): ModelPlace {
    const { position = this.#place.position, rotation = this.#place.rotation } = this.#scene.viewer.place;
    return { ...this.#place, position, rotation };
  }

  /** Applies the place of the attributes and the angle of the turntable to the model; `jumps`: without physics. */
  applyPlace(jumps = false): void {
    const { viewer, host, extras } = this.#scene;
    const how = jumps ? 'teleport' : 'place';
    this.#place = this.turned(host.basePlace);
    try {
      viewer.setBasePlace(this.#place, how);
      extras?.turn(how);
    } catch (error) {
      this.#scene.warn(error);
    }
  }

  /** A place, turned with the turntable. */
  turned(place: ModelPlace): ModelPlace {
    return turned(place, this.#turntable.angle, this.#camera.pivot);
  }
}
