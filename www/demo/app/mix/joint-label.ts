import type { Viewer } from 'gambol';
import type { GambolViewer } from 'gambol/element';
import { byId } from '../dom.ts';

/** A text label over the picture that follows a joint. */
export class JointLabel {
  readonly #player: GambolViewer;
  readonly #joint = byId<HTMLSelectElement>('label-joint');
  readonly #text = byId<HTMLInputElement>('label-text');
  readonly #label = byId('joint-label');
  #detach: (() => void) | undefined;

  constructor(player: GambolViewer) {
    this.#player = player;
    this.#joint.addEventListener('change', () => this.#attach());
    this.#text.addEventListener('input', () => this.#write());
  }

  fill({ joints }: Viewer): void {
    this.#joint.replaceChildren(
      new Option('None', ''),
      ...joints.map(({ name, index }) => new Option(name || `Node ${index}`, String(index))),
    );
    this.#attach();
  }

  #attach(): void {
    this.#detach?.();
    this.#detach = undefined;
    this.#text.disabled = this.#joint.value === '';
    if (this.#joint.value === '') {
      this.#label.hidden = true;
      return;
    }
    this.#write();
    this.#detach = this.#player.viewer?.joint(Number(this.#joint.value)).attach(this.#label);
  }

  #write(): void {
    this.#label.textContent = this.#text.value.trim() || (this.#joint.selectedOptions[0]?.text ?? '');
  }
}
