// The JSON of a glTF file, indexed for lists and trees. Nothing in it was checked, so each access is.

import { shortNames } from '../app/short-names.ts';

type Json = Readonly<Record<string, unknown>>;

/** A node of the tree, with its index in the file. */
export interface TreeNode {
  readonly index: number;
  readonly name: string;
  readonly children: readonly number[];
  readonly parent: number | null;
  readonly mesh: number | null;
  readonly skin: number | null;
  readonly camera: number | null;
  readonly light: number | null;
  /** `true` for joints of a skin. */
  readonly joint: boolean;
}

export interface SceneEntry {
  readonly name: string;
  readonly roots: readonly number[];
}

export interface SkinEntry {
  readonly name: string;
  readonly joints: readonly number[];
  readonly skeleton: number | null;
}

/** The bytes of a kind of data. */
export interface ByteShare {
  readonly kind: string;
  readonly bytes: number;
}

export class DocumentIndex {
  readonly json: Json;
  readonly nodes: readonly TreeNode[];
  readonly scenes: readonly SceneEntry[];
  readonly skins: readonly SkinEntry[];
  /** The names of joints without the prefix that they share, such as `mixamorig:`. */
  readonly #short: ReadonlyMap<number, string>;

  constructor(json: Json) {
    this.json = json;
    this.skins = list(json, 'skins').map((skin, i) => ({
      name: text(skin, 'name') ?? `Skin ${i}`,
      joints: numbers(skin['joints']),
      skeleton: number(skin, 'skeleton'),
    }));
    const joints = new Set(this.skins.flatMap((skin) => skin.joints));
    const all = list(json, 'nodes');
    const parents = new Map<number, number>();
    all.forEach((node, i) => {
      for (const child of numbers(node['children'])) if (!parents.has(child)) parents.set(child, i);
    });
    this.nodes = all.map((node, index) => ({
      index,
      name: text(node, 'name') ?? '',
      children: numbers(node['children']).filter((child) => parents.get(child) === index && child < all.length),
      parent: parents.get(index) ?? null,
      mesh: number(node, 'mesh'),
      skin: number(node, 'skin'),
      camera: number(node, 'camera'),
      light: number(object(object(node, 'extensions'), 'KHR_lights_punctual'), 'light'),
      joint: joints.has(index),
    }));
    // A file of motion alone may have no skin.
    const named = this.nodes.filter(({ joint, name }) => (joint || joints.size === 0) && name !== '');
    const short = shortNames(named.map(({ name }) => name));
    this.#short = new Map(named.map(({ index }, i) => [index, short[i] ?? '']));
    this.scenes = list(json, 'scenes').map((scene, i) => ({
      name: text(scene, 'name') ?? `Scene ${i}`,
      roots: numbers(scene['nodes']).filter((root) => root < all.length),
    }));
  }

  /** The name of a node, or its index in words. */
  nameOf(index: number): string {
    return this.nodes[index]?.name || `Node ${index}`;
  }

  /** The name of a node for a list: that of a joint is without the prefix that the joints share. */
  shortNameOf(index: number): string {
    return this.#short.get(index) ?? this.nameOf(index);
  }

  /** The names from the root to a node. */
  pathOf(index: number): string[] {
    const path: string[] = [];
    for (let at: number | null = index; at !== null && path.length < this.nodes.length; ) {
      path.unshift(this.nameOf(at));
      at = this.nodes[at]?.parent ?? null;
    }
    return path;
  }

  get asset(): { readonly generator?: string; readonly copyright?: string; readonly version?: string } {
    const asset = object(this.json, 'asset');
    const entries = ['generator', 'copyright', 'version'].map((key) => [key, text(asset, key)]);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }

  /** The licence, as exporters write it beside the asset: `extras.license`, or in the copyright. */
  get licence(): string | undefined {
    return text(object(object(this.json, 'asset'), 'extras'), 'license');
  }

  /** The extensions that the file uses, and whether a reader needs them. */
  get extensions(): readonly { readonly name: string; readonly required: boolean }[] {
    const names = (key: string): string[] => strings(this.json[key]);
    const required = new Set(names('extensionsRequired'));
    return [...new Set([...names('extensionsUsed'), ...required])].map((name) => ({
      name,
      required: required.has(name),
    }));
  }

  /** The bytes of the file by kind; buffer views that several kinds use count for the first. `json`: the length of the JSON. */
  bytesByKind(jsonBytes: number): ByteShare[] {
    const views = list(this.json, 'bufferViews');
    const kinds = new Map<number, string>();
    const claim = (view: number | null, kind: string): void => {
      if (view !== null && !kinds.has(view)) kinds.set(view, kind);
    };
    const accessors = list(this.json, 'accessors');
    const accessor = (index: number | null, kind: string): void => {
      const found = index === null ? undefined : accessors[index];
      if (found) claim(number(found, 'bufferView'), kind);
    };
    for (const image of list(this.json, 'images')) claim(number(image, 'bufferView'), 'Images');
    for (const animation of list(this.json, 'animations'))
      for (const sampler of list(animation, 'samplers'))
        for (const key of ['input', 'output']) accessor(number(sampler, key), 'Animations');
    for (const skin of list(this.json, 'skins')) accessor(number(skin, 'inverseBindMatrices'), 'Skins');
    for (const mesh of list(this.json, 'meshes'))
      for (const primitive of list(mesh, 'primitives')) {
        claim(number(object(object(primitive, 'extensions'), 'KHR_draco_mesh_compression'), 'bufferView'), 'Meshes');
        for (const target of list(primitive, 'targets'))
          for (const key of Object.keys(target)) accessor(number(target, key), 'Morph targets');
        const attributes = object(primitive, 'attributes');
        for (const key of Object.keys(attributes)) accessor(number(attributes, key), 'Meshes');
        accessor(number(primitive, 'indices'), 'Meshes');
      }
    const sums = new Map<string, number>([['JSON', jsonBytes]]);
    views.forEach((view, i) => {
      // The bytes in the file are those of the compressed view.
      const compressed = object(object(view, 'extensions'), 'EXT_meshopt_compression');
      const bytes = number(compressed, 'byteLength') ?? number(view, 'byteLength') ?? 0;
      const kind = kinds.get(i) ?? 'Other';
      sums.set(kind, (sums.get(kind) ?? 0) + bytes);
    });
    return [...sums].map(([kind, bytes]) => ({ kind, bytes })).sort((a, b) => b.bytes - a.bytes);
  }
}

/** The objects of an array; other values are empty objects, so that indices stay. */
export function list(from: Json, key: string): Json[] {
  const value = from[key];
  return Array.isArray(value) ? value.map((each: unknown) => (isObject(each) ? each : {})) : [];
}

export function object(from: Json, key: string): Json {
  const value = from[key];
  return isObject(value) ? value : {};
}

export function text(from: Json, key: string): string | undefined {
  const value = from[key];
  return typeof value === 'string' ? value : undefined;
}

export function number(from: Json, key: string): number | null {
  const value = from[key];
  return typeof value === 'number' ? value : null;
}

export function numbers(value: unknown): number[] {
  return Array.isArray(value) ? value.filter((each): each is number => Number.isInteger(each) && each >= 0) : [];
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
