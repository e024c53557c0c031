import type { Viewer } from 'gambol';
import { byId, element } from './dom.ts';
import { seconds } from './format.ts';

/** The clips by name; a click plays one. Beside the stage on a wide page, a row of chips on a phone. */
export class ClipList {
  readonly #viewer: Viewer;
  readonly #root = byId('clips');
  readonly #list = byId('clip-list');

  constructor(viewer: Viewer) {
    this.#viewer = viewer;
    viewer.addEventListener('load', () => this.#fill());
    viewer.addEventListener('clipchange', () => this.#mark());
  }

  /** The clip after the current one, or before it; round and round. */
  next(direction: 1 | -1): void {
    const { clips, clip } = this.#viewer;
    if (clips.length === 0) return;
    const at = clip ? clips.indexOf(clip) : -1;
    const next = clips[(at + direction + clips.length) % clips.length];
    if (next) this.#viewer.play(next);
  }

  #fill(): void {
    const { clips } = this.#viewer;
    this.#root.hidden = clips.length === 0;
    byId('clip-count').textContent = String(clips.length);
    this.#list.replaceChildren(...clips.map((clip) => {
      const name = element('span', 'clip-name', clip.id || `Clip ${clip.index + 1}`);
      const button = element('button', 'clip', element('span', 'clip-dot'), name, element('span', 'clip-time', `${seconds(clip.duration)} s`));
      button.type = 'button';
      button.title = clip.id;
      button.dataset['clip'] = String(clip.index);
      button.addEventListener('click', () => this.#viewer.play(clip));
      return element('li', '', button);
    }));
    this.#list.scrollTo({ left: 0, top: 0 });
    this.#mark();
  }

  #mark(): void {
    const current = String(this.#viewer.clip?.index ?? -1);
    for (const button of this.#list.querySelectorAll<HTMLElement>('button')) {
      const chosen = button.dataset['clip'] === current;
      if (chosen) {
        button.setAttribute('aria-current', 'true');
        button.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      } else {
        button.removeAttribute('aria-current');
      }
    }
  }
}
