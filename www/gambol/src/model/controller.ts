// The life of a `<model>` element: its source, its promises and events, its player, and its view.

import { deferred } from '../base/deferred.ts';
import { windowOf } from '../base/window.ts';
import { setAttribute } from '../element/base/dom.ts';
import { failure, failureOf } from './failure.ts';
import { noModel, type ModelState } from './fit.ts';
import { STATE, stylePage } from './page-style.ts';
import { openPlayer, type Player } from './player.ts';
import { addressOf, candidatesOf, type Candidate } from './sources.ts';
import { type ModelView, VIEW_NAME } from './view.ts';

/** The margin around the viewport in which a model with `loading="lazy"` begins to load. */
const LOAD_MARGIN = '50%';
/** The attributes of the element and of its sources, texts of its fallback content included. */
const ATTRIBUTES = [
  'src',
  'type',
  'media',
  'stagemode',
  'environmentmap',
  'loop',
  'loading',
  'poster',
  'width',
  'height',
  'alt',
  'aria-label',
];

/** The source of the element is none, loading, shown, failed, or none of those that are named fits. */
type Phase = 'empty' | 'loading' | 'shown' | 'failed' | 'unfit';

export class Controller {
  readonly #host: HTMLElement;
  readonly #observer: MutationObserver;
  #phase: Phase = 'empty';
  #current: Candidate | undefined;
  /** The URLs that could not be loaded, by the elements that name them. */
  #failed = new WeakMap<Element, string>();
  #ready = deferred<HTMLElement, DOMException>();
  #settled = false;
  #state: ModelState = noModel();
  #rate = 1;
  #light = deferred<void, DOMException>();
  /** The URL of the environment map, which may be loading; empty for none. */
  #lightUrl = '';
  #lit = false;
  #view: ModelView | undefined;
  #player: Player | undefined;
  /** Identifies the pending creation of the player. */
  #opening: object | undefined;
  /** Identifies the pending load. */
  #load: object | undefined;
  #near: IntersectionObserver | undefined;
  #isNear = false;
  #leaving: ReturnType<typeof setTimeout> | undefined;
  /** `true` while a check is pending that finds whether any source fits. */
  #checks = false;

  constructor(host: HTMLElement) {
    this.#host = host;
    // A copy of an element has a copy of its view.
    for (const child of [...host.children]) if (child.localName === VIEW_NAME) child.remove();
    this.#observer = new MutationObserver(() => this.sync());
    this.#observer.observe(host, { attributes: true, attributeFilter: ATTRIBUTES, childList: true, subtree: true });
  }

  /** Follows changes of which the observer was not told yet, so that a script finds the state after its own changes. */
  follow(): void {
    if (this.#observer.takeRecords().length > 0) this.sync();
  }

  /** Follows the attributes and the children of the element. */
  sync(): void {
    this.#select();
    this.#syncLight();
    this.#show();
    const player = this.#player;
    if (player) {
      player.loop = this.#host.hasAttribute('loop');
      player.orbit = this.#isOrbit;
    }
    this.#open();
  }

  // ---- the properties of the element

  get currentSrc(): string {
    return this.#current?.url ?? '';
  }

  get ready(): Promise<HTMLElement> {
    return this.#ready.promise;
  }

  get environmentMapReady(): Promise<void> {
    return this.#light.promise;
  }

  get state(): Readonly<ModelState> {
    return this.#state;
  }

  /** @throws DOMException `InvalidStateError` in the mode `orbit` and without a model, `NotSupportedError` for another matrix */
  setTransform(transform: DOMMatrixReadOnly): void {
    if (this.#isOrbit)
      throw failure(
        'InvalidStateError',
        'entityTransform is read-only while stagemode is “orbit”. Set stageMode to “none” first.',
      );
    const player = this.#live;
    if (!player)
      throw failure('InvalidStateError', 'There is no model yet. Set entityTransform after ready has resolved.');
    if (!player.set(transform))
      throw failure(
        'NotSupportedError',
        'entityTransform must be made of translation, rotation and a scale other than 0.',
      );
  }

  get currentTime(): number {
    return this.#live?.currentTime ?? this.#state.time;
  }

  set currentTime(time: number) {
    if (this.#live) this.#live.currentTime = time;
    else this.#state.time = Math.min(this.#state.duration, Math.max(0, time));
  }

  get playbackRate(): number {
    return this.#rate;
  }

  set playbackRate(rate: number) {
    this.#rate = rate;
    if (this.#player) this.#player.playbackRate = rate;
  }

  get paused(): boolean {
    return this.#live?.paused ?? true;
  }

  async play(): Promise<void> {
    const player = this.#live;
    if (!player || this.#state.duration === 0)
      throw failure(
        'InvalidStateError',
        player ? 'The model has no animation.' : 'There is no model yet. Await ready first.',
      );
    try {
      await player.play();
    } catch (error) {
      throw failureOf(error);
    }
  }

  pause(): void {
    this.#live?.pause();
  }

  // ---- the source

  /** Selects the first source that fits and has not failed. */
  #select(): void {
    const { fits, named } = candidatesOf(this.#host);
    const current = this.#current;
    if (current && !fits.some(({ url }) => url === current.url)) {
      this.#failed = new WeakMap();
      if (fits.length === 0) this.#empty();
    }
    const wanted = this.#untried(fits);
    if (wanted && wanted.url !== this.#current?.url) this.#begin(wanted);
    else if (fits.length === 0 && named && this.#phase !== 'unfit') this.#checkLater();
    else if (!named && this.#phase === 'unfit') this.#renew('empty');
  }

  #untried(fits: readonly Candidate[]): Candidate | undefined {
    return fits.find(({ element, url }) => this.#failed.get(element) !== url);
  }

  /** Loads another source: the next one of a list, if its sources before could not be loaded. */
  #begin(candidate: Candidate, isNext = false): void {
    if (!isNext && (this.#current || this.#settled)) this.#abort();
    this.#current = candidate;
    this.#state = noModel();
    this.#phase = 'loading';
    const load = (this.#load = {});
    if (!candidate.readable) {
      const error = failure('NotSupportedError', `${candidate.url} is a USD file. Add a <source> with a .glb file.`);
      queueMicrotask(() => this.#load === load && this.#fail(error));
    } else if (this.#player) this.#loadIn(this.#player);
  }

  /** Ends with the source that was removed. */
  #empty(): void {
    this.#abort();
    this.#send('error', this.#host);
  }

  /** Rejects a load that is pending, and renews the promise. */
  #abort(): void {
    this.#load = undefined;
    this.#player?.unload();
    this.#ready.reject(failure('AbortError', 'The source of the model has changed.'));
    this.#renew('empty');
  }

  #renew(phase: Phase): void {
    this.#phase = phase;
    this.#current = undefined;
    this.#state = noModel();
    this.#ready = deferred();
    this.#settled = false;
  }

  /** Checks in a task of its own that no source fits: a parser or a script may be about to add another one. */
  #checkLater(): void {
    if (this.#checks) return;
    this.#checks = true;
    const { ownerDocument } = this.#host;
    const check = (): void => {
      this.#checks = false;
      const { fits, named } = candidatesOf(this.#host);
      if (fits.length > 0 || !named || this.#phase === 'unfit') return;
      this.#phase = 'unfit';
      this.#settle(
        failure('NotSupportedError', 'No <source> has a type that can be shown. Add one of type model/gltf-binary.'),
      );
    };
    if (ownerDocument.readyState === 'loading')
      ownerDocument.addEventListener('DOMContentLoaded', check, { once: true });
    else queueMicrotask(check);
  }

  #loadIn(player: Player): void {
    const current = this.#current;
    if (!current || this.#phase !== 'loading' || !current.readable) return;
    const load = (this.#load = {});
    const options = { credentials: this.#credentials, autoplay: this.#host.hasAttribute('autoplay') };
    player.load(current.url, this.#state, options).then(
      () => {
        if (this.#load !== load) return;
        this.#load = undefined;
        this.#phase = 'shown';
        // A model that is shown again, after its element was added again, has resolved before.
        const again = this.#settled;
        this.#settled = true;
        this.#ready.resolve(this.#host);
        this.#show();
        if (!again) this.#send('load', this.#host);
      },
      (error: unknown) => this.#load === load && this.#fail(failureOf(error)),
    );
  }

  /** Tries the next source, or fails. */
  #fail(error: DOMException): void {
    const current = this.#current;
    if (!current) return;
    const { element, url } = current;
    this.#failed.set(element, url);
    if (element !== this.#host) this.#send('error', element);
    const next = this.#untried(candidatesOf(this.#host).fits);
    if (next) {
      this.#begin(next, true);
      this.sync();
    } else this.#end(error);
  }

  /** Fails with the current source, and shows the fallback content. */
  #end(error: DOMException): void {
    this.#phase = 'failed';
    this.#load = undefined;
    this.#close();
    this.#settle(error);
  }

  #settle(error: DOMException): void {
    this.#settled = true;
    this.#ready.reject(error);
    this.#show();
    this.#send('error', this.#host);
  }

  // ---- the player

  /** The player, if it shows the current model. */
  get #live(): Player | undefined {
    return this.#phase === 'shown' ? this.#player : undefined;
  }

  get #isOrbit(): boolean {
    return this.#host.getAttribute('stagemode')?.toLowerCase() === 'orbit';
  }

  get #credentials(): RequestCredentials {
    return this.#host.getAttribute('crossorigin')?.toLowerCase() === 'use-credentials' ? 'include' : 'same-origin';
  }

  /** Creates the player if it is needed. */
  #open(): void {
    const { isConnected } = this.#host;
    const current = this.#current;
    if (!isConnected || this.#phase !== 'loading' || this.#player || this.#opening || !current?.readable) return;
    if (this.#host.getAttribute('loading')?.toLowerCase() === 'lazy' && !this.#isNear) return this.#observe();
    void this.#openNow(current);
  }

  async #openNow({ url }: Candidate): Promise<void> {
    const view = this.#view;
    if (!view) return;
    const opening = (this.#opening = {});
    try {
      const player = await openPlayer(this.#host, view.newCanvas(), url, this.#credentials, (error) => {
        if (this.#player === player) this.#end(failureOf(error));
      });
      if (this.#opening !== opening) return player.dispose();
      this.#player = player;
      player.playbackRate = this.#rate;
      if (this.#lightUrl) this.#loadLight(player);
      this.#loadIn(player);
      this.sync();
    } catch (error) {
      if (this.#opening === opening) this.#end(failureOf(error));
    } finally {
      if (this.#opening === opening) this.#opening = undefined;
    }
  }

  /** Frees the player. */
  #close(): void {
    this.#opening = undefined;
    const player = this.#player;
    this.#player = undefined;
    player?.dispose();
    this.#near?.disconnect();
    this.#near = undefined;
    this.#isNear = false;
  }

  #observe(): void {
    const { IntersectionObserver: Observer } = windowOf(this.#host);
    this.#near ??= new Observer(
      (entries) => {
        if (!entries.at(-1)?.isIntersecting) return;
        this.#near?.disconnect();
        this.#isNear = true;
        this.#open();
      },
      { rootMargin: LOAD_MARGIN },
    );
    this.#near.observe(this.#host);
  }

  // ---- the environment map

  #syncLight(): void {
    const url = addressOf(this.#host, 'environmentmap');
    if (url === this.#lightUrl) return;
    if (this.#lightUrl) this.#light.reject(failure('AbortError', 'The environment map has changed.'));
    if (this.#lightUrl || this.#lit) this.#light = deferred();
    this.#lightUrl = url;
    this.#lit = false;
    if (this.#player) this.#loadLight(this.#player);
  }

  #loadLight(player: Player): void {
    const { promise, resolve, reject } = this.#light;
    const isCurrent = (): boolean => this.#light.promise === promise && this.#player === player;
    player.light(this.#lightUrl, this.#credentials).then(
      () => {
        if (!isCurrent() || !this.#lightUrl) return;
        this.#lit = true;
        resolve();
      },
      (error: unknown) => {
        if (!isCurrent()) return;
        this.#lit = true;
        reject(failureOf(error));
        // The default light, as without an environment map.
        player.light('', this.#credentials).catch(() => undefined);
      },
    );
  }

  // ---- the view

  /** Shows the model, the poster or the fallback content. */
  #show(): void {
    const host = this.#host;
    const poster = addressOf(host, 'poster');
    const hasModel = this.#phase === 'shown';
    const fallback = [...host.children].filter(({ localName }) => localName !== 'source' && localName !== VIEW_NAME);
    const hasPoster = !hasModel && poster !== '' && (this.#phase === 'loading' || fallback.length === 0);
    const isBox = this.#phase === 'loading' || hasModel || hasPoster;
    setAttribute(host, STATE, isBox ? (hasModel || hasPoster ? 'shown' : 'loading') : null);
    if (!isBox) {
      this.#view?.remove();
      return;
    }
    const view = (this.#view ??= this.#newView());
    if (view.parentNode !== host) host.append(view);
    stylePage(host);
    view.show(hasModel, hasPoster ? poster : '');
    const image = fallback.find((element) => element.getAttribute('alt'));
    const text = [host.getAttribute('aria-label'), host.getAttribute('alt'), image?.getAttribute('alt')].find(Boolean);
    view.describe(text ?? '', hasModel && this.#isOrbit);
  }

  #newView(): ModelView {
    const view = document.createElement(VIEW_NAME) as ModelView;
    view.listener = {
      connected: () => {
        clearTimeout(this.#leaving);
        this.sync();
      },
      // Delayed, because a moved element is connected again before the timeout.
      disconnected: () => {
        clearTimeout(this.#leaving);
        this.#leaving = setTimeout(() => this.#leave());
      },
      adopted: () => this.#player?.follow(),
    };
    return view;
  }

  /** Frees everything while the element is not in a page. Its state is restored when it is added again. */
  #leave(): void {
    if (this.#view?.isConnected) return;
    this.#load = undefined;
    this.#close();
    if (this.#phase === 'shown') this.#phase = 'loading';
    this.#show();
  }

  /** Dispatches an event after the script that caused it. */
  #send(type: 'load' | 'error', target: Element): void {
    queueMicrotask(() => target.dispatchEvent(new Event(type)));
  }
}
