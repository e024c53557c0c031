// The scenes below the first screen. A scene runs the code that the page shows beside it when it comes near the window. A
// viewer whose canvas is outside the window draws nothing.

import type { Viewer } from 'gambol';
import { element } from '../app/dom.ts';
import { startMotion } from './motion.ts';
import { run, type Failure, type Run } from './run.ts';
import { scopeOf } from './scope.ts';
import { keepPressed, repeat, showInside, slowDown } from './extras.ts';
import { showTrail } from './trail.ts';

/** The shadow of all scenes on the ground. */
const SHADOW = 0.6;

export class Scene {
  readonly section: HTMLElement;
  /** The original live part: a run begins with a copy of it, without the listeners of the run before. */
  readonly #live: HTMLElement;
  #run: Run | undefined;
  #begun: Promise<unknown> | undefined;

  constructor(section: HTMLElement) {
    this.section = section;
    this.#live = this.#current().cloneNode(true) as HTMLElement;
  }

  get name(): string {
    return this.section.querySelector('h2')?.textContent ?? '';
  }

  get language(): 'html' | 'js' {
    return this.section.id === 'element' ? 'html' : 'js';
  }

  /** Runs the code that the page shows, unless it runs already. */
  begin(): Promise<unknown> {
    return (this.#begun ??= this.start());
  }

  /** Opens files in the scene, as if they were chosen there. */
  async open(files: FileList): Promise<void> {
    await this.begin();
    const input = this.#current().querySelector<HTMLInputElement>('input[type=file]');
    if (!input) return;
    input.files = files;
    input.dispatchEvent(new Event('change'));
  }

  /** Runs the code that the page shows, or a changed one. Resolves to the failure if there is one. */
  async start(code = this.section.querySelector('pre code')?.textContent ?? ''): Promise<Failure | undefined> {
    this.#run?.dispose();
    this.#run = undefined;
    delete this.section.dataset['ran'];
    const live = this.#live.cloneNode(true) as HTMLElement;
    this.#current().replaceWith(live);
    const stage = live.querySelector<HTMLElement>('.scene-stage') ?? live;
    if (this.language === 'html') {
      stage.innerHTML = code;
      // The element obeys the system's setting for motion itself.
      await import('gambol/element');
      return undefined;
    }
    live.addEventListener('dragover', (event) => event.preventDefault());
    live.addEventListener('drop', (event) => event.preventDefault());
    speak(live);
    keepPressed(live);
    stage.ariaBusy = 'true';
    const own = run(code, scopeOf(live), (viewer) => this.#created(live, viewer));
    this.#run = own;
    const failure = await own.ended;
    if (this.#run !== own) return undefined;
    stage.ariaBusy = null;
    this.section.dataset['ran'] = 'true';
    if (failure) stage.append(element('p', 'scene-error', failure.message));
    return failure;
  }

  #current(): HTMLElement {
    const live = this.section.querySelector<HTMLElement>('.scene-live');
    if (!live) throw new Error(`The scene ${this.section.id} has no place for its result.`);
    return live;
  }

  #created(live: HTMLElement, viewer: Viewer): void {
    const { trail } = this.section.dataset;
    viewer.shadowIntensity = SHADOW;
    if (trail) showTrail(viewer, trail);
    slowDown(live, viewer);
    repeat(live, viewer);
    showInside(live, viewer);
  }
}

export function installScenes(): Scene[] {
  const scenes = [...document.querySelectorAll<HTMLElement>('.scene')].map((section) => new Scene(section));
  const near = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        const scene = scenes.find(({ section }) => section === target);
        if (!isIntersecting || !scene) continue;
        near.unobserve(target);
        if (scene.language === 'html') void import('gambol/element');
        else begin(scene);
      }
    },
    { rootMargin: '50%' },
  );
  for (const { section } of scenes) near.observe(section);
  catchDrops(scenes);
  return scenes;
}

function begin(scene: Scene): void {
  const stage = scene.section.querySelector<HTMLElement>('.scene-stage');
  if (stage) startMotion(stage, () => void scene.begin());
}

/** Files that are dropped on the page are opened in the scene for clips, unless the code of a scene opens them. */
function catchDrops(scenes: readonly Scene[]): void {
  const scene = scenes.find(({ section }) => section.id === 'retarget');
  const isFree = ({ target, dataTransfer }: DragEvent): boolean =>
    dataTransfer?.types.includes('Files') === true &&
    !(target instanceof Element && target.closest('input, .editor, [data-ran] [data-opens]'));
  document.addEventListener('dragover', (event) => {
    if (isFree(event)) event.preventDefault();
  });
  document.addEventListener('drop', (event) => {
    if (!scene || !isFree(event)) return;
    event.preventDefault();
    const files = event.dataTransfer?.files;
    scene.section.scrollIntoView();
    if (files) void scene.open(files);
  });
}

/** Sliders tell their value with its unit. */
function speak(live: HTMLElement): void {
  for (const slider of live.querySelectorAll<HTMLInputElement>('input[type=range]')) {
    const { unit = '' } = slider.dataset;
    const update = (): void => {
      const number = unit === '%' ? Math.round(100 * slider.valueAsNumber) : slider.valueAsNumber;
      slider.ariaValueText = `${number}${unit}`;
    };
    slider.addEventListener('input', update);
    update();
  }
}
