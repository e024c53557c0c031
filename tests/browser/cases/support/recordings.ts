// Decoders of recordings, independent of the package: a reader of PNG and APNG by the specification, and the browser's decoders.

import { ALL_FORMATS, BlobSource, EncodedPacketSink, Input, type EncodedPacket } from 'mediabunny';
import { Failure } from '../../page/api.ts';

/** A decoded frame: straight RGBA, its time and its duration in seconds. */
export interface Decoded {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
  readonly time: number;
  readonly duration: number;
}

interface Chunk {
  readonly type: string;
  readonly data: DataView<ArrayBuffer>;
}

const u8 = ({ buffer, byteOffset, byteLength }: DataView<ArrayBuffer>, from = 0): Uint8Array<ArrayBuffer> =>
  new Uint8Array(buffer, byteOffset + from, byteLength - from);

/** The chunks of a PNG file, with a check of each CRC. */
export async function chunksOf(file: Blob): Promise<Chunk[]> {
  const bytes = await file.arrayBuffer();
  const view = new DataView(bytes);
  if (view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a) throw new Failure('not a PNG file');
  const chunks: Chunk[] = [];
  for (let at = 8; at < bytes.byteLength; ) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...new Uint8Array(bytes, at + 4, 4));
    let crc = ~0;
    for (const byte of new Uint8Array(bytes, at + 4, 4 + length)) {
      crc ^= byte;
      for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    }
    if (~crc >>> 0 !== view.getUint32(at + 8 + length)) throw new Failure(`wrong CRC of ${type}`);
    chunks.push({ type, data: new DataView(bytes, at + 8, length) });
    at += 12 + length;
  }
  if (chunks.at(-1)?.type !== 'IEND') throw new Failure('no IEND');
  return chunks;
}

/** Unpacks and unfilters rows of RGBA pixels. */
async function unfiltered(packed: Uint8Array<ArrayBuffer>[], width: number, height: number): Promise<Uint8Array> {
  const stream = new Blob(packed).stream().pipeThrough(new DecompressionStream('deflate'));
  const rows = new Uint8Array(await new Response(stream).arrayBuffer());
  const length = 4 * width;
  if (rows.length !== (length + 1) * height) throw new Failure(`${rows.length} bytes of pixels`);
  const out = new Uint8Array(length * height);
  const at = (x: number, y: number): number => (x < 0 || y < 0 ? 0 : (out[y * length + x] ?? 0));
  for (let y = 0; y < height; y++) {
    const filter = rows[y * (length + 1)];
    for (let x = 0; x < length; x++) {
      const [a, b, c] = [at(x - 4, y), at(x, y - 1), x < 4 ? 0 : at(x - 4, y - 1)];
      const p = a + b - c;
      const nearest = [a, b, c].reduce((best, one) => (Math.abs(p - one) < Math.abs(p - best) ? one : best));
      const guess = [0, a, b, Math.floor((a + b) / 2), nearest][filter ?? 5];
      if (guess === undefined) throw new Failure(`filter ${filter}`);
      out[y * length + x] = (rows[y * (length + 1) + 1 + x] ?? 0) + guess;
    }
  }
  return out;
}

/** The frames of a PNG or APNG file, and the number of plays of the latter. */
export async function unpng(file: Blob): Promise<{ readonly frames: Decoded[]; readonly plays: number | undefined }> {
  const chunks = await chunksOf(file);
  const header = chunks[0]?.data;
  if (chunks[0]?.type !== 'IHDR' || !header) throw new Failure('no IHDR');
  const [width, height] = [header.getUint32(0), header.getUint32(4)];
  if (`${u8(header, 8)}` !== '8,6,0,0,0') throw new Failure(`IHDR ${u8(header, 8)}`);
  const control = chunks.find(({ type }) => type === 'acTL')?.data;
  const frames: Decoded[] = [];
  let canvas = new Uint8Array(4 * width * height);
  let [time, sequence] = [0, 0];
  let frame: DataView | undefined;
  let packed: Uint8Array<ArrayBuffer>[] = [];
  const end = async (): Promise<void> => {
    if (packed.length === 0) return;
    const [wide, high, left, top] = frame
      ? [frame.getUint32(4), frame.getUint32(8), frame.getUint32(12), frame.getUint32(16)]
      : [width, height, 0, 0];
    const pixels = await unfiltered(packed, wide ?? 0, high ?? 0);
    canvas = canvas.slice();
    for (let y = 0; y < (high ?? 0); y++)
      canvas.set(
        pixels.subarray(4 * (wide ?? 0) * y, 4 * (wide ?? 0) * (y + 1)),
        4 * (((top ?? 0) + y) * width + (left ?? 0)),
      );
    const duration = frame ? frame.getUint16(20) / (frame.getUint16(22) || 100) : 0;
    if (frame && (frame.getUint8(24) !== 0 || frame.getUint8(25) !== 0)) throw new Failure('dispose or blend');
    frames.push({ width, height, data: canvas, time, duration });
    time += duration;
    packed = [];
  };
  for (const { type, data } of chunks) {
    if (type === 'fcTL' || type === 'fdAT') {
      if (data.getUint32(0) !== sequence++) throw new Failure(`sequence number of ${type}`);
    }
    if (type === 'fcTL') {
      await end();
      frame = data;
    }
    if (type === 'IDAT') packed.push(u8(data));
    if (type === 'fdAT') packed.push(u8(data, 4));
  }
  await end();
  if (control && control.getUint32(0) !== frames.length) throw new Failure('acTL has another number of frames');
  return { frames, plays: control?.getUint32(4) };
}

/** The frames of a file by the browser's `ImageDecoder`; undefined in browsers without it. */
export async function byImageDecoder(file: Blob): Promise<Decoded[] | undefined> {
  if (typeof ImageDecoder === 'undefined' || !(await ImageDecoder.isTypeSupported(file.type))) return undefined;
  const decoder = new ImageDecoder({ type: file.type, data: await file.arrayBuffer(), colorSpaceConversion: 'none' });
  await decoder.tracks.ready;
  await decoder.completed;
  const count = decoder.tracks.selectedTrack?.frameCount ?? 0;
  const frames: Decoded[] = [];
  let time = 0;
  for (let frameIndex = 0; frameIndex < count; frameIndex++) {
    const { image } = await decoder.decode({ frameIndex });
    const duration = (image.duration ?? 0) / 1e6;
    frames.push({ ...drawn(image, image.displayWidth, image.displayHeight), time, duration });
    time += duration;
    image.close();
  }
  decoder.close();
  return frames;
}

/** The pixels of a picture, by a canvas. */
export function drawn(
  image: CanvasImageSource,
  width: number,
  height: number,
): { readonly width: number; readonly height: number; readonly data: Uint8Array } {
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (!context) throw new Failure('no 2D context');
  context.drawImage(image, 0, 0);
  return { width, height, data: new Uint8Array(context.getImageData(0, 0, width, height).data.buffer) };
}

/** A decoded video. */
export interface DecodedVideo {
  readonly frames: Decoded[];
  readonly codec: string;
  readonly duration: number;
  readonly hasSound: boolean;
}

/** The luma of a grey frame, row by row. Firefox decodes videos to RGB, of which all channels are the luma then. */
async function lumaOf(frame: VideoFrame, width: number, height: number): Promise<Uint8Array> {
  if (!/^(I4|NV12)/.test(frame.format ?? '')) {
    const { data } = drawn(frame, width, height);
    return Uint8Array.from({ length: width * height }, (_, i) => data[4 * i + 1] ?? 0);
  }
  const bytes = new Uint8Array(frame.allocationSize());
  const [{ offset, stride } = { offset: 0, stride: 0 }] = await frame.copyTo(bytes);
  return Uint8Array.from(
    { length: width * height },
    (_, i) => bytes[offset + Math.floor(i / width) * stride + (i % width)] ?? 0,
  );
}

/** Decodes a video by `VideoDecoder`, after another reader of the container than the writer. */
export async function unvideo(file: Blob): Promise<DecodedVideo> {
  const input = new Input({ source: new BlobSource(file), formats: ALL_FORMATS });
  const track = await input.getPrimaryVideoTrack();
  if (!track) throw new Failure('no video track');
  const config = await track.getDecoderConfig();
  if (!config) throw new Failure('no decoder configuration');
  const packets: EncodedPacket[] = [];
  const sink = new EncodedPacketSink(track);
  for await (const packet of sink.packets()) packets.push(packet);
  const decode = async (data: (i: number) => Uint8Array | undefined): Promise<VideoFrame[]> => {
    const frames: VideoFrame[] = [];
    let failure: unknown;
    const decoder = new VideoDecoder({
      output: (frame) => frames.push(frame),
      error: (error) => (failure = error),
    });
    decoder.configure(config);
    packets.forEach((packet, i) => {
      const bytes = data(i);
      if (bytes) decoder.decode(new EncodedVideoChunk({ type: packet.type, timestamp: 1e6 * i, data: bytes }));
    });
    await decoder.flush();
    decoder.close();
    if (failure) throw failure;
    return frames;
  };
  const colors = await decode((i) => packets[i]?.data);
  const alphas = packets[0]?.sideData.alpha ? await decode((i) => packets[i]?.sideData.alpha) : [];
  const frames: Decoded[] = [];
  for (const color of colors) {
    const i = Math.round(color.timestamp / 1e6);
    const packet = packets[i];
    if (!packet) throw new Failure(`no packet ${i}`);
    const { data, width, height } = drawn(color, color.displayWidth, color.displayHeight);
    const alpha = alphas.find(({ timestamp }) => Math.round(timestamp / 1e6) === i);
    if (alpha) {
      const luma = await lumaOf(alpha, width, height);
      for (let i = 0; i < luma.length; i++) data[4 * i + 3] = luma[i] ?? 0;
    }
    frames.push({ data, width, height, time: packet.timestamp, duration: packet.duration });
  }
  for (const frame of [...colors, ...alphas]) frame.close();
  const sound = await input.getPrimaryAudioTrack();
  return { frames, codec: config.codec, duration: await input.computeDuration(), hasSound: sound !== null };
}

/** The peak signal-to-noise ratio in decibels of the colours of all pixels, over white where they are transparent. */
export function psnr(a: Pick<Decoded, 'data'>, b: { readonly data: ArrayLike<number> }): number {
  const over = (data: ArrayLike<number>, at: number): number => {
    const alpha = (data[at - (at % 4) + 3] ?? 0) / 255;
    return alpha * (data[at] ?? 0) + (1 - alpha) * 255;
  };
  let sum = 0;
  for (let i = 0; i < a.data.length; i++) if (i % 4 < 3) sum += (over(a.data, i) - over(b.data, i)) ** 2;
  return sum === 0 ? Infinity : 10 * Math.log10((255 * 255 * 0.75 * a.data.length) / sum);
}

/** Straight pixels with colours that are multiplied by alpha, as a canvas stores them. */
export function premultiplied(data: ArrayLike<number>): number[] {
  return Array.from(data, (value, i) =>
    i % 4 === 3 ? value : Math.round((value * (data[i - (i % 4) + 3] ?? 0)) / 255),
  );
}
