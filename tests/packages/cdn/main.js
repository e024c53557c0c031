(async () => {
  const canvas = document.querySelector('canvas');
  const viewer = await gambol.createViewer(canvas);
  await viewer.load(canvas.dataset.model);
  viewer.play();
  Object.assign(globalThis, { viewer });
})();
