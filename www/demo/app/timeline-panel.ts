// The timeline below the stage.

import type { GambolViewer } from 'gambol/element';
import type { Timeline } from '../inspect/timeline/timeline.ts';
import { byId } from './dom.ts';
import type { Status } from './status.ts';

export class TimelinePanel {
  readonly #player: GambolViewer;
  readonly #status: Status;
  readonly #root = byId('timeline');
  readonly #button = byId('timeline-toggle');
  #timeline: Promise<Timeline> | undefined;

  constructor(player: GambolViewer, status: Status) {
    this.#player = player;
    this.#status = status;
    this.#button.addEventListener('click', () => this.toggle());
    const show = (): void => void this.#show();
    for (const event of ['load', 'clipschange', 'clipchange'] as const) player.addEventListener(event, show);
  }

  toggle(open = this.#root.hidden !== false): void {
    this.#root.hidden = !open;
    this.#button.setAttribute('aria-expanded', String(open));
    document.body.classList.toggle('with-timeline', open);
    if (open) void this.#show();
  }

  async #show(): Promise<void> {
    const { viewer } = this.#player;
    if (this.#root.hidden || !viewer) return;
    // The script is loaded when the timeline is opened for the first time.
    this.#timeline ??= import('../inspect/timeline/timeline.ts').then(({ mountTimeline }) =>
      mountTimeline(this.#root, {
        viewer,
        overlay: byId('overlay'),
        announce: (text) => this.#status.announce(text),
      }),
    );
    const timeline = await this.#timeline;
    const { model, clip } = viewer;
    const { session } = timeline.parts;
    if (session.model !== model || session.clip?.id !== clip?.id) {
      if (session.model !== model) timeline.setModel(model);
      timeline.setClip(clip?.id);
    }
  }
}
