// A writer of JPEG files with a gain map, from images with high dynamic range. It follows the formulas for encoders, which are the
// inverse of those for decoders: Ultra HDR Image Format 1.1; ISO 21496-1, annex C; CIPA DC-007.

import { decoded, encoded } from './light.ts';
import type { Rgb } from './scene.ts';

/** Linear light of a place of an image, both coordinates from 0 to 1. */
export type Image = (u: number, v: number) => Rgb;

/** The numbers of a gain map. */
export interface GainNumbers {
  readonly min: Rgb;
  readonly max: Rgb;
  readonly gamma: Rgb;
  readonly baseOffset: Rgb;
  readonly offset: Rgb;
}

export const NUMBERS: GainNumbers = {
  min: [0, 0, 0],
  max: [4, 4, 4],
  gamma: [1, 1, 1],
  baseOffset: [1 / 64, 1 / 64, 1 / 64],
  offset: [1 / 64, 1 / 64, 1 / 64],
};

export interface UltraHdrOptions {
  readonly numbers?: GainNumbers;
  readonly metadata?: 'xmp' | 'iso' | 'iso-common';
  /** The size of the map relative to the image. */
  readonly scale?: number;
  /** The colour space of the image; the light is in the same. */
  readonly colorSpace?: PredefinedColorSpace;
  /** XMP or ISO metadata in place of that of the numbers. */
  readonly replaced?: Uint8Array;
}

const text = (words: string): Uint8Array<ArrayBuffer> => Uint8Array.from(words, (char) => char.charCodeAt(0));
const big = (value: number, bytes: 2 | 4): Uint8Array =>
  Uint8Array.from({ length: bytes }, (_, i) => (value >>> (8 * (bytes - 1 - i))) & 0xff);

function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  parts.reduce((at, part) => {
    all.set(part, at);
    return at + part.length;
  }, 0);
  return all;
}

/** A JPEG with the pixels of a function, in 8 bits, without loss where blocks of 8 × 8 pixels have one colour. */
async function jpeg(
  width: number,
  height: number,
  pixel: Image,
  colorSpace: PredefinedColorSpace,
): Promise<Uint8Array> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { colorSpace });
  const data = new ImageData(width, height, { colorSpace });
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      data.data.set([...pixel((x + 0.5) / width, (y + 0.5) / height).map(Math.round), 255], 4 * (y * width + x));
  context?.putImageData(data, 0, 0);
  return new Uint8Array(await (await canvas.convertToBlob({ type: 'image/jpeg', quality: 1 })).arrayBuffer());
}

function segment(marker: number, ...content: readonly Uint8Array[]): Uint8Array {
  const body = joined(...content);
  return joined(Uint8Array.of(0xff, marker), big(body.length + 2, 2), body);
}

function xmp({ min, max, gamma, baseOffset, offset }: GainNumbers): Uint8Array {
  const same = ([red, green, blue]: Rgb): boolean => red === green && red === blue;
  const attributes: string[] = [];
  const elements: string[] = [];
  for (const [name, value] of Object.entries({
    GainMapMin: min,
    GainMapMax: max,
    Gamma: gamma,
    OffsetSDR: baseOffset,
    OffsetHDR: offset,
  })) {
    if (same(value)) attributes.push(`hdrgm:${name}="${value[0]}"`);
    else {
      const items = value.map((one) => `<rdf:li>${one}</rdf:li>`).join('');
      elements.push(`<hdrgm:${name}><rdf:Seq>${items}</rdf:Seq></hdrgm:${name}>`);
    }
  }
  return text(
    `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
 xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0" ${attributes.join(' ')}
 hdrgm:HDRCapacityMin="0" hdrgm:HDRCapacityMax="${Math.max(...max)}">${elements.join('')}</rdf:Description></rdf:RDF></x:xmpmeta>`,
  );
}

function iso({ min, max, gamma, baseOffset, offset }: GainNumbers, common: boolean): Uint8Array {
  const denominator = 1 << 20;
  const number = (value: number): Uint8Array =>
    joined(big(Math.round(value * denominator), 4), common ? new Uint8Array() : big(denominator, 4));
  const channels = ([0, 1, 2] as const).flatMap((i) =>
    [min, max, gamma, baseOffset, offset].map((one) => number(one[i])),
  );
  return joined(
    big(0, 4),
    Uint8Array.of(128 | 64 | (common ? 8 : 0)),
    common ? big(denominator, 4) : new Uint8Array(),
    number(0),
    number(Math.max(...max)),
    ...channels,
  );
}

/** The image that a viewer without gain maps shows: it ends at white. */
export function baseOf(light: Rgb): Rgb {
  return light.map((value) => Math.round(encoded(value))) as unknown as Rgb;
}

/** An Ultra HDR file of an image. */
export async function ultraHdr(
  width: number,
  height: number,
  image: Image,
  { numbers = NUMBERS, metadata = 'xmp', scale = 1, colorSpace = 'srgb', replaced }: UltraHdrOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const { min, max, gamma, baseOffset, offset } = numbers;
  const base = await jpeg(width, height, (u, v) => baseOf(image(u, v)), colorSpace);
  const map = await jpeg(
    width * scale,
    height * scale,
    (u, v) => {
      const light = image(u, v);
      return baseOf(light).map((byte, i) => {
        const gain = Math.log2(((light[i] ?? 0) + (offset[i] ?? 0)) / (decoded(byte) + (baseOffset[i] ?? 0)));
        const share = (gain - (min[i] ?? 0)) / ((max[i] ?? 0) - (min[i] ?? 0));
        return 255 * Math.min(1, Math.max(0, share)) ** (gamma[i] ?? 1);
      }) as unknown as Rgb;
    },
    'srgb',
  );
  const own =
    metadata === 'xmp'
      ? segment(0xe1, text('http://ns.adobe.com/xap/1.0/\0'), replaced ?? xmp(numbers))
      : segment(0xe2, text('urn:iso:std:iso:ts:21496:-1\0'), replaced ?? iso(numbers, metadata === 'iso-common'));
  const second = joined(map.subarray(0, 2), own, map.subarray(2));
  const entry = (tag: number, type: number, count: number, value: Uint8Array): Uint8Array =>
    joined(big(tag, 2), big(type, 2), big(count, 4), value);
  // The segment is 90 bytes long; offsets count from after `MPF\0`, which is at 8 of a segment at 2.
  const whole = base.length + 90;
  const index = segment(
    0xe2,
    text('MPF\0MM\0*'),
    big(8, 4),
    big(3, 2),
    entry(0xb000, 7, 4, text('0100')),
    entry(0xb001, 4, 1, big(2, 4)),
    entry(0xb002, 7, 32, big(50, 4)),
    big(0, 4),
    joined(big(0x00030000, 4), big(whole, 4), big(0, 4), big(0, 4)),
    joined(big(0, 4), big(second.length, 4), big(whole - 10, 4), big(0, 4)),
  );
  return joined(base.subarray(0, 2), index, base.subarray(2), second);
}

/**
 * A file of 64 × 32 pixels by another writer: `encodeJPEGMetadata` of @monogrid/gainmap-js 3.7.3, with images of Pillow. The image is
 * (200, 100, 50) in sRGB everywhere, and the map, of 16 × 8 pixels, (128, 60, 200).
 */
export const OTHER_WRITER = Uint8Array.from(
  atob(
    '/9j/4QPyaHR0cDovL25zLmFkb2JlLmNvbS94YXAvMS4wLwA8P3hwYWNrZXQgYmVnaW49IiIgaWQ9Ilc1TTBNcENlaGlIenJlU3pOVGN6a2M5ZCI/Pgo8eDp4bXBtZXRhIHhtbG5zOng9ImFkb2JlOm5zOm1ldGEvIiB4OnhtcHRrPSJBZG9iZSBYTVAgQ29yZSA1LjEuMiI+CiAgPHJkZjpSREYgeG1sbnM6cmRmPSJodHRwOi8vd3d3LnczLm9yZy8xOTk5LzAyLzIyLXJkZi1zeW50YXgtbnMjIj4KICAgIDxyZGY6RGVzY3JpcHRpb24KICAgICAgeG1sbnM6Q29udGFpbmVyPSJodHRwOi8vbnMuZ29vZ2xlLmNvbS9waG90b3MvMS4wL2NvbnRhaW5lci8iCiAgICAgIHhtbG5zOkl0ZW09Imh0dHA6Ly9ucy5nb29nbGUuY29tL3Bob3Rvcy8xLjAvY29udGFpbmVyL2l0ZW0vIgogICAgICB4bWxuczpoZHJnbT0iaHR0cDovL25zLmFkb2JlLmNvbS9oZHItZ2Fpbi1tYXAvMS4wLyIKICAgICAgaGRyZ206VmVyc2lvbj0iMS4wIgogICAgICByZGY6YWJvdXQ9IiI+CiAgICAgIDxDb250YWluZXI6RGlyZWN0b3J5PgogICAgICAgIDxyZGY6U2VxPgogICAgICAgICAgPHJkZjpsaSByZGY6cGFyc2VUeXBlPSJSZXNvdXJjZSI+CiAgICAgICAgICAgIDxDb250YWluZXI6SXRlbQogICAgICAgICAgICAgIEl0ZW06U2VtYW50aWM9IlByaW1hcnkiCiAgICAgICAgICAgICAgSXRlbTpNaW1lPSJpbWFnZS9qcGVnIi8+CiAgICAgICAgICA8L3JkZjpsaT4KICAgICAgICAgIDxyZGY6bGkgcmRmOnBhcnNlVHlwZT0iUmVzb3VyY2UiPgogICAgICAgICAgICA8Q29udGFpbmVyOkl0ZW0KICAgICAgICAgICAgICBJdGVtOlNlbWFudGljPSJHYWluTWFwIgogICAgICAgICAgICAgIEl0ZW06TWltZT0iaW1hZ2UvanBlZyIKICAgICAgICAgICAgICBJdGVtOkxlbmd0aD0iMTUxNyIvPgogICAgICAgICAgPC9yZGY6bGk+CiAgICAgICAgPC9yZGY6U2VxPgogICAgICA8L0NvbnRhaW5lcjpEaXJlY3Rvcnk+CiAgICA8L3JkZjpEZXNjcmlwdGlvbj4KICA8L3JkZjpSREY+CjwveDp4bXBtZXRhPgo8P3hwYWNrZXQgZW5kPSJ3Ij8+/+IAInVybjppc286c3RkOmlzbzp0czoyMTQ5NjotMQAAAAAA/+IAWE1QRgBNTQAqAAAACAADsAAABwAAAAQwMTAwsAEABAAAAAEAAAACsAIABwAAACAAAAAyAAAAAAADAAAAAAcIAAAAAAAAAAAAAAAAAAAF7QAAAuYAAAAA/+AAEEpGSUYAAQEAAAEAAQAA/9sAQwACAQEBAQECAQEBAgICAgIEAwICAgIFBAQDBAYFBgYGBQYGBgcJCAYHCQcGBggLCAkKCgoKCgYICwwLCgwJCgoK/9sAQwECAgICAgIFAwMFCgcGBwoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoK/8AAEQgAIABAAwEiAAIRAQMRAf/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIBAwMCBAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/EAB8BAAMBAQEBAQEBAQEAAAAAAAABAgMEBQYHCAkKC//EALURAAIBAgQEAwQHBQQEAAECdwABAgMRBAUhMQYSQVEHYXETIjKBCBRCkaGxwQkjM1LwFWJy0QoWJDThJfEXGBkaJicoKSo1Njc4OTpDREVGR0hJSlNUVVZXWFlaY2RlZmdoaWpzdHV2d3h5eoKDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uLj5OXm5+jp6vLz9PX29/j5+v/aAAwDAQACEQMRAD8Az6KKK/lc/tgKKKKACiiigAooooAKKKKACiiigAooooAKKKKAP//Z/9j/4QLEaHR0cDovL25zLmFkb2JlLmNvbS94YXAvMS4wLwA8P3hwYWNrZXQgYmVnaW49IiIgaWQ9Ilc1TTBNcENlaGlIenJlU3pOVGN6a2M5ZCI/Pgo8eDp4bXBtZXRhIHhtbG5zOng9ImFkb2JlOm5zOm1ldGEvIiB4OnhtcHRrPSJBZG9iZSBYTVAgQ29yZSA1LjEuMiI+CiAgPHJkZjpSREYgeG1sbnM6cmRmPSJodHRwOi8vd3d3LnczLm9yZy8xOTk5LzAyLzIyLXJkZi1zeW50YXgtbnMjIj4KICAgIDxyZGY6RGVzY3JpcHRpb24KICAgICAgeG1sbnM6aGRyZ209Imh0dHA6Ly9ucy5hZG9iZS5jb20vaGRyLWdhaW4tbWFwLzEuMC8iCiAgICAgIGhkcmdtOlZlcnNpb249IjEuMCIKICAgICAgaGRyZ206R2Fpbk1hcE1pbj0iLTAuMDgzMzMzMzMzMzMzMzMzMzMiCiAgICAgIGhkcmdtOkdhaW5NYXBNYXg9IjQuMTY2NjY2NjY2NjY2NjY3IgogICAgICBoZHJnbTpHYW1tYT0iMS4wMTY2NjY2NjY2NjY2NjY2IgogICAgICBoZHJnbTpPZmZzZXRTRFI9IjAuMDIxODc1MDAwMDAwMDAwMDAyIgogICAgICBoZHJnbTpPZmZzZXRIRFI9IjAuMDIzMzMzMzMzMzMzMzMzMzM0IgogICAgICBoZHJnbTpIRFJDYXBhY2l0eU1pbj0iMCIKICAgICAgaGRyZ206SERSQ2FwYWNpdHlNYXg9IjUiCiAgICAgIGhkcmdtOkJhc2VSZW5kaXRpb25Jc0hEUj0iRmFsc2UiCiAgICAgIHJkZjphYm91dD0iIi8+CiAgPC9yZGY6UkRGPgo8L3g6eG1wbWV0YT4KPD94cGFja2V0IGVuZD0idyI/Pv/iAKt1cm46aXNvOnN0ZDppc286dHM6MjE0OTY6LTEAAAAAAMAAAAAA//////////8zMzMzwAAAAX////9////+JJJJJMzMzMz/////AgAAAH////8BR64Uf////wAAAAB/////f////B///////////////wKPXCl/////Ao9cKX////8gAAAAf////3////0ZmZmZ/////8zMzMwD1wo9f////wUeuFJ//////+AAEEpGSUYAAQEAAAEAAQAA/9sAQwACAQEBAQECAQEBAgICAgIEAwICAgIFBAQDBAYFBgYGBQYGBgcJCAYHCQcGBggLCAkKCgoKCgYICwwLCgwJCgoK/9sAQwECAgICAgIFAwMFCgcGBwoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoK/8AAEQgACAAQAwEiAAIRAQMRAf/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIBAwMCBAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/EAB8BAAMBAQEBAQEBAQEAAAAAAAABAgMEBQYHCAkKC//EALURAAIBAgQEAwQHBQQEAAECdwABAgMRBAUhMQYSQVEHYXETIjKBCBRCkaGxwQkjM1LwFWJy0QoWJDThJfEXGBkaJicoKSo1Njc4OTpDREVGR0hJSlNUVVZXWFlaY2RlZmdoaWpzdHV2d3h5eoKDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uLj5OXm5+jp6vLz9PX29/j5+v/aAAwDAQACEQMRAD8A+f6KKK/uw/XD/9k=',
  ),
  (char) => char.charCodeAt(0),
);

/** The numbers of {@link OTHER_WRITER}. */
export const OTHER_NUMBERS: GainNumbers = {
  min: [-0.5, 0, 0.25],
  max: [3.5, 4, 5],
  gamma: [0.8, 1, 1.25],
  baseOffset: [0.015625, 0.02, 0.03],
  offset: [0.01, 0.02, 0.04],
};
