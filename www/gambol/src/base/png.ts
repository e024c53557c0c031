/** An image as a PNG file, at a size in pixels; null if the browser cannot make it. */
export function pngOf(image: CanvasImageSource, width: number, height: number): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  canvas.getContext('2d')?.drawImage(image, 0, 0, width, height);
  return new Promise((resolve) => canvas.toBlob(resolve));
}
