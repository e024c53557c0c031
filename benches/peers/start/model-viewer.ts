import '@google/model-viewer';

const viewer = document.createElement('model-viewer');
viewer.style.cssText = 'display: block; width: 640px; height: 480px';
for (const [name, value] of [
  ['src', '/sample.glb'],
  ['autoplay', ''],
  ['camera-controls', ''],
  ['loading', 'eager'],
  ['interaction-prompt', 'none'],
]) {
  viewer.setAttribute(name!, value!);
}
// The model is drawn in the frame after this event, and is on the screen when the next one begins.
viewer.addEventListener('load', () =>
  requestAnimationFrame(() => requestAnimationFrame(() => performance.mark('first-frame'))),
);
document.body.append(viewer);
