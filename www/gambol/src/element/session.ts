// What there is while an element has a viewer: all that attributes and children ask of it.

import { reducedMotion } from '../camera/motion.ts';
import { parseColor } from '../values/color.ts';
import { GambolError, asGambolError } from '../base/errors.ts';
import type { Layer } from '../api/layers.ts';
import { choices } from '../base/suggestions.ts';
import type { EnvironmentOptions, EnvironmentSource } from '../api/lighting.ts';
import type { Viewer } from '../api/viewer.ts';
import { kebab, type ViewerAttributes } from './base/attributes.ts';
import { OrbitCamera } from './features/orbit-camera.ts';
import { hasHotspots, hasSpeaking, watchChildren } from './children/elements.ts';
import { Hotspots } from './children/hotspots.ts';
import { childrenPart, timelinePart, type Part } from './lazy-parts.ts';
import { childrenKit } from './children/kit.ts';
import type { Children } from './children/child-sync.ts';
import { placeOf, turned, type ModelPlace } from './base/model-space.ts';
import { Turntable } from './features/turntable.ts';
import { isReadable, parseValues } from './base/css-values.ts';
import type { ToneMapping } from '../values/words.ts';

/** Their names by those that <model-viewer> has besides; what gambol has not is shown by the curve that is nearest. */
const TONES: Readonly<Record<string, ToneMapping>> = {
  auto: 'neutral', commerce: 'neutral', neutral: 'neutral', agx: 'agx', aces: 'aces', 'aces-filmic': 'aces', cineon: 'aces', reinhard: 'neutral',
  linear: 'none', none: 'none',
};

export interface SessionHost extends HTMLElement, ViewerAttributes {
  /** Where the model stands before the turntable turns it. */
  readonly stand: ModelPlace;
}

export class Session {
  readonly viewer: Viewer;
  readonly camera: OrbitCamera;
  readonly turntable: Turntable;
  /** The clips besides the first of `animation-name="*"`. */
  readonly others: Layer[] = [];
  readonly #host: SessionHost;
  readonly #layer: HTMLElement;
  #children: Children | undefined;
  /** Once there are any. */
  #hotspots: Hotspots | undefined;
  readonly #warn: (error: GambolError) => void;
  readonly #observer: MutationObserver;
  readonly #shape: ResizeObserver;
  readonly #stop = new AbortController();
  #place: ModelPlace = placeOf('', '');
  /** The light and the sky that were asked for last, which may be on their way; undefined for what could not be had. */
  readonly #lit: (EnvironmentSource | undefined)[] = ['studio', null];
  /** `true` until there was an `environment-change`. */
  #awaitsLight = true;
  #endTimeline: () => void = () => undefined;
  #models = 0;

  constructor(host: SessionHost, layer: HTMLElement, viewer: Viewer, seen: () => boolean, warn: (error: GambolError) => void) {
    this.#host = host;
    this.viewer = viewer;
    this.#warn = warn;
    this.camera = new OrbitCamera(viewer, host);
    this.turntable = new Turntable(host, seen, () => this.#put());
    this.#layer = layer;
    viewer.addEventListener('frame', () => this.#hotspots?.update());
    viewer.addEventListener('camera-change', ({ detail }) => {
      if (detail.source === 'user-interaction') this.turntable.touched();
    });
    this.#observer = watchChildren(host, () => this.#sync());
    this.#shape = new ResizeObserver(() => {
      if (viewer.model) this.camera.reshaped();
      this.#hotspots?.update();
    });
    // Later than the viewer's own, which has the canvas drawn in its new shape.
    this.#shape.observe(viewer.canvas);
    addEventListener('scroll', () => this.camera.followsScroll && viewer.model && this.camera.move(), { passive: true, signal: this.#stop.signal });
    for (const name of Object.keys(EFFECTS) as (keyof ViewerAttributes)[]) this.apply(name);
  }

  /** The place where the model stands, with the way that root motion has added. */
  get place(): ModelPlace {
    return { ...this.#place, position: this.viewer.place.position ?? this.#place.position };
  }

  /** An attribute has changed. */
  apply(name: keyof ViewerAttributes): void {
    const [said, count] = [this.#host.getAttribute(kebab(name)), LISTS[name]];
    if (said && count !== undefined && !isReadable(said, count)) {
      this.warn(new GambolError('argument/invalid', `${kebab(name)}="${said}" cannot be read: give ${count === 1 ? 'a value' : `${count} values`}, such as "${EXAMPLES[count]}".`));
    }
    try {
      EFFECTS[name]?.(this, this.#host);
    } catch (error) {
      this.warn(error);
    }
  }

  /** Another model is on stage: all that is about models is said anew, before its first frame. */
  renew(): void {
    this.others.length = 0;
    // Before the camera: it frames the clip that will be played.
    this.apply('animationName');
    this.camera.begin(this.#models > 0);
    this.#models += 1;
    this.#put();
    if (this.#host.rootMotion !== 'keep') this.apply('rootMotion');
    for (const name of ['variantName', 'cameraIndex', 'timeline'] as const) this.apply(name);
    this.#children?.renew();
    this.#sync();
  }

  /** Whether nothing shall move by itself. */
  get still(): boolean {
    return reducedMotion() && this.#host.reducedMotion === 'respect';
  }

  warn(error: unknown): void {
    const warning = asGambolError(error, 'argument/invalid');
    if (!['viewer/disposed', 'wasm/panic', 'load/aborted'].includes(warning.code)) this.#warn(warning);
  }

  // ---- effects of attributes

  /** Makes the clip that is named the current one; it is played if the one before was. */
  choose(): void {
    const { viewer } = this;
    const { animationIndex } = this.#host;
    // The property tells the clip that plays.
    const animationName = this.#host.getAttribute('animation-name');
    if (viewer.clips.length === 0) return;
    for (const layer of this.others.splice(0)) layer.remove();
    if (animationName === '*') {
      const [first, ...others] = viewer.clips;
      if (first) viewer.clip = first;
      for (const clip of others) this.others.push(viewer.layers.add(clip, { name: `*${clip.id}`, mode: 'average', fade: 0 }));
      if (viewer.paused) for (const layer of this.others) layer.pause();
      this.camera.follow();
    } else if (animationName !== null || animationIndex !== null) {
      try {
        viewer.clip = clipNamed(viewer, animationName) ?? animationIndex ?? 0;
      } catch (error) {
        // As <model-viewer> does it.
        viewer.clip = 0;
        this.warn(error);
      }
    }
    this.apply('segment');
  }

  segment(): void {
    const { viewer } = this;
    const { segment } = this.#host;
    const marker = /^\s*marker:\s*(.*?)\s*$/.exec(segment ?? '')?.[1];
    if (segment === null || segment.trim() === '') {
      if (viewer.segment) viewer.segment = null;
    } else if (marker !== undefined) {
      const markers = viewer.clip?.markers ?? [];
      const at = markers.findIndex(({ name }) => name === marker);
      if (markers[at]) viewer.segment = [markers[at].time, markers[at + 1]?.time ?? viewer.duration];
      else if (viewer.clip) throw new GambolError('argument/invalid', `The clip “${viewer.clip.id}” has no marker “${marker}”${choices(marker, markers.map(({ name }) => name))}`);
    } else {
      const [begin = NaN, end = viewer.duration] = segment.trim().split(/[\s,]+/).map(Number);
      viewer.segment = [begin, end];
    }
  }

  light(): void {
    const { environmentImage, skyboxImage, withCredentials } = this.#host;
    const { viewer } = this;
    const light = environmentImage || skyboxImage || 'studio';
    const source = light === 'none' ? null : ['neutral', 'legacy'].includes(light) ? 'studio' : light;
    const sky = skyboxImage && skyboxImage !== source ? skyboxImage : null;
    const options: EnvironmentOptions = { credentials: withCredentials ? 'include' : 'same-origin', signal: this.#stop.signal };
    const changes = ([['setEnvironment', source], ['setSkyboxImage', sky]] as const).flatMap(([set, wanted], i) => {
      if (wanted === this.#lit[i]) return [];
      this.#lit[i] = wanted;
      return viewer[set](wanted, options).catch((error: unknown) => {
        // It may be asked for again.
        if (this.#lit[i] === wanted) this.#lit[i] = undefined;
        throw error;
      });
    });
    viewer.skybox = Boolean(skyboxImage);
    if (changes.length === 0) return;
    this.#awaitsLight = false;
    Promise.all(changes).then(
      () => this.#host.dispatchEvent(new CustomEvent('environment-change')),
      (error: unknown) => this.warn(error),
    );
  }

  /** A model is seen, in the light that there is unless attributes ask for another. */
  lit(): void {
    if (!this.#awaitsLight) return;
    this.#awaitsLight = false;
    this.#host.dispatchEvent(new CustomEvent('environment-change'));
  }

  bind(): void {
    this.#endTimeline();
    const { timeline, timelineSource } = this.#host;
    this.#endTimeline = () => undefined;
    const { now } = timelinePart;
    if (timeline === 'auto') this.viewer.timeline = 'auto';
    else if (now) this.#endTimeline = now.bindTimeline(this.#host, this.viewer, timeline, timelineSource);
    else this.#later(timelinePart, () => this.bind());
  }

  put(): void {
    this.#put();
  }

  dispose(): void {
    this.#stop.abort();
    this.#observer.disconnect();
    this.#shape.disconnect();
    this.turntable.stop();
    this.#children?.dispose();
    this.#hotspots?.dispose();
    this.#endTimeline();
    this.viewer.dispose();
  }

  #put(): void {
    this.#place = turned(this.#host.stand, this.turntable.angle, this.camera.pivot);
    try {
      this.viewer.stand(this.#place);
    } catch (error) {
      this.warn(error);
    }
  }

  /** Does something when the part is there, if there is a viewer then. */
  #later(part: Part<unknown>, act: () => void): void {
    part.load().then(() => this.#stop.signal.aborted || act(), (error: unknown) => this.warn(error));
  }

  /** The hotspots that there are now; `undefined` if there have never been any. */
  get currentHotspots(): Hotspots | undefined {
    if (hasHotspots(this.#host)) this.#hotspots ??= new Hotspots(this.#host, this.#layer, this.viewer, () => this.place, this.#warn);
    this.#hotspots?.sync();
    return this.#hotspots;
  }

  /** Does what children say. */
  #sync(): void {
    void this.currentHotspots;
    if (!this.#children && hasSpeaking(this.#host)) {
      const { now } = childrenPart;
      if (!now) {
        this.#later(childrenPart, () => this.#sync());
        return;
      }
      this.#children = new now.Children(this.#host, this.viewer, this.#warn, childrenKit);
    }
    this.#children?.sync();
  }
}

/** What a name stands for: a number of digits that is no name of a clip is its place, as <model-viewer> has it. */
export function clipNamed({ clips }: Viewer, name: string | null): string | number | null {
  const isPlace = name !== null && /^\d+$/.test(name) && Number(name) < clips.length;
  return isPlace && !clips.some((clip) => clip.id === name || clip.name === name) ? Number(name) : name;
}

/** How many values attributes have that are lists of them. */
const LISTS: { readonly [Name in keyof ViewerAttributes]?: 1 | 3 } = {
  cameraOrbit: 3, cameraTarget: 3, fieldOfView: 1, minCameraOrbit: 3, maxCameraOrbit: 3, minFieldOfView: 1, maxFieldOfView: 1,
  orientation: 3, scale: 3, skyboxHeight: 1,
};
const EXAMPLES = { 1: '45deg', 3: '0deg 75deg 105%' } as const;

/** What each attribute does. */
const EFFECTS: { readonly [Name in keyof ViewerAttributes]?: (session: Session, host: SessionHost) => void } = {
  animationName: (session) => session.choose(),
  animationIndex: (session, host) => {
    if (!host.hasAttribute('animation-name')) session.choose();
  },
  animationCrossfadeDuration: ({ viewer }, host) => {
    viewer.transitionDuration = host.animationCrossfadeDuration / 1000;
  },
  transition: ({ viewer }, host) => {
    viewer.transition = host.transition;
  },
  loopMode: ({ viewer }, host) => {
    viewer.loopMode = host.loopMode;
  },
  repetitions: ({ viewer }, host) => {
    viewer.repetitions = host.repetitions;
  },
  timeScale: ({ viewer, others }, host) => {
    for (const each of [viewer, ...others]) each.playbackRate = host.timeScale;
  },
  segment: (session) => session.segment(),
  timeline: (session) => session.bind(),
  timelineSource: (session) => session.bind(),
  rootMotion: ({ viewer }, host) => {
    if (viewer.model) viewer.setRootMotion(host.rootMotion);
  },
  maxFps: ({ viewer }, host) => {
    viewer.maxFps = host.maxFps;
  },
  visibility: ({ viewer }, host) => {
    viewer.visibility = host.visibility;
  },
  reducedMotion: ({ turntable }) => turntable.sync(),
  autoRotate: ({ turntable }) => turntable.sync(),
  ...each(['cameraControls', 'disableZoom', 'disablePan', 'disableTap', 'touchAction', 'orbitSensitivity', 'zoomSensitivity', 'panSensitivity', 'keyboard'], ({ viewer, camera }, host) => {
    const { orbitSensitivity, zoomSensitivity, panSensitivity, touchAction } = host;
    viewer.cameraControls = !host.cameraControls ? null : {
      orbitSensitivity, zoomSensitivity, panSensitivity, touchAction,
      zoom: !host.disableZoom, pan: !host.disablePan, keyboard: host.keyboard !== 'none',
      tap: !host.disableTap && (() => camera.move()),
    };
  }),
  ...each(['cameraOrbit', 'cameraTarget', 'fieldOfView'], ({ camera, viewer }) => {
    if (viewer.model) camera.move();
  }),
  ...each(['minCameraOrbit', 'maxCameraOrbit', 'minFieldOfView', 'maxFieldOfView'], ({ camera, viewer }) => {
    if (viewer.model) camera.limit();
  }),
  framing: ({ viewer, camera }, host) => {
    viewer.framing = host.framing;
    if (viewer.model) camera.reshaped();
  },
  cameraIndex: ({ viewer }, host) => {
    if (viewer.model) viewer.activeCamera = host.cameraIndex;
  },
  interpolationDecay: ({ viewer }, host) => {
    viewer.cameraSmoothing = host.interpolationDecay / 1000;
  },
  environmentImage: (session) => session.light(),
  skyboxImage: (session) => session.light(),
  skyboxHeight: ({ viewer }, host) => {
    const [height = 0] = parseValues(host.skyboxHeight, [{ whole: 0 }]);
    viewer.skyboxHeight = height > 0 && height < 1e6 ? height : 0;
  },
  exposure: ({ viewer }, host) => {
    viewer.exposure = host.exposure;
  },
  toneMapping: ({ viewer }, host) => {
    viewer.toneMapping = TONES[host.toneMapping.toLowerCase()] ?? 'neutral';
  },
  shadowIntensity: ({ viewer }, host) => {
    viewer.shadowIntensity = host.shadowIntensity;
  },
  shadowSoftness: ({ viewer }, host) => {
    viewer.shadowSoftness = host.shadowSoftness;
  },
  background: ({ viewer }, host) => {
    viewer.background = parseColor(host.background);
  },
  variantName: ({ viewer }, host) => {
    if (!viewer.model) return;
    const { variantName } = host;
    viewer.variant = variantName === null || variantName === 'default' ? null : variantName;
    // Not before the setter has returned.
    queueMicrotask(() => host.dispatchEvent(new CustomEvent('variant-applied')));
  },
  skinning: ({ viewer }, host) => {
    viewer.skinning = host.skinning;
  },
  orientation: (session) => session.put(),
  scale: (session) => session.put(),
  debug: ({ viewer }, host) => {
    viewer.debug = host.debug?.trim() || 'none';
  },
};

type Effect = (session: Session, host: SessionHost) => void;

function each<Name extends keyof ViewerAttributes>(names: readonly Name[], effect: Effect): Record<Name, Effect> {
  return Object.fromEntries(names.map((name) => [name, effect])) as Record<Name, Effect>;
}
