// Child elements whose attributes are applied as a whole: each change applies all of them again.

interface Acts<Child, State> {
  /** Applies a child, with the state that {@link keeps} has kept; returns its new state. */
  apply(child: Child, kept: State | undefined): State | undefined;
  /** Takes back what a child has left. */
  revert(child: Child, state: State): void;
  /** `true` if {@link apply} goes on from the state of a changed child. Default: the state is reverted before. */
  keeps?(child: Child, state: State): boolean;
}

export class Applied<Child extends Element, State> {
  readonly #warn: (error: unknown) => void;
  /** The attributes that were applied, as a key for comparison, and the state that this left. */
  readonly #children = new Map<Child, { readonly key: string; readonly state: State | undefined }>();
  /** Observes attributes that other child elements do not have. */
  readonly #observer: MutationObserver;

  /** `changed` is called after a change of attributes; it calls {@link sync}. */
  constructor(changed: () => void, warn: (error: unknown) => void) {
    this.#observer = new MutationObserver(changed);
    this.#warn = warn;
  }

  /** Applies children that were added or changed, after it has reverted removed ones. Errors are warnings. */
  sync(children: readonly Child[], acts: Acts<Child, State>): void {
    this.#observer.disconnect();
    for (const child of children) this.#observer.observe(child, { attributes: true });
    const kept = new Map<Child, State>();
    for (const [child, { key, state }] of this.#children) {
      const stays = children.includes(child);
      if (stays && key === keyOf(child)) continue;
      this.#children.delete(child);
      if (state === undefined) continue;
      if (stays && acts.keeps?.(child, state)) kept.set(child, state);
      else this.try(() => acts.revert(child, state));
    }
    for (const child of children) {
      if (this.#children.has(child)) continue;
      const state = this.try(() => acts.apply(child, kept.get(child)));
      this.#children.set(child, { key: keyOf(child), state });
    }
  }

  /** Forgets children, so that they are applied again. */
  forget(which: (child: Child) => boolean): void {
    for (const child of this.#children.keys()) if (which(child)) this.#children.delete(child);
  }

  /** Stops observing; returns the children with their states. */
  end(): readonly (readonly [Child, State])[] {
    this.#observer.disconnect();
    const left = [...this.#children].flatMap(([child, { state }]) =>
      state === undefined ? [] : [[child, state] as const],
    );
    this.#children.clear();
    return left;
  }

  /** Returns the result of a call; undefined if it throws, which is a warning. */
  try<T>(call: () => T): T | undefined {
    try {
      return call();
    } catch (error) {
      this.#warn(error);
      return undefined;
    }
  }
}

function keyOf({ attributes }: Element): string {
  return JSON.stringify([...attributes].map(({ name, value }) => [name, value]));
}
