// Gain maps, with which a JPEG has high dynamic range (Ultra HDR): a second image in the file has the ratio of the light to that of
// the first one. Specifications: ISO 21496-1, Ultra HDR Image Format 1.1.

import { GambolError } from '../base/errors.ts';
import { jpegMetadata, type JpegMetadata } from './jpeg-segments.ts';

type Triple = readonly [number, number, number];

/** The primaries of a colour space, if they are known. */
export type Gamut = 'srgb' | 'p3' | 'other';

/** The gain map of a file. */
export interface GainMap {
  /** The second image. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The binary logarithms of the least and the greatest gain. */
  readonly min: Triple;
  readonly max: Triple;
  /** The exponent with which the values of the map were encoded. */
  readonly gamma: Triple;
  /** The light that was added to both images before their ratio was taken. */
  readonly baseOffset: Triple;
  readonly offset: Triple;
  /** The primaries of the first image, and those in which the gain applies. */
  readonly baseGamut: Gamut;
  readonly gamut: Gamut;
}

type Numbers = Pick<GainMap, 'min' | 'max' | 'gamma' | 'baseOffset' | 'offset'> & {
  /** `true` if the gain applies in the colour space of the first image. */
  readonly inBase: boolean;
};

/**
 * The gain map of a JPEG file; undefined if it has none, or if the first image is the one with high dynamic range.
 * @throws {@link GambolError} `image/broken` if the numbers of the map are invalid
 */
export function gainMapOf(file: Uint8Array<ArrayBuffer>): GainMap | undefined {
  const base = jpegMetadata(file);
  for (const [start, end] of base.images) {
    const bytes = file.subarray(start, end);
    const own = jpegMetadata(bytes);
    const numbers = numbersOf(own);
    if (!numbers) continue;
    if (numbers === 'backward') return undefined;
    check(numbers);
    const baseGamut = gamutOf(base.icc);
    return { ...numbers, bytes, baseGamut, gamut: numbers.inBase || !own.icc ? baseGamut : gamutOf(own.icc) };
  }
  return undefined;
}

/** The gain for each value of a channel of the map, from 0 to 1 in equal steps. */
export function gains({ min, max, gamma }: GainMap, channel: 0 | 1 | 2, steps: number): Float32Array {
  return Float32Array.from({ length: steps + 1 }, (_, i) => {
    const share = (i / steps) ** (1 / gamma[channel]);
    return 2 ** (min[channel] * (1 - share) + max[channel] * share);
  });
}

function numbersOf({ iso, xmp }: JpegMetadata): Numbers | 'backward' | undefined {
  // The first image has a segment with the version alone.
  if (iso && iso.length > 4) return fromIso(iso);
  return /\shdrgm:Version\s*=/.test(xmp) ? fromXmp(xmp) : undefined;
}

/** Specification: ISO 21496-1, annex C. */
function fromIso(bytes: Uint8Array): Numbers | 'backward' {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 5;
  const word = (signed: boolean): number => {
    at += 4;
    return signed ? view.getInt32(at - 4) : view.getUint32(at - 4);
  };
  try {
    if (view.getUint16(0) !== 0) return broken('is of a later version');
    const flags = view.getUint8(4);
    const denominator = flags & 8 ? word(false) : undefined;
    const fraction = (signed: boolean): number => {
      const numerator = word(signed);
      return numerator / (denominator ?? word(false));
    };
    const [baseHeadroom, headroom] = [fraction(false), fraction(false)];
    if (flags & 4 || baseHeadroom > headroom) return 'backward';
    const channels = Array.from({ length: flags & 128 ? 3 : 1 }, () => ({
      min: fraction(true),
      max: fraction(true),
      gamma: fraction(false),
      baseOffset: fraction(true),
      offset: fraction(true),
    }));
    const [red] = channels;
    if (!red) return broken('has no channels');
    const [, green = red, blue = red] = channels;
    const triple = (name: keyof typeof red): Triple => [red[name], green[name], blue[name]];
    return {
      min: triple('min'),
      max: triple('max'),
      gamma: triple('gamma'),
      baseOffset: triple('baseOffset'),
      offset: triple('offset'),
      inBase: (flags & 64) !== 0,
    };
  } catch (error) {
    if (error instanceof RangeError) return broken('is truncated');
    throw error;
  }
}

/** Specification: Adobe Gain Map 1.0, XMP. */
function fromXmp(xmp: string): Numbers | 'backward' {
  const text = (name: string): string | undefined =>
    new RegExp(`\\shdrgm:${name}\\s*=\\s*["']([^"']*)["']`).exec(xmp)?.[1] ??
    new RegExp(`<hdrgm:${name}>([^]*?)</hdrgm:${name}>`).exec(xmp)?.[1];
  const triple = (name: string, otherwise: number): Triple => {
    const given = text(name);
    if (given === undefined) return [otherwise, otherwise, otherwise];
    const items = [...given.matchAll(/<rdf:li>([^<]*)<\/rdf:li>/g)].map(([, item]) => item);
    const [red = NaN, green = red, blue = red] = (items.length > 0 ? items : [given]).map((item) =>
      item?.trim() ? Number(item) : NaN,
    );
    return [red, green, blue];
  };
  if (/^\s*true\s*$/i.test(text('BaseRenditionIsHDR') ?? '')) return 'backward';
  return {
    min: triple('GainMapMin', 0),
    max: triple('GainMapMax', NaN),
    gamma: triple('Gamma', 1),
    baseOffset: triple('OffsetSDR', 1 / 64),
    offset: triple('OffsetHDR', 1 / 64),
    inBase: true,
  };
}

function check({ min, max, gamma, baseOffset, offset }: Numbers): void {
  const all = [min, max, gamma, baseOffset, offset].flat();
  if (!all.every(Number.isFinite)) broken('has a number that is missing or invalid');
  if (!gamma.every((value) => value > 0)) broken('has a gamma that is not above 0');
  if (!max.every((value, i) => value >= (min[i] ?? 0))) broken('has a greatest gain below the least one');
}

function broken(fault: string): never {
  throw new GambolError('image/broken', `The metadata of the gain map ${fault}. Export the image again.`);
}

/** The primaries of an ICC profile; without one, they are those of sRGB. Specification: ICC.1, 7.3 and 10.31. */
export function gamutOf(icc: Uint8Array | undefined): Gamut {
  if (!icc) return 'srgb';
  const view = new DataView(icc.buffer, icc.byteOffset, icc.byteLength);
  try {
    const count = Math.min(view.getUint32(128), 100);
    for (let i = 0; i < count; i += 1) {
      const tag = 132 + 12 * i;
      // The tag `rXYZ`: X of the red primary, adapted to D50.
      if (view.getUint32(tag) !== 0x7258595a) continue;
      const x = view.getInt32(view.getUint32(tag + 4) + 8) / 65536;
      if (Math.abs(x - 0.4361) < 0.005) return 'srgb';
      return Math.abs(x - 0.5151) < 0.005 ? 'p3' : 'other';
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return 'other';
}
