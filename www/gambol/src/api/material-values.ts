// Changes of materials: the script of the feature `materials`.

import { GambolError } from '../base/errors.ts';
import { Part } from '../base/part.ts';
import { shown } from '../base/shown.ts';
import { choices } from '../base/suggestions.ts';
import type { Picture } from './material-pictures.ts';
import { linearFromSrgb, parseColor } from '../values/color.ts';
import type {
  MaterialOptions,
  MaterialTexture,
  MaterialValues,
  ShownMaterial,
  TextureSettings,
  TextureSource,
} from '../values/materials.ts';
import { checkedNames, checkedNumber, checkedObject, checkedOptions, checkedWord } from '../values/options.ts';
import { checkedWeight } from '../values/transforms.ts';
import type { CoreQuery, CoreStage, CoreTexture } from '../wasm/core.ts';
import type { MaterialOwner } from './material-owner.ts';

/** A number or a colour of materials in the core: the index of its first number. */
interface NumberPlace {
  readonly kind: 'number' | 'color';
  readonly at: number;
  readonly width: number;
}

/** A texture of materials in the core: its slot, and the index of the first number of its transform. */
interface TexturePlace {
  readonly kind: 'texture';
  readonly slot: number;
  readonly at: number;
}

type Place = NumberPlace | TexturePlace;
/** A change of the core's stage. */
type Change = (stage: CoreStage, actor: number) => void;

const SWITCHES: Readonly<Record<string, 'alphaMode' | 'double-sided' | 'unlit'>> = {
  alphaMode: 'alphaMode',
  doubleSided: 'double-sided',
  unlit: 'unlit',
};
const SETTINGS = [
  'source',
  'material',
  'texture',
  'texCoord',
  'wrapS',
  'wrapT',
  'mag',
  'min',
  'mip',
  'offset',
  'rotation',
  'scale',
] as const;
const WRAPS = ['clamp', 'mirror', 'repeat'] as const;
const FILTERS = ['nearest', 'linear'] as const;
const MIPS = ['none', 'nearest', 'linear'] as const;
const ALPHA_MODES = ['opaque', 'mask', 'blend'] as const;
/** The most colours in the cache; a page has few. */
const COLORS = 256;

/** The reader of sources of textures: pages that change colours only do not load it. */
const pictureScript = new Part('the script of textures of the page', () => import('./material-pictures.ts'));

let places: ReadonlyMap<string, Place> | undefined;
const colors = new Map<string, Float32Array>();
/** The last change of each texture, by the owner: a texture that loads longer than a later one is not shown. */
const lastChanges = new WeakMap<MaterialOwner, Map<string, object>>();

/** The places of all values, by their names. */
function placesOf(query: CoreQuery): ReadonlyMap<string, Place> {
  if (places) return places;
  const { numbers, textures } = query.materialTable();
  return (places = new Map<string, Place>([
    ...numbers.map(({ name, at, width, color }) => [name, { kind: color ? 'color' : 'number', at, width }] as const),
    ...textures.map(({ name, at }, slot) => [name, { kind: 'texture', slot, at }] as const),
  ]));
}

/**
 * Changes a material; all values together, when all textures are there. If it rejects, nothing has changed. Returns nothing if the
 * change is complete.
 * @throws {@link GambolError} at once: `argument/invalid`, `material/not-found`; later `load/chunk` and those of `pictureOf`
 */
export function setMaterial(
  owner: MaterialOwner,
  material: number,
  values: MaterialValues | null,
  options: MaterialOptions,
): Promise<void> | undefined {
  const { fade = 0, weight = 1 } = options;
  checkedOptions(options, ['fade', 'weight'], 'set()');
  if (!(checkedNumber(fade, 'fade') >= 0))
    throw new GambolError('argument/invalid', `fade must be at least 0, not ${fade}.`);
  checkedWeight(weight);
  if (values === null) {
    lastChanges.get(owner)?.clear();
    owner.change(({ joints }, actor) => joints.resetMaterial(actor, material, fade));
    return undefined;
  }
  checkedObject(values, 'values');
  const known = places ?? owner.readStage(({ query }) => placesOf(query));
  const changes: Change[] = [];
  const textures: [TexturePlace, string, MaterialTexture | null][] = [];
  for (const name in values) {
    const value = values[name as keyof MaterialValues];
    if (value === undefined) continue;
    const place = known.get(name);
    if (place?.kind === 'texture') textures.push([place, name, value as MaterialTexture | null]);
    else changes.push(place ? numberChange(place, name, value) : switchChange(name, value, known));
  }
  function numberChange(place: NumberPlace, name: string, value: unknown): Change {
    const numbers = numbersOf(place, name, value);
    return ({ joints }, actor) => joints.setMaterialNumbers(actor, material, place.at, numbers, weight, fade);
  }
  function switchChange(name: string, value: unknown, known: ReadonlyMap<string, Place>): Change {
    const flag = SWITCHES[name];
    if (flag === undefined)
      throw new GambolError(
        'argument/invalid',
        `set() has no value ${shown(name)}${choices(name, [...known.keys(), ...Object.keys(SWITCHES)])}`,
      );
    if (flag === 'alphaMode') {
      const mode = value === null ? undefined : checkedWord(value as (typeof ALPHA_MODES)[number], ALPHA_MODES, name);
      return ({ joints }, actor) => joints.setAlphaMode(actor, material, mode);
    }
    if (value !== null && typeof value !== 'boolean')
      throw new GambolError('argument/invalid', `${name} must be true, false or null, not ${shown(value)}.`);
    return ({ joints }, actor) => joints.setMaterialFlag(actor, material, flag, value ?? undefined);
  }
  const apply = (more: readonly Change[]): void =>
    owner.change((stage, actor) => {
      for (const change of changes) change(stage, actor);
      for (const change of more) change(stage, actor);
    });
  if (textures.length === 0) {
    apply([]);
    return undefined;
  }
  const given = textures.map(([place, name, value]) => {
    const settings = value === null || value === false ? value : settingsOf(value, name);
    changes.push(
      ...transformChanges(place, settings, name, (at, numbers): Change => {
        return ({ joints }, actor) => joints.setMaterialNumbers(actor, material, at, numbers, weight, fade);
      }),
    );
    return { place, name, settings, texture: coreTexture(owner, place, settings, known) };
  });
  const { pictures } = owner;
  const last = lastChanges.get(owner) ?? new Map<string, object>();
  lastChanges.set(owner, last);
  const token = {};
  for (const { name } of given) last.set(`${material}/${name}`, token);
  const finish = (found: readonly (Picture | undefined)[]): void => {
    const more: Change[] = [];
    for (const [i, { place, name, texture }] of given.entries()) {
      const use = found[i];
      if (last.get(`${material}/${name}`) !== token) {
        use?.bitmap?.close();
        continue;
      }
      more.push(({ joints }, actor) => {
        if (use?.bitmap) joints.setPicture(use.id, use.bitmap);
        joints.setTexture(actor, material, place.slot, texture && { ...texture, picture: use?.id });
      });
    }
    apply(more);
    for (const use of found) use?.follow?.();
  };
  const sources = given.map(({ settings }) => (settings ? settings.source : undefined));
  if (sources.every((source) => source === undefined)) {
    finish([]);
    return undefined;
  }
  return (async () => {
    const { pictureOf } = pictureScript.loaded ?? (await pictureScript.load());
    const found = await Promise.all(
      sources.map((source) => (source === undefined ? undefined : pictureOf(pictures, source))),
    );
    try {
      owner.number();
    } catch (error) {
      // It was removed meanwhile.
      for (const use of found) use?.bitmap?.close();
      throw error;
    }
    finish(found);
  })();
}

/** The values of a material as it is shown. @throws {@link GambolError} `material/not-found` */
export function materialNow(owner: MaterialOwner, material: number): ShownMaterial {
  return owner.readStage(({ query }, actor) => {
    const { numbers, textures, alphaMode, doubleSided, unlit } = query.materialNow(actor, material);
    const out: Record<string, unknown> = { alphaMode, doubleSided, unlit };
    for (const [name, place] of placesOf(query)) {
      const at = (i: number): number => numbers[place.at + i] ?? 0;
      if (place.kind === 'number') out[name] = at(0);
      else if (place.kind === 'color')
        out[name] = Object.freeze([...numbers.subarray(place.at, place.at + place.width)]);
      else if (place.kind === 'texture') {
        const texture = textures[place.slot];
        out[name] = texture
          ? Object.freeze({
              ...texture,
              image: texture.image < 0 ? null : texture.image,
              own: texture.picture >= 0,
              picture: undefined,
              offset: [at(0), at(1)],
              rotation: at(2),
              scale: [at(3), at(4)],
            })
          : null;
      }
    }
    return Object.freeze(out) as unknown as ShownMaterial;
  });
}

/** The numbers of a value; NaN for null. */
function numbersOf({ kind, width }: NumberPlace, name: string, value: unknown): Float32Array {
  if (value === null) return new Float32Array(width).fill(NaN);
  if (kind === 'number') return Float32Array.of(checkedNumber(value as number, name));
  if (typeof value === 'string') {
    const color = linearColor(value, name);
    return width === color.length ? color : color.subarray(0, width);
  }
  const list = Array.isArray(value) || ArrayBuffer.isView(value) ? (value as ArrayLike<number>) : [];
  const { length } = list;
  if (length === width || (width === 4 && length === 3)) {
    // A base colour without alpha is opaque.
    const numbers = new Float32Array(width).fill(1);
    let at = 0;
    for (; at < length; at++) {
      const number = list[at];
      if (!Number.isFinite(number)) break;
      numbers[at] = number as number;
    }
    if (at === length) return numbers;
  }
  throw new GambolError(
    'argument/invalid',
    `${name} must be a CSS colour or ${width} finite numbers, not ${shown(value)}.`,
  );
}

/** Linear red, green, blue and alpha of a CSS colour. */
function linearColor(text: string, name: string): Float32Array {
  const known = colors.get(text);
  if (known) return known;
  const parsed = parseColor(text);
  if (!parsed)
    throw new GambolError('argument/invalid', `${name} must be a CSS colour or finite numbers, not ${shown(text)}.`);
  const [r, g, b, a] = parsed;
  const color = Float32Array.of(linearFromSrgb(r), linearFromSrgb(g), linearFromSrgb(b), a);
  if (colors.size >= COLORS) colors.clear();
  colors.set(text, color);
  return color;
}

/** The settings of a texture. @throws {@link GambolError} `argument/invalid` */
function settingsOf(value: MaterialTexture, name: string): TextureSettings {
  if (isSource(value)) return { source: value };
  checkedObject(value as TextureSettings, name);
  const settings = value as TextureSettings;
  checkedNames(settings, SETTINGS, name);
  const { source, material, texCoord, wrapS, wrapT, mag, min, mip } = settings;
  if (source !== undefined && !isSource(source)) throw invalidSource(source, name);
  if (source !== undefined && material !== undefined)
    throw new GambolError('argument/invalid', `${name} has a source and a material: use one of them.`);
  if (texCoord !== undefined && !(Number.isInteger(texCoord) && texCoord >= 0))
    throw new GambolError('argument/invalid', `texCoord must be a whole number of at least 0, not ${shown(texCoord)}.`);
  for (const [key, word, words] of [
    ['wrapS', wrapS, WRAPS],
    ['wrapT', wrapT, WRAPS],
    ['mag', mag, FILTERS],
    ['min', min, FILTERS],
    ['mip', mip, MIPS],
  ] as const)
    if (word !== undefined) checkedWord<string>(word, words, key);
  return settings;
}

function isSource(value: unknown): value is TextureSource {
  const types = [
    URL,
    Blob,
    globalThis.ImageBitmap,
    globalThis.HTMLImageElement,
    globalThis.HTMLCanvasElement,
    globalThis.OffscreenCanvas,
    globalThis.HTMLVideoElement,
  ];
  return typeof value === 'string' || types.some((type) => typeof type === 'function' && value instanceof type);
}

function invalidSource(value: unknown, name: string): GambolError {
  return new GambolError(
    'argument/invalid',
    `${name} must be an address, a Blob, an ImageBitmap, an image, a canvas, a video, settings, false or null, not ${shown(value)}.`,
  );
}

/** The texture as the core takes it; undefined for that of the file. */
function coreTexture(
  owner: MaterialOwner,
  { slot }: TexturePlace,
  settings: TextureSettings | false | null,
  known: ReadonlyMap<string, Place>,
): CoreTexture | undefined {
  if (settings === null) return undefined;
  const { texCoord, wrapS, wrapT, mag, min, mip, material, texture } = settings || {};
  let from = slot;
  if (texture !== undefined) {
    const place = known.get(texture);
    if (place?.kind !== 'texture')
      throw new GambolError(
        'argument/invalid',
        `There is no texture ${shown(texture)}${choices(texture, [...known.keys()])}`,
      );
    from = place.slot;
  }
  return {
    none: settings === false,
    picture: undefined,
    material: material === undefined ? undefined : owner.material(material).index,
    slot: from,
    texCoord,
    wrapS,
    wrapT,
    mag,
    min,
    mip,
  };
}

/** The changes of a texture's transform. */
function transformChanges(
  { at }: TexturePlace,
  settings: TextureSettings | false | null,
  name: string,
  make: (at: number, numbers: Float32Array) => Change,
): Change[] {
  if (!settings) return [make(at, new Float32Array(5).fill(NaN))];
  const { offset, rotation, scale } = settings;
  const pair = (value: readonly number[], key: string): Float32Array => {
    if (Array.isArray(value) && value.length === 2 && value.every((number) => Number.isFinite(number)))
      return Float32Array.from(value);
    throw new GambolError('argument/invalid', `${key} of ${name} must be two finite numbers, not ${shown(value)}.`);
  };
  return [
    ...(offset ? [make(at, pair(offset, 'offset'))] : []),
    ...(rotation === undefined ? [] : [make(at + 2, Float32Array.of(checkedNumber(rotation, 'rotation')))]),
    ...(scale ? [make(at + 3, pair(scale, 'scale'))] : []),
  ];
}
