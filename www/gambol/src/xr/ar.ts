// Augmented reality by WebXR: the stage stands on a surface of the surroundings, where fingers move, turn and scale it.

import { GambolError } from '../base/errors.ts';
import { shown as shownValue } from '../base/shown.ts';
import { checkedFunction, checkedOptions, checkedWord, optionNames } from '../values/options.ts';
import type { Engine } from '../stage/engine.ts';
import { Gestures } from './gestures.ts';
import { Immersion, requestSession, type Shown, type XrScene } from './immersion.ts';
import { panoramaOf, readCube, type Cube } from './light.ts';
import type { ArOptions, ImmersiveSession } from './options.ts';
import { Placement, axis, distance, mix, sub, type Box, type Vec } from './math.ts';
import {
  xrGlobals,
  type XrFrame,
  type XrHit,
  type XrHitTestSource,
  type XrLightProbe,
  type XrSession,
  type XrViewerPose,
} from './webxr.ts';

/** The surface on which a stage stands: see {@link ArOptions.placement}. */
export type ArPlacement = 'floor' | 'wall' | 'ceiling';

/** The part of a viewer that a session uses. */
export interface ImmersiveViewer {
  readonly engine: Engine;
  readonly bounds: Box | null;
  shadowIntensity: number;
  environmentRotation: number;
  environment: unknown;
  setEnvironment(source: unknown): Promise<void>;
}

const OPTIONS = optionNames<ArOptions>({
  scale: 0,
  placement: 0,
  estimateLight: 0,
  overlay: 0,
  placed: 0,
  tracking: 0,
});

/** The angle below the view at which the floor is looked for, in radians, so that a phone that is held upright finds it. */
const DOWN = 0.35;
/** The time in seconds for which a surface must be found before the model stays there. */
const SETTLE = 0.4;
/** The time in seconds after which a headset without a surface gets the model in front of it. */
const PATIENCE = 3;
/** The distance of that place, in metres. */
const AHEAD = 1.5;
/** The farthest surface, in metres. */
const FARTHEST = 10;
/** The time constant of movements, in seconds. */
const EASE = 0.06;
/** The frames without a pose at the beginning before tracking counts as lost. */
const FIRST_FRAMES = 30;
/** The darkness of the shadow on the floor, unless the page has a darker one. */
const SHADOW = 0.6;
/** The least time in milliseconds between two estimates of the light. */
const LIGHT_PAUSE = 1000;
const SEGMENTS = 48;

/** Opens a session of AR. @throws `GambolError` `argument/invalid`, `xr/…`, `load/chunk`, `viewer/disposed` */
export async function enterAr(viewer: ImmersiveViewer, options: ArOptions): Promise<ImmersiveSession> {
  checkedOptions(options, OPTIONS, 'enterAr()');
  const { scale = 'auto', placement = 'floor', estimateLight = false, overlay } = options;
  checkedWord(scale, ['auto', 'fixed'], 'scale');
  checkedWord(placement, ['floor', 'wall', 'ceiling'], 'placement');
  for (const name of ['placed', 'tracking'] as const)
    if (options[name] !== undefined) checkedFunction(options[name], name);
  if (overlay !== undefined && !((overlay as unknown) instanceof Element))
    throw new GambolError('argument/invalid', `overlay must be an element, not ${shownValue(overlay)}.`);
  const session = await requestSession(viewer.engine, 'immersive-ar', {
    optionalFeatures: [
      'hit-test',
      'local-floor',
      ...(overlay ? ['dom-overlay'] : []),
      ...(estimateLight ? ['light-estimation'] : []),
    ],
    ...(overlay && { domOverlay: { root: overlay } }),
  });
  const immersion = await Immersion.open(viewer.engine, session, ['local-floor', 'local']);
  const scene = new ArScene(viewer, immersion, { ...options, scale, placement });
  scene.findSurfaces(session);
  if (estimateLight) scene.estimateLight(session);
  immersion.start(scene);
  return { ended: immersion.ended, end: () => immersion.end() };
}

class ArScene implements XrScene {
  readonly #viewer: ImmersiveViewer;
  readonly #immersion: Immersion;
  readonly #options: ArOptions & Required<Pick<ArOptions, 'scale' | 'placement'>>;
  readonly #box: Box;
  readonly #place = new Placement();
  /** The place to which the stage moves. */
  readonly #goal = new Placement();
  readonly #matrix = new Float32Array(16);
  readonly #ring: Float32Array;
  readonly #gestures: Gestures;
  readonly #before: Pick<ImmersiveViewer, 'shadowIntensity' | 'environment' | 'environmentRotation'>;
  #ahead: XrHitTestSource | undefined;
  #touched: XrHitTestSource | undefined;
  /** The seconds for which a surface was found; undefined after the stage has its place. */
  #found: number | undefined = 0;
  #waited = 0;
  #seen = false;
  #frames = 0;
  #tracks = true;
  #over = false;
  #probe: XrLightProbe | undefined;
  #cubeChanged = true;
  #reflections: Cube | undefined;
  #litAt = -Infinity;
  #lighting = false;

  constructor(
    viewer: ImmersiveViewer,
    immersion: Immersion,
    options: ArOptions & Required<Pick<ArOptions, 'scale' | 'placement'>>,
  ) {
    this.#viewer = viewer;
    this.#immersion = immersion;
    this.#options = options;
    const { shadowIntensity, environment, environmentRotation } = viewer;
    this.#before = { shadowIntensity, environment, environmentRotation };
    this.#box = viewer.bounds ?? { min: [-0.5, 0, -0.5], max: [0.5, 1, 0.5] };
    this.#place.anchor = this.#goal.anchor = this.#anchor();
    this.#ring = this.#ringAround();
    // Only the floor is where the stage has its ground.
    viewer.shadowIntensity = options.placement === 'floor' ? Math.max(SHADOW, shadowIntensity) : 0;
    this.#gestures = new Gestures(immersion.session, immersion.space, this.#goal, {
      scales: options.scale === 'auto',
      box: this.#box,
      onWall: options.placement === 'wall',
      heading: viewer.engine.cameraHeading(),
      surface: (frame, source) => this.#touchedSurface(frame, source),
    });
  }

  /** Begins to look for surfaces, as far as the device can. */
  findSurfaces(session: XrSession): void {
    const { XRRay } = xrGlobals;
    const down = { floor: DOWN, wall: 0, ceiling: -DOWN }[this.#options.placement];
    const ray = XRRay && new XRRay({ x: 0, y: 0, z: 0, w: 1 }, { x: 0, y: -Math.sin(down), z: -Math.cos(down), w: 0 });
    const keep = (source: XrHitTestSource, set: () => void): void => (this.#over ? source.cancel?.() : set());
    const missing = (): undefined => undefined;
    void session
      .requestReferenceSpace('viewer')
      .then((space) => session.requestHitTestSource?.({ space, ...(ray ? { offsetRay: ray } : {}) }))
      .then((source) => source && keep(source, () => (this.#ahead = source)))
      // Without the permission or the feature, the stage gets a place in front of the user.
      .catch(missing);
    void session
      .requestHitTestSourceForTransientInput?.({ profile: 'generic-touchscreen' })
      .then((source) => keep(source, () => (this.#touched = source)))
      .catch(missing);
  }

  /** Begins to estimate the light, if the device can. */
  estimateLight(session: XrSession): void {
    void session
      .requestLightProbe?.({ reflectionFormat: session.preferredReflectionFormat })
      .then((probe) => {
        this.#probe = probe;
        probe.addEventListener('reflectionchange', () => (this.#cubeChanged = true));
      })
      .catch(() => undefined);
  }

  update(frame: XrFrame, pose: XrViewerPose | undefined, seconds: number): Shown | undefined {
    this.#track(pose !== undefined && !pose.emulatedPosition);
    if (!pose) return undefined;
    if (this.#found !== undefined) this.#look(frame, pose, seconds);
    this.#gestures.update(frame, this.#found === undefined);
    this.#ease(seconds);
    this.#light(frame);
    if (!this.#seen) return undefined;
    this.#place.matrix(this.#matrix);
    const marks = this.#found !== undefined || this.#gestures.moves ? this.#ring : NONE;
    return { matrix: this.#matrix, marks, transparent: true };
  }

  ended(): void {
    if (this.#over) return;
    this.#over = true;
    this.#gestures.dispose();
    for (const source of [this.#ahead, this.#touched]) {
      try {
        source?.cancel?.();
      } catch {
        // The end of the session has cancelled it already.
      }
    }
    const viewer = this.#viewer;
    if (viewer.engine.ended) return;
    const { shadowIntensity, environment, environmentRotation } = this.#before;
    viewer.shadowIntensity = shadowIntensity;
    viewer.environmentRotation = environmentRotation;
    if (this.#litAt > 0) viewer.environment = environment;
  }

  /** Follows the surface ahead of the device until the stage has settled there. */
  #look(frame: XrFrame, pose: XrViewerPose, seconds: number): void {
    const eye = axis(pose.transform.matrix, 3);
    const hits = this.#ahead ? (frame.getHitTestResults?.(this.#ahead) ?? []) : [];
    const hit = this.#fitting(hits, eye);
    this.#waited += seconds;
    if (hit) {
      this.#put(hit.position, hit.normal, eye);
      this.#found = (this.#found ?? 0) + seconds;
      if (this.#found >= SETTLE) this.#settle();
      return;
    }
    this.#found = 0;
    const canWait = this.#immersion.session.interactionMode !== 'world-space' && this.#ahead;
    if (this.#waited < PATIENCE || canWait) return;
    this.#putAhead(pose, eye);
    this.#settle();
  }

  #settle(): void {
    this.#found = undefined;
    this.#options.placed?.();
  }

  /** The first hit on a surface of the right direction. */
  #fitting(hits: readonly XrHit[], eye: Vec): { readonly position: Vec; readonly normal: Vec } | undefined {
    for (const hit of hits) {
      const matrix = hit.getPose(this.#immersion.space)?.transform.matrix;
      if (!matrix) continue;
      const [position, normal] = [axis(matrix, 3), axis(matrix, 1)];
      const up = normal[1];
      const fits = { floor: up > 0.7, wall: Math.abs(up) < 0.5, ceiling: up < -0.7 }[this.#options.placement];
      if (fits && distance(position, eye) < FARTHEST) return { position, normal };
    }
    return undefined;
  }

  /** The surface under a finger. */
  #touchedSurface(frame: XrFrame, source: unknown): Vec | undefined {
    const results = this.#touched ? frame.getHitTestResultsForTransientInput?.(this.#touched) : undefined;
    const touch = results?.find(({ inputSource }) => inputSource === source);
    return touch && this.#fitting(touch.results, this.#goal.position)?.position;
  }

  /** Puts the stage on a surface, with its front to the user or away from the wall. */
  #put(position: Vec, normal: Vec, eye: Vec): void {
    const front = this.#options.placement === 'wall' ? normal : sub(eye, position);
    this.#goal.position = position;
    this.#goal.yaw = Math.atan2(front[0], front[2]) - this.#viewer.engine.cameraHeading();
    if (!this.#seen) this.#jump();
    this.#seen = true;
  }

  #putAhead({ transform: { matrix } }: XrViewerPose, eye: Vec): void {
    const [x, , z] = axis(matrix, 2);
    const length = Math.hypot(x, z) || 1;
    const back: Vec = [x / length, 0, z / length];
    const height = { floor: Math.min(0, eye[1] - 0.5), wall: eye[1], ceiling: eye[1] + 1 }[this.#options.placement];
    this.#put([eye[0] - AHEAD * back[0], height, eye[2] - AHEAD * back[2]], back, eye);
  }

  #jump(): void {
    this.#place.position = this.#goal.position;
    this.#place.yaw = this.#goal.yaw;
    this.#place.scale = this.#goal.scale;
  }

  #ease(seconds: number): void {
    const part = 1 - Math.exp(-seconds / EASE);
    const [place, goal] = [this.#place, this.#goal];
    place.position = mix(place.position, goal.position, part);
    const turn = goal.yaw - place.yaw;
    // The shorter way around.
    place.yaw += part * Math.atan2(Math.sin(turn), Math.cos(turn));
    place.scale += part * (goal.scale - place.scale);
  }

  #track(tracks: boolean): void {
    this.#frames += 1;
    if (tracks === this.#tracks || (!tracks && this.#frames < FIRST_FRAMES)) return;
    this.#tracks = tracks;
    this.#options.tracking?.(tracks);
  }

  /** Lights the stage by the estimate of the device. */
  #light(frame: XrFrame): void {
    const [probe, viewer] = [this.#probe, this.#viewer];
    if (!probe) return;
    if (this.#litAt > 0) viewer.environmentRotation = -this.#place.yaw - viewer.engine.cameraHeading();
    const now = performance.now();
    if (this.#lighting || now < this.#litAt + LIGHT_PAUSE) return;
    const estimate = frame.getLightEstimate?.(probe);
    const panorama = estimate && panoramaOf(estimate, this.#cube(probe));
    if (!panorama) return;
    this.#lighting = true;
    viewer
      .setEnvironment(panorama)
      .catch(() => undefined)
      .finally(() => {
        this.#lighting = false;
        this.#litAt = performance.now();
        // The session may have ended meanwhile.
        if (this.#over && !viewer.engine.ended) viewer.environment = this.#before.environment;
      });
  }

  /** The reflections of the surroundings, if the device has some. */
  #cube(probe: XrLightProbe): Cube | undefined {
    const { XRWebGLBinding } = xrGlobals;
    const { session, gl } = this.#immersion;
    if (!XRWebGLBinding || !this.#cubeChanged) return this.#reflections;
    this.#cubeChanged = false;
    try {
      const texture = new XRWebGLBinding(session, gl).getReflectionCubeMap?.(probe);
      if (texture) this.#reflections = readCube(gl, texture, session.preferredReflectionFormat === 'rgba16f');
    } catch {
      // The device estimates no reflections.
    }
    return this.#reflections;
  }

  /** The point of the stage that is on the surface. */
  #anchor(): Vec {
    const { min, max } = this.#box;
    const middle = mix(min, max, 0.5);
    if (this.#options.placement === 'wall') {
      // The middle of the back.
      const heading = this.#viewer.engine.cameraHeading();
      const [x, z] = [Math.sin(heading), Math.cos(heading)];
      const depth = (Math.abs(x) * (max[0] - min[0]) + Math.abs(z) * (max[2] - min[2])) / 2;
      return [middle[0] - depth * x, middle[1], middle[2] - depth * z];
    }
    return [middle[0], this.#options.placement === 'floor' ? min[1] : max[1], middle[2]];
  }

  /** A ring on the surface around the stage. */
  #ringAround(): Float32Array {
    const { min, max } = this.#box;
    const [width, height, depth] = sub(max, min);
    const [cx, cy, cz] = this.#anchor();
    const isWall = this.#options.placement === 'wall';
    const heading = this.#viewer.engine.cameraHeading();
    const radius = 0.55 * (isWall ? Math.max(width, height) : Math.hypot(width, depth));
    const points = Array.from({ length: SEGMENTS + 1 }, (_, i): Vec => {
      const [sin, cos] = [
        radius * Math.sin((2 * Math.PI * i) / SEGMENTS),
        radius * Math.cos((2 * Math.PI * i) / SEGMENTS),
      ];
      return isWall ? [cx + cos * Math.cos(heading), cy + sin, cz - cos * Math.sin(heading)] : [cx + sin, cy, cz + cos];
    });
    return Float32Array.from(points.slice(1).flatMap((point, i) => [...(points[i] ?? point), ...point]));
  }
}

const NONE = new Float32Array(0);
