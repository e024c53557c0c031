// The lighting of a viewer: environment, skybox, shadows, exposure and tone mapping.

import type { CoreCubeFaces, CoreHdr, CoreStage, ImageLightInfo, Light } from '../wasm/core.ts';
import { GambolError, asGambolError, throwIfAborted } from '../base/errors.ts';
import { fetchBytes } from '../load/fetch.ts';
import { checkedNumber, checkedOptions, checkedTransfer } from '../values/options.ts';
import type { Model } from '../load/model.ts';
import { Performer } from './performer.ts';
import { lazily } from '../base/lazily.ts';
import { yieldToPage } from '../base/scheduling.ts';
import { guarded } from '../wasm/guarded.ts';
import { TONE_MAPPINGS, type ToneMapping } from '../values/words.ts';
import { shown } from '../base/shown.ts';
import { bytesOf } from '../base/bytes.ts';

/**
 * The source of an environment map: `file`, the image-based light of the model's file (EXT_lights_image_based), or the studio if it
 * has none; `studio`, which is built in; an equirectangular image, as a URL or as bytes; or `null` for none, so that only the
 * punctual lights of the file shine. The format of the image is recognised by its content: Radiance `.hdr`, OpenEXR,
 * JPEG (also Ultra HDR, with a gain map), PNG, WebP or AVIF.
 * @category Lighting
 */
export type EnvironmentSource = 'file' | 'studio' | (string & {}) | URL | ArrayBuffer | ArrayBufferView | Blob | null;

/** Options of {@link Viewer.setEnvironment}. @category Lighting */
export interface EnvironmentOptions {
  /** Aborts the load: the promise rejects with `load/aborted`, and the light before stays. */
  readonly signal?: AbortSignal;
  /** The credentials mode of the request for a URL. Default: `same-origin`. */
  readonly credentials?: RequestCredentials;
}

/** Pixels that are decoded in one task, which takes some milliseconds. */
const PIXELS_AT_ONCE = 1 << 18;
/** An upper limit of factors: more than any picture needs, and small enough that no product overflows. */
const MAX_LIGHT = 1e6;
/** The upper limits of the numbers that are at least 0. */
const LIMITS = {
  environmentIntensity: MAX_LIGHT,
  exposure: MAX_LIGHT,
  skyboxBlur: 1,
  skyboxHeight: MAX_LIGHT,
  shadowIntensity: 1,
  shadowSoftness: 1,
} as const;

/** The lighting properties of a {@link Viewer}. @category Lighting */
export abstract class LitPerformer extends Performer {
  #environment: EnvironmentSource = 'file';
  /** `true` if the light is that of a model's file. */
  #isLitByFile = false;
  #skyboxImage: EnvironmentSource = null;
  /** The pending loads: the environment (index 0) and the sky image (index 1). */
  readonly #loading: (AbortController | undefined)[] = [];
  #rotation = 0;
  #intensity = 1;
  #exposure = 1;
  #toneMapping: ToneMapping = 'neutral';
  #skybox = false;
  #skyboxBlur = 0;
  #skyboxHeight = 0;
  #shadowIntensity = 0;
  #shadowSoftness = 0.5;

  /**
   * The source of the environment map. While another one loads, it is still the one before. Default: `file`.
   * @category Lighting
   */
  get environment(): EnvironmentSource {
    return this.#environment;
  }

  /**
   * Loads an environment as {@link Viewer.setEnvironment} does. If it fails, a `warning` is sent, and the environment before
   * stays.
   */
  set environment(source: EnvironmentSource) {
    this.#warnOnFailure(this.setEnvironment(source));
  }

  /**
   * Loads another environment map, and resolves when the next frame shows it. A later call aborts the one before. Radiance images
   * of up to 16384 × 16384 pixels are read, others of up to 16384 × 8192. They are stored with a width of at most 4096. The white
   * of an image without high dynamic range is light of 1. A spot that is far brighter than the rest of the image, such as the sun,
   * becomes a light of its own, with a shadow. A file loads the feature `light`.
   *
   * @throws {@link GambolError} `argument/invalid`, `fetch/…`, `load/aborted`, `image/unknown-format`, `image/unsupported` (a Radiance
   * image that is not RGB, or not from the top down), `image/too-large`, `image/truncated`, `image/broken`, `load/chunk`; the light
   * before stays.
   * @category Lighting
   */
  async setEnvironment(source: EnvironmentSource, options?: EnvironmentOptions): Promise<void> {
    await this.#loadImage(source, false, options);
    this.#environment = source;
  }

  /**
   * The image that {@link skybox} shows in place of the environment; `null` for the environment itself. Default: `null`.
   * @category Lighting
   */
  get skyboxImage(): EnvironmentSource {
    return this.#skyboxImage;
  }

  /** Loads a sky image as {@link Viewer.setSkyboxImage} does. If it fails, a `warning` is sent, and the sky before stays. */
  set skyboxImage(source: EnvironmentSource) {
    this.#warnOnFailure(this.setSkyboxImage(source));
  }

  /**
   * Loads an image for the sky, as {@link Viewer.setEnvironment} does for the light. It does not change the light.
   *
   * @throws {@link GambolError} as {@link Viewer.setEnvironment}; the sky before stays.
   * @category Lighting
   */
  async setSkyboxImage(source: EnvironmentSource, options?: EnvironmentOptions): Promise<void> {
    await this.#loadImage(source, true, options);
    this.#skyboxImage = source;
  }

  /**
   * Uses the light of the file of a model that is about to be shown, unless the page has set an environment. After a failure the model
   * has the studio, and a `warning` is sent. @internal
   */
  protected async useFileLight(model: Model, signal: AbortSignal): Promise<void> {
    const pending = this.#loading[0];
    if (this.#environment !== 'file' || (pending && !pending.signal.aborted)) return;
    if (!this.#isLitByFile && !model.imageLight) return;
    try {
      await this.#loadImage('file', false, { signal }, model);
    } catch (error) {
      throwIfAborted(signal);
      // A call of the page may have aborted it.
      if (asGambolError(error, 'image/broken').code === 'load/aborted' || this.#environment !== 'file') return;
      this.#warnOnFailure(Promise.reject(error as Error));
      this.engine.call(({ lighting }) => lighting.setStudio(true));
      this.#isLitByFile = false;
    }
  }

  async #loadImage(
    source: EnvironmentSource,
    sky: boolean,
    options: EnvironmentOptions = {},
    model = this.model,
  ): Promise<void> {
    this.engine.check();
    const call = sky ? 'setSkyboxImage()' : 'setEnvironment()';
    checkedOptions(options, ['signal', 'credentials'], call);
    checkedTransfer(options, call);
    const { core } = this.engine;
    const place = Number(sky);
    this.#loading[place]?.abort();
    const loading = new AbortController();
    this.#loading[place] = loading;
    const { signal } = loading;
    const given = options.signal;
    const abort = (): void => loading.abort(given?.reason);
    given?.addEventListener('abort', abort);
    if (given?.aborted) abort();
    try {
      throwIfAborted(signal);
      if (sky && source === 'file')
        throw new GambolError(
          'argument/invalid',
          'skyboxImage cannot be file: null shows the environment, also that of the file.',
        );
      const fileLight = source === 'file' && !sky ? model?.imageLight : undefined;
      if (model && fileLight) {
        const faces = await this.#readFileLight(model, fileLight, signal);
        this.engine.call(({ lighting }) => lighting.setImageLight(model.asset, faces));
      } else if (source === 'studio' || source === null || (source === 'file' && !sky)) {
        if (!sky) {
          this.engine.call(({ lighting }) => lighting.setStudio(source !== null));
        } else if (source !== null || core.features.has('light')) {
          await core.loadFeatures(['light']);
          this.engine.call(({ lighting }) => lighting.setSkyStudio(source !== null));
        }
      } else {
        const [bytes] = await Promise.all([
          pictureBytes(source, signal, options.credentials),
          core.loadFeatures(['light']),
        ]);
        const picture = await this.#read(bytes, signal);
        this.engine.call(({ lighting }) => (sky ? lighting.setSkyPicture(picture) : lighting.setEnvironment(picture)));
      }
      if (!sky) this.#isLitByFile = fileLight !== undefined;
      await this.engine.light(signal);
      throwIfAborted(signal);
    } finally {
      given?.removeEventListener('abort', abort);
      if (this.#loading[place] === loading) this.#loading[place] = undefined;
    }
  }

  /**
   * The rotation of the environment around the vertical axis, in radians, counter-clockwise from above. Default: 0.
   * @category Lighting
   */
  get environmentRotation(): number {
    return this.#rotation;
  }

  set environmentRotation(radians: number) {
    this.#rotation = checkedNumber(radians, 'environmentRotation');
    this.#light();
  }

  /** The factor on the light of the environment, at least 0. Default: 1. @category Lighting */
  get environmentIntensity(): number {
    return this.#intensity;
  }

  set environmentIntensity(factor: number) {
    this.#intensity = within(factor, 'environmentIntensity');
    this.#light();
  }

  /** The factor on all light before tone mapping, at least 0. Default: 1; 2 is one stop more. @category Lighting */
  get exposure(): number {
    return this.#exposure;
  }

  set exposure(factor: number) {
    this.#exposure = within(factor, 'exposure');
    this.#light();
  }

  /** The tone mapping. Default: `neutral`. Throws `argument/invalid` for another word. @category Lighting */
  get toneMapping(): ToneMapping {
    return this.#toneMapping;
  }

  set toneMapping(name: ToneMapping) {
    if (!TONE_MAPPINGS.includes(name)) {
      throw new GambolError('argument/invalid', `toneMapping must be neutral, agx, aces or none, not ${shown(name)}.`);
    }
    this.#toneMapping = name;
    this.#light();
  }

  /**
   * `true` if the environment is drawn behind the model, in place of the background. Default: false. Setting it loads the feature
   * `light`; a failure is a `warning`.
   * @category Lighting
   */
  get skybox(): boolean {
    return this.#skybox;
  }

  set skybox(seen: boolean) {
    this.#skybox = Boolean(seen);
    this.#light();
  }

  /** The blur of the skybox: from 0 (sharp) to 1. Default: 0. @category Lighting */
  get skyboxBlur(): number {
    return this.#skyboxBlur;
  }

  set skyboxBlur(blur: number) {
    this.#skyboxBlur = within(blur, 'skyboxBlur');
    this.#light();
  }

  /**
   * The height in metres above the ground at which the sky image was taken, at least 0. Its lower half is projected onto the
   * ground below the models. With 0 the sky is infinitely far away. Default: 0. Setting it loads the feature `light`.
   * @category Lighting
   */
  get skyboxHeight(): number {
    return this.#skyboxHeight;
  }

  set skyboxHeight(metres: number) {
    this.#skyboxHeight = within(metres, 'skyboxHeight');
    this.#light();
  }

  /**
   * The darkness of shadows, both on the ground and of the model on itself: from 0 (none) to 1. Default: 0. Setting it loads the
   * feature `light`; a failure is a `warning`.
   * @category Lighting
   */
  get shadowIntensity(): number {
    return this.#shadowIntensity;
  }

  set shadowIntensity(intensity: number) {
    this.#shadowIntensity = within(intensity, 'shadowIntensity');
    this.#light();
  }

  /** The softness of shadows, from 0 to 1. Default: 0.5. @category Lighting */
  get shadowSoftness(): number {
    return this.#shadowSoftness;
  }

  set shadowSoftness(softness: number) {
    this.#shadowSoftness = within(softness, 'shadowSoftness');
    this.#light();
  }

  /**
   * Sets the light as the core takes it: a call of a session.
   * @throws {@link GambolError} `argument/invalid` for numbers that the properties refuse; then nothing changes. @internal
   */
  takeLight(light: Light): void {
    const {
      intensity: environmentIntensity,
      exposure,
      skyboxBlur,
      skyboxHeight,
      shadowIntensity,
      shadowSoftness,
    } = light;
    const numbers = { environmentIntensity, exposure, skyboxBlur, skyboxHeight, shadowIntensity, shadowSoftness };
    for (const [name, value] of Object.entries(numbers)) within(value, name as keyof typeof LIMITS);
    this.#rotation = light.rotation;
    this.#intensity = light.intensity;
    this.#exposure = light.exposure;
    this.#toneMapping = light.toneMapping;
    this.#skybox = light.skybox;
    this.#skyboxBlur = light.skyboxBlur;
    this.#skyboxHeight = light.skyboxHeight;
    this.#shadowIntensity = light.shadowIntensity;
    this.#shadowSoftness = light.shadowSoftness;
    this.#light();
  }

  /** Sets the environment, or with `sky` the image of the sky, to the studio (`on`) or to none: a call of a session. @internal */
  takeStudio(sky: boolean, on: boolean): void {
    const place = Number(sky);
    this.#loading[place]?.abort();
    const loading = new AbortController();
    this.#loading[place] = loading;
    this.engine.call(({ lighting }) => (sky ? lighting.setSkyStudio(on) : lighting.setStudio(on)));
    const source = on ? 'studio' : null;
    if (sky) {
      this.#skyboxImage = source;
    } else {
      this.#environment = source;
      this.#isLitByFile = false;
    }
    this.#warnOnFailure(this.engine.light(loading.signal));
  }

  /** @internal Aborts the pending loads. */
  protected stopLighting(): void {
    for (const loading of this.#loading) loading?.abort();
  }

  #warnOnFailure(loading: Promise<void>): void {
    loading.catch((thrown: unknown) => {
      const { code, message } = asGambolError(thrown, 'image/broken');
      if (!['load/aborted', 'viewer/disposed', 'wasm/panic'].includes(code)) this.warn({ code, message, pointer: '' });
    });
  }

  /** Sends a `warning` that a part of gambol could not be loaded. @internal */
  protected missing(error: unknown): void {
    const { code, message } = asGambolError(error, 'load/chunk');
    this.warn({ code, message, pointer: '' });
  }

  #light(): void {
    // Only sky and shadows need the feature, so the other settings do not wait for it.
    const set = ({ lighting }: CoreStage, all = true): void =>
      lighting.set({
        rotation: this.#rotation % (2 * Math.PI),
        intensity: this.#intensity,
        exposure: this.#exposure,
        toneMapping: this.#toneMapping,
        skybox: all && this.#skybox,
        skyboxBlur: this.#skyboxBlur,
        skyboxHeight: all ? this.#skyboxHeight : 0,
        shadowIntensity: all ? this.#shadowIntensity : 0,
        shadowSoftness: this.#shadowSoftness,
      });
    const needed = this.#skybox || this.#skyboxHeight > 0 || this.#shadowIntensity > 0;
    const waits = needed && !this.engine.core.features.has('light');
    this.engine.call((stage) => set(stage, !waits));
    if (waits) this.engine.settings.whenRuns('light', 'light', (stage) => set(stage));
  }

  async #readFileLight(model: Model, light: ImageLightInfo, signal: AbortSignal): Promise<CoreCubeFaces> {
    const { readFileLight } = await lazily('the reader of lights of files', () => import('../load/file-light.ts'));
    return readFileLight(model.library, light, this.engine.core.CubeFaces, signal, () => {
      throwIfAborted(signal);
      this.engine.check();
    });
  }

  async #read(bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<CoreHdr> {
    const { Hdr } = this.engine.core;
    const check = (): void => {
      throwIfAborted(signal);
      this.engine.check();
    };
    // Radiance files begin with `#?`, and are read by the module alone.
    if (bytes[0] !== 0x23 || bytes[1] !== 0x3f) {
      const { readPanorama } = await lazily('the reader of panoramas', () => import('../load/panorama.ts'));
      return readPanorama(bytes, Hdr, check);
    }
    const picture = guarded(() => new Hdr(bytes, 0, 0));
    try {
      while (guarded(() => picture.advance(PIXELS_AT_ONCE))) {
        await yieldToPage();
        check();
      }
      return picture;
    } catch (error) {
      guarded(() => picture.free());
      throw error;
    }
  }
}

async function pictureBytes(
  source: Exclude<EnvironmentSource, null>,
  signal: AbortSignal,
  credentials: RequestCredentials | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  if (typeof source === 'string' || source instanceof URL) {
    return fetchBytes(new URL(source, document.baseURI), { signal, credentials });
  }
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source))
    return bytesOf(source as ArrayBuffer | ArrayBufferView<ArrayBuffer>);
  if (source instanceof Blob) {
    const bytes = new Uint8Array(await source.arrayBuffer());
    throwIfAborted(signal);
    return bytes;
  }
  throw new GambolError(
    'argument/invalid',
    `environment must be file, studio, a URL, the bytes of an image, or null, not ${shown(source)}.`,
  );
}

function within(value: number, name: keyof typeof LIMITS): number {
  const most = LIMITS[name];
  if (checkedNumber(value, name) >= 0 && value <= most) return value;
  throw new GambolError('argument/invalid', `${name} must be a number from 0 to ${most}, not ${shown(value)}.`);
}
