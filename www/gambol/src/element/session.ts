// The session of an element: its viewer, features and children, from the creation of the viewer until its disposal.

import type { Performer } from '../api/performer.ts';
import type { Viewer } from '../api/viewer.ts';
import { GambolError, asGambolError } from '../base/errors.ts';
import { reducedMotion } from '../camera/motion.ts';
import { windowOf } from '../base/window.ts';
import type { LoadOptions } from '../load/import-model.ts';
import { kebab, type Attribute } from './base/attributes.ts';
import { isReadable } from './base/css-values.ts';
import type { ModelPlace } from './base/model-space.ts';
import type { Children } from './children/child-sync.ts';
import type { ExtraModels } from './children/extra-models.ts';
import { childFeatures, hasHotspots, hasChildElements, watchChildren } from './children/elements.ts';
import type { Hotspots } from './children/hotspots.ts';
import { childrenPart, hotspotsPart } from './children/part.ts';
import { ElementAnimation } from './features/animation.ts';
import { OrbitCamera } from './features/camera.ts';
import { ElementLighting } from './features/lighting.ts';
import { whenLoaded, whenUsed, type Models, type Scene } from './features/scene.ts';
import { ElementStaging } from './features/staging.ts';
import { Turntable } from './features/turntable.ts';
import { ATTRIBUTES, type ViewerAttributes } from './viewer-attributes.ts';

export interface SessionHost extends HTMLElement, ViewerAttributes {
  /** The place of the model without the rotation of the turntable. */
  readonly basePlace: ModelPlace;
  /** The options of all loads of models. */
  readonly loadOptions: LoadOptions;
  /** The `<extra-model>` child that stands for the element's own model, because the element has no source. */
  readonly leadModel: Element | null;
  /** Frames all models after a change of `<extra-model>` children, and sends `load` again. */
  modelsChanged(): void;
}

export class Session implements Scene<ViewerAttributes>, Models {
  readonly viewer: Viewer;
  readonly camera: OrbitCamera;
  readonly turntable: Turntable;
  readonly animation: ElementAnimation;
  readonly lighting: ElementLighting;
  readonly staging: ElementStaging;
  readonly host: SessionHost;
  readonly #layer: HTMLElement;
  #children: Children | undefined;
  /** The hotspots; undefined before the first one is added. */
  #hotspots: Hotspots | undefined;
  readonly #warn: (error: GambolError) => void;
  readonly #observer: MutationObserver;
  readonly #stop = new AbortController();
  /** Ends the observation in the window that shows the element. */
  #leave: () => void = () => undefined;
  #models = 0;

  constructor(
    host: SessionHost,
    layer: HTMLElement,
    viewer: Viewer,
    isVisible: () => boolean,
    warn: (error: GambolError) => void,
  ) {
    this.host = host;
    this.viewer = viewer;
    this.#warn = warn;
    this.camera = new OrbitCamera(viewer, host);
    this.turntable = new Turntable(
      host,
      () => this.still,
      isVisible,
      () => this.staging.applyPlace(),
    );
    this.staging = new ElementStaging(this, this.camera, this.turntable);
    this.animation = new ElementAnimation(this, this.camera);
    this.lighting = new ElementLighting(this);
    this.#layer = layer;
    viewer.addEventListener('frame', () => this.#hotspots?.update());
    viewer.addEventListener('camera-change', ({ detail }) => {
      if (detail.source === 'user-interaction') this.turntable.touched();
    });
    this.#observer = watchChildren(host, () => this.sync());
    this.#observe();
    for (const name of Object.keys(ATTRIBUTES) as (keyof ViewerAttributes)[]) this.apply(name);
  }

  /** Goes on in the window of another document, to which the element has moved. */
  adopted(): void {
    this.viewer.engine.follow();
    this.#observe();
    this.turntable.stop();
    this.turntable.sync();
    if (this.host.timeline !== 'auto') this.animation.bind();
    this.sync();
  }

  /** Aborted by {@link Session.dispose}. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** The `<extra-model>` children; undefined before there was a child element. */
  get extras(): ExtraModels | undefined {
    return this.#children?.extras;
  }

  /** The element's own model, and those of its `<extra-model>` children that are loaded. */
  get models(): readonly Performer[] {
    return [this.viewer, ...(this.extras?.actors ?? [])];
  }

  /** The place of the element's own model. */
  get place(): ModelPlace {
    return this.staging.place;
  }

  /** The model of an index: 0 is the element's own, and those of `<extra-model>` children count from 1. */
  modelAt(index: number): Performer | undefined {
    return index === 0 ? this.viewer : this.extras?.at(index);
  }

  /** Applies an attribute to the viewer. */
  apply(name: keyof ViewerAttributes): void {
    const text = this.host.getAttribute(kebab(name));
    const { effect, values: count }: Pick<Attribute<unknown, Session>, 'effect' | 'values'> = ATTRIBUTES[name];
    if (text && count !== undefined && !isReadable(text, count)) {
      this.warn(
        new GambolError(
          'argument/invalid',
          `${kebab(name)}="${text}" cannot be parsed. Use ${count === 1 ? 'a value' : `${count} values`} such as "${EXAMPLES[count]}".`,
        ),
      );
    }
    try {
      effect?.(this);
    } catch (error) {
      this.warn(error);
    }
  }

  /** Applies all attributes that depend on the model after a change of model, before its first frame. */
  renew(): void {
    this.animation.renew();
    // Before the camera, which frames the clip that will be played.
    this.apply('animationName');
    this.camera.begin(this.#models > 0);
    this.#models += 1;
    this.staging.applyPlace(true);
    if (this.host.rootMotion !== 'keep') this.apply('rootMotion');
    for (const name of ['variantName', 'cameraIndex', 'timeline'] as const) this.apply(name);
    this.#children?.renew();
    this.sync(true);
  }

  /** `true` if the system asks for reduced motion and the element respects it. */
  get still(): boolean {
    return reducedMotion() && this.host.reducedMotion === 'respect';
  }

  /** Sends a `warning`, except for the disposal of the viewer, a panic, and the abort of a load. */
  readonly warn = (error: unknown): void => {
    const warning = asGambolError(error, 'argument/invalid');
    if (!['viewer/disposed', 'wasm/panic', 'load/aborted'].includes(warning.code)) this.#warn(warning);
  };

  dispose(): void {
    this.#stop.abort();
    this.#observer.disconnect();
    this.#leave();
    this.turntable.stop();
    this.#children?.dispose();
    this.#hotspots?.dispose();
    this.animation.dispose();
  }

  /** Observes the shape of the canvas and the scroll position, in the window that shows the element. */
  #observe(): void {
    this.#leave();
    const { viewer, camera } = this;
    const view = windowOf(this.host);
    const shape = new view.ResizeObserver(() => {
      if (viewer.model) camera.reshaped();
      this.#hotspots?.update();
    });
    // Observed after the viewer's own observer, which resizes and draws the canvas first.
    shape.observe(viewer.canvas);
    const scroll = (): void => {
      if (camera.followsScroll && viewer.model) camera.move();
    };
    view.addEventListener('scroll', scroll, { passive: true });
    this.#leave = () => {
      shape.disconnect();
      view.removeEventListener('scroll', scroll);
    };
  }

  /** The hotspots, synchronised with the children; `undefined` if there was never one, and until their script is loaded. */
  get currentHotspots(): Hotspots | undefined {
    if (!this.#hotspots && hasHotspots(this.host)) {
      const { loaded: now } = hotspotsPart;
      if (!now) {
        whenLoaded(this, hotspotsPart, () => this.sync());
        return undefined;
      }
      this.#hotspots = new now.Hotspots(this.host, this.#layer, this.viewer, this, this.#warn);
    }
    this.#hotspots?.sync();
    return this.#hotspots;
  }

  /** Applies hotspots and child elements to the viewer, `first` if its model has not been drawn. */
  sync(first = false): void {
    void this.currentHotspots;
    if (!this.#children && hasChildElements(this.host)) {
      const { loaded: now } = childrenPart;
      if (!now) {
        whenLoaded(this, childrenPart, () => this.sync());
        return;
      }
      this.#children = new now.Children(this);
    }
    let isNow = true;
    whenUsed(this, childFeatures(this.host), () => {
      if (!isNow) this.#hotspots?.sync();
      this.#children?.sync(first && isNow);
    });
    isNow = false;
  }
}

/** Examples of attribute values for messages, by the number of values. */
const EXAMPLES = { 1: '45deg', 3: '0deg 75deg 105%' } as const;
