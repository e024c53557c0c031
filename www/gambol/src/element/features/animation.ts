// Animation: the clip, its segment, and the clock that moves its time.

import type { Layer } from '../../api/layer.ts';
import type { States } from '../../api/states.ts';
import { GambolError } from '../../base/errors.ts';
import { choices } from '../../base/suggestions.ts';
import { checkedRetarget, type Retarget } from '../../load/retarget.ts';
import { openingClip } from '../../values/clips.ts';
import type { LoopMode, RootMotion, TransitionMode } from '../../values/words.ts';
import { clipNamed } from '../base/clip-names.ts';
import { flag, index, number, one, text, words, type AttributeTable, type Kind } from '../base/attributes.ts';
import { Part } from '../../base/part.ts';
import type { OrbitCamera } from './camera.ts';
import { whenLoaded, whenUsed, type Models, type Scene } from './scene.ts';
import type { Turntable } from './turntable.ts';

/** The binding of the attribute `timeline`, loaded lazily. @internal */
export const timelinePart = new Part('the script for timelines', () => import('./timeline.ts'));

/** @internal */
export interface AnimationScene extends Scene<AnimationAttributes>, Models {
  readonly animation: ElementAnimation;
  readonly turntable: Turntable;
  /** Applies the child elements. */
  sync(): void;
}

/** Attributes of playback. */
export interface AnimationAttributes {
  /**
   * The state machine that plays the model: the URL of a file of the format `gambol-states`, or its JSON. `autoplay` and `play()`
   * start it. The property returns the machine, null while there is none.
   * @category Mixing
   */
  states: States | string | object | null;
  /** Plays as soon as the model is shown, unless the system asks for reduced motion. @category Playback */
  autoplay: boolean;
  /**
   * The clip: its id or name, or `*` for all clips at once. Without it, the first clip that lasts is chosen. The property returns the
   * current clip, also after `viewer.play()`: the text of the attribute while that names the current clip, else the id of the clip.
   * It is null while there is none.
   * @category Playback
   */
  animationName: string | null;
  /**
   * The index of the clip in the file, from 0; it counts without `animationName`. An index outside the list is the first clip that lasts.
   * @category Playback
   */
  animationIndex: number | null;
  /** URLs of files with more clips, separated by spaces. @category Loading and models */
  animationSrc: string | null;
  /**
   * The way in which the joints of these files are paired with those of the model: a word, or the options as JSON.
   * @category Loading and models
   */
  retarget: Retarget;
  /** The duration of the transition between clips in milliseconds, at least 0. @category Playback */
  animationCrossfadeDuration: number;
  /**
   * The transition between clips: the offset decays (`inertial`), both clips are blended (`crossfade`), or none (`cut`).
   * @category Playback
   */
  transition: TransitionMode;
  /** The loop mode at the end of the clip: again, stop, or backwards. @category Playback */
  loopMode: LoopMode;
  /** The number of repetitions: a whole number of at least 1, or `Infinity`. @category Playback */
  repetitions: number;
  /** The speed as a factor; negative plays backwards. @category Playback */
  timeScale: number;
  /**
   * The part of the clip that is played: `"0.2 0.8"` in seconds, or `"marker:name"`, from that marker to the next.
   * @category Playback
   */
  segment: string | null;
  /**
   * The clock of the timeline: the page's clock (`auto`), calls of the page (`manual`), the scroll position (`scroll`), the place
   * of an element in the viewport (`view`), a media element (`media`), or the property `--gambol-progress` (`css`).
   * @category Playback
   */
  timeline: string;
  /** A selector: the scroller, the subject or the media element of `timeline`. @category Playback */
  timelineSource: string | null;
  /** Frames per second for frame steps and display; `auto` is the rate of the clip. @category Playback */
  fps: number | 'auto';
  /**
   * The treatment of root motion: it stays part of the clip (`keep`), is removed (`in-place`), moves the model (`accumulate`), or is
   * reported to the page, which moves the model (`extract`).
   * @category Playback
   */
  rootMotion: RootMotion;
  /** `ignore` allows autoplay and the turntable even if the system asks for reduced motion. @category Playback */
  reducedMotion: 'respect' | 'ignore';
}

/** @internal */
export const ANIMATION: AttributeTable<AnimationAttributes, AnimationScene> = {
  states: {
    read: text.read,
    write: json,
    needs: (states) => (states === null ? [] : ['states']),
    // The first model synchronises all children.
    effect: (session) => session.viewer.model && session.sync(),
  },
  autoplay: { ...flag, changed: (element) => element.autoplayNow() },
  animationName: { ...text, effect: ({ animation }) => animation.choose() },
  animationIndex: {
    ...index,
    effect: ({ animation, host }) => {
      if (!host.hasAttribute('animation-name')) animation.choose();
    },
  },
  animationSrc: {
    ...text,
    needs: (urls) => (urls?.trim() ? ['retargeting'] : []),
    changed: (element) => element.reload(),
  },
  retarget: {
    read: retargetOf,
    write: json,
    changed: (element) => element.reload(),
  },
  animationCrossfadeDuration: {
    ...number(300, 0, 1e6),
    effect: ({ models, host }) => {
      for (const each of models) each.transitionDuration = host.animationCrossfadeDuration / 1000;
    },
  },
  transition: {
    ...one('inertial', 'crossfade', 'cut'),
    effect: ({ models, host }) => {
      for (const each of models) each.transition = host.transition;
    },
  },
  loopMode: {
    ...one('repeat', 'once', 'pingpong'),
    effect: ({ models, host }) => {
      for (const each of models) each.loopMode = host.loopMode;
    },
  },
  repetitions: {
    ...number(Infinity, 1),
    read: (value) => (value === null ? Infinity : Math.max(1, Math.round(Number(value)) || Infinity)),
    effect: ({ models, host }) => {
      for (const each of models) each.repetitions = host.repetitions;
    },
  },
  timeScale: {
    ...number(1, -1e6, 1e6),
    effect: ({ models, animation, host }) => {
      for (const each of [...models, ...animation.others]) each.playbackRate = host.timeScale;
    },
  },
  segment: {
    read: text.read,
    write: (value: unknown) => (Array.isArray(value) ? value.join(' ') : (value as string | null)),
    effect: ({ animation }) => animation.segment(),
  },
  timeline: { ...words('auto'), effect: ({ animation }) => animation.bind() },
  timelineSource: { ...text, effect: ({ animation }) => animation.bind() },
  fps: { read: (value) => (Number(value) > 0 ? Number(value) : 'auto'), write: String },
  rootMotion: {
    ...(words('keep') as Kind<RootMotion>),
    needs: (motion) => (motion === 'keep' ? [] : ['body']),
    effect: (scene) => {
      const { viewer, host } = scene;
      // A new model keeps its root motion.
      if (!viewer.model || viewer.rootMotion === host.rootMotion) return;
      whenUsed(scene, ['body'], () => {
        if (viewer.uses('body')) viewer.setRootMotion(host.rootMotion);
      });
    },
  },
  reducedMotion: { ...one('respect', 'ignore'), effect: ({ turntable }) => turntable.sync() },
};

/** The playback of an element, by its attributes. @internal */
export class ElementAnimation {
  /** The layers of `animation-name="*"`: all clips but the viewer's own. */
  readonly others: Layer[] = [];
  readonly #scene: Scene<AnimationAttributes> & Models;
  readonly #camera: Pick<OrbitCamera, 'follow'>;
  #endTimeline: () => void = () => undefined;

  constructor(scene: Scene<AnimationAttributes> & Models, camera: Pick<OrbitCamera, 'follow'>) {
    this.#scene = scene;
    this.#camera = camera;
  }

  /** Forgets the layers of the model before, after a change of model. */
  renew(): void {
    this.others.length = 0;
  }

  /** Sets the current clips by the attributes. A clip plays if the one before it was playing. */
  choose(): void {
    this.#scene.extras?.choose();
    this.#chooseOwn();
  }

  #chooseOwn(): void {
    const { viewer, host } = this.#scene;
    const { animationIndex } = host;
    // The attribute is read, because the property returns the current clip.
    const animationName = host.getAttribute('animation-name');
    if (viewer.clips.length === 0) return;
    for (const layer of this.others.splice(0)) layer.remove();
    if (animationName === '*') {
      const first = openingClip(viewer.clips);
      if (first) viewer.clip = first;
      for (const clip of viewer.clips.filter((each) => each !== first))
        this.others.push(viewer.layers.add(clip, { name: `*${clip.id}`, mode: 'average', fade: 0 }));
      if (viewer.paused) for (const layer of this.others) layer.pause();
      this.#camera.follow();
    } else if (animationName !== null || animationIndex !== null) {
      try {
        viewer.clip = clipNamed(viewer, animationName) ?? animationIndex ?? 0;
      } catch (error) {
        // A fallback, as in <model-viewer>.
        viewer.clip = openingClip(viewer.clips) ?? 0;
        // Another model may have the clip.
        if (!this.#scene.extras?.size) this.#scene.warn(error);
      }
    }
    try {
      this.segment();
    } catch (error) {
      this.#scene.warn(error);
    }
  }

  /** Sets the segment of the attribute `segment`. Throws `argument/invalid`. */
  segment(): void {
    const { viewer, host } = this.#scene;
    const { segment } = host;
    const marker = /^\s*marker:\s*(.*?)\s*$/.exec(segment ?? '')?.[1];
    if (segment === null || segment.trim() === '') {
      if (viewer.segment) viewer.segment = null;
    } else if (marker !== undefined) {
      const markers = viewer.clip?.markers ?? [];
      const at = markers.findIndex(({ name }) => name === marker);
      if (markers[at]) viewer.segment = [markers[at].time, markers[at + 1]?.time ?? viewer.duration];
      else if (viewer.clip)
        throw new GambolError(
          'argument/invalid',
          `The clip “${viewer.clip.id}” has no marker “${marker}”${choices(
            marker,
            markers.map(({ name }) => name),
          )}`,
        );
    } else {
      const [begin = NaN, end = viewer.duration] = segment
        .trim()
        .split(/[\s,]+/)
        .map(Number);
      viewer.segment = [begin, end];
    }
  }

  /** Binds the viewer's timeline to the clock of the attribute `timeline`. */
  bind(): void {
    this.#endTimeline();
    const { viewer, host } = this.#scene;
    const { timeline, timelineSource } = host;
    this.#endTimeline = () => undefined;
    const { loaded: now } = timelinePart;
    if (timeline === 'auto') viewer.timeline = 'auto';
    else if (now) this.#endTimeline = now.bindTimeline(host, viewer, timeline, timelineSource);
    else whenLoaded(this.#scene, timelinePart, () => this.bind());
  }

  dispose(): void {
    this.#endTimeline();
  }
}

/** Text as it is, an object as JSON. */
function json(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The value of the attribute `retarget`; `auto` for invalid text. */
function retargetOf(value: string | null): Retarget {
  try {
    const retarget = (value?.trim().startsWith('{') ? JSON.parse(value) : value?.trim()) as Retarget | undefined;
    checkedRetarget(retarget);
    return retarget ?? 'auto';
  } catch {
    return 'auto';
  }
}
