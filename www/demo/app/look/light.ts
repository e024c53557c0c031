import { GambolError, type EnvironmentSource, type Rgba, type ToneMapping, type Viewer } from 'gambol';
import { byId } from '../dom.ts';
import { percent } from '../format.ts';
import type { Status } from '../status.ts';
import { choice, slider } from './controls.ts';

const BACKGROUNDS: Readonly<Record<string, Rgba>> = { white: [1, 1, 1, 1], grey: [0.5, 0.5, 0.5, 1], black: [0, 0, 0, 1] };
const DEGREE = Math.PI / 180;

/** Where the light comes from and what becomes of it: all that a viewer has of this, as controls. */
export class Light {
  readonly #viewer: Viewer;
  readonly #status: Status;
  readonly #choice: HTMLSelectElement;
  readonly #form = byId<HTMLFormElement>('environment-form');
  /** What was chosen last and is there. */
  #chosen = 'studio';

  constructor(viewer: Viewer, status: Status) {
    this.#viewer = viewer;
    this.#status = status;
    this.#choice = choice('environment', (value) => this.#choose(value));
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      const url = byId<HTMLInputElement>('environment-url').value;
      this.picture(url, url.split(/[?#]/)[0]?.split('/').pop() || url);
    });
    const input = byId<HTMLInputElement>('environment-input');
    byId('environment-file').addEventListener('click', () => input.click());
    input.addEventListener('change', () => {
      const [file] = input.files ?? [];
      // The same file again is a change, too.
      if (file) this.picture(file, file.name);
      input.value = '';
    });
    slider('rotation', 0, (degrees) => `${degrees}°`, (degrees) => {
      viewer.environmentRotation = degrees * DEGREE;
    });
    slider('intensity', 1, percent, (factor) => {
      viewer.environmentIntensity = factor;
    });

    const blur = byId<HTMLInputElement>('blur');
    blur.disabled = true;
    choice('background', (value) => {
      viewer.skybox = value === 'environment';
      viewer.background = BACKGROUNDS[value] ?? null;
      blur.disabled = !viewer.skybox;
    });
    slider('blur', 0, percent, (amount) => {
      viewer.skyboxBlur = amount;
    });

    slider('exposure', 0, (stops) => `${stops > 0 ? '+' : ''}${stops}`.replace('-', '−'), (stops) => {
      viewer.exposure = 2 ** stops;
    });
    choice('tone', (value) => {
      viewer.toneMapping = value as ToneMapping;
    });

    viewer.shadowIntensity = 0.6;
    slider('shadow', viewer.shadowIntensity, percent, (amount) => {
      viewer.shadowIntensity = amount;
    });
    slider('softness', viewer.shadowSoftness, percent, (amount) => {
      viewer.shadowSoftness = amount;
    });
  }

  /** Takes the light of a picture. */
  picture(source: EnvironmentSource, name: string): void {
    this.#status.loading(name);
    this.#set(source, 'picture', () => this.#status.notice(`The light is ${name}`));
  }

  #choose(value: string): void {
    this.#form.hidden = value !== 'picture';
    if (value === 'studio') this.#set('studio', value);
    else if (value === 'white') this.#set(white(), value);
    else if (value === 'none') this.#set(null, value);
    else byId('environment-url').focus();
  }

  #set(source: EnvironmentSource, value: string, done?: () => void): void {
    this.#viewer.setEnvironment(source).then(() => {
      this.#chosen = value;
      this.#status.loaded();
      this.#show(value);
      done?.();
    }, (error: unknown) => {
      if (error instanceof GambolError && error.code === 'load/aborted') return;
      this.#show(this.#chosen);
      this.#status.fail(error, true);
    });
  }

  #show(value: string): void {
    this.#choice.value = value;
    this.#form.hidden = value !== 'picture';
  }
}

/** The smallest picture of light that is the same everywhere: Radiance's, of 8 × 4 pixels of 1. */
function white(): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode('#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 4 +X 8\n');
  const bytes = new Uint8Array(head.length + 4 * 8 * 4);
  bytes.set(head);
  // 128 / 256 times two to the power of 129 − 128.
  for (let i = head.length; i < bytes.length; i += 4) bytes.set([128, 128, 128, 129], i);
  return bytes;
}
