// The crowd page: characters on rings, each with its own clip, phase, path and colour.

import { createViewer, type Crowd, type Viewer } from 'gambol';
import { byId } from './app/dom.ts';
import { count as thousands } from './app/format.ts';
import { FRAME_RATE, Numbers, type Row } from './app/numbers.ts';
import { themeButton } from './app/theme.ts';
import { ground, type GroundColors } from './crowd/ground.ts';
import { INSIDE, areaRadius, members, paths, ringsOf } from './crowd/members.ts';
import { installCopyButtons } from './front/copy.ts';

/** The numbers of members that the slider selects: about twelve for each power of ten. */
const COUNTS = [1, 2, 3, 4, 5, 6, 8].concat(
  [10, 100, 1000].flatMap((ten) => [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8].map((part) => Math.round(part * ten))),
);
const MOST = 5000;
const STEPS = COUNTS.filter((count) => count <= MOST);
const FIRST = 400;

const GROUND: Readonly<Record<'light' | 'dark', GroundColors>> = {
  light: { disc: [0.66, 0.6, 0.51, 0.32], path: [0.3, 0.2, 0.12, 0.2] },
  dark: { disc: [0.07, 0.06, 0.08, 0.5], path: [0.2, 0.16, 0.22, 0.4] },
};

const FOV = 0.6;
const OUTSIDE = { azimuth: 0.45, polar: 1.16, fovY: FOV };

const box = (id: string): HTMLInputElement => byId<HTMLInputElement>(id);
const [slider, tints, shadows, detail] = [box('count'), box('tints'), box('shadows'), box('detail')];
const [play, inside] = [byId<HTMLButtonElement>('play'), byId<HTMLButtonElement>('inside')];

/** The number of members that the slider selects. */
const selected = (): number => STEPS[slider.valueAsNumber] ?? FIRST;

/** Shows the number of members, before the crowd has it. */
function tellCount(): void {
  const words = thousands(selected());
  byId('count-words').textContent = words;
  slider.ariaValueText = selected() === 1 ? '1 character' : `${words} characters`;
}

/** Moves the slider to the first number that is at least `count`. */
function select(count: number): void {
  const at = STEPS.findIndex((step) => step >= count);
  slider.value = String(at < 0 ? STEPS.length - 1 : at);
  tellCount();
}

/** The code that is shown has the values of the controls. */
function tellCode(): void {
  const values: Readonly<Record<string, string>> = {
    count: String(selected()),
    shadow: shadows.checked ? '0.6' : '0',
    rate: detail.checked ? "'auto'" : "'full'",
  };
  for (const place of document.querySelectorAll<HTMLElement>('[data-value]'))
    place.textContent = values[place.dataset['value'] ?? ''] ?? '';
}

function look(viewer: Viewer, count: number): void {
  if (inside.ariaPressed === 'true') {
    viewer.camera = INSIDE;
    return;
  }
  const radius = areaRadius(count) + 0.6;
  const aspect = Math.min(1, viewer.canvas.clientWidth / viewer.canvas.clientHeight);
  const distance = (0.98 * radius) / Math.tan(FOV / 2) / aspect;
  viewer.camera = { ...OUTSIDE, target: [0, 0.35, 0], distance: Math.max(distance, 2.6) };
}

/** The statistics that are shown. */
const rows = (crowd: Crowd): readonly Row[] => [
  FRAME_RATE,
  [
    'CPU per frame',
    'Time of the processor for a frame',
    ({ updateTime, drawTime }) => `${(updateTime + drawTime).toFixed(1)} ms`,
  ],
  ['Draw calls', 'Commands to the graphics card for a frame', ({ drawCalls }) => thousands(drawCalls)],
  ['Visible', 'Characters that were not culled', () => thousands(crowd.visibleCount)],
  ['Triangles', 'Triangles of a frame', ({ triangles }) => thousands(triangles)],
  ['Joints', 'Joints that were posed for a frame', ({ joints }) => thousands(joints)],
];

class Page {
  readonly #viewer: Viewer;
  readonly #crowd: Crowd;
  readonly #numbers: Numbers;
  #ground: { remove(): void } | undefined;
  /** The rings that have paths on the ground. */
  #rings = 0;
  /** The time on the paths in seconds. */
  #walked = 0;
  #now: number;

  constructor(viewer: Viewer, crowd: Crowd) {
    [this.#viewer, this.#crowd] = [viewer, crowd];
    this.#now = viewer.now;
    this.#numbers = new Numbers(viewer, byId('numbers'), rows(crowd));
    viewer.shadowIntensity = shadows.checked ? 0.6 : 0;
    this.#resize();
    viewer.addEventListener('before-render', () => this.#walk());
    this.#steer();
  }

  /** Moves the members on their paths, by the time of the viewer while the crowd plays. */
  #walk(): void {
    const { now } = this.#viewer;
    const passed = now - this.#now;
    this.#now = now;
    if (this.#crowd.paused || passed === 0) return;
    this.#walked += passed;
    this.#crowd.set(paths(this.#crowd.count, this.#walked));
  }

  /** Sets the number of members, and their clips, phases and tints. */
  #resize(): void {
    const count = selected();
    this.#numbers.clear();
    this.#crowd.count = count;
    this.#crowd.set({ ...members(count, tints.checked), ...paths(count, this.#walked) });
    look(this.#viewer, count);
    tellCode();
    void this.#pave(ringsOf(count));
  }

  /** Draws the ground with the paths of this many rings. */
  async #pave(rings: number, repaint = false): Promise<void> {
    if (rings === this.#rings && !repaint) return;
    this.#rings = rings;
    const theme = document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light';
    const made = await this.#viewer.add(ground(this.#crowd.count, GROUND[theme]));
    if (rings !== this.#rings) return made.remove();
    this.#ground?.remove();
    this.#ground = made;
    this.#numbers.clear();
  }

  #steer(): void {
    const [viewer, crowd] = [this.#viewer, this.#crowd];
    const change = (control: HTMLElement, type: string, action: () => void): void =>
      control.addEventListener(type, () => {
        this.#numbers.clear();
        action();
        tellCode();
      });
    let due = 0;
    slider.addEventListener('input', () => {
      tellCount();
      this.#numbers.clear();
      // One change for all events of a frame.
      cancelAnimationFrame(due);
      due = requestAnimationFrame(() => this.#resize());
    });
    change(tints, 'change', () => crowd.set({ tints: members(crowd.count, tints.checked).tints ?? [] }));
    change(shadows, 'change', () => (viewer.shadowIntensity = shadows.checked ? 0.6 : 0));
    change(detail, 'change', () => (crowd.updateRate = detail.checked ? 'auto' : 'full'));
    change(inside, 'click', () => {
      inside.ariaPressed = String(inside.ariaPressed !== 'true');
      look(viewer, crowd.count);
    });
    change(play, 'click', () => {
      byId('calm').hidden = true;
      if (crowd.paused) crowd.play();
      else crowd.pause();
      label(crowd);
      byId('live').textContent = crowd.paused ? 'Paused' : 'Playing';
    });
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
      crowd.pause();
      byId('calm').hidden = false;
    }
    label(crowd);
    for (const control of [play, inside, slider, tints, shadows, detail]) control.disabled = false;
    new MutationObserver(() => void this.#pave(this.#rings, true)).observe(document.documentElement, {
      attributes: true,
      attributeFilter: ['data-theme'],
    });
  }
}

function label({ paused }: Crowd): void {
  play.textContent = paused ? 'Play' : 'Pause';
}

async function begin(): Promise<void> {
  const viewer = await createViewer(byId<HTMLCanvasElement>('canvas'), { touchAction: 'pan-y' });
  const crowd = await viewer.addCrowd('./sample.glb');
  new Page(viewer, crowd);
  byId('loading').hidden = true;
  Object.assign(window, { viewer, crowd }); // for the console
}

themeButton();
installCopyButtons();
slider.max = String(STEPS.length - 1);
// `?count=20` selects the first number of members.
select(Number(new URLSearchParams(location.search).get('count')) || FIRST);
tellCode();
begin()
  .catch((error: unknown) => {
    byId('loading').textContent = error instanceof Error ? error.message : String(error);
  })
  .finally(() => import('./learn/search.ts').then(({ installSearch }) => installSearch()))
  .catch(() => undefined);
