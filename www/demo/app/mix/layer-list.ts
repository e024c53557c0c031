import type { JointInfo, Layer, Viewer } from 'gambol';
import type { GambolViewer } from 'gambol/element';
import { byId } from '../dom.ts';
import { choose } from './blend.ts';

/** The list of layers: clips above the current one, or added to it, each with a mask. */
export class LayerList {
  readonly #player: GambolViewer;
  readonly #list = byId('layers');
  readonly #add = byId<HTMLButtonElement>('layer-add');

  constructor(player: GambolViewer) {
    this.#player = player;
    this.#add.addEventListener('click', () => this.#another());
  }

  fill({ clips }: Viewer): void {
    this.#list.replaceChildren();
    this.#add.disabled = clips.length === 0;
  }

  #another(): void {
    const { viewer } = this.#player;
    if (!viewer) return;
    const { clips, joints, clip } = viewer;
    const first = clips.find(({ name }) => /wave/i.test(name)) ?? clips.find((other) => other !== clip) ?? clips[0];
    if (!first) return;
    const item = byId<HTMLTemplateElement>('layer').content.cloneNode(true) as DocumentFragment;
    const control = <E extends Element>(selector: string): E => {
      const found = item.querySelector<E>(selector);
      if (!found) throw new Error(`The template of a layer has no ${selector}`);
      return found;
    };
    const [row, remove] = [control<HTMLElement>('li'), control<HTMLButtonElement>('button')];
    const [which, mode, where] = [
      control<HTMLSelectElement>('[name=clip]'),
      control<HTMLSelectElement>('[name=mode]'),
      control<HTMLSelectElement>('[name=joint]'),
    ];
    const weight = control<HTMLInputElement>('[name=weight]');
    choose(which, clips, first.index);
    where.append(
      ...joints.map(({ name, index }) => new Option(`${name || `Node ${index}`} and descendants`, String(index))),
    );
    where.value = String(waver(joints)?.index ?? '');

    let layer: Layer | undefined;
    const play = (): void => {
      // The new layer is added without a gap; the default transition smooths the change.
      layer?.remove();
      layer = viewer.layers.add(Number(which.value), {
        mode: mode.value === 'additive' ? 'additive' : 'override',
        weight: Number(weight.value),
        ...(where.value === '' ? {} : { mask: pathOf(joints, Number(where.value)) }),
      });
    };
    for (const choice of [which, mode, where]) choice.addEventListener('change', play);
    weight.addEventListener('input', () => {
      if (layer) layer.weight = Number(weight.value);
    });
    remove.addEventListener('click', () => {
      layer?.remove();
      row.remove();
      this.#add.focus();
    });
    this.#list.append(row);
    play();
  }
}

/** The first joint of an arm that can wave, found by common names. */
function waver(joints: readonly JointInfo[]): JointInfo | undefined {
  return joints.find(({ name }) =>
    /^(.*:)?(right ?(shoulder|upper ?arm|arm)|(shoulder|upper ?arm)[._]?r)$/i.test(name),
  );
}

/** The mask of a joint and its descendants: its path, with special characters of patterns escaped. */
function pathOf(joints: readonly JointInfo[], index: number): string {
  const names: string[] = [];
  for (let joint = joints[index]; joint; joint = joint.parent === null ? undefined : joints[joint.parent]) {
    names.unshift(joint.name.replace(/[\\*!/]/g, '\\$&'));
  }
  return `${names.join('/')}/**`;
}
