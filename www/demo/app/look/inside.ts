import type { Viewer } from 'gambol';
import { byId } from '../dom.ts';

/** Debug views: what surfaces show, and what is drawn over them. */
export class Inside {
  readonly #viewer: Viewer;
  readonly #surface = byId<HTMLSelectElement>('surface');
  readonly #row = byId('weights-row');
  readonly #joint = byId<HTMLSelectElement>('weights-joint');
  readonly #overlays = byId('overlays');

  constructor(viewer: Viewer) {
    this.#viewer = viewer;
    for (const control of [this.#surface, this.#joint, this.#overlays]) control.addEventListener('change', () => this.#show());
  }

  /** Another model: the joint of the same name, or the first. */
  fill(): void {
    const { joints } = this.#viewer.model ?? { joints: [] };
    const before = this.#joint.selectedOptions[0]?.text;
    const skinned = joints.filter((joint) => joint.skinned);
    const all = skinned.length > 0 ? skinned : joints;
    this.#joint.replaceChildren(...all.map(({ name, index }) => new Option(name || `node ${index}`, String(index))));
    const options = [...this.#joint.options];
    // The first one often moves nothing by itself.
    const chosen = options.find(({ text }) => text === before) ?? options.find(({ text }) => /head|spine/i.test(text)) ?? options[0];
    if (chosen) chosen.selected = true;
    this.#show();
  }

  #show(): void {
    const weights = this.#surface.value === 'weights';
    this.#row.hidden = !weights;
    // Names may be there twice, indices are not.
    const surface = weights ? (this.#joint.value === '' ? 'none' : `weights:${this.#joint.value}`) : this.#surface.value;
    const overlays = this.#overlays.querySelectorAll<HTMLInputElement>('input:checked');
    this.#viewer.debug = [surface, ...Array.from(overlays, ({ value }) => value)];
  }
}
