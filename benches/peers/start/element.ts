import 'gambol/element';

const viewer = document.createElement('gambol-viewer');
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
// At this event the model is on the screen.
viewer.addEventListener('firstframe', () => performance.mark('first-frame'));
document.body.append(viewer);
