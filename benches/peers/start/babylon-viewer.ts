// The script that the package has for pages without a bundler; its readme names it.
import '../node_modules/@babylonjs/viewer/dist/babylon-viewer.esm.min.js';

const viewer = document.createElement('babylon-viewer');
viewer.style.cssText = 'display: block; width: 640px; height: 480px';
for (const [name, value] of [
  ['source', '/sample.glb'],
  ['animation-auto-play', ''],
]) {
  viewer.setAttribute(name!, value!);
}
// The model is on the screen when the next frame begins after the first one that is drawn after this event.
viewer.addEventListener('modelchange', () =>
  viewer.addEventListener('viewerrender', () => requestAnimationFrame(() => performance.mark('first-frame')), {
    once: true,
  }),
);
document.body.append(viewer);
