// The `<extra-model>` children as models of the element. The element's own model has the index 0, and these count from 1.

import type { Actor } from '../../api/actor.ts';
import { deferred } from '../../base/deferred.ts';
import { openingClip } from '../../values/clips.ts';
import type { ModelPlace } from '../base/model-space.ts';
import { findNamed } from '../base/clip-names.ts';
import { GambolExtraModel } from './cast-elements.ts';
import { placeOfFigure, type ChildrenScene, type FigureRole } from './figure-role.ts';

interface Entry {
  readonly actor: Actor;
  readonly role: FigureRole;
}

export class ExtraModels {
  readonly #scene: ChildrenScene;
  readonly #entries = new Map<Element, Entry>();
  /** `true` if models that enter play at once, unless they have a clip of their own. */
  #playing: boolean;
  /** The number of loads that are pending, and their end. */
  #pending = 0;
  #settled = deferred();
  #announced = true;
  /** The place of the child that stands for the element's own model, as a key for comparison. */
  #led = '';

  constructor(scene: ChildrenScene) {
    this.#scene = scene;
    this.#playing = !scene.viewer.paused;
  }

  /** The children with a source, except one that stands for the element's own model. */
  get #elements(): readonly GambolExtraModel[] {
    const { host } = this.#scene;
    return [...host.children].filter(
      (child): child is GambolExtraModel =>
        child instanceof GambolExtraModel && child.src !== null && child !== host.leadModel,
    );
  }

  /** The number of models, loaded or not. */
  get size(): number {
    return this.#elements.length;
  }

  /** The models that are loaded, in the order of their elements. */
  get actors(): readonly Actor[] {
    return this.#elements.map((element) => this.#entries.get(element)?.actor).filter((actor) => actor !== undefined);
  }

  /** The model of an index from 1; undefined until it is loaded. */
  at(index: number): Actor | undefined {
    const element = this.#elements[index - 1];
    return element && this.#entries.get(element)?.actor;
  }

  /** The index of an actor, from 1; 0 for others. */
  indexOf(actor: unknown): number {
    return this.#elements.findIndex((element) => this.#entries.get(element)?.actor === actor) + 1;
  }

  /** The place of the child that stands for the element's own model; null without one. */
  get leadPlace(): ModelPlace | null {
    const { leadModel } = this.#scene.host;
    return leadModel instanceof GambolExtraModel ? placeOfFigure(leadModel, () => undefined) : null;
  }

  /** Applies a changed place of the child that stands for the element's own model. */
  sync(): void {
    const led = JSON.stringify(this.leadPlace);
    if (led === this.#led) return;
    this.#led = led;
    this.#scene.staging.applyPlace(true);
  }

  /** Turns all models with the turntable. */
  turn(how: 'place' | 'teleport'): void {
    for (const { role } of this.#entries.values()) role.turn(how);
  }

  /** Sets `play()` or `pause()` of the element for models that enter later. */
  set playing(on: boolean) {
    this.#playing = on;
  }

  /** Adds a model in the task in which it enters the stage. */
  enter(element: GambolExtraModel, actor: Actor, role: FigureRole): void {
    this.#entries.set(element, { actor, role });
    const { playbackRate, loopMode, repetitions, transition, transitionDuration } = this.#scene.viewer;
    Object.assign(actor, { playbackRate, loopMode, repetitions, transition, transitionDuration });
    if (element.animationName !== null || actor.clips.length === 0) return;
    this.#choose(actor);
    if (this.#playing) actor.play();
  }

  leave(element: Element): void {
    if (this.#entries.delete(element)) this.#announce();
  }

  /** Sets the clips by `animation-name` of the element, except those of children with a clip of their own. */
  choose(): void {
    for (const element of this.#elements) {
      const actor = this.#entries.get(element)?.actor;
      if (actor && element.animationName === null) this.#choose(actor);
    }
  }

  /** Waits for the load of a model. `load` of the element follows when all have ended. */
  wait(load: Promise<unknown>): void {
    this.#pending += 1;
    const ended = (): void => {
      this.#pending -= 1;
      this.#announce();
    };
    load.then(ended, ended);
  }

  /** Resolves when no model is loading. */
  async loaded(): Promise<void> {
    while (this.#pending > 0 || !this.#announced) await this.#settled.promise;
  }

  #choose(actor: Actor): void {
    const text = this.#scene.host.getAttribute('animation-name');
    if (text === null || text === '*' || actor.clips.length === 0) return;
    // A fallback, as in <model-viewer>.
    actor.clip = findNamed(actor, text) ?? openingClip(actor.clips) ?? 0;
  }

  /** Tells the element once, after all changes of this task. */
  #announce(): void {
    if (!this.#announced) return;
    this.#announced = false;
    queueMicrotask(() => {
      this.#announced = true;
      if (this.#pending > 0) return;
      try {
        this.#scene.host.modelsChanged();
      } catch (error) {
        this.#scene.warn(error);
      }
      const { resolve } = this.#settled;
      this.#settled = deferred();
      resolve();
    });
  }
}
