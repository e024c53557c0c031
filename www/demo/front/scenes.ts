// The scenes below the first screen. The code of a scene is the code that the page shows beside it; it runs when the scene
// comes near the window. A viewer whose canvas is outside the window draws nothing.

import { element } from '../app/dom.ts';
import { startMotion } from './motion.ts';

const SCENES: Readonly<Record<string, () => Promise<unknown>>> = {
  transitions: () => import('./code/transitions.scene.js'),
  layers: () => import('./code/layers.scene.js'),
  gaze: () => import('./code/gaze.scene.js'),
  attachments: () => import('./code/attachments.scene.js'),
  scroll: () => import('./code/scroll.scene.js'),
  crowd: () => import('./code/crowd.scene.js'),
  twist: () => import('./code/twist.scene.js'),
  faults: () => import('./code/faults.scene.js'),
  retarget: () => import('./code/retarget.scene.js'),
};

export function installScenes(): void {
  const near = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        near.unobserve(target);
        begin(target as HTMLElement);
      }
    },
    { rootMargin: '50%' },
  );
  for (const scene of document.querySelectorAll('.scene')) near.observe(scene);
}

function begin(scene: HTMLElement): void {
  const run = SCENES[scene.id];
  // The element obeys the system's setting itself.
  if (!run) return void import('gambol/element');
  const stage = scene.querySelector<HTMLElement>('.scene-stage') ?? scene;
  startMotion(stage, () => {
    stage.ariaBusy = 'true';
    run()
      .catch((error: unknown) => tell(stage, error))
      .finally(() => {
        stage.ariaBusy = null;
      });
  });
}

/** Shows an error in place of the scene, for example that the browser has no WebGL 2. */
function tell(stage: HTMLElement, error: unknown): void {
  const words = error instanceof Error ? error.message : String(error);
  stage.append(element('p', 'scene-error', words));
}
