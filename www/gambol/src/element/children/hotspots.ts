// Hotspots: children in slots `hotspot-…` that are placed at points of the model. The point is given by one of:
//
// - `data-position` and `data-normal`, in model space;
// - `data-joint` and `data-offset`, in metres at a joint (`data-space="joint"`: in joint space); `data-joint="#second Head"` is a
//   joint of the actor of `<gambol-actor id="second">`;
// - `data-surface`, a point on the surface.
//
// `data-model-index`, or a ninth number at the beginning of `data-surface`, is the index of an `<extra-model>`, in whose space the point is.

import type { CameraState } from '../../values/events.ts';
import { asGambolError, type GambolError } from '../../base/errors.ts';
import type { Actor } from '../../api/actor.ts';
import type { Joint } from '../../api/joint.ts';
import type { Performer } from '../../api/performer.ts';
import type { JointSpace, Surface, Vector } from '../../values/transforms.ts';
import type { Viewer } from '../../api/viewer.ts';
import { isHtmlElement, make } from '../base/dom.ts';
import type { Point } from '../base/events.ts';
import { dot, inModel, rotated, toWorld, vector, wholePlace, type ModelPlace } from '../base/model-space.ts';
import { parseVector } from '../base/css-values.ts';
import { jointReference, type JointReference } from './actor-joint.ts';

/**
 * The depth below the surface, as a fraction of the model's radius, up to which a point is visible: points of a page are not
 * exact.
 */
const UNDER = 0.02;

interface Spot {
  readonly elements: readonly HTMLElement[];
  readonly wrapper: HTMLElement;
  /** The index of the model: 0 is the element's own. */
  readonly model: number;
  /** The position in model space or joint space; null if the model has no such point. */
  point: Vector | null;
  normal: Vector | null;
  /** The point on the surface that determines `point` and `normal` in each frame. */
  readonly surface: Surface | null;
  readonly joint: Joint | null;
  /** The actor of the joint, with its child element; null for the viewer's model. */
  readonly of: { readonly element: NonNullable<JointReference['element']>; readonly actor: Actor } | null;
  /** The units of `point` at a joint. */
  readonly space: JointSpace;
  /** `true` if the hotspot is visible; see {@link HotspotState.facingCamera}. */
  facing: boolean | undefined;
}

/** The result of `queryHotspot`. @category Options and results of the element */
export interface HotspotState {
  /** The position in metres, in model space, or relative to the joint. */
  readonly position: Point;
  /** The direction of the surface, in model space; null without `data-normal` and `data-surface`. */
  readonly normal: Point | null;
  /** The position on the canvas: CSS pixels from the left and the top, and metres in front of the camera. */
  readonly canvasPosition: Point;
  /**
   * `true` if it is visible: in front of the camera, on a surface that faces it, and not hidden by the model in its current pose.
   */
  readonly facingCamera: boolean;
}

/** The models of an element. */
interface Models {
  /** The place of the element's own model. */
  readonly place: ModelPlace;
  /** The model of an index; 0 is the element's own. */
  modelAt(index: number): Performer | undefined;
}

export class Hotspots {
  readonly #host: HTMLElement;
  readonly #layer: HTMLElement;
  readonly #viewer: Viewer;
  /** The models of the element. */
  readonly #models: Models;
  readonly #spots = new Map<string, Spot>();
  readonly #warn: (error: GambolError) => void;
  /** The messages that were sent already, by model. */
  readonly #told = new WeakMap<object, Set<string>>();
  readonly #stop = new AbortController();

  constructor(
    host: HTMLElement,
    layer: HTMLElement,
    viewer: Viewer,
    models: Models,
    warn: (error: GambolError) => void,
  ) {
    this.#warn = warn;
    this.#host = host;
    this.#layer = layer;
    this.#viewer = viewer;
    this.#models = models;
    // The `load` of an actor does not bubble. Its joints can be found from then on.
    host.addEventListener('load', ({ target }) => target !== host && this.sync(), {
      capture: true,
      signal: this.#stop.signal,
    });
  }

  /** Reads the children again, with the joints of the current model. */
  sync(): void {
    const bySlot = new Map<string, HTMLElement[]>();
    for (const child of this.#host.children) {
      if (!isHtmlElement(child) || !child.slot.startsWith('hotspot')) continue;
      bySlot.set(child.slot, [...(bySlot.get(child.slot) ?? []), child]);
    }
    for (const [slot, { wrapper }] of this.#spots) {
      if (bySlot.has(slot)) continue;
      wrapper.remove();
      this.#spots.delete(slot);
    }
    for (const [slot, elements] of bySlot) this.#spots.set(slot, this.#spot(slot, elements));
    this.update();
  }

  /** Moves all hotspots to their points on the canvas. */
  update(): void {
    if (this.#spots.size === 0) return;
    const { camera } = this.#viewer;
    for (const spot of this.#spots.values()) {
      const place = this.#placeOf(spot);
      if (spot.surface) {
        const found = (place && this.#canPick && this.#models.modelAt(spot.model)?.surface(spot.surface)) || null;
        const { position, normal } = place && found ? inModel(place, found) : { position: null, normal: null };
        Object.assign(spot, { point: position, normal });
      }
      const at = this.#project(spot, place);
      const behind = at === null || !(at.depth > 0);
      spot.wrapper.classList.toggle('behind', behind);
      if (!behind) spot.wrapper.style.translate = `${Math.round(100 * at.x) / 100}px ${Math.round(100 * at.y) / 100}px`;
      this.#show(spot, !behind && place !== null && this.#faces(spot, place, camera) && !this.#isCovered(spot, place));
    }
  }

  query(slot: string): HotspotState | null {
    const spot = this.#spots.get(slot);
    const at = spot && this.#project(spot, this.#placeOf(spot));
    if (!spot?.point || !at) return null;
    return {
      position: vector(spot.point),
      normal: spot.normal && vector(spot.normal),
      canvasPosition: { x: at.x, y: at.y, z: at.depth },
      facingCamera: spot.facing ?? false,
    };
  }

  dispose(): void {
    this.#stop.abort();
    this.#layer.replaceChildren();
    this.#spots.clear();
  }

  #spot(slot: string, elements: readonly HTMLElement[]): Spot {
    const read = (key: string): Vector | null => {
      const text = data[key]?.trim();
      if (!text) return null;
      const vector = parseVector(text);
      if (!vector)
        this.#warnOnce(new Error(`data-${key}="${text}" of “${slot}” must be three numbers, such as "0 1.2 0".`));
      return vector;
    };
    const before = this.#spots.get(slot);
    const [first] = elements;
    const data = first?.dataset ?? {};
    const wrapper = before?.wrapper ?? this.#layer.appendChild(wrapperOf(slot));
    const name = data['joint'];
    const { surface, model } = this.#surface(slot, data['surface']);
    return {
      elements,
      wrapper,
      model: modelIndex(data['modelIndex']) ?? model,
      point: read(name === undefined ? 'position' : 'offset') ?? [0, 0, 0],
      normal: name === undefined ? read('normal') : null,
      ...(name === undefined ? { joint: null, of: null } : this.#joint(name)),
      space: data['space']?.trim() === 'joint' ? 'joint' : 'metres',
      surface,
      facing: before?.facing,
    };
  }

  /** The joint of a hotspot; null if the model does not have it, so that the hotspot is hidden. */
  #joint(text: string): Pick<Spot, 'joint' | 'of'> {
    try {
      const { element, performer, name } = jointReference(this.#host, this.#viewer, text);
      // Before a model is loaded, a missing joint is no fault.
      if (!performer?.model) return { joint: null, of: null };
      return { joint: performer.joint(name), of: element && { element, actor: performer as Performer as Actor } };
    } catch (error) {
      // A reference to an element that is missing has no code.
      const { code = 'joint/not-found' } = error as Partial<GambolError>;
      if (code !== 'joint/not-found') throw error;
      this.#warnOnce(error);
      return { joint: null, of: null };
    }
  }

  #surface(slot: string, text: string | undefined): { readonly surface: Surface | null; readonly model: number } {
    if (!text?.trim()) return { surface: null, model: 0 };
    const numbers = text.trim().split(/\s+/).map(Number);
    if (numbers.every((value) => value >= 0)) {
      if (numbers.length === 8) return { surface: numbers as unknown as Surface, model: 0 };
      const [model = 0, ...surface] = numbers;
      if (surface.length === 8) return { surface: surface as unknown as Surface, model };
    }
    this.#warnOnce(
      new Error(`data-surface="${text}" of “${slot}” must be the eight or nine numbers of surfaceFromPoint().`),
    );
    return { surface: null, model: 0 };
  }

  /** The place of the model of a hotspot; null until the model is loaded. */
  #placeOf({ model }: Spot): ModelPlace | null {
    if (model === 0) return this.#models.place;
    const performer = this.#models.modelAt(model);
    return performer ? wholePlace(performer.place) : null;
  }

  /** Sends a warning, once per model and message. */
  #warnOnce(error: unknown): void {
    const warning = asGambolError(error, 'argument/invalid');
    const of = this.#viewer.model ?? this;
    const told = this.#told.get(of) ?? new Set();
    this.#told.set(of, told);
    if (told.has(warning.message)) return;
    told.add(warning.message);
    this.#warn(warning);
  }

  #project(spot: Spot, place: ModelPlace | null): ReturnType<Viewer['project']> {
    if (!spot.point) return null;
    if (spot.elements[0]?.dataset['joint'] === undefined)
      return place && this.#viewer.project(toWorld(place, spot.point));
    const { joint, of, point, space } = spot;
    if (!joint || !of) return joint && this.#viewer.project(point, joint, { space });
    // The actor was removed, or replaced by that of another source.
    if (of.element.actor !== of.actor) return null;
    const [x, y, depth] = of.actor.readStage(({ query }, actor) =>
      query.projectJoint(actor, joint.index, space === 'joint', ...point),
    );
    return x === undefined || y === undefined || depth === undefined ? null : { x, y, depth };
  }

  #show(spot: Spot, facing: boolean): void {
    if (facing === spot.facing) return;
    spot.facing = facing;
    spot.wrapper.classList.toggle('away', !facing);
    for (const element of spot.elements) {
      const attribute = element.dataset['visibilityAttribute'];
      if (attribute !== undefined) element.toggleAttribute(`data-${attribute}`, facing);
      element.dispatchEvent(new CustomEvent('hotspot-visibility', { detail: { visible: facing } }));
    }
  }

  /** `true` unless the feature `picking` is loading, or could not be loaded. */
  get #canPick(): boolean {
    return this.#viewer.uses('picking');
  }

  /**
   * `true` if the model hides the point in its current pose. Points at joints are never hidden, because joints are inside the
   * mesh.
   */
  #isCovered({ point, joint }: Spot, place: ModelPlace): boolean {
    if (!this.#canPick || !point || joint) return false;
    const { radius } = this.#viewer.boundingSphere ?? { radius: 0 };
    return this.#viewer.occlusion(toWorld(place, point)) > UNDER * radius;
  }

  /** `true` if the surface at the point faces the camera, or if the hotspot has no normal. */
  #faces(
    { point, normal }: Spot,
    place: ModelPlace,
    { azimuth, polar, distance, target: [x, y, z] }: CameraState,
  ): boolean {
    if (!point || !normal) return true;
    const [px, py, pz] = toWorld(place, point);
    const angle = this.#viewer.engine.cameraHeading() + azimuth;
    const eye: Vector = [
      x + distance * Math.sin(polar) * Math.sin(angle) - px,
      y + distance * Math.cos(polar) - py,
      z + distance * Math.sin(polar) * Math.cos(angle) - pz,
    ];
    return dot(rotated(place.rotation, normal), eye) > 0;
  }
}

/** The index of `data-model-index`; undefined for anything but a whole number. */
function modelIndex(text: string | undefined): number | undefined {
  return /^\s*\d+\s*$/.test(text ?? '') ? Number(text) : undefined;
}

/**
 * Makes the wrapper of a hotspot. It has the class `focused` while an element inside has the focus, because Firefox does not
 * update slotted elements for `:focus-within`.
 */
function wrapperOf(slot: string): HTMLElement {
  const wrapper = make('div', { class: 'hotspot behind' }, make('slot', { name: slot }));
  for (const type of ['focusin', 'focusout'] as const)
    wrapper.addEventListener(type, () => wrapper.classList.toggle('focused', type === 'focusin'));
  return wrapper;
}
