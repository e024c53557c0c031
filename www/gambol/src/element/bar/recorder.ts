// The dialog that records the clip to a file. This script is loaded when it is opened.

import { adoptStyle, make } from '../base/dom.ts';
import { isVideo, type RecordFormat } from '../../record/options.ts';
import { record, recordFormats } from '../../record/record.ts';
import { fileStem } from './file-stem.ts';
import css from './recorder.css';
import type { Player } from './player.ts';

/** The formats in words, and the ends of their files. */
const FORMATS: Readonly<Record<RecordFormat, readonly [words: string, end: string]>> = {
  webm: ['WebM video', 'webm'],
  mp4: ['MP4 video', 'mp4'],
  gif: ['GIF', 'gif'],
  apng: ['Animated PNG', 'png'],
  'png-sequence': ['PNG sequence', 'zip'],
  'sprite-sheet': ['Sprite sheet', 'png'],
};

/** The quality of a video that is to be small. */
const SMALLER = 0.3;

/** The default height in pixels of each recording. */
const HEIGHT = 480;

/** Opens the dialog, or closes it. Closing it aborts a recording. */
export async function openRecorder(element: Player): Promise<void> {
  const { shadowRoot: root, viewer } = element;
  if (!root || !viewer) return;
  const open = root.querySelector<HTMLDialogElement>('dialog[part="recorder"]');
  if (open) return open.close();
  const formats = await recordFormats();
  if (root.querySelector('dialog[part="recorder"]')) return;
  adoptStyle(root, css);

  const number = (value: number, min: number, max: number): HTMLInputElement =>
    make('input', { type: 'number', value: String(value), min: String(min), max: String(max), required: true });
  const { width, height } = viewer.canvas;
  // Even sizes, as AVC needs them.
  const even = (pixels: number): number => 2 * Math.round(pixels / 2);
  const format = make('select');
  format.append(...formats.map((name) => new Option(FORMATS[name][0], name)));
  const wide = number(even((HEIGHT * width) / height), 1, 8192);
  const high = number(HEIGHT, 1, 8192);
  const fps = number(30, 1, 60);
  const clear = make('input', { type: 'checkbox' });
  const small = make('input', { type: 'checkbox' });
  const progress = make('progress', { max: '1', value: '0', 'aria-label': 'Progress' });
  const words = make('span', { class: 'words', role: 'status' });
  const start = make('button', { type: 'submit' }, 'Record');
  const close = make('button', { type: 'button' }, 'Close');
  const label = (text: string, control: HTMLElement): HTMLElement => make('label', {}, text, control);
  const form = make(
    'form',
    { class: 'recorder', method: 'dialog' },
    label('Format', format),
    label('Width', wide),
    label('Height', high),
    label('Frames per second', fps),
    label('Transparent', clear),
    label('Smaller file', small),
    progress,
    make('div', { class: 'row' }, words, start, close),
  );
  const dialog = make('dialog', { part: 'recorder', 'aria-label': 'Record the clip' }, form);
  let running: AbortController | undefined;
  let url: string | undefined;

  const show = (): void => {
    start.textContent = running ? 'Cancel' : 'Record';
    for (const control of [format, wide, high, fps]) control.disabled = running !== undefined;
    // MP4 has no alpha, and only videos have a quality.
    clear.disabled = running !== undefined || format.value === 'mp4';
    small.disabled = running !== undefined || !isVideo(format.value as RecordFormat);
  };
  format.addEventListener('change', show);
  const run = async (controller: AbortController): Promise<void> => {
    const name = format.value as RecordFormat;
    const file = await record(viewer, {
      format: name,
      width: wide.valueAsNumber,
      height: high.valueAsNumber,
      fps: fps.valueAsNumber,
      ...(clear.checked && name !== 'mp4' && { background: null }),
      ...(small.checked && isVideo(name) && { quality: SMALLER }),
      // A viewer without a clip, or with a state machine, records what it shows.
      ...(viewer.clip === null && { clip: null, to: 4 }),
      signal: controller.signal,
      onProgress: ({ frame, frames }) => {
        progress.value = frame / frames;
      },
    });
    if (url !== undefined) URL.revokeObjectURL(url);
    url = URL.createObjectURL(file);
    const link = make('a', { part: 'recording', href: url, download: `${fileStem(element)}.${FORMATS[name][1]}` });
    link.textContent = `Save ${Math.ceil(file.size / 1000)} kB`;
    words.replaceChildren(link);
    link.focus();
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (running) return running.abort();
    const controller = (running = new AbortController());
    words.textContent = 'Recording …';
    progress.value = 0;
    show();
    run(controller)
      .catch((error: unknown) => {
        words.textContent = controller.signal.aborted
          ? 'Cancelled'
          : error instanceof Error
            ? error.message
            : String(error);
      })
      .finally(() => {
        running = undefined;
        show();
      });
  });
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => {
    running?.abort();
    if (url !== undefined) URL.revokeObjectURL(url);
    dialog.remove();
  });
  show();
  root.append(dialog);
  dialog.showModal();
}
