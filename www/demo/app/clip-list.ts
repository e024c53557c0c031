import type { GambolViewer } from 'gambol/element';
import type { Inspector } from '../inspect/inspector.ts';
import { byId, element } from './dom.ts';
import { seconds } from './format.ts';
import { showMore } from './more.ts';
import { shortNames } from './short-names.ts';

/** The list of clips; a click plays one. It is beside the model on a wide page, and a row of chips on a phone. */
export class ClipList {
  readonly #inspector: Inspector;
  readonly #player: GambolViewer;
  readonly #root = byId('clips');
  readonly #list = byId('clip-list');
  readonly #showMore = showMore(this.#list);

  constructor(inspector: Inspector) {
    const { player } = inspector;
    this.#inspector = inspector;
    this.#player = player;
    player.addEventListener('load', () => this.#fill());
    player.addEventListener('clipschange', () => this.#fill());
    player.addEventListener('clipchange', () => this.#mark());
  }

  #fill(): void {
    const clips = this.#player.viewer?.clips ?? [];
    this.#root.hidden = clips.length === 0;
    byId('clip-count').textContent = String(clips.length);
    const names = shortNames(clips.map(({ id }) => id));
    this.#list.replaceChildren(
      ...clips.map(({ id, index, duration }, i) => {
        const name = element('span', 'clip-name', names[i] || `Clip ${index + 1}`);
        const button = element(
          'button',
          'clip',
          element('span', 'clip-dot'),
          name,
          element('span', 'clip-time', `${seconds(duration)} s`),
        );
        button.type = 'button';
        button.title = `${id}, ${seconds(duration)} s`;
        button.dataset['clip'] = String(index);
        button.addEventListener('click', () => {
          this.#inspector.change({ clip: id, blend: null }, 'clip');
          void this.#player.play();
        });
        return element('li', '', button);
      }),
    );
    this.#list.scrollTo({ left: 0, top: 0 });
    this.#mark();
    this.#showMore();
  }

  #mark(): void {
    const current = String(this.#player.viewer?.clip?.index ?? -1);
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
