import type { EnvironmentSource } from 'gambol';
import type { GambolViewer } from 'gambol/element';
import { SidePanel } from '../side-panel.ts';
import type { Status } from '../status.ts';
import { Inside } from './inside.ts';
import { Light } from './light.ts';
import { installNumbers } from './numbers.ts';

/** The panel for the look (light, background, picture, shadows), debug views, and statistics. */
export class LookPanel extends SidePanel {
  readonly #light: Light;

  constructor(player: GambolViewer, status: Status) {
    super('look');
    this.#light = new Light(player, status);
    const inside = new Inside(player);
    installNumbers(player);
    player.addEventListener('load', () => inside.fill());
  }

  /** Uses an environment map that was dropped or chosen. */
  light(source: EnvironmentSource, name: string): void {
    this.#light.picture(source, name);
  }
}
