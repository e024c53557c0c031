// The textures of the scene graph of `<model-viewer>`: texture infos, textures, samplers and images.

import { GambolError } from '../base/errors.ts';
import { pngOf } from '../base/png.ts';
import type { TextureName, TextureSettings, TextureSource, TextureWrap } from '../values/materials.ts';
import type { FileImage, Sink } from './sink.ts';

/** Two numbers of a texture's transform. @category Scene graph */
export interface Vector2D {
  /** Horizontally. */
  readonly u: number;
  /** Vertically. */
  readonly v: number;
}

/** The codes of filters and wrap modes in glTF. */
const FILTERS = { 9728: 'nearest', 9729: 'linear' } as const;
const MIN_FILTERS = {
  9728: ['nearest', 'none'],
  9729: ['linear', 'none'],
  9984: ['nearest', 'nearest'],
  9985: ['linear', 'nearest'],
  9986: ['nearest', 'linear'],
  9987: ['linear', 'linear'],
} as const;
const WRAPS = { 33071: 'clamp', 33648: 'mirror', 10497: 'repeat' } as const;

type State = Omit<TextureSettings, 'texture' | 'texCoord'>;

/** The image of a texture. @category Scene graph */
export class Image {
  /** The name in the file; for an image of an address, the last part of that. */
  name: string;
  /** `external` for an image of the page with an address, else `embedded`. */
  readonly type: 'embedded' | 'external';
  /** The address of an image of the page. */
  readonly uri?: string;
  /** The canvas or the video of a texture of the page. */
  readonly element?: HTMLCanvasElement | HTMLVideoElement;
  readonly #source: TextureSource | undefined;
  readonly #file: FileImage | null;
  /** The infos that show the image. */
  readonly #users = new Set<() => void>();

  /** @internal */
  constructor(name: string, source?: TextureSource, file: FileImage | null = null) {
    this.#file = file;
    this.name = name || (typeof source === 'string' ? (source.split(/[?#]/)[0]?.split('/').at(-1) ?? '') : '');
    this.#source = source;
    this.type = typeof source === 'string' ? 'external' : 'embedded';
    if (typeof source === 'string') this.uri = source;
    if (source instanceof HTMLCanvasElement || source instanceof HTMLVideoElement) this.element = source;
  }

  /** Shows the canvas as it is now. */
  update(): void {
    for (const show of this.#users) show();
  }

  /** The address of a small PNG of the image. Rejects if the browser cannot decode the image. */
  async createThumbnail(width: number, height: number): Promise<string> {
    const source = this.#source ?? (await this.blob());
    let drawn: CanvasImageSource;
    if (typeof source === 'string' || source instanceof URL || source instanceof Blob) {
      const blob = source instanceof Blob ? source : await (await fetch(source)).blob();
      drawn = await createImageBitmap(blob);
    } else drawn = source;
    const blob = await pngOf(drawn, width, height);
    return blob ? URL.createObjectURL(blob) : '';
  }

  /** The encoded image of a file. @throws `GambolError` `argument/invalid` without one @internal */
  async blob(): Promise<Blob> {
    if (this.#file) return this.#file.blob();
    throw new GambolError('argument/invalid', 'The texture has no image.');
  }

  /** @internal */
  get source(): TextureSource | undefined {
    return this.#source;
  }

  /** Calls a function by {@link update}; returns a function that ends it. @internal */
  use(show: () => void): () => void {
    this.#users.add(show);
    return () => void this.#users.delete(show);
  }
}

/** The sampler of a texture: filters, wrap modes, and the transform. @category Scene graph */
export class Sampler {
  /** Always empty: samplers of glTF seldom have names. */
  readonly name = '';
  #state: State;
  readonly #changed: () => void;

  /** @internal */
  constructor(state: State, changed: () => void) {
    this.#state = state;
    this.#changed = changed;
  }

  /** The filter where the texture is minified, by its code in glTF. */
  get minFilter(): number {
    const { min = 'linear', mip = 'linear' } = this.#state;
    return Number(Object.entries(MIN_FILTERS).find(([, [a, b]]) => a === min && b === mip)?.[0]);
  }

  /** The filter where the texture is magnified, by its code in glTF. */
  get magFilter(): number {
    return codeOf(FILTERS, this.#state.mag ?? 'linear');
  }

  /** The horizontal wrap mode, by its code in glTF. */
  get wrapS(): number {
    return codeOf(WRAPS, this.#state.wrapS ?? 'repeat');
  }

  /** The vertical wrap mode, by its code in glTF. */
  get wrapT(): number {
    return codeOf(WRAPS, this.#state.wrapT ?? 'repeat');
  }

  /** The rotation of the texture in radians, counter-clockwise. */
  get rotation(): number {
    return this.#state.rotation ?? 0;
  }

  /** The scale of the texture coordinates. */
  get scale(): Vector2D {
    const [u, v] = this.#state.scale ?? [1, 1];
    return { u, v };
  }

  /** The translation of the texture coordinates. */
  get offset(): Vector2D {
    const [u, v] = this.#state.offset ?? [0, 0];
    return { u, v };
  }

  /** Sets the filter where the texture is minified, by its code in glTF. @throws `GambolError` `argument/invalid` */
  setMinFilter(filter: number): void {
    const [min, mip] = wordOf(MIN_FILTERS, filter, 'minFilter');
    this.#change({ min, mip });
  }

  /** Sets the filter where the texture is magnified, by its code in glTF. @throws `GambolError` `argument/invalid` */
  setMagFilter(filter: number): void {
    this.#change({ mag: wordOf(FILTERS, filter, 'magFilter') });
  }

  /** Sets the horizontal wrap mode, by its code in glTF. @throws `GambolError` `argument/invalid` */
  setWrapS(mode: number): void {
    this.#change({ wrapS: wordOf(WRAPS, mode, 'wrapS') });
  }

  /** Sets the vertical wrap mode, by its code in glTF. @throws `GambolError` `argument/invalid` */
  setWrapT(mode: number): void {
    this.#change({ wrapT: wordOf(WRAPS, mode, 'wrapT') });
  }

  /** Sets the rotation in radians; null for none. */
  setRotation(rotation: number | null): void {
    this.#change({ rotation: Number(rotation ?? 0) });
  }

  /** Sets the scale; null for 1. */
  setScale(scale: Vector2D | null): void {
    this.#change({ scale: [Number(scale?.u ?? 1), Number(scale?.v ?? 1)] });
  }

  /** Sets the offset; null for none. */
  setOffset(offset: Vector2D | null): void {
    this.#change({ offset: [Number(offset?.u ?? 0), Number(offset?.v ?? 0)] });
  }

  #change(change: State): void {
    this.#state = { ...this.#state, ...change };
    this.#changed();
  }

  /** @internal */
  get state(): State {
    return this.#state;
  }
}

/** The place of a texture in a file. */
interface Origin {
  readonly sink: Pick<Sink, 'model' | 'material'>;
  readonly name: TextureName;
}

/** A texture: an image with a sampler. @category Scene graph */
export class Texture {
  /** The name of its image, until a page sets another one. */
  name: string;
  /** Filters, wrap modes, and the transform. */
  readonly sampler: Sampler;
  /** The image. */
  readonly source: Image;
  /** The place that has the texture in the file; undefined for a texture of the page. @internal */
  readonly origin: Origin | undefined;
  readonly #users = new Set<() => void>();

  /** @internal */
  constructor(image: Image, state: State = {}, origin?: Origin) {
    this.origin = origin;
    this.name = image.name;
    this.source = image;
    this.sampler = new Sampler(state, () => {
      for (const show of this.#users) show();
    });
  }

  /** Calls a function after each change of the sampler; returns a function that ends it. @internal */
  use(show: () => void): () => void {
    this.#users.add(show);
    const end = this.source.use(show);
    return () => {
      this.#users.delete(show);
      end();
    };
  }
}

/** The place of a texture in a material. @category Scene graph */
export class TextureInfo {
  readonly #sink: Sink;
  readonly #name: TextureName;
  #texture: Texture | null | undefined;
  #end: () => void = () => undefined;

  /** @internal */
  constructor(sink: Sink, name: TextureName) {
    this.#sink = sink;
    this.#name = name;
  }

  /** The texture that is shown; null for none. */
  get texture(): Texture | null {
    if (this.#texture === undefined) {
      const shown = this.#sink.read()[this.#name];
      this.#texture = null;
      if (shown) {
        const { wrapS, wrapT, mag, min, mip, offset, rotation, scale } = shown;
        const file = this.#sink.image(shown.image);
        const image = new Image(file?.name ?? '', undefined, file);
        const state = { wrapS, wrapT, mag, min, mip, offset, rotation, scale };
        this.#texture = new Texture(image, state, { sink: this.#sink, name: this.#name });
        this.#end = this.#texture.use(() => this.#show());
      }
    }
    return this.#texture;
  }

  /** Shows another texture: of another info, or of {@link GambolViewer.createTexture}; null for none. */
  setTexture(texture: Texture | null): void {
    if (texture !== null && !(texture instanceof Texture))
      throw new GambolError(
        'argument/invalid',
        'setTexture() takes a texture of createTexture(), of another info, or null.',
      );
    this.#end();
    this.#texture = texture;
    this.#end = texture ? texture.use(() => this.#show()) : () => undefined;
    this.#show();
  }

  #show(): void {
    const texture = this.#texture;
    if (!texture) return this.#sink.write({ [this.#name]: false });
    const {
      origin,
      source: image,
      sampler: { state },
    } = texture;
    const write = (settings: TextureSettings): void => this.#sink.write({ [this.#name]: { ...state, ...settings } });
    if (image.source !== undefined) return write({ source: image.source });
    if (!origin) return write({});
    const { model, material } = this.#sink;
    if (origin.sink.model === model)
      return write(
        origin.sink.material === material && origin.name === this.#name
          ? {}
          : { material: origin.sink.material, texture: origin.name },
      );
    // An image of another model has no name in this one.
    image.blob().then(
      (source) => this.#texture === texture && write({ source }),
      (error: unknown) => this.#sink.warn(error),
    );
  }
}

function codeOf(codes: Readonly<Record<number, string>>, word: TextureWrap | 'nearest' | 'linear'): number {
  return Number(Object.keys(codes).find((code) => codes[Number(code)] === word));
}

function wordOf<Words extends Readonly<Record<number, unknown>>>(
  words: Words,
  code: number,
  name: string,
): Words[keyof Words] {
  if (Object.hasOwn(words, code)) return words[code] as Words[keyof Words];
  throw new GambolError(
    'argument/invalid',
    `${name} must be one of ${Object.keys(words).join(', ')}, not ${String(code)}.`,
  );
}
