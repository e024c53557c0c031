import { filesFromDrop, type AssetSource } from 'gambol';
import { byId } from './dom.ts';
import { nameOf } from './format.ts';

export interface OpenListener {
  /** Opens a source; `name` is shown until the name of the model is known. */
  open(source: AssetSource, name: string): void;
  sample(): void;
  /** Adds the clips of a source to the model that is shown. */
  addClips(source: AssetSource, name: string): void;
  /** Uses an environment map. */
  light(file: File): void;
}

/** The inputs for models and clips: the dialog, drag and drop, and pasting a URL. */
export class Opening {
  readonly #listener: OpenListener;
  readonly #dialog = byId<HTMLDialogElement>('open-dialog');
  readonly #drop = byId('drop');
  /** The halves of the drop zone: one opens a file, one adds its clips. */
  readonly #halves = [byId('drop-open'), byId('drop-clips')] as const;

  constructor(listener: OpenListener) {
    this.#listener = listener;
    for (const id of ['open', 'failure-open']) byId(id).addEventListener('click', () => this.show());
    for (const id of ['open-sample', 'failure-sample']) {
      byId(id).addEventListener('click', () => {
        this.#dialog.close();
        listener.sample();
      });
    }
    for (const button of this.#dialog.querySelectorAll<HTMLElement>('[data-sample]')) {
      button.addEventListener('click', () => {
        this.#dialog.close();
        this.#address(button.dataset['sample'] ?? '');
      });
    }
    this.#picker('pick-files', 'file-input', (files) => this.#files(files));
    this.#picker('pick-folder', 'folder-input', (files) => this.#files(files));
    this.#picker('add-clips', 'clips-input', (files) => listener.addClips(files, nameOfAll(files)));
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

  #picker(button: string, input: string, use: (files: File[]) => void): void {
    const field = byId<HTMLInputElement>(input);
    byId(button).addEventListener('click', () => field.click());
    field.addEventListener('change', () => {
      const files = [...(field.files ?? [])];
      // Cleared, so that choosing the same file again is a change.
      field.value = '';
      if (files.length === 0) return;
      this.#dialog.close();
      use(files);
    });
  }

  #files(files: ArrayLike<File>): void {
    const list = Array.from(files);
    const light = list.length === 1 ? list.find(isLight) : undefined;
    if (light) return this.#listener.light(light);
    this.#listener.open(list, nameOfAll(list));
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
    /** `true` over an element that takes files itself, such as a texture of the inspector. */
    const isTaken = ({ target }: DragEvent): boolean =>
      target instanceof Element && target.closest('[data-drop]') !== null;
    /** `true` if the page should stay visible, so that the user can aim at such an element. */
    const isAimed = (event: DragEvent): boolean => {
      const items = [...(event.dataTransfer?.items ?? [])];
      const arePictures = items.length > 0 && items.every(({ type }) => type.startsWith('image/'));
      return isTaken(event) || (arePictures && document.querySelector('[data-drop]') !== null);
    };
    const end = (): void => {
      depth = 0;
      this.#drop.hidden = true;
    };
    /** `true` if the pointer is over the half that adds clips. */
    const isOnClips = ({ clientX, clientY }: DragEvent): boolean => {
      const { left, top, right, bottom } = this.#halves[1].getBoundingClientRect();
      return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
    };
    window.addEventListener('dragenter', (event) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      depth += 1;
      this.#drop.hidden = isAimed(event);
    });
    window.addEventListener('dragleave', () => {
      depth -= 1;
      if (depth <= 0) end();
    });
    window.addEventListener('dragover', (event) => {
      if (!carriesFiles(event)) return;
      this.#drop.hidden = isAimed(event);
      if (isTaken(event)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
      const onClips = isOnClips(event);
      this.#halves.forEach((half, i) => half.classList.toggle('chosen', onClips === (i === 1)));
    });
    window.addEventListener('drop', (event) => {
      const onClips = !this.#drop.hidden && isOnClips(event);
      end();
      const transfer = event.dataTransfer;
      if (!transfer || !carriesFiles(event) || isTaken(event)) return;
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
        (files) => (onClips ? this.#listener.addClips(files, only) : this.#listener.open(files, only)),
        (error: unknown) => this.#listener.open(new Map(), String(error)),
      );
    });
  }
}

function nameOfAll(files: readonly File[]): string {
  return files.length === 1 && files[0] ? files[0].name : `${files.length} files`;
}

function isLight(file: File): boolean {
  return /\.(?:hdr|exr)$/i.test(file.name);
}
