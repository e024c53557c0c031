import type { Viewer } from 'gambol';
import { byId, label, useIcon } from './dom.ts';
import type { Status } from './status.ts';

/** Saves what the canvas shows as a PNG named after the model. */
export async function savePicture(viewer: Viewer, modelName: string, status: Status): Promise<void> {
  const blob = await viewer.toBlob();
  const stem = modelName.replace(/\.[^.]*$/, '').replace(/[^\p{L}\p{N} _-]+/gu, '_') || 'gambol';
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = `${stem}.png`;
  link.click();
  // Not before the browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  status.notice(`Saved ${link.download}`);
}

/** The button and its key; hidden where there is no full screen (iPhones). */
export function fullscreen(): () => void {
  const button = byId('fullscreen');
  const toggle = (): void => {
    if (document.fullscreenElement) void document.exitFullscreen();
    else document.documentElement.requestFullscreen().catch(() => undefined);
  };
  if (!document.fullscreenEnabled) {
    button.hidden = true;
    return () => undefined;
  }
  button.addEventListener('click', toggle);
  document.addEventListener('fullscreenchange', () => {
    const on = document.fullscreenElement !== null;
    useIcon(byId<SVGUseElement>('fullscreen-icon'), on ? 'shrink' : 'expand');
    label(button, on ? 'Leave full screen' : 'Full screen', 'F');
  });
  return toggle;
}
