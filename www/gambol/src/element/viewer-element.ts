// `<gambol-viewer>`: attributes hold its state. It applies them to a viewer, which it creates lazily.

import type { Clip } from '../values/clips.ts';
import type { Core } from '../wasm/core.ts';
import { GambolError, asGambolError } from '../base/errors.ts';
import { besideContext, createViewerIn } from '../api/create-viewer.ts';
import { cameraControlsPart } from '../camera/part.ts';
import { preloadFeatures, useIn } from '../api/features.ts';
import { use } from '../api/use.ts';
import { deferred } from '../base/deferred.ts';
import type { ClipOptions, LoadOptions } from '../load/import-model.ts';
import { isShared } from '../load/shared-models.ts';
import { openEarly, type AssetSource, type SourceOptions } from '../load/source.ts';
import type { States } from '../api/states.ts';
import type { Viewer } from '../api/viewer.ts';
import { REDUCED_MOTION, warn } from '../base/warn.ts';
import { windowOf } from '../base/window.ts';
import type { FeatureName } from '../values/words.ts';
import { loadCore } from '../wasm/init.ts';
import { ElementApi } from './api.ts';
import type { Ar } from './ar/ar.ts';
import type { ArActs } from './ar/host.ts';
import { arPart } from './ar/part.ts';
import { reflect, upgradeProperties, type Attribute, type AttributeHost } from './base/attributes.ts';
import type { Bar } from './bar/bar.ts';
import { readoptStyles } from './base/dom.ts';
import { adoptHandlers } from './base/react-handlers.ts';
import { controlsPart } from './bar/part.ts';
import { childrenPart, hotspotsPart } from './children/part.ts';
import { timelinePart } from './features/animation.ts';
import { findNamed } from './base/clip-names.ts';
import { sideOf } from './features/camera.ts';
import { childFeatures, firstExtraModel, hasChildElements, hasExtraModels, hasHotspots } from './children/elements.ts';
import type { AddListener, ElementEventMap, RemoveListener } from './base/events.ts';
import { listenToKeys, watchGestures } from './gestures.ts';
import type { Finger, Interaction } from './features/interact.ts';
import { interactionPart } from './features/interact-part.ts';
import { InteractionPrompt } from './features/interaction-prompt.ts';
import { StructuredData } from './features/structured-data.ts';
import { Session } from './session.ts';
import { ALIASES, ATTRIBUTES, PROPERTY_OF, attributeFeatures, type ViewerAttributes } from './viewer-attributes.ts';
import { ShadowTree } from './base/shadow-tree.ts';

/** Properties without an attribute that a page may set before the element is defined. */
const LIVE = ['currentTime', 'playbackRate', 'loop', 'srcObject', 'entityTransform'];
/** The default texts for screen readers, as in <model-viewer>. */
const [NAME, PROMPT] = ['A 3D model', 'Use mouse, touch or arrow keys to move.'];
/** Codes of errors after which no viewer works on this page. */
const FATAL_CODES = ['wasm/load', 'wasm/unsupported', 'render/webgl2-unsupported'];
/** Events of the viewer that are forwarded without a change. */
const FORWARDED_EVENTS = [
  'play',
  'pause',
  'seeking',
  'seeked',
  'finished',
  'ended',
  'ratechange',
  'clipchange',
  'clipschange',
  'contextlost',
  'contextrestored',
  'statechange',
  'stateenter',
  'stateleave',
  'frame',
  'before-render',
] as const;
/** The margin around the viewport in which the element begins to load. */
const LOAD_MARGIN = '50%';
/** The least visible fraction of the element; one that only touches the edge of the viewport is not visible. */
const MIN_VISIBLE = 1e-5;

export interface GambolViewer {
  /** Adds a listener; the types of events are those of {@link ElementEventMap}. @category Events */
  addEventListener: AddListener<ElementEventMap>;
  /** Removes a listener. @category Events */
  removeEventListener: RemoveListener<ElementEventMap>;
}

/**
 * `<gambol-viewer>`: a 3D model that plays. Its attributes hold its state. It creates a {@link Viewer} when it comes near the
 * viewport, and frees it when it is removed. Attributes, children, slots, parts and custom properties are in docs/element.md.
 * @category Elements
 */
export class GambolViewer extends ElementApi {
  /** The names of all attributes, for the browser. @category Custom element */
  static readonly observedAttributes: readonly string[] = [...PROPERTY_OF.keys(), ...Object.keys(ALIASES)];
  /**
   * A property of `<model-viewer>` without effect: `init({ draco })` sets the URL of the decoder.
   * @category Names of model-viewer
   */
  declare static dracoDecoderLocation: string;
  /**
   * A property of `<model-viewer>` without effect: `init({ basis })` sets the URL of the decoder.
   * @category Names of model-viewer
   */
  declare static ktx2TranscoderLocation: string;
  /**
   * A property of `<model-viewer>` without effect: the WebAssembly module decodes meshopt.
   * @category Names of model-viewer
   */
  declare static meshoptDecoderLocation: string;
  /** A property of `<model-viewer>` without effect: Lottie is not supported. @category Names of model-viewer */
  declare static lottieLoaderLocation: string;
  /**
   * A property of `<model-viewer>` without effect: a model is freed with the last viewer that shows it.
   * @category Names of model-viewer
   */
  declare static modelCacheSize: number;
  /**
   * A property of `<model-viewer>` without effect: the picture always has the resolution of the screen, up to `max-dpr`.
   * @category Names of model-viewer
   */
  declare static minimumRenderScale: number;
  /** Rewrites the URL of each file before it is fetched. */
  static #mapURL: ((url: string) => string) | undefined;

  readonly #view: ShadowTree;
  readonly #internals: ElementInternals | undefined;
  #observer: IntersectionObserver | undefined;
  #near = false;
  #dismissed = false;
  #object: AssetSource | null = null;
  /** Identifies the pending creation of a viewer. */
  #opening: object | undefined;
  /** Disposes of the viewer that was created last. */
  #endViewer: () => void = () => undefined;
  /** @internal */
  protected session: Session | undefined;
  /** @internal */
  protected busy = false;
  /** `true` after the first frame of a model is drawn, even if a poster covers it. */
  #drawn = false;
  /** `true` after a model is drawn and every method works. */
  #shown = false;
  #revealed = false;
  /** `true` while a part of the element is in the viewport. */
  #inView = false;
  #viewport: IntersectionObserver | undefined;
  #visible = false;
  #failure: GambolError | undefined;
  #bar: Bar | undefined;
  /** `true` if `autoplay` was suppressed because the system asks for reduced motion. */
  #motionReduced = false;
  #leaving: ReturnType<typeof setTimeout> | undefined;
  readonly #prompt: InteractionPrompt;
  readonly #schema = new StructuredData(this);
  #interaction: Interaction | undefined;
  #ar: Ar | undefined;
  /** `true` after user input, until the camera moves by it. */
  #handled = false;
  #side = '';
  #seeking = false;
  /** The source of {@link leadModel} whose model is loading or shown. */
  #leadSource: string | null = null;
  #ready = deferred();
  /** `true` if {@link ready} has resolved or rejected. */
  #settled = false;
  /** The methods that attributes call, with or without a viewer. */
  readonly #attributeHost: AttributeHost = {
    changeSource: () => {
      if (this.#object === null) this.#retry();
      this.#changeAr();
    },
    reload: () => this.#retry(),
    update: () => this.#update(),
    showPoster: () => this.#showPoster(),
    describe: () => this.#describe(),
    showBar: () => this.#showBar(),
    changeControls: () => {
      this.#describe();
      if (this.cameraControls) void interactionPart.preload();
      this.#prompt.changed(this.#shown);
    },
    autoplayNow: () => {
      if (this.autoplay && this.viewer?.model && this.paused) this.#autoplay();
    },
    endInteraction: () => this.#interaction?.stop('none'),
    resetEntityTransform: () => this.resetEntityTransform(),
    changeAr: () => this.#changeAr(),
  };

  constructor() {
    super();
    this.#view = new ShadowTree(this, {
      reveal: () => this.reveal === 'manual' && this.dismissPoster(),
      retry: () => this.#retry(),
      slotted: () => this.#changeLead(),
    });
    this.addEventListener('extra-model-changed', () => this.#changeLead());
    this.#prompt = new InteractionPrompt(this, this.#view);
    this.#internals = typeof this.attachInternals === 'function' ? this.attachInternals() : undefined;
    listenToKeys(this);
  }

  /**
   * Sets a function that rewrites the URLs of models and of the files that they reference; without an argument, removes it.
   * @category Loading and models
   */
  static mapURLs(map?: (url: string) => string): void {
    GambolViewer.#mapURL = map;
  }

  // ---- life

  /** Called by the browser when the element is added to a page. @category Custom element */
  connectedCallback(): void {
    clearTimeout(this.#leaving);
    upgradeProperties(this, [...PROPERTY_OF.values(), ...LIVE]);
    if (!this.session) this.#showPoster();
    this.#describe();
    this.#schema.update();
    this.#changeAr();
    if (this.#observer) return;
    // Of the window that shows the element.
    const { IntersectionObserver: Observer } = windowOf(this);
    if (typeof Observer === 'function') {
      this.#viewport = new Observer(
        (entries) => {
          this.#inView = (entries.at(-1)?.intersectionRatio ?? 1) > 0;
          this.#updateVisibility();
        },
        { threshold: MIN_VISIBLE },
      );
      this.#viewport.observe(this);
      this.#observer = new Observer(
        (entries) => {
          this.#near = entries.at(-1)?.isIntersecting ?? true;
          this.#update();
        },
        { rootMargin: LOAD_MARGIN },
      );
      this.#observer.observe(this);
    } else {
      this.#near = this.#inView = true;
    }
    this.#update();
  }

  /**
   * Called by the browser when the element is removed. Unless it is added again at once, it frees everything.
   * @category Custom element
   */
  disconnectedCallback(): void {
    this.#interaction?.stop('automatic');
    // Delayed, because a moved element is connected again before the timeout.
    this.#leaving = setTimeout(() => {
      this.#stopObserving();
      this.#near = this.#inView = false;
      this.#close();
      this.#ar?.dispose();
      this.#ar = undefined;
      this.#schema.remove();
      this.dropIntent('Playback aborted: the element was removed from the page.');
    });
  }

  /**
   * Called by the browser when the element has moved to another document, such as that of a frame or a pop-up.
   * @category Custom element
   */
  adoptedCallback(): void {
    if (this.shadowRoot) readoptStyles(this.shadowRoot);
    // `connectedCallback` makes those of the other window.
    this.#stopObserving();
    this.session?.adopted();
    // The bar listens to the document.
    this.#bar?.dispose();
    this.#bar = undefined;
    this.#showBar();
  }

  /** Called by the browser when an attribute changes. @category Custom element */
  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    // These two apply again even with the same value, because the camera or the clip may have changed since.
    if (before === after && name !== 'camera-orbit' && name !== 'animation-name') return;
    const property = PROPERTY_OF.get(name);
    if (property) {
      const { changed }: Pick<Attribute<unknown, Session>, 'changed'> = ATTRIBUTES[property];
      changed?.(this.#attributeHost);
      this.session?.apply(property);
    }
    ALIASES[name]?.(this, after);
    if (this.isConnected) this.#schema.update();
    this.#bar?.show();
  }

  /** @internal */
  override dispatchEvent(event: Event): boolean {
    adoptHandlers(this);
    return super.dispatchEvent(event);
  }

  // ---- the model

  override get animationName(): string | null {
    const text = this.getAttribute('animation-name');
    const { viewer } = this;
    if (!viewer?.model || text === '*') return text;
    const { clip } = viewer;
    if (clip === null) return this.session?.extras?.size ? text : null;
    return findNamed(viewer, text)?.id === clip.id ? text : clip.id;
  }

  override set animationName(name: string | null) {
    // Frameworks set undefined, too.
    if ((name ?? null) === null) this.removeAttribute('animation-name');
    else this.setAttribute('animation-name', String(name));
  }

  override get states(): States | null {
    return this.viewer?.states ?? null;
  }

  override set states(source: States | string | object | null) {
    if ((source ?? null) === null) this.removeAttribute('states');
    else this.setAttribute('states', ATTRIBUTES.states.write(source) ?? '');
  }

  /**
   * Resolves when a model is shown; rejects with a {@link GambolError} if its load fails. Each `src` has a new promise.
   * @category Viewers and actors
   */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** `true` after a model is loaded, shown or not, and every method works. @category Viewers and actors */
  get loaded(): boolean {
    return this.#shown;
  }

  /** `true` while a model is shown and a part of the element is in the viewport. @category Viewers and actors */
  get modelIsVisible(): boolean {
    return this.#visible;
  }

  /**
   * The source of the model in place of `src`, as in media elements: a `File`, the files of a folder, bytes, or a URL.
   * Setting it loads the model; null returns to `src`.
   * @category Loading and models
   */
  get srcObject(): AssetSource | null {
    return this.#object;
  }

  set srcObject(source: AssetSource | null) {
    this.#object = source;
    this.#retry();
  }

  /** The names of the model's material variants (KHR_materials_variants). @category Loading and models */
  get availableVariants(): string[] {
    return [...(this.viewer?.variants ?? [])];
  }

  /**
   * Loads features, so that their synchronous calls work; without arguments, all of them. It works before the element has a viewer, too.
   * The attribute `features` does the same. Rejects with a {@link GambolError}, as the function `use` of `gambol` does.
   *
   * @category Features
   */
  use(...features: FeatureName[]): Promise<void> {
    return use(...features);
  }

  /** Hides the poster, and shows the model now or when it is loaded. @category Loading and models */
  dismissPoster(): void {
    this.#dismissed = true;
    this.#update();
    this.#reveal();
  }

  /** Shows the poster again. @category Loading and models */
  showPoster(): void {
    this.#dismissed = false;
    this.#revealed = false;
    this.#showPoster();
    this.#updateVisibility();
  }

  /**
   * Moves the camera by one or two simulated fingers for a duration in milliseconds; it needs `camera-controls`. Children in the
   * slots `finger0` and `finger1` show the fingers. It ends with `interact-stopped`. It ends early if user input or an attribute
   * moves the camera, or if the element is removed.
   *
   * While another `interact()` is running, it only sends a warning. Throws `argument/invalid`, and `load/chunk` while its script is
   * still loading: it is loaded with the model if the element has `camera-controls`.
   * @category Camera
   */
  interact(duration: number, finger0: Finger, finger1?: Finger): void {
    const { viewer } = this;
    if (!viewer) return;
    if (this.#interaction)
      return this.warn(
        new GambolError('interact/busy', 'Another interact() is running. Wait for the event interact-stopped.'),
      );
    const { Interaction } = interactionPart.now;
    // The fingers move the camera by its controls.
    if (this.cameraControls) void cameraControlsPart.now;
    this.#interaction = new Interaction(
      viewer,
      duration,
      finger1 ? [finger0, finger1] : [finger0],
      this.#view.dots,
      (source) => {
        this.#interaction = undefined;
        this.send('interact-stopped', { source });
      },
    );
  }

  /** `true` if the device can show the model in the user's surroundings in one of the `ar-modes`. @category Augmented reality */
  get canActivateAR(): boolean {
    return this.#ar?.canActivate === true;
  }

  /**
   * Shows the model in the user's surroundings, as the button of `ar` does: in the first of the `ar-modes` that the device can open,
   * or in the next one if that fails. Call it in a handler of a tap or a click. Failures are events: `warning` with the reason, and
   * `ar-status` with `failed` if no mode is left.
   * @category Augmented reality
   */
  async activateAR(): Promise<void> {
    const ar = await this.#arScript();
    await ar?.activate();
  }

  /** Moves the camera to its goal without easing. @category Camera */
  override jumpCameraToGoal(): void {
    super.jumpCameraToGoal();
    this.#announceSide();
  }

  /** Shows the interaction prompt again, after its threshold. @category Camera */
  resetInteractionPrompt(): void {
    this.#prompt.reset();
    if (this.#shown) this.#prompt.later();
  }

  /** The address of the model: `src`, or that of {@link leadModel}. @internal */
  get modelAddress(): string | null {
    return this.src ?? this.leadModel?.getAttribute('src') ?? null;
  }

  /** The `<extra-model>` child whose model is the element's own, because the element has no source; else null. @internal */
  get leadModel(): Element | null {
    return this.#ownSource === null ? firstExtraModel(this) : null;
  }

  /** Frames all models after a change of `<extra-model>` children, and sends `load` again. @internal */
  modelsChanged(): void {
    this.session?.camera.reshaped();
    // About the new target.
    this.session?.staging.applyPlace(true);
    if (this.#shown && !this.busy) this.send('load', { url: this.viewer?.model?.url ?? null });
  }

  /** `true` if the element has a bar. @internal */
  get hasBar(): boolean {
    return this.#bar !== undefined;
  }

  /** Announces a text to screen readers. @internal */
  announce(words: string): void {
    this.#view.announce(words);
  }

  /** Sends a `warning` for an error. @internal */
  warn(error: unknown): void {
    this.session?.warn(error);
  }

  // ---- inside

  #stopObserving(): void {
    this.#observer?.disconnect();
    this.#observer = undefined;
    this.#viewport?.disconnect();
  }

  /** Chooses the mode of AR again, after a change of its attributes. */
  #changeAr(): void {
    if (!this.isConnected || !(this.ar || this.#ar)) return;
    this.#arScript()
      .then((ar) => ar?.choose())
      .catch((error: unknown) => this.#arActs().warn(error));
  }

  /** The script of AR; undefined if the element was removed meanwhile. */
  async #arScript(): Promise<Ar | undefined> {
    const { Ar: Made } = await arPart.load();
    if (this.isConnected) this.#ar ??= new Made(this, this.#arActs());
    return this.#ar;
  }

  #arActs(): ArActs {
    return {
      stage: this.#view.stage,
      loadNow: () => {
        if (!this.session && !this.#opening) void this.#open();
        return this.ready;
      },
      status: (status) => {
        this.setAttribute('ar-status', status);
        this.send('ar-status', { status });
      },
      tracking: (status) => {
        this.setAttribute('ar-tracking', status);
        this.send('ar-tracking', { status });
      },
      quickLookTapped: () => this.send('quick-look-button-tapped', null),
      warn: (error) => {
        const { code, message } = asGambolError(error, 'xr/failed');
        warn(this, { code, message, pointer: '' });
      },
    };
  }

  /** The source of the model: `srcObject`, else `src`, else a `<source>` child, else an `<extra-model>` child. */
  get #source(): AssetSource | null {
    return this.#ownSource ?? this.leadModel?.getAttribute('src') ?? null;
  }

  get #ownSource(): AssetSource | null {
    return this.#object ?? this.src ?? this.querySelector(':scope > source')?.getAttribute('src') ?? null;
  }

  /** Loads the model of {@link leadModel} after a change of children. */
  #changeLead(): void {
    if (this.isConnected) this.#schema.update();
    if (this.#ownSource !== null) return;
    const source = this.#source;
    if (source === this.#leadSource) return this.#update();
    this.#leadSource = source as string | null;
    this.#changeAr();
    this.#retry();
  }

  /** Creates a viewer if one is needed. */
  #update(): void {
    if (!this.isConnected || this.session || this.#opening || this.#failure) return;
    if (this.#source === null) {
      // The script defines the child, which may have its source as a property.
      if (hasExtraModels(this)) void childrenPart.preload();
      return;
    }
    const awaited = this.#near && (this.reveal === 'auto' || this.#dismissed);
    if (awaited || this.loading === 'eager') void this.#open();
  }

  async #open(): Promise<void> {
    const opening = {};
    this.#opening = opening;
    this.#view.fail(null);
    this.#view.progress(0);
    // Fetches the model in parallel with the WebAssembly module.
    const source = this.#source;
    const giveUp =
      source === null || isShared(source, { ...this.#clipOptions, ...this.loadOptions })
        ? () => undefined
        : openEarly(source, this.loadOptions);
    try {
      const { renderer } = this;
      const canvas = this.#view.newCanvas();
      const core = await besideContext(this.#core(), canvas, { renderer });
      const viewer = await createViewerIn(core, canvas, {
        cameraControls: false,
        maxDpr: this.maxDpr,
        renderer,
      });
      const end = (): void => {
        viewer.dispose();
        if (renderer === 'own') releaseContext(viewer.canvas);
      };
      if (this.#opening !== opening) {
        giveUp();
        return end();
      }
      this.#endViewer = end;
      this.session = new Session(
        this,
        this.#view.hotspots,
        viewer,
        () => this.modelIsVisible,
        ({ code, message }) => warn(this, { code, message, pointer: '' }),
      );
      this.#listen(viewer);
      this.#describe();
      this.#load(giveUp);
    } catch (error) {
      giveUp();
      if (!this.session) this.#endViewer();
      if (this.#opening === opening) this.#fail(asGambolError(error, 'viewer/failed'));
    } finally {
      if (this.#opening === opening) this.#opening = undefined;
    }
  }

  /** Loads the WebAssembly module, and the features and lazy parts that attributes and children need. */
  async #core(): Promise<Core> {
    const features = [...new Set([...attributeFeatures(this), ...childFeatures(this)])];
    preloadFeatures(features);
    const parts = [
      this.controls !== false && controlsPart.preload(),
      this.timeline !== 'auto' && timelinePart.preload(),
      hasChildElements(this) && childrenPart.preload(),
      hasHotspots(this) && hotspotsPart.preload(),
      this.cameraControls && interactionPart.preload(),
      this.cameraControls && cameraControlsPart.preload(),
    ];
    const core = await loadCore();
    // A failure is reported by the attributes and children, which try again when they are applied.
    await useIn(core, features).catch(() => undefined);
    await Promise.all(parts);
    return core;
  }

  #close(): void {
    this.#opening = undefined;
    this.#prompt.stop();
    this.#interaction?.stop('automatic');
    this.#bar?.dispose();
    this.#bar = undefined;
    this.#view.bar(null);
    const session = this.session;
    this.session = undefined;
    session?.dispose();
    this.#endViewer();
    this.#endViewer = () => undefined;
    this.#view.newCanvas();
    this.busy = this.#drawn = this.#shown = this.#revealed = this.#motionReduced = false;
    this.#updateVisibility();
    this.#view.progress(null);
    this.#showPoster();
    this.#state();
  }

  get #clipOptions(): ClipOptions & Pick<LoadOptions, 'scene'> {
    const animations = this.animationSrc?.split(/\s+/).filter(Boolean);
    return { animations, retarget: this.retarget, scene: this.scene ?? undefined };
  }

  /** The options of all loads of models. @internal */
  get loadOptions(): SourceOptions & Pick<LoadOptions, 'textureBudget'> {
    const map = GambolViewer.#mapURL;
    const { withCredentials, externalResources, decoders, textureBudget } = this;
    return {
      ...(textureBudget !== null && { textureBudget: textureBudget * 2 ** 20 }),
      credentials: withCredentials ? 'include' : 'same-origin',
      externalResources,
      decoders,
      ...(map && { mapURL: map }),
    };
  }

  /** Loads the model; `ended` is called when the load has settled. */
  #load(ended = (): void => undefined): void {
    const { viewer } = this;
    if (!viewer) return;
    const source = this.#source;
    this.#leadSource = this.leadModel?.getAttribute('src') ?? null;
    this.#view.fail(null);
    if (source === null) {
      ended();
      viewer.unload();
      this.busy = this.#drawn = this.#shown = this.#revealed = false;
      this.#updateVisibility();
      this.#showPoster();
      return;
    }
    this.busy = true;
    if (this.#settled) this.#renew();
    this.#view.progress(0);
    this.#state();
    viewer
      .load(source, { ...this.#clipOptions, ...this.loadOptions })
      .finally(ended)
      .catch((error: unknown) => {
        // The viewer's `error` event has reported it.
        if (error instanceof GambolError && error.code === 'load/aborted') return;
        this.busy = false;
        this.#view.progress(null);
        this.#state();
      });
  }

  #listen(viewer: Viewer): void {
    // Registered first, so that listeners of the page find the updated state.
    for (const name of ['play', 'pause', 'finished', 'seeking', 'seeked'] as const) {
      viewer.addEventListener(name, () => {
        if (name.startsWith('seek')) this.#seeking = name === 'seeking';
        this.#state();
      });
    }
    for (const name of FORWARDED_EVENTS) viewer.addEventListener(name, ({ detail }) => this.send(name, detail));
    viewer.addEventListener('warning', (event) => {
      const { detail } = event;
      if (!this.dispatchEvent(new CustomEvent('warning', { detail, cancelable: true }))) event.preventDefault();
    });
    viewer.addEventListener('modelchange', () => this.#begin());
    viewer.addEventListener('firstframe', () => this.#onFirstFrame());
    viewer.addEventListener('load', ({ detail: { url } }) => {
      const ready = this.#ready;
      // The hotspots and models that are there can be used from the event on. Another load may have begun meanwhile.
      void Promise.all([hasHotspots(this) && hotspotsPart.preload(), this.#extrasLoaded()])
        .then(() => this.session?.viewer === viewer && this.#ready === ready && this.#loaded(url))
        .catch((error: unknown) => this.warn(error));
    });
    viewer.addEventListener('error', ({ detail: { code, message, ...more } }) =>
      this.#fail(new GambolError(code, message, more)),
    );
    viewer.addEventListener('progress', ({ detail }) => {
      const { totalRatio: totalProgress } = detail;
      this.#view.progress(totalProgress < 1 ? totalProgress : null);
      this.send('progress', { ...detail, totalProgress, reason: 'model-load' });
    });
    viewer.addEventListener('loop', ({ detail }) => {
      const clip: Clip | null = viewer.clip;
      this.send('loop', { ...detail, count: detail.iteration, name: clip?.name ?? '', uuid: clip?.id ?? '' });
    });
    viewer.addEventListener('marker', ({ detail }) => this.send('marker', { ...detail, animation: detail.clip }));
    viewer.addEventListener('timeupdate', ({ detail }) => {
      this.send('timeupdate', {
        ...detail,
        progress: viewer.progress,
        frame: Math.round(detail.time * (viewer.clip?.fps ?? 0)),
      });
    });
    const { canvas } = viewer;
    let size = '';
    viewer.addEventListener('frame', () => {
      const { width: pixelWidth, height: pixelHeight, clientWidth } = canvas;
      if (size === (size = `${pixelWidth} ${pixelHeight}`)) return;
      const renderedDpr = pixelWidth / clientWidth;
      this.send('render-scale', {
        reportedDpr: windowOf(canvas).devicePixelRatio,
        renderedDpr,
        minimumDpr: renderedDpr,
        pixelWidth,
        pixelHeight,
        reason: 'resize',
      });
    });
    const moved = watchGestures(canvas, {
      rested: () => this.send('interact-stopped', { source: 'user-interaction' }),
      clicked: ({ clientX, clientY }) => {
        if (!this.loaded || !viewer.uses('picking')) return;
        const hit = this.positionAndNormalFromPoint(clientX, clientY);
        if (hit && hit.joint !== null) this.send('joint-click', hit);
      },
      acted: () => {
        this.#handled = true;
        if (this.cameraControls) this.#interaction?.stop('user-interaction');
      },
    });
    viewer.addEventListener('xr-select', ({ detail }) => {
      if (detail.joint !== null) this.send('joint-click', this.pointInModel(detail, detail.joint));
    });
    viewer.addEventListener('camera-change', ({ detail }) => {
      if (detail.source === 'user-interaction') {
        moved();
        if (this.#handled) this.#prompt.done();
        this.#handled = false;
      }
      this.send('camera-change', { source: detail.source });
      this.#announceSide();
    });
  }

  /** Resolves when no `<extra-model>` is loading. */
  async #extrasLoaded(): Promise<void> {
    if (!hasExtraModels(this)) return;
    // The first child may have come after the viewer.
    await childrenPart.preload();
    await this.session?.extras?.loaded();
  }

  /** Applies the attributes to a model that is on stage, before its first frame. */
  #begin(): void {
    const session = this.session;
    if (!session) return;
    this.busy = false;
    session.renew();
    const { viewer } = session;
    this.#side = sideOf(viewer.camera);
    if (!this.keepIntent() && this.autoplay) this.#autoplay();
    this.#showBar();
  }

  /** Plays for `autoplay`, unless the system asks for reduced motion. */
  #autoplay(): void {
    const { session } = this;
    if (!session || (session.viewer.clips.length === 0 && !session.extras?.size)) return;
    this.#motionReduced = session.still;
    if (!session.still) void this.play();
    else warn(this, REDUCED_MOTION);
    this.#showBar();
  }

  /** Renews {@link ready} for another model. */
  #renew(): void {
    this.#ready = deferred();
    this.#settled = false;
  }

  /** Sends `model-visibility` if it has changed. */
  #updateVisibility(): void {
    const visible = this.#shown && this.#revealed && this.#inView;
    if (visible === this.#visible) return;
    this.#visible = visible;
    this.send('model-visibility', { visible });
  }

  /** Hides the poster after the first frame is drawn, unless `reveal` is `manual`. */
  #onFirstFrame(): void {
    this.#drawn = true;
    if (this.reveal === 'auto') this.#dismissed = true;
    this.#showPoster();
    this.send('firstframe', {});
  }

  /** Handles the end of a load, after which every method works. */
  #loaded(url: string | null): void {
    this.#shown = true;
    this.#ready.resolve();
    this.#settled = true;
    this.#state();
    this.send('load', { url });
    this.session?.lighting.lit();
    this.#reveal();
    this.#prompt.later();
  }

  #reveal(): void {
    if (!this.#dismissed) return;
    if (this.#drawn) this.#showPoster();
    if (!this.#shown || this.#revealed) return;
    this.#revealed = true;
    this.send('poster-dismissed', {});
    this.#updateVisibility();
  }

  #fail(error: GambolError): void {
    this.busy = false;
    const { code, message, pointer, url } = error;
    // These errors end the viewer; others are those of a load.
    if (/^(wasm|render|viewer)\//.test(code)) {
      this.#failure = error;
      this.#close();
    }
    this.#ready.reject(error);
    this.#settled = true;
    if (!this.#drawn) this.#view.fail(error, FATAL_CODES.includes(code));
    this.#state();
    const type = code === 'render/context-lost' ? 'webglcontextlost' : 'loadfailure';
    this.send('error', { type, code, message, pointer, url, sourceError: error });
  }

  #retry(): void {
    this.#failure = undefined;
    if (this.#settled) this.#renew();
    if (this.session) this.#load();
    else this.#update();
  }

  #showPoster(): void {
    const { alt, poster, reveal } = this;
    this.#view.poster(
      poster,
      !(this.#drawn && this.#dismissed),
      reveal === 'manual' && !this.#dismissed ? alt || NAME : null,
    );
  }

  #showBar(): void {
    const { viewer, controls } = this;
    const kind = controls || (this.#motionReduced ? 'minimal' : false);
    if (this.#bar?.kind === kind) return;
    this.#bar?.dispose();
    this.#bar = undefined;
    if (viewer?.model && kind) {
      const { loaded: now } = controlsPart;
      if (now) this.#bar = new now.Bar(this, viewer, kind);
      else
        controlsPart
          .load()
          .then(() => this.#showBar())
          .catch((error: unknown) => this.warn(error));
    }
    this.#view.bar(this.#bar?.element ?? null);
  }

  #describe(): void {
    const { alt, cameraControls, controls } = this;
    const name = alt || NAME;
    const prompt = this.#texts['interaction-prompt'] ?? PROMPT;
    this.#view.describe(
      cameraControls ? `${name.replace(/\.$/, '')}. ${prompt}` : name,
      cameraControls || controls !== false,
    );
  }

  /** The texts of the attribute `a11y`. */
  get #texts(): Readonly<Record<string, string | undefined>> {
    try {
      const words = JSON.parse(this.a11y || '{}') as Record<string, unknown> | null;
      return Object.fromEntries(
        Object.entries(words ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
      );
    } catch {
      return {};
    }
  }

  /** Announces the side from which the camera looks, after a change, if the element has the focus. */
  #announceSide(): void {
    const { viewer } = this;
    if (!viewer) return;
    const side = sideOf(viewer.camera);
    if (side === this.#side) return;
    this.#side = side;
    if (!this.shadowRoot?.activeElement) return;
    this.#view.announce(this.#texts[side] ?? `View from stage ${side}`);
  }

  /** Updates the custom states for CSS. */
  #state(): void {
    const { viewer } = this;
    const playing = viewer !== null && !viewer.paused;
    const on = {
      playing,
      paused: !playing,
      loading: this.busy || this.#opening !== undefined,
      error: this.#failure !== undefined,
      seeking: this.#seeking,
    };
    for (const [name, is] of Object.entries(on)) {
      try {
        this.#internals?.states?.[is ? 'add' : 'delete'](name);
      } catch {
        // Older browsers accept only names that begin with dashes.
      }
    }
  }
}

/**
 * Releases the context of a canvas that is no longer used. A page has 8 to 16 contexts; a further one makes the browser lose the
 * oldest. An unused context counts until it is garbage collected.
 */
function releaseContext(canvas: HTMLCanvasElement): void {
  canvas.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext();
}

if (globalThis.HTMLElement) reflect<ViewerAttributes>(GambolViewer.prototype, ATTRIBUTES);
