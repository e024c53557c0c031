import type { GambolViewer } from 'gambol/element';
import { byId } from '../dom.ts';

/** The controls for debug views: surface views and overlays. */
export class Inside {
  readonly #player: GambolViewer;
  readonly #surface = byId<HTMLSelectElement>('surface');
  readonly #row = byId('weights-row');
  readonly #joint = byId<HTMLSelectElement>('weights-joint');
  readonly #overlays = byId('overlays').querySelectorAll<HTMLInputElement>('input');

  constructor(player: GambolViewer) {
    this.#player = player;
    for (const control of [this.#surface, this.#joint, ...this.#overlays])
      control.addEventListener('change', () => this.#show());
    // Observed, because keys of the viewer change the attribute, too.
    new MutationObserver(() => this.#read()).observe(player, { attributeFilter: ['debug'] });
  }

  /** Fills the list of joints after a change of model, and selects the joint of the same name, if there is one. */
  fill(): void {
    const joints = this.#player.viewer?.joints ?? [];
    const before = this.#joint.selectedOptions[0]?.text;
    const skinned = joints.filter((joint) => joint.skinned);
    const all = skinned.length > 0 ? skinned : joints;
    this.#joint.replaceChildren(...all.map(({ name, index }) => new Option(name || `Node ${index}`, String(index))));
    const options = [...this.#joint.options];
    // A head or spine is preferred, because the first joint often has no weights.
    const chosen =
      options.find(({ text }) => text === before) ?? options.find(({ text }) => /head|spine/i.test(text)) ?? options[0];
    if (chosen) chosen.selected = true;
    this.#show();
  }

  #show(): void {
    const weights = this.#surface.value === 'weights';
    this.#row.hidden = !weights;
    // Indices, because names may be repeated.
    const surface = weights ? (this.#joint.value === '' ? '' : `weights:${this.#joint.value}`) : this.#surface.value;
    const overlays = Array.from(this.#overlays)
      .filter(({ checked }) => checked)
      .map(({ value }) => value);
    this.#player.debug = [surface, ...overlays].join(' ').trim() || null;
  }

  #read(): void {
    const words = new Set(this.#player.debug?.split(' '));
    for (const overlay of this.#overlays) overlay.checked = words.delete(overlay.value);
    const [surface = ''] = words;
    this.#surface.value = surface.split(':')[0] ?? '';
    this.#row.hidden = this.#surface.value !== 'weights';
  }
}
