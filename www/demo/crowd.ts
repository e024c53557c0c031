// The crowd demo: up to two thousand instances of the sample model, each with its own clip and phase.

import { createViewer, type Crowd, type Stats, type Viewer } from 'gambol';
import { byId, element } from './app/dom.ts';
import { count as thousands } from './app/format.ts';
import { themeButton } from './app/theme.ts';

const MOST = 2000;
/** The approximate distance between neighbours in metres. */
const APART = 1.3;

/** The statistics that are shown four times per second. */
const ROWS: readonly [term: string, words: (now: Stats, before: Stats, seconds: number, crowd: Crowd) => string][] = [
  ['Frames/s', (now, before, seconds) => thousands(Math.round((now.frames - before.frames) / seconds))],
  ['CPU per frame', ({ updateTime, drawTime }) => `${(updateTime + drawTime).toFixed(1)} ms`],
  ['Draw calls', ({ drawCalls }) => thousands(drawCalls)],
  ['Visible', (_now, _before, _seconds, crowd) => thousands(crowd.visibleCount)],
  ['Joints', ({ joints }) => thousands(joints)],
];

const box = (id: string): HTMLInputElement => byId<HTMLInputElement>(id);

/** A reproducible pseudo-random number from 0 to 1. */
function random(i: number, salt: number): number {
  const x = Math.sin(i * 127.1 + salt * 311.7) * 43758.5453;
  return x - Math.floor(x);
}

/** A list with `width` numbers for each member. */
function list(width: number, numbers: (i: number) => readonly number[]): Float32Array {
  const all = new Float32Array(width * MOST);
  for (let i = 0; i < MOST; i++) all.set(numbers(i), width * i);
  return all;
}

/** Positions in a sunflower spiral, which is even for any number of members. */
const POSITIONS = list(3, (i) => {
  const [radius, angle] = [APART * Math.sqrt(i / Math.PI), i * Math.PI * (3 - Math.sqrt(5))];
  return [radius * Math.cos(angle), 0, radius * Math.sin(angle)];
});
const ROTATIONS = list(4, (i) => {
  const half = 0.7 * (random(i, 1) - 0.5);
  return [0, Math.sin(half), 0, Math.cos(half)];
});
const SCALES = list(1, (i) => [0.9 + 0.2 * random(i, 2)]);
const RATES = list(1, (i) => [0.85 + 0.3 * random(i, 3)]);
const TINTS = list(4, (i) => {
  const hue = 2 * Math.PI * random(i, 4);
  return [0, 2, 4].map((third) => 0.65 + 0.35 * Math.cos(hue + (third * Math.PI) / 3)).concat(1);
});
const UNTINTED = new Float32Array(4 * MOST).fill(1);

const slider = box('count');
/** The initial number of members from the URL: `?count=20`. */
const asked = Number(new URLSearchParams(location.search).get('count'));
if (asked >= 1) slider.value = String(Math.min(MOST, Math.floor(asked)));
byId('count-words').textContent = thousands(Number(slider.value));
const [coloured, shadows, auto] = [box('tints'), box('shadows'), box('auto')];

/** The number of times that the clips were shuffled. */
let shuffled = 0;

/** The clips of `count` members from `first` on. */
function clipsOf(crowd: Crowd, first: number, count: number): Float64Array {
  const clips = crowd.model.clips.length;
  return Float64Array.from({ length: count }, (_, i) => Math.floor(random(first + i, 5 + 0.37 * shuffled) * clips));
}

/** Sets the number of members from the slider, and the properties of new members. */
function resize(viewer: Viewer, crowd: Crowd): void {
  const [first, count] = [crowd.count, Number(slider.value)];
  crowd.count = count;
  if (count > first) {
    const part = (all: Float32Array): Float32Array =>
      all.subarray((all.length / MOST) * first, (all.length / MOST) * count);
    crowd.set({
      first,
      positions: part(POSITIONS),
      rotations: part(ROTATIONS),
      scales: part(SCALES),
      rates: part(RATES),
      tints: part(coloured.checked ? TINTS : UNTINTED),
      clips: clipsOf(crowd, first, count - first),
      starts: Float64Array.from({ length: count - first }, (_, i) => viewer.now - 20 * random(first + i, 6)),
    });
  }
  byId('count-words').textContent = thousands(count);
}

/** Frames the crowd. The frame has room for all poses of all clips, so the camera can be a little closer. */
function look(viewer: Viewer): void {
  viewer.frame();
  viewer.zoom(0.7);
}

function steer(viewer: Viewer, crowd: Crowd): void {
  slider.addEventListener('input', () => {
    resize(viewer, crowd);
    look(viewer);
  });
  coloured.addEventListener('change', () =>
    crowd.set({ tints: (coloured.checked ? TINTS : UNTINTED).subarray(0, 4 * crowd.count) }),
  );
  shadows.addEventListener('change', () => (viewer.shadowIntensity = shadows.checked ? 0.6 : 0));
  auto.addEventListener('change', () => (crowd.updateRate = auto.checked ? 'auto' : 'full'));

  byId('shuffle').addEventListener('click', () => {
    shuffled++;
    // The crossfade is only for this change; members that are added later start without one.
    crowd.transitionDuration = 0.4;
    crowd.set({ clips: clipsOf(crowd, 0, crowd.count) });
    crowd.transitionDuration = 0;
  });

  const button = byId('play');
  const label = (): void => {
    button.title = crowd.paused ? 'Play' : 'Pause';
    button.setAttribute('aria-label', button.title);
    button.querySelector('use')?.setAttribute('href', crowd.paused ? '#i-play' : '#i-pause');
  };
  button.addEventListener('click', () => {
    if (crowd.paused) crowd.play();
    else crowd.pause();
    label();
  });
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) crowd.pause();
  label();
}

function tell(viewer: Viewer, crowd: Crowd): void {
  const values = ROWS.map(() => element('dd', '', '–'));
  byId('numbers').append(...ROWS.map(([term], i) => element('div', '', element('dt', '', term), values[i] ?? '')));
  let [before, last] = [viewer.stats, performance.now()];
  setInterval(() => {
    const [now, time] = [viewer.stats, performance.now()];
    ROWS.forEach(([, words], i) =>
      values[i]?.replaceChildren(words(now, before, Math.max(0.001, (time - last) / 1000), crowd)),
    );
    [before, last] = [now, time];
  }, 250);
}

async function begin(): Promise<void> {
  const viewer = await createViewer(byId<HTMLCanvasElement>('canvas'));
  const crowd = await viewer.addCrowd('./sample.glb');
  resize(viewer, crowd);
  viewer.camera = { azimuth: 0.45, polar: 1.2 };
  look(viewer);
  byId('loading').hidden = true;
  steer(viewer, crowd);
  tell(viewer, crowd);
}

themeButton();
begin().catch((error: unknown) => {
  byId('loading').textContent = error instanceof Error ? error.message : String(error);
});
