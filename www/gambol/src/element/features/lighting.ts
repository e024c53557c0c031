// Lighting: environment, sky, tone mapping, shadows.

import type { EnvironmentOptions, EnvironmentSource } from '../../api/lighting.ts';
import type { ToneMapping } from '../../values/words.ts';
import { number, text, words, type AttributeTable } from '../base/attributes.ts';
import { parseValues } from '../base/css-values.ts';
import type { LoadingAttributes } from './loading.ts';
import type { Scene } from './scene.ts';

/** Tone curves by name, with those of <model-viewer>; one that gambol lacks is replaced by the nearest. */
const TONES: Readonly<Record<string, ToneMapping>> = {
  auto: 'neutral', commerce: 'neutral', neutral: 'neutral', agx: 'agx', aces: 'aces', 'aces-filmic': 'aces', cineon: 'aces', reinhard: 'neutral',
  linear: 'none', none: 'none',
};

/** @internal */
export interface LightingScene extends Scene<LightingAttributes> {
  readonly lighting: ElementLighting;
}

/** Attributes about light. */
export interface LightingAttributes {
  /** The address of the light, a `.hdr` picture; `neutral` is a studio, `none` only the file's own lights. */
  environmentImage: string | null;
  /** The address of a `.hdr` picture that is seen behind the model. */
  skyboxImage: string | null;
  /** How high above the ground the sky was taken, to lie on it: a length. */
  skyboxHeight: string;
  /** Brightness as a factor. */
  exposure: number;
  /** The curve from light to colours of the screen. */
  toneMapping: string;
  /** Darkness of the shadow on the ground, 0 to 1. */
  shadowIntensity: number;
  /** Softness of the shadow's edge, 0 to 1. */
  shadowSoftness: number;
}

/** @internal */
export const LIGHTING: AttributeTable<LightingAttributes, LightingScene> = {
  environmentImage: { ...text, effect: ({ lighting }) => lighting.light() },
  skyboxImage: { ...text, effect: ({ lighting }) => lighting.light() },
  skyboxHeight: {
    ...words('0'), values: 1,
    effect: ({ viewer, host }) => {
      const [height = 0] = parseValues(host.skyboxHeight, [{ whole: 0 }]);
      viewer.skyboxHeight = height > 0 && height < 1e6 ? height : 0;
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
  /** The light and the sky that were asked for last, which may be on their way; undefined for what could not be had. */
  readonly #lit: (EnvironmentSource | undefined)[] = ['studio', null];
  /** `true` until there was an `environment-change`. */
  #awaitsLight = true;

  constructor(scene: LitScene) {
    this.#scene = scene;
  }

  /** Has the light and the sky loaded that attributes ask for. */
  light(): void {
    const { viewer, host, signal } = this.#scene;
    const { environmentImage, skyboxImage, withCredentials } = host;
    const light = environmentImage || skyboxImage || 'studio';
    const source = light === 'none' ? null : ['neutral', 'legacy'].includes(light) ? 'studio' : light;
    const sky = skyboxImage && skyboxImage !== source ? skyboxImage : null;
    const options: EnvironmentOptions = { credentials: withCredentials ? 'include' : 'same-origin', signal };
    const changes = ([['setEnvironment', source], ['setSkyboxImage', sky]] as const).flatMap(([set, wanted], i) => {
      if (wanted === this.#lit[i]) return [];
      this.#lit[i] = wanted;
      return viewer[set](wanted, options).catch((error: unknown) => {
        // It may be asked for again.
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

  /** A model is seen, in the light that there is unless attributes ask for another. */
  lit(): void {
    if (!this.#awaitsLight) return;
    this.#awaitsLight = false;
    this.#scene.host.dispatchEvent(new CustomEvent('environment-change'));
  }
}
