// The page “Pip lives”: a state machine, feet on uneven ground, gaze, expressions, and a tail that swings.

import { createViewer, type States, type Viewer } from 'gambol';
import { Gaze } from './alive/gaze.ts';
import { ground, groundFile } from './alive/ground.ts';
import { Stick } from './alive/stick.ts';
import { Walker } from './alive/walker.ts';
import { byId, element } from './app/dom.ts';
import { FRAME_RATE, Numbers, type Row } from './app/numbers.ts';
import { themeButton } from './app/theme.ts';
import { installCopyButtons } from './front/copy.ts';

/** Linear colours of the ground. */
const GROUND = { light: [0.52, 0.45, 0.34], dark: [0.075, 0.066, 0.085] } as const;
/** The chains that swing, with their spring bones. */
const SPRINGS = {
  Tail1: { stiffness: 0.55, drag: 0.22, gravity: 0.12 },
  EarL1: { stiffness: 1.4, drag: 0.3 },
  EarR1: { stiffness: 1.4, drag: 0.3 },
  Scarf1: { stiffness: 0.8, drag: 0.35, gravity: 0.3 },
} as const;
const EXPRESSIONS = { happy: { smile: 1 }, surprised: { surprise: 1 }, sleepy: { blink: 0.75 } } as const;
/** The triggers of taps, by the joint whose surface is tapped. */
const TAPS: readonly (readonly [joints: RegExp, trigger: string])[] = [
  [/^Ear/, 'surprise'],
  [/^(Head|Neck|Tuft|Eye)/, 'sneeze'],
  [/^(Hips|Spine|Chest|Scarf|Tail)/, 'petted'],
  [/./, 'greet'],
];
/** The words for screen readers, by the names of the events of the machine. */
const WORDS: Readonly<Record<string, string>> = {
  jump: 'Pip jumps.',
  sit: 'Pip sits down.',
  petted: 'Pip likes that.',
  surprise: 'Pip is surprised.',
  greet: 'Pip greets you.',
  sneeze: 'Pip sneezes.',
};
/** The height above the ground at which the camera looks, and the time in s in which it makes most of its way to Pip. */
const [EYE, FOLLOWING] = [0.5, 0.25];
const CAMERA = { azimuth: 0.5, polar: 1.22, fovY: 0.62, distance: 3.1 };

const box = (id: string): HTMLInputElement => byId<HTMLInputElement>(id);
const play = byId<HTMLButtonElement>('play');

class Page {
  readonly #viewer: Viewer;
  readonly #states: States;
  readonly #walker = new Walker();
  readonly #stick = new Stick(byId('stick'));
  readonly #gaze: Gaze;
  #now: number;
  /** The time of the page's own work in a frame, in ms. */
  #own = 0;
  #rested = 0;

  constructor(viewer: Viewer, states: States) {
    [this.#viewer, this.#states] = [viewer, states];
    this.#now = viewer.now;
    this.#gaze = new Gaze(viewer);
    viewer.addEventListener('before-render', () => {
      const began = performance.now();
      this.#step();
      this.#own += 0.1 * (performance.now() - began - this.#own);
    });
    this.#body();
    this.#face();
    this.#actions();
    const rows: readonly Row[] = [
      FRAME_RATE,
      [
        'Character',
        'Time of the processor for pose, feet, springs and the page',
        (now) => ms(now.updateTime + this.#own),
      ],
      ['Drawing', 'Time of the processor for the picture', (now) => ms(now.drawTime)],
    ];
    new Numbers(viewer, byId('numbers'), rows);
    viewer.addEventListener('statechange', () => this.#tell());
    this.#tell();
  }

  /** A frame: walk, look, and follow with the camera. */
  #step(): void {
    const { now, camera } = this.#viewer;
    const passed = Math.min(0.1, now - this.#now);
    this.#now = now;
    const walker = this.#walker;
    if (passed > 0) {
      const [right, up] = this.#stick.direction;
      const [sin, cos] = [Math.sin(camera.azimuth), Math.cos(camera.azimuth)];
      walker.step(passed, right * cos - up * sin, -right * sin - up * cos);
      this.#rested = walker.speed > 0.05 ? 0 : this.#rested + passed;
      if (this.#rested > 16) this.#rested = 0;
      const { inputs } = this.#states;
      inputs['speed'] = walker.speed;
      inputs['rested'] = this.#rested;
      this.#viewer.place = walker.place;
    }
    if (box('gaze').checked) this.#gaze.update();
    const [x, y, z] = camera.target;
    const part = 1 - Math.exp(-passed / FOLLOWING);
    const [toX, toY, toZ] = [walker.x, ground(walker.x, walker.z).y + EYE, walker.z];
    if (part > 0) this.#viewer.camera = { target: [x + part * (toX - x), y + part * (toY - y), z + part * (toZ - z)] };
  }

  /** Feet, springs and gaze, by their boxes. */
  #body(): void {
    const viewer = this.#viewer;
    const feet = (): void => viewer.feet(box('feet').checked ? { ground } : null);
    const springs = (): void => {
      for (const [joint, options] of Object.entries(SPRINGS))
        viewer.joint(joint).spring(box('springs').checked ? options : null);
    };
    feet();
    springs();
    box('feet').addEventListener('change', feet);
    box('springs').addEventListener('change', springs);
    box('gaze').addEventListener('change', () => {
      if (!box('gaze').checked) this.#gaze.end();
    });
  }

  #face(): void {
    const viewer = this.#viewer;
    for (const [name, morphs] of Object.entries(EXPRESSIONS)) viewer.model?.setExpression(name, { morphs });
    viewer.blink({ seed: 7, interval: 3.5 });
    for (const slider of document.querySelectorAll<HTMLInputElement>('[data-expression]')) {
      const show = (): void => {
        viewer.expression(slider.dataset['expression'] ?? '').weight = slider.valueAsNumber;
      };
      slider.addEventListener('input', show);
      if (slider.valueAsNumber > 0) show();
    }
  }

  /** Triggers by buttons, keys and taps. */
  #actions(): void {
    const [viewer, states] = [this.#viewer, this.#states];
    const fire = (trigger: string): void => {
      this.#rested = 0;
      states.fire(trigger);
    };
    for (const button of document.querySelectorAll<HTMLElement>('[data-fire]'))
      button.addEventListener('click', () => fire(button.dataset['fire'] ?? ''));
    addEventListener('keydown', (event) => {
      const onPage = event.target === document.body || event.target === viewer.canvas;
      if (event.code !== 'Space' || event.repeat || !onPage) return;
      fire('jump');
      event.preventDefault();
    });
    viewer.canvas.addEventListener('click', ({ offsetX, offsetY }) => {
      const name = viewer.pick(offsetX, offsetY)?.joint?.name;
      const tap = name === undefined ? undefined : TAPS.find(([joints]) => joints.test(name));
      if (tap) fire(tap[1]);
    });
    viewer.addEventListener('stateenter', ({ detail }) => {
      const words = WORDS[detail.name ?? ''];
      if (words !== undefined) byId('live').textContent = words;
    });
    play.addEventListener('click', () => {
      byId('calm').hidden = true;
      if (viewer.paused) viewer.play();
      else viewer.pause();
      label(viewer);
    });
    label(viewer);
  }

  /** Shows the active state of each layer. */
  #tell(): void {
    const states = this.#states;
    byId('states').replaceChildren(
      ...states.layers.flatMap((layer, i) => [
        `${i > 0 ? ' · ' : ''}${layer} `,
        element('b', '', states.current(layer)),
      ]),
    );
  }
}

const ms = (time: number): string => `${time.toFixed(2)} ms`;

function label({ paused }: Viewer): void {
  play.textContent = paused ? 'Play' : 'Pause';
}

/** Replaces the ground by that of the theme. */
async function pave(viewer: Viewer, before?: { remove(): void }): Promise<{ remove(): void }> {
  const made = await viewer.add(
    groundFile(GROUND[document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light']),
  );
  before?.remove();
  return made;
}

async function begin(): Promise<void> {
  const viewer = await createViewer(byId<HTMLCanvasElement>('canvas'), {
    touchAction: 'pan-y',
    cameraControls: { keyboard: false, pan: false },
  });
  await Promise.all([viewer.load('./sample.glb'), viewer.use('body', 'faces', 'picking')]);
  let floor = pave(viewer);
  await floor;
  viewer.camera = { ...CAMERA, target: [0, ground(0, 0).y + EYE, 0] };
  viewer.shadowIntensity = 0.6;
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const states = await viewer.loadStates('./pip.states.json');
  if (calm) {
    viewer.pause();
    byId('calm').hidden = false;
  }
  new Page(viewer, states);
  new MutationObserver(() => {
    floor = floor.then((before) => pave(viewer, before));
  }).observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  for (const control of document.querySelectorAll<HTMLInputElement>('main :disabled')) control.disabled = false;
  byId('loading').hidden = true;
  Object.assign(window, { viewer, states }); // for the console
}

themeButton();
installCopyButtons();
begin()
  .catch((error: unknown) => {
    byId('loading').textContent = error instanceof Error ? error.message : String(error);
  })
  .finally(() => import('./learn/search.ts').then(({ installSearch }) => installSearch()))
  .catch(() => undefined);
