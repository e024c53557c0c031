// three.js comes without types, the fixtures have those of model-viewer, and these pages use little of it.
declare module 'three';
declare module 'three/addons/*';
declare module '@google/model-viewer';
