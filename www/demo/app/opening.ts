import { filesFromDrop, type AssetSource } from 'gambol';
import { byId } from './dom.ts';
import { nameOf } from './format.ts';

export interface OpenListener {
  /** Opens a source; `name` is shown until the name of the model is known. */
  open(source: AssetSource, name: string): void;
  sample(): void;
  /** Uses an environment map. */
  light(file: File): void;
}

/** The inputs for models: the dialog, drag and drop, and pasting a URL. */
export class Opening {
  readonly #listener: OpenListener;
  readonly #dialog = byId<HTMLDialogElement>('open-dialog');
  readonly #drop = byId('drop');

  constructor(listener: OpenListener) {
    this.#listener = listener;
    for (const id of ['open', 'failure-open']) byId(id).addEventListener('click', () => this.show());
    for (const id of ['open-sample', 'failure-sample']) {
      byId(id).addEventListener('click', () => {
        this.#dialog.close();
        listener.sample();
      });
    }
    this.#picker('pick-files', 'file-input');
    this.#picker('pick-folder', 'folder-input');
    byId('url-form').addEventListener('submit', (event) => {
      event.preventDefault();
      const url = byId<HTMLInputElement>('url').value;
      this.#dialog.close();
      this.#address(url);
    });
    this.#dropping();
    window.addEventListener('paste', (event) => {
      if (event.target instanceof HTMLInputElement) return;
      const { files } = event.clipboardData ?? new DataTransfer();
      const text = event.clipboardData?.getData('text/plain').trim() ?? '';
      if (files.length > 0) this.#files(files);
      else if (/^https?:\/\/\S+$/.test(text)) this.#address(text);
    });
  }

  show(): void {
    if (!this.#dialog.open) this.#dialog.showModal();
  }

  #picker(button: string, input: string): void {
    const field = byId<HTMLInputElement>(input);
    byId(button).addEventListener('click', () => field.click());
    field.addEventListener('change', () => {
      const files = [...(field.files ?? [])];
      // Cleared, so that choosing the same file again is a change.
      field.value = '';
      if (files.length === 0) return;
      this.#dialog.close();
      this.#files(files);
    });
  }

  #files(files: ArrayLike<File>): void {
    const list = Array.from(files);
    const light = list.length === 1 ? list.find(isLight) : undefined;
    if (light) return this.#listener.light(light);
    this.#listener.open(list, list.length === 1 && list[0] ? list[0].name : `${list.length} files`);
  }

  #address(url: string): void {
    this.#listener.open(url, nameOf(url));
  }

  #dropping(): void {
    // A counter, because child elements send `dragenter` and `dragleave`, too.
    let depth = 0;
    const carriesFiles = (event: DragEvent): boolean =>
      event.dataTransfer !== null &&
      [...event.dataTransfer.types].some((type) => type === 'Files' || type === 'text/uri-list');
    const end = (): void => {
      depth = 0;
      this.#drop.hidden = true;
    };
    window.addEventListener('dragenter', (event) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      depth += 1;
      this.#drop.hidden = false;
    });
    window.addEventListener('dragleave', () => {
      depth -= 1;
      if (depth <= 0) end();
    });
    window.addEventListener('dragover', (event) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
    });
    window.addEventListener('drop', (event) => {
      end();
      const transfer = event.dataTransfer;
      if (!transfer || !carriesFiles(event)) return;
      event.preventDefault();
      this.#dialog.close();
      if (!transfer.types.includes('Files')) {
        this.#address(transfer.getData('text/uri-list').split('\n')[0]?.trim() ?? '');
        return;
      }
      const light = transfer.items.length === 1 ? [...transfer.files].find(isLight) : undefined;
      if (light) return this.#listener.light(light);
      const only = transfer.items.length === 1 ? (transfer.files[0]?.name ?? '') : `${transfer.items.length} files`;
      filesFromDrop(transfer).then(
        (files) => this.#listener.open(files, only),
        (error: unknown) => this.#listener.open(new Map(), String(error)),
      );
    });
  }
}

function isLight(file: File): boolean {
  return /\.hdr$/i.test(file.name);
}
