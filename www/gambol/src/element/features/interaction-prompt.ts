// The interaction prompt: a hand that shows that the model can be turned, until the user turns it.

import { number, one, type AttributeTable } from '../base/attributes.ts';
import type { ShadowTree } from '../base/shadow-tree.ts';
import type { CameraAttributes } from './camera.ts';

/** Attributes of the interaction prompt. */
export interface PromptAttributes {
  /** The interaction prompt: a hand that shows that the model can be turned. @category Camera */
  interactionPrompt: 'auto' | 'none';
  /** The style of the prompt: the hand moves from side to side, or stands still. @category Camera */
  interactionPromptStyle: 'wiggle' | 'basic';
  /** The delay in milliseconds, at least 0, until the prompt is shown. @category Camera */
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
  /** `true` after the user has moved the camera, so that the prompt is not needed. */
  #known = false;

  constructor(wish: Readonly<PromptAttributes & Pick<CameraAttributes, 'cameraControls'>>, view: ShadowTree) {
    this.#wish = wish;
    this.#view = view;
  }

  /** Schedules the prompt after a model is shown. */
  later(): void {
    clearTimeout(this.#timer);
    const { cameraControls, interactionPrompt, interactionPromptStyle, interactionPromptThreshold } = this.#wish;
    if (this.#known || !cameraControls || interactionPrompt === 'none') return;
    this.#timer = setTimeout(
      () => this.#view.prompt(true, interactionPromptStyle === 'wiggle'),
      interactionPromptThreshold,
    );
  }

  /** Restarts or hides the prompt after a change of its attributes. */
  changed(shown: boolean): void {
    this.stop();
    if (shown) this.later();
  }

  /** Hides the prompt permanently, after the user has moved the camera. */
  done(): void {
    this.#known = true;
    this.stop();
  }

  /** Allows the prompt again. */
  reset(): void {
    this.#known = false;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#view.prompt(false, false);
  }
}
