import type { BlendSpace, Clip, Viewer } from 'gambol';
import type { GambolViewer } from 'gambol/element';
import { byId } from '../dom.ts';

/** A blend space of two synchronised clips, with a slider. */
export class Blend {
  readonly #player: GambolViewer;
  readonly #from = byId<HTMLSelectElement>('blend-from');
  readonly #to = byId<HTMLSelectElement>('blend-to');
  readonly #slider = byId<HTMLInputElement>('blend');
  #space: BlendSpace | undefined;

  constructor(player: GambolViewer) {
    this.#player = player;
    for (const choice of [this.#from, this.#to]) choice.addEventListener('change', () => this.#play());
    this.#slider.addEventListener('input', () => {
      if (this.#space && player.viewer?.blend === this.#space) this.#space.value = Number(this.#slider.value);
      else this.#play();
    });
  }

  fill({ clips }: Viewer): void {
    this.#space = undefined;
    this.#slider.value = '0';
    const named = (name: RegExp, otherwise: number): number =>
      (clips.find((clip) => name.test(clip.name)) ?? clips[otherwise])?.index ?? 0;
    choose(this.#from, clips, named(/walk/i, 0));
    choose(this.#to, clips, named(/run/i, 1));
    for (const control of [this.#from, this.#to, this.#slider]) control.disabled = clips.length < 2;
  }

  #play(): void {
    const { viewer } = this.#player;
    if (!viewer) return;
    const clips = [this.#from, this.#to].map((choice, place) => [Number(choice.value), place] as const);
    this.#space = viewer.blendSpace({ clips, sync: this.#sync(viewer) });
    this.#space.value = Number(this.#slider.value);
    viewer.play(this.#space);
  }

  /** The synchronisation: by markers if both clips have the same ones, such as the footsteps of a walk and a run. */
  #sync({ clips }: Viewer): 'marker' | 'phase' {
    const names = [this.#from, this.#to].map((choice) =>
      clips[Number(choice.value)]?.markers.map(({ name }) => name).join('\n'),
    );
    return names[0] !== '' && names[0] === names[1] ? 'marker' : 'phase';
  }
}

/** Fills a list with clips. */
export function choose(list: HTMLSelectElement, clips: readonly Clip[], chosen: number): void {
  list.replaceChildren(...clips.map((clip) => new Option(clip.id, String(clip.index), false, clip.index === chosen)));
}
