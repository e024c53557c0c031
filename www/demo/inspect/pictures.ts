// Pictures of the model as files.

import { zip } from 'fflate';
import type { Inspector } from './inspector.ts';

interface PictureSettings {
  /** Device pixels. */
  readonly width: number;
  readonly height: number;
  readonly background: string | null;
}

/** Saves the current picture as PNG. */
export async function savePicture(
  inspector: Inspector,
  settings: PictureSettings,
  report: (words: string) => void,
): Promise<void> {
  const { viewer } = inspector;
  if (!viewer) return;
  report('Drawing …');
  save(await viewer.toBlob({ ...settings }), `${nameOf(inspector)}.png`);
}

/** Saves one cycle of the current clip as PNG files in a ZIP archive. */
export async function saveSequence(
  inspector: Inspector,
  { fps, signal, ...settings }: PictureSettings & { readonly fps: number; readonly signal: AbortSignal },
  report: (words: string) => void,
): Promise<void> {
  const { viewer } = inspector;
  const duration = viewer?.clip?.duration ?? 0;
  if (!viewer || duration <= 0) return;
  // The last frame is the one before the end, which a loop shows as its first.
  const count = Math.max(1, Math.round(duration * fps));
  const digits = String(count - 1).length;
  const files: Record<string, Uint8Array> = {};
  for (let i = 0; i < count; i++) {
    signal.throwIfAborted();
    report(`Frame ${i + 1} of ${count}`);
    const blob = await viewer.toBlob({ ...settings, time: i / fps });
    files[`${String(i).padStart(digits, '0')}.png`] = new Uint8Array(await blob.arrayBuffer());
  }
  signal.throwIfAborted();
  report('Packing …');
  // PNG files are compressed already.
  const archive = await new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) =>
    zip(files, { level: 0 }, (error, data) => (error ? reject(error) : resolve(data as Uint8Array<ArrayBuffer>))),
  );
  save(new Blob([archive], { type: 'application/zip' }), `${nameOf(inspector)}.zip`);
}

/** The name of the model and the clip, for a file. */
export function nameOf(inspector: Inspector): string {
  const model = (inspector.model.peek()?.name ?? 'model').replace(/\.\w+$/, '');
  return [model, inspector.viewer?.clip?.name]
    .filter(Boolean)
    .join('-')
    .replace(/[^\w.-]+/g, '_');
}

export function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The download has read the URL by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
