import { byId } from './dom.ts';

/** A panel beside the stage that a button in the bar opens; at most one is open. */
export class SidePanel {
  static readonly #all = new Set<SidePanel>();
  readonly #root: HTMLElement;
  readonly #toggle: HTMLElement;

  /** `id` is the id of the panel; its buttons are `id-toggle` and `id-close`. */
  constructor(id: string) {
    this.#root = byId(id);
    this.#toggle = byId(`${id}-toggle`);
    this.#toggle.addEventListener('click', () => this.toggle());
    byId(`${id}-close`).addEventListener('click', () => this.toggle(false));
    SidePanel.#all.add(this);
  }

  static closeAll(): void {
    for (const panel of SidePanel.#all) panel.toggle(false);
  }

  get open(): boolean {
    return !this.#root.hidden;
  }

  toggle(open = !this.open): void {
    if (open) SidePanel.closeAll();
    const hadFocus = this.#root.contains(document.activeElement);
    this.#root.hidden = !open;
    this.#toggle.setAttribute('aria-expanded', String(open));
    if (!open && hadFocus) this.#toggle.focus();
  }
}
