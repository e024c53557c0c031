// Pictures of the model as files.

import type { Inspector } from './inspector.ts';

interface PictureSettings {
  /** Device pixels. */
  readonly width: number;
  readonly height: number;
  readonly background: string | null;
}

/** Saves the current picture as PNG. */
export async function savePicture(inspector: Inspector, settings: PictureSettings): Promise<void> {
  const { viewer } = inspector;
  if (viewer) save(await viewer.toBlob({ ...settings }), `${nameOf(inspector)}.png`);
}

/** The name of the model, and by default of the clip, for a file. */
export function nameOf(inspector: Inspector, clip = true): string {
  const model = (inspector.model.peek()?.name ?? 'model').replace(/\.\w+$/, '');
  return [model, clip && inspector.viewer?.clip?.name]
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
