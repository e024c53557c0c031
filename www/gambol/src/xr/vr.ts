// Virtual reality: the user stands in front of the character, and points at it with controllers or hands.

import { GambolError } from '../base/errors.ts';
import { checkedNumber, checkedOptions, optionNames } from '../values/options.ts';
import type { Hit } from '../wasm/core.ts';
import type { ImmersiveViewer } from './ar.ts';
import { Immersion, requestSession, type Shown, type XrScene } from './immersion.ts';
import { Placement, add, axis, rayOf, scaled, sub, type Ray, type Vec } from './math.ts';
import type { ImmersiveSession, VrOptions } from './options.ts';
import type { XrFrame, XrInputEvent, XrInputSource, XrViewerPose } from './webxr.ts';

type VrViewer = Pick<ImmersiveViewer, 'engine' | 'bounds'>;
/** Called when a controller has selected a surface. */
type Selected = (hit: Hit) => void;

const OPTIONS = optionNames<VrOptions>({ distance: 0 });
/** The least distance by default, in metres. */
const NEAREST = 1.2;
/** The length of a ray that meets nothing, in metres. */
const RAY = 3;
/** The height of the eyes above the floor where the device does not know the floor, in metres. */
const EYES = 1.6;

/** Opens a session of VR. @throws `GambolError` `argument/invalid`, `xr/…`, `load/chunk`, `viewer/disposed` */
export async function enterVr(viewer: VrViewer, options: VrOptions, selected: Selected): Promise<ImmersiveSession> {
  checkedOptions(options, OPTIONS, 'enterVr()');
  const { distance } = options;
  if (distance !== undefined && !(checkedNumber(distance, 'distance') > 0))
    throw new GambolError('argument/invalid', `distance must be above 0, not ${distance}.`);
  const { engine } = viewer;
  const session = await requestSession(engine, 'immersive-vr', { optionalFeatures: ['local-floor', 'hand-tracking'] });
  const immersion = await Immersion.open(engine, session, ['local-floor', 'local']);
  // Rays of controllers pick; without its module they only point.
  engine.core.loadFeatures(['picking']).catch(() => undefined);
  immersion.start(new VrScene(viewer, immersion, distance, selected));
  return { ended: immersion.ended, end: () => immersion.end() };
}

class VrScene implements XrScene {
  readonly #viewer: VrViewer;
  readonly #immersion: Immersion;
  readonly #distance: number | undefined;
  readonly #place = new Placement();
  readonly #matrix = new Float32Array(16);
  readonly #stop = new AbortController();
  #placed = false;

  constructor(viewer: VrViewer, immersion: Immersion, distance: number | undefined, selected: Selected) {
    this.#viewer = viewer;
    this.#immersion = immersion;
    this.#distance = distance;
    immersion.session.addEventListener(
      'select',
      (event) => {
        const { frame, inputSource } = event as XrInputEvent;
        const ray = this.#ray(frame, inputSource);
        const hit = ray && this.#pick(ray);
        if (hit) selected(hit);
      },
      { signal: this.#stop.signal },
    );
  }

  update(frame: XrFrame, pose: XrViewerPose | undefined): Shown | undefined {
    if (!pose) return undefined;
    if (!this.#placed) this.#stand(pose);
    this.#place.matrix(this.#matrix);
    const marks: number[] = [];
    for (const source of this.#immersion.session.inputSources) {
      const ray = source.targetRayMode === 'tracked-pointer' ? this.#ray(frame, source) : undefined;
      if (!ray) continue;
      const { position } = this.#pick(ray) ?? {};
      marks.push(...ray.origin, ...(position ?? add(ray.origin, scaled(ray.direction, RAY))));
    }
    return { matrix: this.#matrix, marks: Float32Array.from(marks), transparent: false };
  }

  ended(): void {
    this.#stop.abort();
  }

  /** Puts the stage in front of the user, on the floor, with its front to the user. */
  #stand({ transform: { matrix } }: XrViewerPose): void {
    const { min, max } = this.#viewer.bounds ?? { min: [-0.5, 0, -0.5], max: [0.5, 1, 0.5] };
    const [width, height, depth] = sub(max, min);
    const place = this.#place;
    place.anchor = [(min[0] + max[0]) / 2, min[1], (min[2] + max[2]) / 2];
    const away = this.#distance ?? Math.max(NEAREST, 0.9 * Math.max(width, height)) + depth / 2;
    const [eye, back] = [axis(matrix, 3), axis(matrix, 2)];
    const length = Math.hypot(back[0], back[2]);
    const towards: Vec = length > 1e-3 ? [back[0] / length, 0, back[2] / length] : [0, 0, 1];
    // Without a floor, the origin is at the eyes.
    const floor = eye[1] > 0.4 ? 0 : eye[1] - EYES;
    place.position = [eye[0] - away * towards[0], floor, eye[2] - away * towards[2]];
    place.yaw = Math.atan2(towards[0], towards[2]) - this.#viewer.engine.cameraHeading();
    this.#placed = true;
  }

  /** The ray of a controller in the space of the stage. */
  #ray(frame: XrFrame, { targetRaySpace }: XrInputSource): Ray | undefined {
    const pose = frame.getPose(targetRaySpace, this.#immersion.space);
    return pose ? this.#place.inStage(rayOf(pose.transform.matrix)) : undefined;
  }

  #pick({ origin, direction }: Ray): Hit | undefined {
    const { engine } = this.#viewer;
    if (!engine.core.features.has('picking')) return undefined;
    return engine.read(({ query }) => query.pickAlong(Float32Array.from([...origin, ...direction])), undefined);
  }
}
