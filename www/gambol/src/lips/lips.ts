// Lips that follow a sound.

import type { Expression } from '../api/expression.ts';
import { GambolError } from '../base/errors.ts';
import { shown } from '../base/shown.ts';
import type { Model } from '../load/model.ts';
import { checkedOptions, checkedSeconds } from '../values/options.ts';
import { visemesOf } from './analysis.ts';
import { VISEMES, checkedCues, weightsAt, type LipCue, type Viseme } from './cues.ts';

/** A viewer or an actor. @category Lips */
export interface LipsPerformer {
  /** Its model; null without one. */
  readonly model: Model | null;
  /** Finds an expression by its name, as `viewer.expression()` does. */
  expression(name: string): Expression;
}

/**
 * The sound: an `<audio>` or `<video>` element; a node of Web Audio, without cues; a function that returns its time in seconds, with cues.
 * @category Lips
 */
export type LipsSource = HTMLMediaElement | AudioNode | (() => number);

/** Options of {@link lips}. @category Lips */
export interface LipsOptions {
  /** The visemes in time. Without them, the sound is analysed. */
  readonly cues?: readonly LipCue[];
  /** The duration of a change to the next cue in seconds, at least 0. Default: 0.08. */
  readonly fade?: number;
}

/** Lips that follow a sound. @category Lips */
export interface Lips {
  /** Sets the mouth for the present moment of the sound. It is called for each frame of the page. */
  update(): void;
  /** Ends it: the mouth returns to the animation within 0.1 s. Calling it again does nothing. */
  stop(): void;
}

const KNOWN = ['cues', 'fade'];
/** The time in which the mouth returns to the animation, in seconds. */
const RETURN = 0.1;

/** The sources of elements. An element can have one only. */
const sources = new WeakMap<HTMLMediaElement, MediaElementAudioSourceNode>();

/** The node of an element, connected to the speakers, or the given node. */
function nodeOf(source: HTMLMediaElement | AudioNode): AudioNode {
  if (!(source instanceof HTMLMediaElement)) return source;
  const known = sources.get(source);
  if (known) return known;
  const context = new AudioContext();
  const node = context.createMediaElementSource(source);
  node.connect(context.destination);
  // A page may start sound only after input of the user, as does the context.
  const resume = (): void => void context.resume();
  source.addEventListener('play', resume);
  if (!source.paused) resume();
  sources.set(source, node);
  return node;
}

/** Measures a sound; returns a function for its visemes, and one that ends it. */
function listen(source: HTMLMediaElement | AudioNode): [() => ReadonlyMap<Viseme, number>, () => void] {
  const node = nodeOf(source);
  const analyser = node.context.createAnalyser();
  // The mouth depends on the present moment only.
  analyser.smoothingTimeConstant = 0;
  node.connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  const spectrum = new Float32Array(analyser.frequencyBinCount);
  const read = (): ReadonlyMap<Viseme, number> => {
    analyser.getFloatTimeDomainData(samples);
    analyser.getFloatFrequencyData(spectrum);
    return visemesOf(samples, spectrum, node.context.sampleRate);
  };
  return [read, () => node.disconnect(analyser)];
}

/** A viewer without a model may load one, unless it was disposed of. @throws {@link GambolError} `viewer/disposed` */
function checkWaiting(performer: LipsPerformer): void {
  try {
    performer.expression('sil');
  } catch (error) {
    if (!(error instanceof GambolError && error.code === 'actor/removed')) throw error;
  }
}

/**
 * Moves the mouth with a sound, until `stop()`. Silence closes it. The expressions of kind `viseme` of the model are used; those that it
 * does not have show a closed mouth. After another model was loaded, it moves the mouth of that one.
 *
 * It needs the feature `faces`.
 *
 * With `cues`, the mouth depends only on the time of the sound. Without, the sound is analysed by Web Audio; an element of another
 * origin needs CORS for that.
 *
 * @throws {@link GambolError} `argument/invalid`, `feature/not-used`; `actor/removed` without a model; `expression/not-found` if the
 * model has no visemes
 * @category Lips
 */
export function lips(performer: LipsPerformer, source: LipsSource, options: LipsOptions = {}): Lips {
  checkedOptions(options, KNOWN, 'lips()');
  const { fade = 0.08 } = options;
  checkedSeconds(fade, 'fade');
  const cues = options.cues === undefined ? undefined : checkedCues(options.cues);
  const media = typeof HTMLMediaElement !== 'undefined' && source instanceof HTMLMediaElement ? source : undefined;
  const isNode = typeof AudioNode !== 'undefined' && source instanceof AudioNode;
  const clock = media ? (): number => media.currentTime : typeof source === 'function' ? source : undefined;
  if (cues ? !clock : !media && !isNode)
    throw new GambolError(
      'argument/invalid',
      `The sound of lips() must be an <audio> or <video> element, or ${cues ? 'a function of time with cues' : 'an AudioNode without cues'}, not ${shown(source)}.`,
    );
  if (!performer.model) throw new GambolError('actor/removed', 'No model is loaded. Wait for load().');
  const can = (model: Model): readonly Viseme[] =>
    VISEMES.filter((viseme) => model.expressions.some(({ name }) => name === viseme));
  if (can(performer.model).length === 0)
    throw new GambolError('expression/not-found', 'The model has no expressions for visemes, such as “aa”.');
  const [read, end] =
    cues && clock
      ? [(): ReadonlyMap<Viseme, number> => weightsAt(cues, clock(), fade), (): void => undefined]
      : listen(source as HTMLMediaElement | AudioNode);

  let model: Model | null = null;
  let mouth: readonly Viseme[] = [];
  const shownWeights = new Map<Viseme, number>();
  const update = (): void => {
    if (performer.model !== model) {
      model = performer.model;
      mouth = model ? can(model) : [];
      shownWeights.clear();
    }
    if (!model) return checkWaiting(performer);
    const weights = read();
    for (const viseme of mouth) {
      const weight = weights.get(viseme) ?? 0;
      if (shownWeights.get(viseme) === weight) continue;
      performer.expression(viseme).override(weight);
      shownWeights.set(viseme, weight);
    }
  };
  let frame = 0;
  let stopped = false;
  const stop = (): void => {
    if (stopped) return;
    stopped = true;
    cancelAnimationFrame(frame);
    end();
    if (performer.model !== model) return;
    for (const viseme of mouth) performer.expression(viseme).override(null, { fade: RETURN });
  };
  const loop = (): void => {
    if (stopped) return;
    frame = requestAnimationFrame(loop);
    try {
      update();
    } catch {
      // The viewer or the actor has gone.
      stopped = true;
      cancelAnimationFrame(frame);
      end();
    }
  };
  update();
  frame = requestAnimationFrame(loop);
  return { update: () => (stopped ? undefined : update()), stop };
}
