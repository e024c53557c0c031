import { createViewer } from 'gambol';

const canvas = document.createElement('canvas');
canvas.style.cssText = 'width: 640px; height: 480px';
document.body.append(canvas);
const viewer = await createViewer(canvas);
// Resolves when the model is on the screen.
await viewer.load('/sample.glb');
performance.mark('first-frame');
viewer.play();
