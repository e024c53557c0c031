// The code of the scenes is plain JavaScript, as the page shows it. It has no exports.
declare module '*.scene.js';
