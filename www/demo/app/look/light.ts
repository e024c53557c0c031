import { GambolError, type EnvironmentSource, type Viewer } from 'gambol';
import type { GambolViewer } from 'gambol/element';
import { byId } from '../dom.ts';
import { nameOf, percent } from '../format.ts';
import type { Status } from '../status.ts';
import { choice, slider } from './controls.ts';

/** The settings of the viewer that have no attribute. */
type Settings = Partial<Pick<Viewer, 'environmentRotation' | 'environmentIntensity' | 'skybox' | 'skyboxBlur'>>;

const BACKGROUNDS: readonly string[] = ['white', 'grey', 'black'];
const DEGREE = Math.PI / 180;

/** The controls for all lighting properties of a viewer. */
export class Light {
  readonly #player: GambolViewer;
  readonly #status: Status;
  readonly #choice: HTMLSelectElement;
  readonly #form = byId<HTMLFormElement>('environment-form');
  /** The last choice that was loaded. */
  #chosen = 'studio';
  #source: EnvironmentSource = 'studio';
  readonly #settings: Settings = {};
  #viewer: Viewer | null = null;

  constructor(player: GambolViewer, status: Status) {
    this.#player = player;
    this.#status = status;
    this.#choice = choice('environment', (value) => this.#choose(value));
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      const url = byId<HTMLInputElement>('environment-url').value;
      this.picture(url, nameOf(url));
    });
    const input = byId<HTMLInputElement>('environment-input');
    byId('environment-file').addEventListener('click', () => input.click());
    input.addEventListener('change', () => {
      const [file] = input.files ?? [];
      // The input is cleared below, so that choosing the same file again is a change.
      if (file) this.picture(file, file.name);
      input.value = '';
    });
    slider(
      'rotation',
      0,
      (degrees) => `${degrees}°`,
      (degrees) => this.#change({ environmentRotation: degrees * DEGREE }),
    );
    slider('intensity', 1, percent, (environmentIntensity) => this.#change({ environmentIntensity }));

    const blur = byId<HTMLInputElement>('blur');
    blur.disabled = true;
    choice('background', (value) => {
      this.#change({ skybox: value === 'environment' });
      player.background = BACKGROUNDS.includes(value) ? value : null;
      blur.disabled = value !== 'environment';
    });
    slider('blur', 0, percent, (skyboxBlur) => this.#change({ skyboxBlur }));

    slider(
      'exposure',
      0,
      (stops) => `${stops > 0 ? '+' : ''}${stops}`.replace('-', '−'),
      (stops) => {
        player.exposure = 2 ** stops;
      },
    );
    choice('tone', (value) => {
      player.toneMapping = value;
    });

    slider('shadow', player.shadowIntensity, percent, (amount) => {
      player.shadowIntensity = amount;
    });
    slider('softness', player.shadowSoftness, percent, (amount) => {
      player.shadowSoftness = amount;
    });
    // After a failure the element has a new viewer: attributes apply to it, the other settings are set here.
    player.addEventListener('load', () => {
      const again = this.#viewer !== null && this.#viewer !== player.viewer;
      this.#viewer = player.viewer;
      this.#change({});
      if (again && this.#source !== 'studio') this.#set(this.#source, this.#chosen);
    });
  }

  /** Uses an environment map. */
  picture(source: EnvironmentSource, name: string): void {
    this.#status.loading(name);
    this.#set(source, 'picture', () => this.#status.notice(`Environment: ${name}`));
  }

  #change(settings: Settings): void {
    Object.assign(this.#settings, settings);
    if (this.#player.viewer) Object.assign(this.#player.viewer, this.#settings);
  }

  #choose(value: string): void {
    this.#form.hidden = value !== 'picture';
    if (value === 'studio') this.#set('studio', value);
    else if (value === 'white') this.#set(white(), value);
    else if (value === 'none') this.#set(null, value);
    else byId('environment-url').focus();
  }

  #set(source: EnvironmentSource, value: string, done?: () => void): void {
    const { viewer } = this.#player;
    if (!viewer) return this.#show(this.#chosen);
    viewer.setEnvironment(source).then(
      () => {
        this.#chosen = value;
        this.#source = source;
        this.#status.loaded();
        this.#show(value);
        done?.();
      },
      (error: unknown) => {
        if (error instanceof GambolError && error.code === 'load/aborted') return;
        this.#show(this.#chosen);
        this.#status.fail(error, true);
      },
    );
  }

  #show(value: string): void {
    this.#choice.value = value;
    this.#form.hidden = value !== 'picture';
  }
}

/** A small environment map of uniform light: a Radiance image of 8 × 4 pixels of value 1. */
function white(): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode('#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 4 +X 8\n');
  const bytes = new Uint8Array(head.length + 4 * 8 * 4);
  bytes.set(head);
  // RGBE: 128 / 256 × 2^(129 − 128) = 1.
  for (let i = head.length; i < bytes.length; i += 4) bytes.set([128, 128, 128, 129], i);
  return bytes;
}
