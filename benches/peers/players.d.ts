// three.js comes without types, those of the others come with `cargo xtask bench peers` or `bench start` only, and these pages use
// little of any.
declare module 'three';
declare module 'three/addons/*';
declare module '@google/model-viewer';
declare module '@babylonjs/core';
declare module '@babylonjs/loaders/glTF/index.js';
declare module 'playcanvas';
