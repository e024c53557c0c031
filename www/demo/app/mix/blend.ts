import type { BlendSpace, Clip, Viewer } from 'gambol';
import { byId } from '../dom.ts';

/** Two clips and a slider between them; they keep in step. */
export class Blend {
  readonly #viewer: Viewer;
  readonly #from = byId<HTMLSelectElement>('blend-from');
  readonly #to = byId<HTMLSelectElement>('blend-to');
  readonly #slider = byId<HTMLInputElement>('blend');
  #space: BlendSpace | undefined;

  constructor(viewer: Viewer) {
    this.#viewer = viewer;
    for (const choice of [this.#from, this.#to]) choice.addEventListener('change', () => this.#play());
    this.#slider.addEventListener('input', () => {
      if (this.#space && viewer.blend === this.#space) this.#space.value = Number(this.#slider.value);
      else this.#play();
    });
  }

  fill(): void {
    const { clips } = this.#viewer;
    this.#space = undefined;
    this.#slider.value = '0';
    const named = (name: RegExp, otherwise: number): number => (clips.find((clip) => name.test(clip.name)) ?? clips[otherwise])?.index ?? 0;
    choose(this.#from, clips, named(/walk/i, 0));
    choose(this.#to, clips, named(/run/i, 1));
    for (const control of [this.#from, this.#to, this.#slider]) control.disabled = clips.length < 2;
  }

  #play(): void {
    const clips = [this.#from, this.#to].map((choice, place) => [Number(choice.value), place] as const);
    this.#space = this.#viewer.blendSpace({ clips, sync: this.#sync() });
    this.#space.value = Number(this.#slider.value);
    this.#viewer.play(this.#space);
  }

  /** By their markers if they have the same ones, as the steps of a walk and a run are. */
  #sync(): 'marker' | 'phase' {
    const names = [this.#from, this.#to].map((choice) => this.#viewer.clips[Number(choice.value)]?.markers.map(({ name }) => name).join('\n'));
    return names[0] !== '' && names[0] === names[1] ? 'marker' : 'phase';
  }
}

/** Fills a list with clips. */
export function choose(list: HTMLSelectElement, clips: readonly Clip[], chosen: number): void {
  list.replaceChildren(...clips.map((clip) => new Option(clip.id, String(clip.index), false, clip.index === chosen)));
}
