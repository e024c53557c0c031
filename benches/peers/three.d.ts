// three.js comes without types, and these pages use little of it.
declare module 'three';
declare module 'three/addons/*';
