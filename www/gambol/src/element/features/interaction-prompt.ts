// The hand that shows that the model can be turned, until somebody does.

import { number, one, type AttributeTable } from '../base/attributes.ts';
import type { ShadowTree } from '../base/shadow-tree.ts';
import type { CameraAttributes } from './camera.ts';

/** Attributes about the prompt. */
export interface PromptAttributes {
  /** A moving hand shows that the model can be turned. */
  interactionPrompt: 'auto' | 'none';
  /** The hand moves from side to side, or stands still. */
  interactionPromptStyle: 'wiggle' | 'basic';
  /** Milliseconds until the prompt is shown. */
  interactionPromptThreshold: number;
}

/** @internal */
export const PROMPT: AttributeTable<PromptAttributes, unknown> = {
  interactionPrompt: { ...one('auto', 'none'), changed: (element) => element.changeControls() },
  interactionPromptStyle: one('wiggle', 'basic'),
  interactionPromptThreshold: number(3000, 0, 1e9),
};

/** @internal */
export class InteractionPrompt {
  readonly #wish: Readonly<PromptAttributes & Pick<CameraAttributes, 'cameraControls'>>;
  readonly #view: ShadowTree;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether nobody needs it any more. */
  #known = false;

  constructor(wish: Readonly<PromptAttributes & Pick<CameraAttributes, 'cameraControls'>>, view: ShadowTree) {
    this.#wish = wish;
    this.#view = view;
  }

  /** A model is shown: it comes after a while. */
  later(): void {
    clearTimeout(this.#timer);
    const { cameraControls, interactionPrompt, interactionPromptStyle, interactionPromptThreshold } = this.#wish;
    if (this.#known || !cameraControls || interactionPrompt === 'none') return;
    this.#timer = setTimeout(() => this.#view.prompt(true, interactionPromptStyle === 'wiggle'), interactionPromptThreshold);
  }

  /** The attributes that say whether there is a prompt have changed. */
  changed(shown: boolean): void {
    this.stop();
    if (shown) this.later();
  }

  /** Somebody has turned it. */
  done(): void {
    this.#known = true;
    this.stop();
  }

  /** As if nobody had. */
  reset(): void {
    this.#known = false;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#view.prompt(false, false);
  }
}
