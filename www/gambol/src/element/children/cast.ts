// Applies `<gambol-actor>`, `<extra-model>` and `<gambol-crowd>`: their models, `load` and `error` events, and attributes.

import { asGambolError } from '../../base/errors.ts';
import type { LoadOptions } from '../../load/import-model.ts';
import type { Model } from '../../load/model.ts';
import { jointReference } from './actor-joint.ts';
import {
  CAST_ATTRIBUTES,
  GambolCrowd,
  GambolExtraModel,
  defineCastElements,
  isFigure,
  show,
  type CastElement,
  type FigureElement,
} from './cast-elements.ts';
import { CrowdRole } from './crowd-role.ts';
import { ExtraModels } from './extra-models.ts';
import { FigureRole, placeOfFigure, type ChildrenScene, type FigureChildren } from './figure-role.ts';

defineCastElements();

/** A child element and its object on stage. */
interface Entry {
  readonly src: string;
  /** Aborted when the element is removed, or has another source. */
  readonly stop: AbortController;
  /** Undefined until it is loaded. */
  role: FigureRole | CrowdRole | undefined;
  failed: boolean;
}

export class Cast {
  readonly extras: ExtraModels;
  readonly #scene: ChildrenScene;
  readonly #childrenOf: FigureChildren;
  readonly #entries = new Map<CastElement, Entry>();
  /** The pending loads, by URL: an element waits for that of another one, to share its model. */
  readonly #loads = new Map<string, Promise<unknown>>();
  readonly #observer = new MutationObserver(() => this.sync());
  readonly #stop = new AbortController();

  constructor(scene: ChildrenScene, childrenOf: FigureChildren) {
    const { host, viewer } = scene;
    this.#scene = scene;
    this.#childrenOf = childrenOf;
    this.extras = new ExtraModels(scene);
    this.#observer.observe(host, { subtree: true, attributes: true, attributeFilter: [...CAST_ATTRIBUTES] });
    viewer.addEventListener(
      'play',
      () => {
        for (const { role } of this.#entries.values()) role?.resume();
      },
      { signal: this.#stop.signal },
    );
  }

  /** Adds and removes actors and crowds, and applies changed attributes. Loads begin after that of the viewer's own model. */
  sync(): void {
    const { children, leadModel } = this.#scene.host;
    const elements = [...children].filter(
      (child): child is CastElement => (isFigure(child) && child !== leadModel) || child instanceof GambolCrowd,
    );
    for (const [element, { src }] of this.#entries)
      if (!elements.includes(element) || element.src !== src) this.#end(element);
    if (!this.#scene.viewer.model) return;
    this.extras.sync();
    for (const element of elements) this.#entries.get(element)?.role?.sync();
    // Leaders of other actors begin first, so that those can wait for them.
    const follows = (element: CastElement): boolean =>
      isFigure(element) && element.follow?.trim().startsWith('#') === true;
    for (const element of [...elements.filter((each) => !follows(each)), ...elements.filter(follows)])
      if (!this.#entries.has(element) && element.src && !this.#waits(element)) this.#begin(element, element.src);
  }

  dispose(): void {
    this.#stop.abort();
    this.#observer.disconnect();
    for (const element of [...this.#entries.keys()]) this.#end(element);
  }

  /** `true` if the actor that the element follows is loading. */
  #waits(element: CastElement): boolean {
    if (!isFigure(element) || element.follow === null) return false;
    try {
      const { element: leader } = jointReference(this.#scene.host, this.#scene.viewer, element.follow);
      const entry = leader && this.#entries.get(leader as FigureElement);
      return entry ? !entry.role && !entry.failed : false;
    } catch {
      // The role reports it.
      return false;
    }
  }

  #begin(element: CastElement, src: string): void {
    const entry: Entry = { src, stop: new AbortController(), role: undefined, failed: false };
    this.#entries.set(element, entry);
    const { signal } = entry.stop;
    const adding = this.#add(element, entry);
    if (element instanceof GambolExtraModel) this.extras.wait(adding);
    adding
      .then(
        (url) => {
          if (signal.aborted) return;
          element.dispatchEvent(new CustomEvent('load', { detail: { url } }));
          // Other actors may follow this one.
          this.sync();
        },
        (thrown: unknown) => {
          if (signal.aborted) return;
          entry.failed = true;
          const error = asGambolError(thrown, 'load/failed');
          const { code, message, pointer, url } = error;
          const detail = { type: 'loadfailure', code, message, pointer, url, sourceError: error };
          element.dispatchEvent(new CustomEvent('error', { detail }));
          this.#scene.warn(error);
          this.sync();
        },
      )
      .catch((error: unknown) => this.#scene.warn(error));
  }

  /** Loads the model of an element, and adds it to the stage; returns its URL. */
  async #add(element: CastElement, entry: Entry): Promise<string | null> {
    const { stop, src } = entry;
    const { signal } = stop;
    const url = urlOf(src);
    const options = { ...this.#scene.host.loadOptions, signal };
    const add = (from: Model | string): Promise<void> =>
      isFigure(element)
        ? this.#addFigure(element, entry, from, options)
        : this.#addCrowd(element, entry, from, options);
    while (!signal.aborted) {
      const model = this.#modelOf(url);
      if (model) {
        try {
          await add(model);
          return url;
        } catch (error) {
          // The model may have left the stage while the script for crowds was loading. Then it is loaded again.
          if (this.#modelOf(url) === model) throw error;
        }
      } else {
        const pending = this.#loads.get(url);
        if (!pending) {
          const adding = add(src);
          this.#loads.set(url, adding);
          await adding.finally(() => this.#loads.delete(url));
          return url;
        }
        await pending.catch(() => undefined);
      }
    }
    return null;
  }

  async #addFigure(element: FigureElement, entry: Entry, from: Model | string, options: LoadOptions): Promise<void> {
    const { signal } = entry.stop;
    const actor = await this.#scene.viewer.add(from, {
      ...options,
      // The automatic camera frames the actor where it enters.
      ...(element.follow === null && placeOfFigure(element, () => undefined)),
      begin: (added) => {
        if (signal.aborted) return;
        // In the task in which the actor enters, so that its first frame has its pose and place.
        entry.role = new FigureRole(element, added, this.#scene, this.#childrenOf);
        show(element, added);
        if (element instanceof GambolExtraModel) this.extras.enter(element, added, entry.role);
        entry.role.sync();
      },
    });
    if (signal.aborted) actor.remove();
  }

  async #addCrowd(element: GambolCrowd, entry: Entry, from: Model | string, options: LoadOptions): Promise<void> {
    // It begins empty, so that no member is drawn before it has its place.
    const crowd = await this.#scene.viewer.addCrowd(from, { ...options, count: 0 });
    if (entry.stop.signal.aborted) return crowd.remove();
    entry.role = new CrowdRole(element, crowd, this.#scene);
    show(element, crowd);
    entry.role.sync();
  }

  /** A model on stage that was loaded from a URL with the same options. */
  #modelOf(url: string): Model | undefined {
    const { model } = this.#scene.viewer;
    if (model?.url === url && !this.#scene.host.hasAttribute('animation-src')) return model;
    for (const { src, role } of this.#entries.values()) if (role && urlOf(src) === url) return role.model ?? undefined;
    return undefined;
  }

  #end(element: CastElement): void {
    const entry = this.#entries.get(element);
    this.#entries.delete(element);
    entry?.stop.abort();
    this.extras.leave(element);
    show(element, null);
    try {
      entry?.role?.end();
    } catch (error) {
      this.#scene.warn(error);
    }
  }
}

/** The absolute URL of a source; the text itself if it is none, which the load reports. */
function urlOf(src: string): string {
  try {
    return new URL(src, document.baseURI).href;
  } catch {
    return src;
  }
}
