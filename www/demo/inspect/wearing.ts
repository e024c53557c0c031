// A file of motion alone: a character wears its clips, beside the figure of its bones.

import { signal } from '@preact/signals';
import { loadAsset, type Actor, type Asset, type AssetSource, type Clip, type Model, type Viewer } from 'gambol';
import { byId } from '../app/dom.ts';
import type { Inspector } from './inspector.ts';
import { isSample, SAMPLE } from './link.ts';

/** A character that may wear clips. */
interface Character {
  readonly source: AssetSource;
  readonly name: string;
}

const PIP: Character = { source: SAMPLE, name: 'Pip' };
/** The gap between the two, as a part of the height of the figure. */
const GAP = 0.25;
/** Seconds by which the two may differ. */
const STEP = 1e-3;

export class Wearing {
  /** The character that wears the clips of the open file; null while there is none. */
  readonly actor = signal<Actor | null>(null);
  readonly #inspector: Inspector;
  readonly #note = byId('motion-note');
  /** The last model with a skin. */
  #character: Character = PIP;
  #viewer: Viewer | undefined;
  #running: AbortController | undefined;

  constructor(inspector: Inspector) {
    this.#inspector = inspector;
    byId('motion-note-close').addEventListener('click', () => this.#say(''));
  }

  /** Ends what the file before has, and lets a character wear the clips of a file of motion alone. */
  show(viewer: Viewer, source: AssetSource): void {
    this.#running?.abort();
    // Another viewer has ended with its actors.
    if (this.#viewer === viewer) this.actor.peek()?.remove();
    this.#viewer = viewer;
    this.actor.value = null;
    this.#say('');
    const { model } = viewer;
    if (!model) return;
    if (!model.isMotion) {
      const isSkinned = model.joints.some(({ skinned }) => skinned);
      if (isSkinned) this.#character = isSample(String(source)) ? PIP : { source, name: model.name };
      return;
    }
    const running = new AbortController();
    this.#running = running;
    void this.#wear(viewer, model, source, running.signal);
  }

  async #wear(viewer: Viewer, model: Model, source: AssetSource, signal: AbortSignal): Promise<void> {
    const characters = this.#character === PIP ? [PIP] : [this.#character, PIP];
    for (const character of characters) {
      const actor = await dressed(viewer, source, character, signal).catch(() => null);
      if (signal.aborted || viewer.model !== model) return actor?.remove();
      if (!actor) continue;
      this.actor.value = actor;
      keepInStep(viewer, model, actor, signal);
      return this.#say(`${model.name} is motion alone: ${character.name} wears it; the figure of bones is the source.`);
    }
    const [first, second] = characters.map(({ name }) => name);
    const none = second === undefined ? `${first} cannot` : `neither ${first} nor ${second} can`;
    this.#say(`${model.name} is motion alone: the figure shows its bones; ${none} wear it.`);
  }

  #say(words: string): void {
    byId('motion-note-words').textContent = words;
    this.#note.hidden = words === '';
    if (words !== '') this.#inspector.status.announce(words);
  }
}

/** Adds a character that has the clips of a file to the stage; null if the bones of both are too different. */
async function dressed(
  viewer: Viewer,
  source: AssetSource,
  character: Character,
  signal: AbortSignal,
): Promise<Actor | null> {
  const { model } = viewer;
  const options = { animations: [source], signal };
  // Tried without a picture first, so that a character which cannot wear the clips is not seen.
  const asset = await loadAsset(character.source, options);
  try {
    const [report] = asset.retargets;
    const clip = report?.clips.find(({ name }) => name === viewer.clip?.name) ?? report?.clips[0];
    if (!model || !report || !clip) return null;
    // A name or two in common is no skeleton in common.
    if (!report.conventions && 2 * report.named < model.joints.length) return null;
    return await viewer.add(character.source, { ...options, position: placeBeside(viewer, asset, clip) });
  } finally {
    asset.dispose();
  }
}

/** The place of a character at the left of the figure, without overlap at the present time. */
function placeBeside(viewer: Viewer, asset: Asset, clip: Clip): [x: number, y: number, z: number] {
  const { min, max } = viewer.measure() ?? { min: [0, 0, 0], max: [0, 0, 0] };
  const { matrices } = asset.sample(clip, viewer.currentTime);
  const joints = asset.joints.filter(({ skinned }) => skinned).map(({ index }) => 16 * index);
  const [xs, zs] = [12, 14].map((at) => joints.map((from) => matrices[from + at] ?? 0));
  const right = Math.max(...(xs ?? []));
  const depth = (zs ?? []).reduce((sum, z) => sum + z, 0) / joints.length;
  return [min[0] - right - GAP * (max[1] - min[1]), 0, (min[2] + max[2]) / 2 - depth];
}

/** Plays the clips of a character as the viewer plays those of its own model. */
function keepInStep(viewer: Viewer, model: Model, actor: Actor, signal: AbortSignal): void {
  const worn = wornClips(model, actor);
  actor.transition = 'cut';
  const follow = (): void => {
    const clip = viewer.clip && worn.get(viewer.clip);
    if (!clip) return;
    if (actor.clip !== clip) actor.clip = clip;
    if (actor.loopMode !== viewer.loopMode) actor.loopMode = viewer.loopMode;
    if (actor.playbackRate !== viewer.playbackRate) actor.playbackRate = viewer.playbackRate;
    if (String(actor.segment) !== String(viewer.segment)) actor.segment = viewer.segment;
    if (actor.paused !== viewer.paused) viewer.paused ? actor.pause() : void actor.play();
    if (Math.abs(actor.currentTime - viewer.currentTime) > STEP) actor.currentTime = viewer.currentTime;
  };
  viewer.addEventListener('before-render', follow, { signal });
  follow();
}

/** The clips of a character by those of the file. A clip that moves nothing of the character has none. */
function wornClips(model: Model, actor: Actor): Map<Clip, Clip> {
  const left = [...(actor.model?.retargets[0]?.clips ?? [])];
  const pairs = new Map<Clip, Clip>();
  for (const clip of model.clips) {
    const [next] = left;
    if (next?.name !== clip.name) continue;
    pairs.set(clip, next);
    left.shift();
  }
  return pairs;
}
