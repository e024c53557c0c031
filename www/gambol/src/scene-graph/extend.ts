// Adds the scene graph of `<model-viewer>` to `<gambol-viewer>`.

import type { Performer } from '../api/performer.ts';
import { asGambolError } from '../base/errors.ts';
import { alwaysUse } from '../element/features/used-features.ts';
import { GambolViewer } from '../element/viewer-element.ts';
import { readGltf } from '../load/gltf-file.ts';
import { Material, PBRMetallicRoughness } from './material.ts';
import { Model } from './model.ts';
import { Image, Sampler, Texture, TextureInfo } from './textures.ts';

/** The scene graph of `<model-viewer>`, which `gambol/model-viewer` adds to the element. @category Scene graph */
export interface SceneGraph {
  /** The scene graph of the model that is shown; undefined without one. @category Scene graph */
  readonly model: Model | undefined;
  /** The scene graphs of `<extra-model>` children that are shown. @category Scene graph */
  readonly extraModels: readonly Model[];
  /** The JSON of the model's file, a copy; null until it is read again, soon after `load`. @category Scene graph */
  readonly originalGltfJson: object | null;
  /** A texture of an image, by its address. It is loaded when a material shows it. @category Scene graph */
  createTexture(uri: string, type?: string): Promise<Texture | null>;
  /** A texture that follows a video, which plays without sound. @category Scene graph */
  createVideoTexture(uri: string): Texture;
  /** A texture of a canvas: draw on `texture.source.element`, then call `texture.source.update()`. @category Scene graph */
  createCanvasTexture(): Texture;
  /** The material at a point of the page, in CSS pixels; null if there is none. @category Scene graph */
  materialFromPoint(x: number, y: number): Material | null;
}

declare module '../element/viewer-element.ts' {
  interface GambolViewer extends SceneGraph {}
}

/** The scene graph of each performer with its model. */
const graphs = new WeakMap<Performer, { readonly of: unknown; readonly graph: Model }>();
/** The JSON of the files of elements. */
const files = new WeakMap<GambolViewer, { readonly of: unknown; json: object | null }>();

function graphOf(element: GambolViewer, performer: Performer | null | undefined): Model | undefined {
  if (!performer?.model) return undefined;
  const known = graphs.get(performer);
  if (known?.of === performer.model) return known.graph;
  const graph = new Model(performer, (error) => {
    const { code, message } = asGambolError(error, 'argument/invalid');
    element.viewer?.warn({ code, message, pointer: '' });
  });
  graphs.set(performer, { of: performer.model, graph });
  return graph;
}

const MEMBERS: ThisType<GambolViewer> & Record<string, unknown> = {
  get model(): Model | undefined {
    return graphOf(this, this.viewer);
  },

  get extraModels(): readonly Model[] {
    const actors = [...this.querySelectorAll('extra-model')].map(
      (child) => (child as { actor?: Performer | null }).actor,
    );
    return actors.map((actor) => graphOf(this, actor)).filter((graph) => graph !== undefined);
  },

  get originalGltfJson(): object | null {
    const model = this.viewer?.model;
    if (!model) return null;
    const known = files.get(this);
    if (known?.of === model) return known.json && (structuredClone(known.json) as object);
    const read = { of: model, json: null as object | null };
    files.set(this, read);
    const { source } = model.library;
    readGltf(source.url ?? '', { signal: new AbortController().signal }).then(
      ({ json }) => (read.json = json as object),
      () => undefined,
    );
    return null;
  },

  createTexture(uri: string): Promise<Texture | null> {
    return Promise.resolve(new Texture(new Image('', uri)));
  },

  createVideoTexture(uri: string): Texture {
    const video = document.createElement('video');
    Object.assign(video, { crossOrigin: 'anonymous', src: uri, muted: true, playsInline: true, loop: true });
    video.play().catch(() => undefined);
    return new Texture(new Image('', video));
  },

  createCanvasTexture(): Texture {
    return new Texture(new Image('', document.createElement('canvas')));
  },

  materialFromPoint(x: number, y: number): Material | null {
    const { viewer, model } = this as unknown as GambolViewer & SceneGraph;
    if (!viewer || !model) return null;
    const { left, top, width, height } = viewer.canvas.getBoundingClientRect();
    const { clientWidth, clientHeight } = viewer.canvas;
    const found = viewer.materialFromPoint(
      ((x - left) * clientWidth) / (width || 1),
      ((y - top) * clientHeight) / (height || 1),
    );
    return (found && model.materials[found.index]) ?? null;
  },
};

/** Adds the members to the element, and the features that their calls need. */
export function extend(): void {
  alwaysUse(['materials', 'picking']);
  Object.defineProperties(GambolViewer.prototype, Object.getOwnPropertyDescriptors(MEMBERS));
  Object.assign(GambolViewer, { Model, Material, PBRMetallicRoughness, Sampler, TextureInfo, Texture, Image });
}
