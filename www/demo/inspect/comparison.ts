// A second viewer over the first, on the same clock and with the same camera, behind a bar that splits the picture.

import { signal } from '@preact/signals';
import { createViewer, type AssetSource, type Clip, type Viewer } from 'gambol';
import type { Inspector } from './inspector.ts';

/** The other side of a comparison. */
export interface Other {
  readonly source: AssetSource;
  readonly words: string;
  /** The clip of the other side; null for the one of the same name. */
  readonly clip: string | null;
  readonly skinning: 'linear' | 'dual-quaternion';
  /** The other clip shows the same time, or the same phase of its own duration. */
  readonly clock: 'time' | 'phase';
}

/** The clip with which a viewer begins: the first one that lasts. */
const openingClip = (clips: readonly Clip[]): Clip | undefined =>
  clips.find(({ duration }) => duration > 0) ?? clips[0];

export class Comparison {
  /** The other side; null while there is no comparison. */
  readonly other = signal<Other | null>(null);
  /** The clips of the other side. */
  readonly clips = signal<readonly string[]>([]);
  /** The place of the bar, 0 at the left to 1. */
  readonly split = signal(0.5);
  readonly #inspector: Inspector;
  #viewer: Viewer | undefined;
  #canvas: HTMLCanvasElement | undefined;
  #shown: AssetSource | undefined;
  /** The number of the last call of `show`, since a later one replaces it. */
  #calls = 0;

  constructor(inspector: Inspector) {
    this.#inspector = inspector;
    inspector.player.addEventListener('load', () => this.end());
    this.split.subscribe((at) => inspector.player.style.setProperty('--split', `${100 * at}%`));
  }

  async show(other: Other): Promise<void> {
    const { viewer: main, status } = this.#inspector;
    if (!main) return;
    const call = ++this.#calls;
    try {
      this.#viewer ??= await this.#make(main);
      const viewer = this.#viewer;
      if (this.#shown !== other.source) {
        status.loading(other.words);
        await viewer.load(other.source);
        status.loaded();
        this.#shown = other.source;
      }
      if (call !== this.#calls) return;
      viewer.skinning = other.skinning;
      this.clips.value = viewer.clips.map(({ id }) => id);
      this.other.value = other;
      main.addEventListener('before-render', this.#follow);
      viewer.environmentRotation = main.environmentRotation;
    } catch (error) {
      if (call !== this.#calls) return;
      status.fail(error, true);
      this.end();
    }
  }

  end(): void {
    this.#calls += 1;
    this.#inspector.viewer?.removeEventListener('before-render', this.#follow);
    this.#viewer?.dispose();
    this.#canvas?.remove();
    this.#inspector.player.classList.remove('compared');
    this.#viewer = undefined;
    this.#canvas = undefined;
    this.#shown = undefined;
    this.other.value = null;
  }

  async #make(main: Viewer): Promise<Viewer> {
    const canvas = document.createElement('canvas');
    canvas.className = 'compare-canvas';
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', 'The other side of the comparison');
    // A child of the element lies between its picture and its bar.
    this.#inspector.player.append(canvas);
    this.#inspector.player.classList.add('compared');
    // In the middle of the model.
    const { left = 0, right = 0 } = main.cameraPadding;
    this.split.value = (0.5 * (left + main.canvas.clientWidth - right)) / Math.max(1, main.canvas.clientWidth);
    this.#canvas = canvas;
    const viewer = await createViewer(canvas, { cameraControls: false });
    viewer.timeline = 'manual';
    viewer.shadowIntensity = main.shadowIntensity;
    return viewer;
  }

  /** Copies pose time, camera and picture settings of the main viewer. */
  readonly #follow = (): void => {
    const [main, viewer, other] = [this.#inspector.viewer, this.#viewer, this.other.peek()];
    if (!main || !viewer || !other) return;
    const name = other.clip ?? main.clip?.id;
    const clip = viewer.clips.find(({ id }) => id === name) ?? openingClip(viewer.clips);
    if (clip && viewer.clip !== clip) viewer.clip = clip;
    if (clip && main.duration > 0) {
      const time = main.currentTime;
      const phase = time / main.duration;
      viewer.currentTime = other.clock === 'phase' ? phase * clip.duration : time % Math.max(clip.duration, 1e-6);
    }
    viewer.cameraPadding = main.cameraPadding;
    viewer.camera = main.camera;
    viewer.exposure = main.exposure;
    viewer.toneMapping = main.toneMapping;
  };
}
