import type { GambolViewer } from 'gambol/element';
import { SidePanel } from '../side-panel.ts';
import { Blend } from './blend.ts';
import { JointLabel } from './joint-label.ts';
import { LayerList } from './layer-list.ts';
import { transitionControls } from './transition.ts';

/** The panel for combining clips: transitions, blend spaces, layers; and a label that follows a joint. */
export class MixPanel extends SidePanel {
  constructor(player: GambolViewer) {
    super('mix');
    transitionControls(player);
    const parts = [new Blend(player), new LayerList(player), new JointLabel(player)];
    player.addEventListener('load', () => {
      const { viewer } = player;
      if (viewer) for (const part of parts) part.fill(viewer);
    });
  }
}
