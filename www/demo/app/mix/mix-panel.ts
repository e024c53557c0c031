import type { Viewer } from 'gambol';
import { SidePanel } from '../side-panel.ts';
import { Blend } from './blend.ts';
import { JointLabel } from './joint-label.ts';
import { LayerList } from './layer-list.ts';
import { transitionControls } from './transition.ts';

/** What several clips do together: transitions, blends, layers; and a label that follows a joint. */
export class MixPanel extends SidePanel {
  constructor(viewer: Viewer) {
    super('mix');
    transitionControls(viewer);
    const parts = [new Blend(viewer), new LayerList(viewer), new JointLabel(viewer)];
    viewer.addEventListener('load', () => parts.forEach((part) => part.fill()));
  }
}
