// three.js has no types. Those of the other players are installed only by `cargo xtask bench peers` or `bench start`,
// and these pages use few of them.
declare module 'three';
declare module 'three/addons/*';
declare module '@google/model-viewer';
declare module '*/babylon-viewer.esm.min.js';
declare module '@babylonjs/core';
declare module '@babylonjs/loaders/glTF/index.js';
declare module 'playcanvas';
