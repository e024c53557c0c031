// Golden pictures of light: environments, tone curves, skies, shadows, and the sample character in them.

import type { ToneMapping } from 'gambol';
import { SQUEEZED, four, gallery, lookDown } from './support/gallery.ts';
import { six } from './support/panorama.ts';
import type { Scene } from './support/scene.ts';
import { box, material, mesh, sphere } from './support/shapes.ts';

const { PI } = Math;
/** Colours from six sides with similar brightness: without a key light. */
const SIX = six();

/** A mirror, a rough metal, a matt and a smooth dielectric. */
function balls(scene: Scene): void {
  four(scene, [
    material(scene, [1, 1, 1], 1, 0),
    material(scene, [1, 0.8, 0.5], 1, 0.4),
    material(scene, [0.5, 0.5, 0.5], 0, 1),
    material(scene, [0.1, 0.1, 0.1], 0, 0.1),
  ]);
}

/** One ball, and a wide angle that shows the sky on all sides behind it. */
function around(scene: Scene): void {
  scene.json.cameras[0].perspective.yfov = 2;
  scene.json.nodes[0].translation = [0, 0, 1.4];
  scene.node({ mesh: mesh(scene, sphere(), material(scene, [1, 1, 1], 1, 0.1)), scale: [0.6, 0.6, 0.6] });
}

gallery('environments', (scene) => {
  scene('studio', balls);
  scene('studio-turned', balls, { environmentRotation: PI / 2 });
  scene('exposure', balls, { exposure: 2 });
  scene('sky', around, { skybox: true });
  // +Z in front, -X at the left. With a quarter turn the left side comes to the front.
  scene('environment', balls, { environment: SIX });
  scene('environment-turned', balls, { environment: SIX, environmentRotation: PI / 2 });
  scene('sky-turned', around, { environment: SIX, environmentRotation: PI / 4, skybox: true });
  scene('sky-blurred', around, { environment: SIX, skybox: true, skyboxBlur: 0.6 });
});

gallery('tone curves', (scene) => {
  for (const toneMapping of ['neutral', 'agx', 'aces', 'none'] satisfies ToneMapping[]) {
    scene(
      `tone-${toneMapping}`,
      (made) => {
        // Rows of one colour that get brighter to the right, from 1/8 to 32. No edge is near a sample of a pixel.
        [
          [1, 1, 1],
          [1, 0.1, 0.05],
          [0.1, 1, 0.1],
          [0.05, 0.1, 1],
          [1, 0.6, 0.05],
        ].forEach((emissiveFactor, row) => {
          for (let column = 0; column < 9; column++) {
            const emissiveStrength = 2 ** (column - 3);
            const index = material(
              made,
              [0, 0, 0],
              0,
              1,
              { KHR_materials_emissive_strength: { emissiveStrength } },
              { emissiveFactor },
            );
            made.node({
              mesh: made.square(index),
              translation: [(column - 4) * 0.222, (2 - row) * 0.398, 0],
              scale: [0.092, 0.176, 1],
            });
          }
        });
      },
      { environment: null, toneMapping },
    );
  }
});

/** A ball on the ground, a floating ball, and a box. */
function standing(scene: Scene): void {
  lookDown(scene, 0.6, 3.4);
  const ball = mesh(scene, sphere(), material(scene, [0.8, 0.3, 0.2], 0, 0.4));
  scene.node({ mesh: ball, scale: [0.3, 0.3, 0.3], translation: [-0.5, 0, 0.1] });
  scene.node({ mesh: ball, scale: [0.15, 0.15, 0.15], translation: [0.15, 0.3, 0.4] });
  scene.node({
    mesh: mesh(scene, box(), material(scene, [0.3, 0.4, 0.7], 0, 0.6)),
    scale: [0.22, 0.3, 0.22],
    translation: [0.45, 0, -0.2],
  });
}

gallery('shadows', (scene) => {
  const page = { shadowIntensity: 1, background: [0.85, 0.85, 0.85, 1] } as const;
  // Without a key light there is only ambient occlusion on the ground.
  scene('shadow-contact', standing, { ...page, environment: SIX });
  for (const shadowSoftness of [0, 0.5, 1])
    scene(`shadow-key-${shadowSoftness}`, standing, { ...page, shadowSoftness });
  scene('shadow-turned', standing, { ...page, environmentRotation: PI / 2 });
  // The page is visible through blended materials, around edges, and through the shadow.
  scene(
    'transparent',
    (made) => {
      standing(made);
      const [, blue] = made.json.materials;
      blue.alphaMode = 'BLEND';
      blue.pbrMetallicRoughness.baseColorFactor[3] = 0.5;
    },
    { ...page, background: null },
  );
});

gallery('characters', (scene) => {
  for (const [clip, fraction] of [
    ['Walk', 0.3],
    ['Wave', 0.4],
    ['Dance', 0.7],
  ] as const) {
    scene(`character-${clip.toLowerCase()}`, () => '/sample.glb', {
      at: [clip, fraction],
      shadowIntensity: 1,
      background: [0.85, 0.85, 0.85, 1],
      tolerance: SQUEEZED,
    });
  }
});
