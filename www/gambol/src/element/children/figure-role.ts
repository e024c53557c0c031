// The actor of `<gambol-actor>` or `<extra-model>`: its place, clip and children.

import type { Actor } from '../../api/actor.ts';
import type { LoadOptions } from '../../load/import-model.ts';
import type { Model } from '../../load/model.ts';
import type { Viewer } from '../../api/viewer.ts';
import { isReadable, parseVector } from '../base/css-values.ts';
import { placeOf, type ModelPlace } from '../base/model-space.ts';
import { jointReference, type JointReference } from './actor-joint.ts';
import { GambolExtraModel, type FigureElement } from './cast-elements.ts';

/** The viewer, its element, and the session's services for children. */
export interface ChildrenScene {
  readonly viewer: Viewer;
  readonly host: HTMLElement & {
    readonly loadOptions: LoadOptions;
    /** The `<extra-model>` child that stands for the element's own model, because the element has no source. */
    readonly leadModel: Element | null;
    /** Frames all models after a change of `<extra-model>` children, and sends `load` again. */
    modelsChanged(): void;
  };
  readonly staging: {
    applyPlace(jumps: boolean): void;
    /** A place, turned with the turntable. */
    turned(place: ModelPlace): ModelPlace;
  };
  /** `true` if the system asks for reduced motion and the element respects it. */
  readonly still: boolean;
  readonly warn: (error: unknown) => void;
}

/** The attributes of the place of an actor. */
const PLACE_ATTRIBUTES = ['position', 'offset', 'orientation', 'scale', 'follow'];

/** Creates the synchronisation of the children of an actor's element. */
export type FigureChildren = (
  element: HTMLElement,
  actor: Actor,
) => { sync(first: boolean): void; renew(): void; dispose(): void };

/** The place from attributes; an invalid value causes a warning and has no effect. */
export function placeFromTexts(
  texts: Readonly<Record<string, string>>,
  tag: string,
  warn: (error: unknown) => void,
): ModelPlace {
  const [at, turn, size] = Object.values(texts);
  const position = parseVector(at ?? '');
  if (!position)
    warn(new Error(`${Object.keys(texts)[0]}="${at}" of <${tag}> must be three lengths, such as "1m 0 -50cm".`));
  if (!isReadable(turn ?? '', 3))
    warn(new Error(`orientation="${turn}" of <${tag}> must be three angles, such as "0 0 90deg".`));
  if (!isReadable(size ?? '', 3))
    warn(new Error(`scale="${size}" of <${tag}> must be three factors, such as "1 1 1".`));
  return { ...placeOf(turn ?? '', size ?? ''), position: position ?? [0, 0, 0] };
}

/** The place of an actor from the attributes of its element. */
export function placeOfFigure(element: FigureElement, warn: (error: unknown) => void): ModelPlace {
  const { orientation, scale, localName } = element;
  if (!(element instanceof GambolExtraModel))
    return placeFromTexts({ position: element.position, orientation, scale }, localName, warn);
  // The transform of the viewer's element is the default, as in <model-viewer>.
  const read = (name: string, fallback: string): string =>
    element.getAttribute(name) || element.parentElement?.getAttribute(name) || fallback;
  const size = read('scale', '1').trim();
  const texts = {
    offset: element.offset,
    orientation: read('orientation', '0 0 0'),
    scale: /\s/.test(size) ? size : `${size} ${size} ${size}`,
  };
  return placeFromTexts(texts, localName, warn);
}

export class FigureRole {
  readonly #element: FigureElement;
  readonly #actor: Actor;
  readonly #stage: ChildrenScene;
  readonly #children: ReturnType<FigureChildren>;
  /** The attributes of the place that were applied, as a key for comparison. */
  #placed = '';
  /** The performer and the model whose joint was followed. */
  #leader: JointReference['performer'] = null;
  #leaderModel: Model | null = null;
  #detach: () => void = () => undefined;
  /** The clip that was applied; undefined before the first one. */
  #clip: string | null | undefined;
  /** `true` while the clip does not play, because the system asks for reduced motion. */
  #held = false;
  /** `true` after the children were applied. */
  #begun = false;

  constructor(element: FigureElement, actor: Actor, stage: ChildrenScene, childrenOf: FigureChildren) {
    this.#element = element;
    this.#actor = actor;
    this.#stage = stage;
    this.#children = childrenOf(element, actor);
  }

  get model(): Model | null {
    return this.#actor.model;
  }

  /** Applies the attributes and children that have changed. */
  sync(): void {
    this.#play();
    this.#place();
    this.#children.sync(!this.#begun);
    this.#begun = true;
  }

  /** Plays a clip that did not start because of reduced motion. */
  resume(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#actor.play();
  }

  /** Applies the place of an `<extra-model>` again, after a movement of the turntable. */
  turn(how: 'place' | 'teleport'): void {
    if (this.#leader) return;
    this.#actor.setBasePlace(this.#stage.staging.turned(placeOfFigure(this.#element, () => undefined)), how);
  }

  end(): void {
    this.#children.dispose();
    this.#actor.remove();
  }

  #play(): void {
    const { animationName: name } = this.#element;
    if (name === this.#clip) return;
    const first = this.#clip === undefined;
    this.#clip = name;
    try {
      if (name === null) {
        if (!first) this.#actor.pause();
        return;
      }
      this.#actor.play(name, first ? { transition: 'cut' } : {});
      this.#held = this.#stage.still;
      if (this.#held) this.#actor.pause();
    } catch (error) {
      this.#stage.warn(error);
    }
  }

  #place(): void {
    const { follow } = this.#element;
    const key = JSON.stringify(PLACE_ATTRIBUTES.map((name) => this.#element.getAttribute(name)));
    let joint: JointReference | null = null;
    let fault: unknown;
    try {
      joint = follow?.trim() ? jointReference(this.#stage.host, this.#stage.viewer, follow) : null;
    } catch (error) {
      fault = error;
    }
    const leader = joint?.performer ?? null;
    const model = leader?.model ?? null;
    if (key === this.#placed && leader === this.#leader && model === this.#leaderModel) return;
    [this.#placed, this.#leader, this.#leaderModel] = [key, leader, model];
    if (fault !== undefined) this.#stage.warn(fault);
    const place = placeOfFigure(this.#element, this.#stage.warn);
    try {
      if (joint && leader) {
        const { position, ...turned } = place;
        const to = leader.joint(joint.name.trim());
        this.#actor.place = turned;
        this.#detach = to.attach(this.#actor, position);
        return;
      }
    } catch (error) {
      this.#stage.warn(error);
    }
    this.#detach();
    this.#detach = () => undefined;
    try {
      this.#actor.place = this.#element instanceof GambolExtraModel ? this.#stage.staging.turned(place) : place;
    } catch (error) {
      this.#stage.warn(error);
    }
  }
}
