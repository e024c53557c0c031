import { createViewer } from 'gambol';

const viewer = await createViewer(document.querySelector('canvas'));
await viewer.load('/sample.glb');
viewer.play();
Object.assign(globalThis, { viewer, createViewer });
