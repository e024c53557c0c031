// Scenes that are compared with golden pictures: their views and their rendering.

import { createViewer, type Rgba, type ToneMapping } from 'gambol';
import { OTHERS, Failure, test } from '../../page/api.ts';
import type { Tolerance } from '../../page/pixels.ts';
import { Scene } from './scene.ts';
import { mesh, sphere } from './shapes.ts';
import { picture } from './watch.ts';

/** The width and height of the pictures, in pixels. */
const SIZE = 128;

/**
 * The tolerance for the same picture in another browser. Edges differ: SwiftShader and llvmpipe place the samples of a
 * pixel and round depths differently, and the outlines of four spheres are 3 % of the picture. Other pixels are the
 * same except for the last bits of filters and of `pow`.
 */
const TOLERANCE: Tolerance = { channel: 4, outliers: 0.006 };

/**
 * The tolerance for textures at grazing angles: SwiftShader and llvmpipe choose different mipmap levels and samples of
 * an anisotropic filter, as OpenGL allows.
 */
export const FILTERED: Tolerance = { channel: 12, outliers: 0.004 };

/**
 * The tolerance for strongly minified textures: at the poles of spheres, and in the face of a character that is 60
 * pixels high.
 */
export const SQUEEZED: Tolerance = { channel: 12, outliers: 0.011 };

/** An empty scene with a perspective camera, which shows a little more than x and y from -1 to 1 at z = 0. */
function perspective(): Scene {
  const scene = new Scene();
  scene.json.cameras[0] = { type: 'perspective', perspective: { yfov: 0.5, aspectRatio: 1, znear: 0.1, zfar: 50 } };
  scene.json.nodes[0].translation = [0, 0, 4.2];
  return scene;
}

/** Places the camera at `distance` from the middle, `angle` above the horizon. */
export function lookDown(scene: Scene, angle: number, distance: number): void {
  const rotation = [-Math.sin(angle / 2), 0, 0, Math.cos(angle / 2)];
  Object.assign(scene.json.nodes[0], {
    rotation,
    translation: [0, distance * Math.sin(angle), distance * Math.cos(angle)],
  });
}

/** Four spheres, in rows from the upper left. */
export function four(scene: Scene, materials: readonly number[]): void {
  const shape = sphere();
  materials.forEach((index, i) => {
    const translation = [i % 2 ? 0.52 : -0.52, i < 2 ? 0.52 : -0.52, 0];
    scene.node({ mesh: mesh(scene, shape, index), translation, scale: [0.46, 0.46, 0.46] });
  });
}

/** The view of a scene. Missing members are a viewer's defaults. */
export interface Showing {
  environmentRotation?: number;
  environmentIntensity?: number;
  exposure?: number;
  toneMapping?: ToneMapping;
  skybox?: boolean;
  skyboxBlur?: number;
  shadowIntensity?: number;
  shadowSoftness?: number;
  environment?: 'studio' | ArrayBuffer | null;
  background?: Rgba | null;
  /** Seeks a clip to a fraction of its duration, with the viewer's automatic camera. */
  at?: readonly [clip: string, fraction: number];
  tolerance?: Tolerance;
}

const USUAL = {
  environmentRotation: 0,
  environmentIntensity: 1,
  exposure: 1,
  toneMapping: 'neutral',
  skybox: false,
  skyboxBlur: 0,
  shadowIntensity: 0,
  shadowSoftness: 0.5,
  background: [0.22, 0.23, 0.25, 1],
  at: null,
  tolerance: TOLERANCE,
} as const;

/** A scene with the name of its golden picture. */
export interface Exhibit {
  name: string;
  /** Returns the file, or the address of a model. */
  source: () => Blob | string;
  showing: Showing;
}

/** All declared scenes. */
export const exhibits: Exhibit[] = [];

/** Declares a scene; `fill` adds objects to it, or returns the address of a model. */
export type Declare = (name: string, fill: (scene: Scene) => string | void, showing?: Showing) => void;

/**
 * Declares a test of golden pictures. One viewer shows all scenes, since a viewer and its shaders cost software
 * renderers one or two seconds. All pictures that differ are reported.
 */
export function gallery(name: string, scenes: (declare: Declare) => void): void {
  const list: Exhibit[] = [];
  scenes((name, fill, showing = {}) => {
    const source = (): Blob | string => {
      const scene = perspective();
      return fill(scene) ?? scene.file();
    };
    list.push({ name, source, showing });
  });
  exhibits.push(...list);
  test(
    `gallery: ${name}`,
    async (t) => {
      const viewer = await createViewer(t.canvas(SIZE, SIZE), { maxDpr: 1 });
      const faults: string[] = [];
      for (const {
        name,
        source,
        showing: { environment = 'studio', ...showing },
      } of list) {
        const { at, tolerance, ...settings } = { ...USUAL, ...showing };
        await viewer.load(source());
        if (viewer.warnings.length) faults.push(`${name}: ${viewer.warnings.map(({ message }) => message).join()}`);
        Object.assign(viewer, settings);
        if (environment !== viewer.environment) await viewer.setEnvironment(environment);
        if (at) {
          viewer.clip = at[0];
          await viewer.seek(at[1] * viewer.duration);
        } else {
          viewer.activeCamera = 0;
        }
        try {
          await t.golden(name, onPage(await picture(t, viewer)), tolerance);
        } catch (error) {
          if (!(error instanceof Failure)) throw error;
          faults.push(error.message);
        }
      }
      if (faults.length) t.fail(faults.join('\n'));
    },
    { timeout: 120_000, all: OTHERS },
  );
}

/**
 * Composes the picture over a page of grey fields: golden pictures are opaque, since a canvas stores no colour of
 * transparent pixels.
 */
function onPage(image: ImageData): ImageData {
  const result = new ImageData(image.width, image.height);
  for (let i = 0; i < image.data.length; i += 4) {
    const [x, y] = [(i / 4) % image.width, Math.floor(i / 4 / image.width)];
    const page = ((x >> 3) + (y >> 3)) & 1 ? 150 : 200;
    const alpha = (image.data[i + 3] ?? 0) / 255;
    for (let c = i; c < i + 3; c++) result.data[c] = Math.round((image.data[c] ?? 0) * alpha + page * (1 - alpha));
    result.data[i + 3] = 255;
  }
  return result;
}
