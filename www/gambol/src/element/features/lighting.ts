// Lighting: environment, sky, tone mapping, shadows.

import type { EnvironmentOptions, EnvironmentSource } from '../../api/lighting.ts';
import type { ToneMapping } from '../../values/words.ts';
import { number, text, words, type AttributeTable } from '../base/attributes.ts';
import { parseValues } from '../base/css-values.ts';
import type { LoadingAttributes } from './loading.ts';
import type { Scene } from './scene.ts';

/** Tone mappings by name, including those of <model-viewer>; the most similar one replaces those that gambol lacks. */
const TONES: Readonly<Record<string, ToneMapping>> = {
  auto: 'neutral',
  commerce: 'neutral',
  neutral: 'neutral',
  agx: 'agx',
  aces: 'aces',
  'aces-filmic': 'aces',
  cineon: 'aces',
  reinhard: 'neutral',
  linear: 'none',
  none: 'none',
};

/** The words for the built-in studio, including those of <model-viewer>. */
const STUDIOS: readonly string[] = ['neutral', 'legacy', 'studio'];

/** The height of the sky image in metres; 0 for an invalid one. */
function heightOf(text: string): number {
  const [height = 0] = parseValues(text, [{ whole: 0 }]);
  return height > 0 && height < 1e6 ? height : 0;
}

/** @internal */
export interface LightingScene extends Scene<LightingAttributes> {
  readonly lighting: ElementLighting;
}

/** Attributes of lighting. */
export interface LightingAttributes {
  /**
   * The environment map: the URL of an image (Radiance, OpenEXR, JPEG, Ultra HDR, PNG, WebP); `neutral` is a studio, `none` only the lights of
   * the file.
   * @category Lighting
   */
  environmentImage: string | null;
  /** The URL of an image that is drawn behind the model, of the same formats. @category Lighting */
  skyboxImage: string | null;
  /**
   * The height above the ground at which the sky image was taken, to project it onto the ground: a length; 0 for no ground.
   * @category Lighting
   */
  skyboxHeight: string;
  /** The brightness as a factor, at least 0; 2 is one stop more. @category Lighting */
  exposure: number;
  /** The tone mapping: `auto` and `neutral` (Khronos PBR Neutral), `agx`, `aces`, or `none`. @category Lighting */
  toneMapping: string;
  /** The darkness of shadows, 0 to 1. @category Lighting */
  shadowIntensity: number;
  /** The softness of shadows, 0 to 1. @category Lighting */
  shadowSoftness: number;
}

/** @internal */
export const LIGHTING: AttributeTable<LightingAttributes, LightingScene> = {
  environmentImage: {
    ...text,
    needs: (image) => (image && image !== 'none' && !STUDIOS.includes(image) ? ['light'] : []),
    effect: ({ lighting }) => lighting.light(),
  },
  skyboxImage: { ...text, needs: (image) => (image ? ['light'] : []), effect: ({ lighting }) => lighting.light() },
  skyboxHeight: {
    ...words('0'),
    values: 1,
    needs: (text) => (heightOf(text) > 0 ? ['light'] : []),
    effect: ({ viewer, host }) => {
      viewer.skyboxHeight = heightOf(host.skyboxHeight);
    },
  },
  exposure: {
    ...number(1, 0, 1e6),
    effect: ({ viewer, host }) => {
      viewer.exposure = host.exposure;
    },
  },
  toneMapping: {
    ...words('auto'),
    effect: ({ viewer, host }) => {
      viewer.toneMapping = TONES[host.toneMapping.toLowerCase()] ?? 'neutral';
    },
  },
  shadowIntensity: {
    ...number(0, 0, 1),
    needs: (intensity) => (intensity > 0 ? ['light'] : []),
    effect: ({ viewer, host }) => {
      viewer.shadowIntensity = host.shadowIntensity;
    },
  },
  shadowSoftness: {
    ...number(1, 0, 1),
    effect: ({ viewer, host }) => {
      viewer.shadowSoftness = host.shadowSoftness;
    },
  },
};

type LitScene = Scene<LightingAttributes & Pick<LoadingAttributes, 'withCredentials'>>;

/** The light and the sky of an element. @internal */
export class ElementLighting {
  readonly #scene: LitScene;
  /** The sources of light and sky that were set last, loaded or pending; undefined for a source whose load has failed. */
  readonly #lit: (EnvironmentSource | undefined)[] = ['file', null];
  /** `true` until the first `environment-change`. */
  #awaitsLight = true;

  constructor(scene: LitScene) {
    this.#scene = scene;
  }

  /** Loads the environment and the sky of the attributes. */
  light(): void {
    const { viewer, host, signal } = this.#scene;
    const { environmentImage, skyboxImage, withCredentials } = host;
    const light = environmentImage || skyboxImage || 'file';
    const source = light === 'none' ? null : STUDIOS.includes(light) ? 'studio' : light;
    const sky = skyboxImage && skyboxImage !== source ? skyboxImage : null;
    const options: EnvironmentOptions = { credentials: withCredentials ? 'include' : 'same-origin', signal };
    const changes = (
      [
        ['setEnvironment', source],
        ['setSkyboxImage', sky],
      ] as const
    ).flatMap(([set, wanted], i) => {
      if (wanted === this.#lit[i]) return [];
      this.#lit[i] = wanted;
      return viewer[set](wanted, options).catch((error: unknown) => {
        // After a failure, the same source is loaded again.
        if (this.#lit[i] === wanted) this.#lit[i] = undefined;
        throw error;
      });
    });
    viewer.skybox = Boolean(skyboxImage);
    if (changes.length === 0) return;
    this.#awaitsLight = false;
    Promise.all(changes).then(
      () => host.dispatchEvent(new CustomEvent('environment-change')),
      (error: unknown) => this.#scene.warn(error),
    );
  }

  /** Sends the first `environment-change` after a model is shown, unless an attribute has set another environment. */
  lit(): void {
    if (!this.#awaitsLight) return;
    this.#awaitsLight = false;
    this.#scene.host.dispatchEvent(new CustomEvent('environment-change'));
  }
}
