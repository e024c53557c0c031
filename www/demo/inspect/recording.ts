// Recordings of the model to files, and sessions of what the user does.

import { signal } from '@preact/signals';
import type { RecordFormat, RecordOptions, Session, SessionRecording } from 'gambol/record';
import type { Inspector } from './inspector.ts';
import { nameOf } from './pictures.ts';

/** The state of the last recording. */
export type RecordState =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly frame: number; readonly frames: number }
  | { readonly kind: 'done'; readonly file: Blob; readonly name: string }
  | { readonly kind: 'failed'; readonly words: string };

/** The ends of files. */
const ENDS: Readonly<Record<RecordFormat, string>> = {
  webm: 'webm',
  mp4: 'mp4',
  gif: 'gif',
  apng: 'png',
  'png-sequence': 'zip',
  'sprite-sheet': 'png',
};

export class Recordings {
  readonly state = signal<RecordState>({ kind: 'none' });
  /** The formats that this browser can write; empty until they are known. */
  readonly formats = signal<readonly RecordFormat[]>([]);
  /** `true` while a session is recorded, or repeated. */
  readonly live = signal<'recording' | 'repeating' | null>(null);
  readonly session = signal<Session | null>(null);
  readonly #inspector: Inspector;
  #stop: AbortController | undefined;
  #recording: SessionRecording | undefined;

  constructor(inspector: Inspector) {
    this.#inspector = inspector;
    // The actors of a session are those of the model.
    inspector.player.addEventListener('load', () => this.#forget());
  }

  /** Finds the formats. */
  async prepare(): Promise<void> {
    if (this.formats.peek().length > 0) return;
    const { recordFormats } = await import('gambol/record');
    this.formats.value = await recordFormats();
  }

  async start(options: RecordOptions & { readonly format: RecordFormat }): Promise<void> {
    const { viewer } = this.#inspector;
    if (!viewer || this.#stop) return;
    const stop = (this.#stop = new AbortController());
    this.state.value = { kind: 'running', frame: 0, frames: 1 };
    try {
      const { record } = await import('gambol/record');
      const file = await record(viewer, {
        ...options,
        signal: stop.signal,
        onProgress: (progress) => {
          this.state.value = { kind: 'running', ...progress };
        },
      });
      this.state.value = { kind: 'done', file, name: `${nameOf(this.#inspector)}.${ENDS[options.format]}` };
    } catch (error) {
      this.state.value = stop.signal.aborted
        ? { kind: 'none' }
        : { kind: 'failed', words: error instanceof Error ? error.message : String(error) };
    } finally {
      this.#stop = undefined;
    }
  }

  cancel(): void {
    this.#stop?.abort();
  }

  /** Begins to record what the user does. */
  async begin(): Promise<void> {
    const { viewer } = this.#inspector;
    if (!viewer || this.live.peek() !== null) return;
    this.live.value = 'recording';
    try {
      const { recordSession } = await import('gambol/record');
      this.#recording = await recordSession(viewer);
    } catch (error) {
      this.live.value = null;
      this.#inspector.status.fail(error, true);
    }
  }

  end(): void {
    this.session.value = this.#recording?.stop() ?? this.session.peek();
    this.#recording = undefined;
    this.live.value = null;
  }

  /** Repeats the session on the model. */
  async repeat(): Promise<void> {
    const [{ viewer }, session] = [this.#inspector, this.session.peek()];
    if (!viewer || !session || this.live.peek() !== null) return;
    this.live.value = 'repeating';
    try {
      const { replaySession } = await import('gambol/record');
      await replaySession(viewer, session);
    } catch (error) {
      this.#inspector.status.fail(error, true);
    } finally {
      this.live.value = null;
    }
  }

  #forget(): void {
    if (this.live.peek() === 'recording') this.end();
    this.session.value = null;
  }
}
