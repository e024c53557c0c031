// Adds the scene graph of `<model-viewer>` to `<gambol-viewer>`.

import type { Performer } from '../api/performer.ts';
import { asGambolError } from '../base/errors.ts';
import { glbChunks } from '../base/glb.ts';
import { isGlb } from '../base/glb-header.ts';
import { canvasPoint } from '../base/page-points.ts';
import type { GambolExtraModel } from '../element/children/cast-elements.ts';
import { hotspotsPart } from '../element/children/part.ts';
import { alwaysUse } from '../element/features/used-features.ts';
import { GambolViewer } from '../element/viewer-element.ts';
import { checkedNumber } from '../values/options.ts';
import { fileWitnesses } from '../load/import-model.ts';
import { parsedJson } from '../load/json-text.ts';
import type { Source } from '../load/source.ts';
import { Material, PBRMetallicRoughness } from './material.ts';
import { Model } from './model.ts';
import { Image, Sampler, Texture, TextureInfo } from './textures.ts';

/** The scene graph of `<model-viewer>`, which `gambol/model-viewer` adds to the element. @category Scene graph */
export interface SceneGraph {
  /** The scene graph of the model that is shown; undefined without one. @category Scene graph */
  readonly model: Model | undefined;
  /** The scene graphs of `<extra-model>` children that are shown. @category Scene graph */
  readonly extraModels: readonly Model[];
  /** The JSON of the model's file, a copy; null without a model. @category Scene graph */
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

declare module '../element/children/cast-elements.ts' {
  interface GambolExtraModel {
    /** The scene graph of the model; undefined until it is loaded. It needs `gambol/model-viewer`. */
    readonly model: Model | undefined;
  }
}

/** The scene graph of each performer with its model. */
const graphs = new WeakMap<Performer, { readonly of: unknown; readonly graph: Model }>();
/** The texts of the JSON of files, which are parsed when a page asks for them. */
const texts = new WeakMap<Source, Uint8Array>();

/** Keeps a copy of the JSON, because the bytes of the file are freed after its import. */
function keepText(source: Source, file: Uint8Array): void {
  const text = isGlb(file) ? glbChunks(file).json : file;
  if (text) texts.set(source, text.slice());
}

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
    const models = [...this.querySelectorAll('extra-model')].map(({ actor }) => graphOf(this, actor));
    return models.filter((graph) => graph !== undefined);
  },

  get originalGltfJson(): object | null {
    const source = this.viewer?.model?.library.source;
    const text = source && texts.get(source);
    return text ? (parsedJson(text).value as object) : null;
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
    const { viewer } = this;
    if (!viewer?.model) return null;
    const at = canvasPoint(viewer.canvas, checkedNumber(x, 'x'), checkedNumber(y, 'y'));
    // An element that is not shown has no points.
    if (!Number.isFinite(at.x) || !Number.isFinite(at.y)) return null;
    const found = viewer.materialFromPoint(at.x, at.y);
    const graph = found && graphOf(this, viewer.pick(at.x, at.y)?.actor);
    return graph?.materials[found?.index ?? -1] ?? null;
  },
};

/** Adds the members to the elements, and the features that their calls need. */
export function extend(): void {
  alwaysUse(['materials', 'picking']);
  fileWitnesses.add(keepText);
  Object.defineProperties(GambolViewer.prototype, Object.getOwnPropertyDescriptors(MEMBERS));
  Object.assign(GambolViewer, { Model, Material, PBRMetallicRoughness, Sampler, TextureInfo, Texture, Image });
  if (!globalThis.customElements) return;
  // Pages query hotspots in the task in which they add them.
  void hotspotsPart.preload();
  void customElements.whenDefined('extra-model').then(({ prototype }) =>
    Object.defineProperty(prototype, 'model', {
      configurable: true,
      get(this: GambolExtraModel) {
        const { parentElement: element, actor } = this;
        if (!(element instanceof GambolViewer)) return undefined;
        return graphOf(element, element.leadModel === this ? element.viewer : actor);
      },
    }),
  );
}
