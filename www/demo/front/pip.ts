// Pip on the first screen: waves at first sight, looks at the pointer or the finger, and reacts to taps and scrolling.

import { createViewer, type Viewer } from 'gambol';
import { byId } from '../app/dom.ts';
import { startMotion } from './motion.ts';
import { CAMERA, FIGURE, POSE, SHADOW, SHARE } from './portrait.ts';

/** The time in s in which the gaze makes most of its way to the pointer. */
const GAZE_TIME = 0.12;

interface Reaction {
  /** The joints whose surface is tapped. */
  readonly joints: RegExp;
  readonly clip: string;
  /** The description for screen readers. */
  readonly words: string;
}

const REACTIONS: Readonly<Record<string, Reaction>> = {
  ears: { joints: /^Ear/, clip: 'Surprise', words: 'Pip is surprised.' },
  nose: { joints: /^(Head|Neck|Tuft|Eye)/, clip: 'Sneeze', words: 'Pip sneezes.' },
  belly: { joints: /^(Hips|Spine|Chest|Scarf)/, clip: 'Petted', words: 'Pip likes that.' },
  limbs: { joints: /./, clip: 'Greet', words: 'Pip greets you.' },
};

/** The reaction to the first scrolling. */
const SCROLLED = 'Surprise';

export async function showPip(): Promise<void> {
  const stage = byId('pip');
  const canvas = stage.querySelector('canvas');
  if (!canvas) return;
  const viewer = await createViewer(canvas, { renderer: 'shared', cameraControls: false });
  await viewer.load('./sample.glb');
  viewer.camera = CAMERA;
  viewer.shadowIntensity = SHADOW;
  viewer.clip = POSE.clip;
  await viewer.seek(POSE.time);
  // The canvas shows the pose of the poster now.
  stage.classList.add('ready');
  startMotion(stage, () => {
    act(viewer, POSE.clip);
    gaze(viewer, canvas);
    touch(viewer, stage, canvas);
    addEventListener('scroll', () => act(viewer, SCROLLED), { once: true, passive: true });
  });
  Object.assign(window, { viewer }); // for the console
}

/** Plays a clip once, then the idle one. */
function act(viewer: Viewer, clip: string): void {
  viewer.play(clip, { repetitions: 1 }).finished.then(
    () => void viewer.play('Idle'),
    () => undefined, // another clip has begun
  );
}

/** Turns head and eyes to the pointer or the finger, also while the page scrolls below it. */
function gaze(viewer: Viewer, canvas: HTMLElement): void {
  const head = viewer.joint('Head');
  const eyes = ['EyeL', 'EyeR'].map((name) => viewer.joint(name));
  const [, middle] = CAMERA.target;
  let pointer: { readonly x: number; readonly y: number } | undefined;
  let [right, up, before] = [0, middle, performance.now()];
  const follow = ({ clientX, clientY }: PointerEvent): void => {
    pointer = { x: clientX, y: clientY };
  };
  document.addEventListener('pointermove', follow);
  document.addEventListener('pointerdown', follow);
  // Without a pointer, the eyes follow the page.
  let above = scrollY;
  addEventListener('scroll', () => {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    pointer = { x: left + width / 2, y: top + height / 2 + Math.sign(scrollY - above) * height };
    above = scrollY;
  });
  viewer.addEventListener('before-render', () => {
    const now = performance.now();
    const part = 1 - Math.exp((before - now) / 1000 / GAZE_TIME);
    before = now;
    if (!pointer) return;
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const metre = (height * SHARE) / FIGURE;
    right += part * ((pointer.x - left - width / 2) / metre - right);
    up += part * (middle - (pointer.y - top - height / 2) / metre - up);
    // A point in a plane in front of Pip that faces the camera.
    const [sin, cos, front] = [Math.sin(CAMERA.azimuth), Math.cos(CAMERA.azimuth), 0.9];
    const point = [right * cos + front * sin, up, front * cos - right * sin] as const;
    head.lookAt(point, { limit: 0.9, weight: 0.7 });
    for (const eye of eyes) eye.lookAt(point, { limit: 0.4 });
  });
}

/** Reactions to taps, and to the buttons for those who cannot tap. */
function touch(viewer: Viewer, stage: HTMLElement, canvas: HTMLElement): void {
  const react = ({ clip, words }: Reaction): void => {
    act(viewer, clip);
    byId('live').textContent = words;
  };
  const listen = (): void => {
    canvas.addEventListener('click', ({ offsetX, offsetY }) => {
      const name = viewer.pick(offsetX, offsetY)?.joint?.name;
      const found = Object.values(REACTIONS).find(({ joints }) => name !== undefined && joints.test(name));
      if (found) react(found);
    });
    canvas.addEventListener('pointermove', ({ offsetX, offsetY }) => {
      canvas.classList.toggle('touchable', viewer.pick(offsetX, offsetY) !== null);
    });
  };
  // The buttons work without it.
  viewer.use('picking').then(listen, () => undefined);
  const hint = stage.querySelector<HTMLElement>('.hero-hint');
  if (hint) hint.hidden = false;
  for (const button of stage.querySelectorAll<HTMLElement>('[data-part]')) {
    const reaction = REACTIONS[button.dataset['part'] ?? ''];
    if (reaction) button.addEventListener('click', () => react(reaction));
  }
}
