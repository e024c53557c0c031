// Applies child elements to the viewer. A script that is loaded lazily, by elements with such children.

import type { Actor } from '../../api/actor.ts';
import type { Marker } from '../../values/clips.ts';
import type { Performer } from '../../api/performer.ts';
import type { Layer } from '../../api/layer.ts';
import type { Morph } from '../../api/morph.ts';
import type { LayerOptions } from '../../values/options.ts';
import type { Viewer } from '../../api/viewer.ts';
import { parseVector } from '../base/css-values.ts';
import { placeOf } from '../base/model-space.ts';
import {
  GambolAttach,
  GambolExpression,
  GambolIk,
  GambolLayer,
  GambolLook,
  GambolMarker,
  GambolMorph,
  GambolSpring,
  OBSERVED_ATTRIBUTES,
} from './elements.ts';
import { Cast } from './cast.ts';
import { Dress } from './dress.ts';
import type { ExtraModels } from './extra-models.ts';
import type { ChildrenScene } from './figure-role.ts';
import { Goals } from './goals.ts';
import { Sprites } from './sprites.ts';
import { StateMachine } from './states.ts';

export { GambolMaterial, GambolNode } from './dress-elements.ts';
export { GambolBillboard, GambolFlipbook, GambolSprite } from './sprite-elements.ts';
export { GambolActor, GambolCrowd, GambolExtraModel } from './cast-elements.ts';
export { GambolState, GambolStates, GambolTransition } from './state-elements.ts';

/** The applied state of a child element. */
interface Applied<Result> {
  /** The attributes that were applied, as a key for comparison. */
  readonly key: string;
  readonly result: Result;
}

/** A morph or an expression that children have set. */
interface SetMorph {
  readonly weight: number;
  readonly fade: number;
  /** `true` if this weight, or one before it, was set. */
  readonly applied: boolean;
}

/** Applies the children of the viewer's element, or of the element of an actor. */
export class Children {
  readonly #host: HTMLElement;
  readonly #viewer: Viewer;
  /** The viewer or an actor, to which the children belong. */
  readonly #performer: Performer;
  readonly #scene: ChildrenScene;
  /** The further actors and the crowds; only the viewer has them. */
  readonly #cast: Cast | undefined;
  readonly #warn: (error: unknown) => void;
  readonly #layers = new Map<Element, Applied<Layer | undefined>>();
  readonly #attached = new Map<Element, Applied<AbortController>>();
  /** The morphs that were set, by their names. */
  #morphs: ReadonlyMap<string, SetMorph> = new Map();
  /** The expressions that were set, by their names. */
  #expressions: ReadonlyMap<string, SetMorph> = new Map();
  /** The names of the joints at which springs begin. */
  readonly #springs = new Map<Element, Applied<string>>();
  readonly #goals: Goals;
  readonly #states: StateMachine;
  readonly #sprites: Sprites;
  readonly #dress: Dress;
  #marked = '';

  /** `figure`: an actor with its element, whose children are applied in place of the viewer's. */
  constructor(scene: ChildrenScene, figure?: { readonly element: HTMLElement; readonly actor: Actor }) {
    const { host, viewer, warn, still } = scene;
    const { element, actor } = figure ?? { element: host, actor: viewer };
    this.#scene = scene;
    this.#host = element;
    this.#viewer = viewer;
    this.#performer = actor;
    this.#warn = warn;
    this.#goals = new Goals(element, viewer, actor, warn);
    this.#states = new StateMachine(element, actor, warn, figure !== undefined && !still);
    this.#sprites = new Sprites(element, viewer, actor, warn);
    this.#dress = new Dress(element, actor, warn);
    if (!figure) this.#cast = new Cast(scene, (of, added) => new Children(scene, { element: of, actor: added }));
  }

  /** The `<extra-model>` children; only the viewer's element has them. */
  get extras(): ExtraModels | undefined {
    return this.#cast?.extras;
  }

  /** Forgets the state of the model before, after a change of model. */
  renew(): void {
    this.#layers.clear();
    this.#morphs = new Map();
    this.#expressions = new Map();
    this.#springs.clear();
    this.#goals.renew();
    this.#states.renew();
    this.#sprites.renew();
    this.#dress.renew();
    this.#marked = '';
  }

  /**
   * Applies child elements that were added or changed, and reverts removed ones.
   *
   * - `first`: `true` if the model has not been drawn, so that its first picture has all morphs.
   */
  sync(first: boolean): void {
    this.#cast?.sync();
    if (!this.#performer.model) return;
    const children = [...this.#host.children];
    this.#syncLayers(children.filter((child) => child instanceof GambolLayer));
    this.#syncMarkers(children.filter((child) => child instanceof GambolMarker));
    this.#morphs = this.#syncWeights(
      children.filter((child) => child instanceof GambolMorph),
      this.#morphs,
      (name) => this.#performer.morph(name),
      first,
    );
    this.#expressions = this.#syncWeights(
      children.filter((child) => child instanceof GambolExpression),
      this.#expressions,
      (name) => this.#performer.expression(name),
      first,
    );
    this.#syncAttached(children.filter((child) => child instanceof GambolAttach));
    this.#syncSprings(children.filter((child) => child instanceof GambolSpring));
    this.#goals.sync(
      children.filter((child) => child instanceof GambolIk || child instanceof GambolLook),
      (element) => this.#keyOf(element),
    );
    this.#states.sync();
    this.#sprites.sync();
    this.#dress.sync(first);
  }

  dispose(): void {
    this.#cast?.dispose();
    for (const { result } of this.#attached.values()) result.abort();
    this.#attached.clear();
    this.#goals.dispose();
    this.#states.dispose();
    this.#sprites.dispose();
    this.#dress.dispose();
    this.#layers.clear();
  }

  #syncLayers(elements: readonly GambolLayer[]): void {
    const removed = new Set<Element>(this.#layers.keys());
    for (const element of elements) {
      removed.delete(element);
      const { weight, fade } = element;
      const key = this.#keyOf(element, 'weight', 'fade');
      const before = this.#layers.get(element);
      if (before?.key === key) {
        this.#try(() => before.result?.fadeTo(weight, fade));
        continue;
      }
      before?.result?.remove({ fade });
      const { animation, mask, mode, reference, sync, loopMode, repetitions, timeScale } = element;
      const options: LayerOptions = {
        weight,
        fade,
        mode,
        reference,
        sync,
        loopMode,
        repetitions,
        playbackRate: timeScale,
        mask: mask?.trim() ? mask.trim().split(/\s+/) : null,
      };
      this.#layers.set(element, {
        key,
        result: this.#try(() => this.#performer.layers.add(animation ?? 0, options)),
      });
    }
    for (const element of removed) {
      this.#layers.get(element)?.result?.remove({ fade: (element as GambolLayer).fade });
      this.#layers.delete(element);
    }
  }

  #syncMarkers(elements: readonly GambolMarker[]): void {
    const key = elements.map((element) => this.#keyOf(element)).join();
    if (key === this.#marked) return;
    this.#marked = key;
    // Reports markers of a clip that does not exist.
    for (const { animation } of elements) if (animation !== null) this.#try(() => this.#performer.source(animation));
    for (const clip of this.#performer.model?.clips ?? []) {
      const own: Marker[] = elements
        .filter(({ animation }) => animation === clip.id || animation === clip.name || animation === null)
        .map(({ name, time }) => ({ name, time }));
      this.#try(() => this.#performer.setMarkers(clip.index, [...clip.markers, ...own]));
    }
  }

  /** Sets the weights of elements; returns those that are set. Of several elements with one name, the last applies. */
  #syncWeights(
    elements: readonly (GambolMorph | GambolExpression)[],
    before: ReadonlyMap<string, SetMorph>,
    find: (name: string) => Pick<Morph, 'override'>,
    first: boolean,
  ): ReadonlyMap<string, SetMorph> {
    const after = new Map<string, SetMorph>();
    const set = (name: string, to: number | null, fade: number): boolean =>
      this.#try(() => {
        find(name).override(to, { fade: first ? 0 : fade });
        return true;
      }) ?? false;
    for (const { name, weight, fade } of new Map(elements.map((element) => [element.name, element])).values()) {
      if (name === null) continue;
      const known = before.get(name);
      const applied = known?.weight !== weight && set(name, weight, fade);
      after.set(name, { weight, fade, applied: applied || (known?.applied ?? false) });
    }
    for (const [name, { fade, applied }] of before) if (applied && !after.has(name)) set(name, null, fade);
    return after;
  }

  #syncSprings(elements: readonly GambolSpring[]): void {
    for (const [element, { result }] of this.#springs) {
      if ((elements as readonly Element[]).includes(element)) continue;
      this.#springs.delete(element);
      this.#try(() => this.#performer.joint(result).spring(null));
    }
    for (const element of elements) {
      const { chain, stiffness, drag, gravity, radius, center } = element;
      const key = this.#keyOf(element);
      const before = this.#springs.get(element);
      if (before?.key === key || chain === null) continue;
      const name = chain.replace(/\/\*\*$/, '');
      if (before && before.result !== name) this.#try(() => this.#performer.joint(before.result).spring(null));
      this.#springs.set(element, { key, result: name });
      this.#try(() => this.#performer.joint(name).spring({ stiffness, drag, gravity, radius, center }));
    }
  }

  #syncAttached(elements: readonly GambolAttach[]): void {
    const removed = new Set<Element>(this.#attached.keys());
    for (const element of elements) {
      removed.delete(element);
      const key = this.#keyOf(element);
      if (this.#attached.get(element)?.key === key) continue;
      this.#attached.get(element)?.result.abort();
      const stop = new AbortController();
      this.#attached.set(element, { key, result: stop });
      this.#attach(element, stop.signal).catch((error: unknown) => {
        if (!stop.signal.aborted) this.#warn(error);
      });
    }
    for (const element of removed) {
      this.#attached.get(element)?.result.abort();
      this.#attached.delete(element);
    }
  }

  async #attach(
    { joint, src, offset, space, orientation, scale, animationName }: GambolAttach,
    signal: AbortSignal,
  ): Promise<void> {
    if (joint === null || src === null) return;
    const place = placeOf(orientation, scale);
    const point = parseVector(offset);
    if (!point)
      this.#warn(new Error(`offset="${offset}" of <gambol-attach> must be three numbers, such as "0 0.1 0".`));
    const actor: Actor = await this.#viewer.add(src, {
      ...this.#scene.host.loadOptions,
      ...place,
      signal,
      attachTo: { actor: this.#performer, joint, space, offset: point ?? [0, 0, 0] },
    });
    if (signal.aborted) return actor.remove();
    signal.addEventListener('abort', () => this.#try(() => actor.remove()));
    if (animationName !== null) actor.play(animationName);
  }

  #try<T>(call: () => T): T | undefined {
    try {
      return call();
    } catch (error) {
      this.#warn(error);
      return undefined;
    }
  }

  /** The attributes of an element as a key for comparison, except those in `without`. */
  #keyOf(element: Element, ...without: readonly string[]): string {
    const attributes = [...element.attributes].filter(
      ({ name }) => OBSERVED_ATTRIBUTES.includes(name) && !without.includes(name),
    );
    return JSON.stringify(attributes.map(({ name, value }) => [name, value]));
  }
}
