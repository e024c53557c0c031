// Modules import from the package; this page reads the same names from the global `gambol`.
(async () => {
  const viewer = await gambol.createViewer(document.querySelector('canvas'));
  await viewer.load(document.querySelector('gambol-viewer').src);
  viewer.play();
})();
