// What modules import is in a global.
(async () => {
  const viewer = await gambol.createViewer(document.querySelector('canvas'));
  await viewer.load(document.querySelector('gambol-viewer').src);
  viewer.play();
})();
