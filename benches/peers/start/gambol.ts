import { createViewer } from 'gambol';

const canvas = document.createElement('canvas');
canvas.style.cssText = 'width: 640px; height: 480px';
document.body.append(canvas);
const viewer = await createViewer(canvas);
// At this event the model is on the screen.
viewer.addEventListener('firstframe', () => performance.mark('first-frame'));
await viewer.load('/sample.glb');
viewer.play();
