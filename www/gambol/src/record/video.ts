// WebM and MP4: the browser encodes (WebCodecs), and Mediabunny writes the file. This script is loaded for the first video.

import {
  AudioBufferSource,
  BufferTarget,
  EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
  Quality,
  WebMOutputFormat,
  canEncodeAudio,
} from 'mediabunny';
import { GambolError } from '../base/errors.ts';
import type { Encoder } from './encoder.ts';
// Types only: an import of values would split the scripts that all pages load.
import type { Plan, RecordCodec } from './options.ts';
import { straight } from './png.ts';
import { bled, overBlack, planesOf, type Chroma } from './yuv.ts';

/** The codec strings to try, the best first; the level is for the largest pictures. */
const STRINGS: Readonly<Record<Chroma, Readonly<Record<RecordCodec, readonly string[]>>>> = {
  '4:2:0': {
    vp9: ['vp09.00.51.08', 'vp09.00.10.08'],
    vp8: ['vp8'],
    av1: ['av01.0.12M.08', 'av01.0.04M.08'],
    avc: ['avc1.640034', 'avc1.4d0034', 'avc1.42e034', 'avc1.42001f'],
  },
  // VP9 with the numbers of its colours, as in `COLORS`.
  '4:4:4': { vp9: ['vp09.01.51.08.03.01.13.01.00'], vp8: [], av1: ['av01.1.12M.08'], avc: ['avc1.f40034'] },
};

/** The colours of the pictures, as `yuv.ts` converts them: sRGB, with the matrix of BT.709 in the limited range. */
const COLORS = { matrix: 'bt709', primaries: 'bt709', transfer: 'iec61966-2-1', fullRange: false } as const;

/** The codecs whose alpha WebM holds as a second stream. */
const TRANSPARENT: readonly RecordCodec[] = ['vp9', 'vp8'];

/** The frames from one keyframe to the next, at most; players seek to keyframes. */
const KEY_INTERVAL = 60;

/** The frames that may wait in an encoder. */
const BEHIND = 4;

/** The largest quantizers of codecs that take one for each frame. */
const QUANTIZERS = { vp9: 63, av1: 63, avc: 51 } as const;

/** A configuration that the browser supports. */
interface Choice {
  readonly codec: RecordCodec;
  readonly chroma: Chroma;
  readonly config: VideoEncoderConfig;
  /** The quantizer of each frame; undefined with a bitrate. */
  readonly quantizer: number | undefined;
}

/** `true` if the video of a recording has alpha. */
export function isTransparent({ background, format }: Plan): boolean {
  return format === 'webm' && (background?.[3] ?? 0) < 1;
}

/** `true` if the browser can encode an opaque video of the format. */
export async function canEncode(format: 'webm' | 'mp4'): Promise<boolean> {
  const codecs: readonly RecordCodec[] = format === 'webm' ? ['vp9', 'vp8', 'av1'] : ['avc', 'av1'];
  const size = { width: 640, height: 480, fps: 30, quality: 0.9, bitrate: undefined, chroma: '4:2:0' } as const;
  return (await choose({ ...size, codecs, transparent: false })) !== undefined;
}

/** `true` in WebKitGTK (GNOME Web), whose version 2.50 stops answering at its first encoder of videos. Safari is not affected. */
function isStuck(): boolean {
  const { userAgent } = navigator;
  return /Linux.*AppleWebKit/.test(userAgent) && !/Chrom|Android/.test(userAgent);
}

/** The pixel format of frames. */
function formatOf(chroma: Chroma): VideoPixelFormat {
  return chroma === '4:2:0' ? 'I420' : ('I444' as VideoPixelFormat);
}

/** `true` if the browser has frames of a format, which encoders that support the codec need not imply. */
function takes(format: VideoPixelFormat): boolean {
  try {
    new VideoFrame(new Uint8Array(12), { format, codedWidth: 2, codedHeight: 2, timestamp: 0 }).close();
    return true;
  } catch {
    return false;
  }
}

interface Wish {
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  readonly quality: number;
  readonly bitrate: number | undefined;
  readonly chroma: Chroma;
  readonly codecs: readonly RecordCodec[];
  readonly transparent: boolean;
}

/** The first supported configuration; undefined for none. */
async function choose(wish: Wish): Promise<Choice | undefined> {
  if (typeof VideoEncoder === 'undefined' || typeof VideoFrame === 'undefined' || isStuck()) return undefined;
  const { width, height, fps, quality, bitrate, chroma } = wish;
  if (!takes(formatOf(chroma))) return undefined;
  for (const codec of wish.codecs.filter((codec) => !wish.transparent || TRANSPARENT.includes(codec))) {
    // AVC has no pictures of odd sizes.
    if (codec === 'avc' && (width % 2 === 1 || height % 2 === 1)) continue;
    const most = codec === 'vp8' ? undefined : QUANTIZERS[codec];
    const quantizer = most === undefined ? undefined : Math.round((1 - quality) * most * 0.9);
    // At quality 1 about two bits for each pixel, at 0.4 a thirtieth, and as many at a low frame rate, where pictures differ more.
    // Encoders of AVC reach their finest quantizer near half a bit, so a flat curve would give all qualities the same file.
    const bits = Math.round(width * height * Math.max(fps, 30) * (0.02 + 2 * quality ** 6));
    const rates: Partial<VideoEncoderConfig>[] =
      bitrate === undefined
        ? [{ bitrateMode: 'quantizer' as VideoEncoderBitrateMode }, { bitrate: Math.max(bits, 200_000) }]
        : [{ bitrate: Math.round(bitrate) }];
    for (const rate of rates) {
      const byQuantizer = rate.bitrate === undefined;
      if (byQuantizer && quantizer === undefined) continue;
      for (const name of STRINGS[chroma][codec]) {
        const config: VideoEncoderConfig = {
          codec: name,
          width,
          height,
          framerate: fps,
          latencyMode: 'quality',
          ...(codec === 'avc' && { avc: { format: 'avc' as const } }),
          ...rate,
        };
        const { supported } = await VideoEncoder.isConfigSupported(config).catch(() => ({ supported: false }));
        if (supported === true) return { codec, chroma, config, quantizer: byQuantizer ? quantizer : undefined };
      }
    }
  }
  return undefined;
}

/** An encoder with its output in order. */
class Stream {
  readonly #encoder: VideoEncoder;
  readonly #choice: Choice;
  readonly chunks: { readonly chunk: EncodedVideoChunk; readonly meta: EncodedVideoChunkMetadata | undefined }[] = [];
  failure: unknown;

  constructor(choice: Choice) {
    this.#choice = choice;
    this.#encoder = new VideoEncoder({
      output: (chunk, meta) => this.chunks.push({ chunk, meta }),
      error: (error) => (this.failure ??= error),
    });
    this.#encoder.configure(choice.config);
  }

  /** Encodes a frame; waits while the encoder is behind. */
  async encode(planes: Uint8Array<ArrayBuffer>, index: number, timestamp: number, duration: number): Promise<void> {
    const { codec, chroma, config, quantizer } = this.#choice;
    const format = formatOf(chroma);
    const { width: codedWidth, height: codedHeight } = config;
    const frame = new VideoFrame(planes, { format, codedWidth, codedHeight, timestamp, duration, colorSpace: COLORS });
    try {
      const options = {
        keyFrame: index % KEY_INTERVAL === 0,
        ...(quantizer !== undefined && { [codec]: { quantizer } }),
      };
      this.#encoder.encode(frame, options);
    } finally {
      frame.close();
    }
    while (this.#encoder.encodeQueueSize > BEHIND && this.failure === undefined)
      await new Promise((resolve) => setTimeout(resolve, 2));
    this.#check();
  }

  async flush(): Promise<void> {
    await this.#encoder.flush();
    this.#check();
  }

  close(): void {
    if (this.#encoder.state !== 'closed') this.#encoder.close();
  }

  #check(): void {
    if (this.failure !== undefined) throw failed(this.failure);
  }
}

function failed(cause: unknown): GambolError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new GambolError('record/failed', `The browser's encoder failed: ${reason}. Try another format or size.`, {
    cause,
  });
}

/** An encoder of a video; undefined if the browser has none. */
export async function video(plan: Plan): Promise<Encoder | undefined> {
  const { format, fps, width, height, audio } = plan;
  const transparent = isTransparent(plan);
  const choice = await choose({ ...plan, transparent });
  if (!choice) return undefined;
  const sound = audio && (await soundCodec(format, audio));
  if (audio && !sound) return undefined;

  const target = new BufferTarget();
  const output = new Output({
    format: format === 'webm' ? new WebMOutputFormat() : new Mp4OutputFormat({ fastStart: 'in-memory' }),
    target,
  });
  const source = new EncodedVideoPacketSource(choice.codec);
  // With a frame rate, all durations are whole frames, which the last one of a loop need not be.
  const isEven = Math.abs(plan.duration * fps - Math.round(plan.duration * fps)) < 1e-6;
  output.addVideoTrack(source, isEven || !plan.loop ? { frameRate: fps } : {});
  const track = sound && new AudioBufferSource({ codec: sound, quality: new Quality('high') });
  if (track) output.addAudioTrack(track);
  const color = new Stream(choice);
  const alpha = transparent ? new Stream(choice) : undefined;
  const durations: number[] = [];
  /** The microseconds of a frame, by which its chunk is recognised. */
  const microseconds = (seconds: number): number => Math.round(1e6 * seconds);
  const indices = new Map<number, number>();
  let started = false;
  let closed = false;

  /** Writes the chunks for which there are also those of alpha. */
  const write = async (): Promise<void> => {
    while (color.chunks.length > 0 && alpha?.chunks.length !== 0) {
      const { chunk, meta } = color.chunks.shift() as Stream['chunks'][number];
      const other = alpha?.chunks.shift();
      const index = indices.get(chunk.timestamp) ?? 0;
      const packet = new EncodedPacket(
        bytesOf(chunk),
        chunk.type,
        index / fps,
        durations[index] as number,
        undefined,
        undefined,
        other && { alpha: bytesOf(other.chunk) },
      );
      await source.add(packet, withColors(meta, choice.config.codec));
    }
  };

  return {
    async add(frame) {
      if (!started) {
        started = true;
        await output.start();
        if (track && audio) {
          await track.add(trimmed(audio, plan.duration));
          track.close();
        }
      }
      const pixels = transparent ? bled(straight(frame).data, width, height) : overBlack(frame.data);
      const planes = planesOf(pixels, width, height, plan.chroma, transparent);
      const [at, long] = [microseconds(frame.time), microseconds(frame.duration)];
      indices.set(at, frame.index);
      durations[frame.index] = frame.duration;
      await color.encode(planes.color, frame.index, at, long);
      if (alpha && planes.alpha) await alpha.encode(planes.alpha, frame.index, at, long);
      await write();
    },
    async finish() {
      await Promise.all([color.flush(), alpha?.flush()]);
      await write();
      source.close();
      await output.finalize();
      closed = true;
      return new Blob([target.buffer as ArrayBuffer], { type: `video/${format}` });
    },
    close() {
      color.close();
      alpha?.close();
      if (!closed && started) output.cancel().catch(() => undefined);
    },
  };
}

/** The description of the stream with its colours, which some encoders leave out. Players would guess them by the size. */
function withColors(meta: EncodedVideoChunkMetadata | undefined, codec: string): EncodedVideoChunkMetadata | undefined {
  if (!meta?.decoderConfig) return meta;
  const { decoderConfig } = meta;
  // Chromium shortens the string of VP9 such that it is invalid.
  const named = codec.startsWith('vp09') ? codec : decoderConfig.codec;
  return { ...meta, decoderConfig: { ...decoderConfig, codec: named, colorSpace: COLORS } };
}

function bytesOf(chunk: EncodedVideoChunk): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunk.byteLength);
  chunk.copyTo(bytes);
  return bytes;
}

/** The codec of the sound; undefined for none. */
async function soundCodec(
  format: string,
  { numberOfChannels, sampleRate }: AudioBuffer,
): Promise<'aac' | 'opus' | undefined> {
  const options = { numberOfChannels, sampleRate };
  for (const codec of format === 'mp4' ? (['aac', 'opus'] as const) : (['opus'] as const))
    if (await canEncodeAudio(codec, options)) return codec;
  return undefined;
}

/** The sound without what is longer than the film. */
function trimmed(audio: AudioBuffer, seconds: number): AudioBuffer {
  const { numberOfChannels, sampleRate, length } = audio;
  const frames = Math.min(length, Math.max(1, Math.round(seconds * sampleRate)));
  if (frames === length) return audio;
  const out = new AudioBuffer({ numberOfChannels, sampleRate, length: frames });
  for (let channel = 0; channel < numberOfChannels; channel++)
    out.copyToChannel(audio.getChannelData(channel).subarray(0, frames), channel);
  return out;
}
