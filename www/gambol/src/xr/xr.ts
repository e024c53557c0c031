// Augmented and virtual reality by WebXR: a script that is loaded for the first call.

export { enterAr } from './ar.ts';
export { enterVr } from './vr.ts';
export { supports } from './webxr.ts';
