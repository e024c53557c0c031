// Motion trails: the path of a joint over the last frames, on a canvas above the picture. Points that are far apart are a jump.

import type { Viewer } from 'gambol';

/** The number of frames that a trail shows. */
const LENGTH = 70;

/** The distance of two points in CSS pixels, from one frame to the next, that is drawn as a jump. */
const JUMP = 24;

type Point = readonly [x: number, y: number];

export function showTrail(viewer: Viewer, joint: string): void {
  const { canvas } = viewer;
  const over = document.createElement('canvas');
  over.className = 'trail';
  over.ariaHidden = 'true';
  canvas.after(over);
  const points: Point[] = [];
  // Before the end of `load()` there may be a model, but not the module that projects points.
  let loaded = false;
  viewer.addEventListener('load', () => {
    loaded = true;
  });
  viewer.addEventListener('before-render', () => {
    if (!loaded) return;
    const { x, y } = viewer.project([0, 0, 0], joint) ?? {};
    if (x === undefined || y === undefined) return;
    points.push([x, y]);
    if (points.length > LENGTH) points.shift();
    draw(over, points);
  });
}

function draw(over: HTMLCanvasElement, points: readonly Point[]): void {
  const context = over.getContext('2d');
  if (!context) return;
  const { clientWidth, clientHeight } = over;
  const ratio = Math.min(2, devicePixelRatio);
  const [width, height] = [clientWidth, clientHeight].map((size) => Math.round(size * ratio)) as [number, number];
  if (over.width !== width || over.height !== height) Object.assign(over, { width, height });
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, clientWidth, clientHeight);
  const { color } = getComputedStyle(over);
  context.strokeStyle = color;
  context.fillStyle = color;
  context.lineCap = 'round';
  points.forEach(([x, y], i) => {
    context.globalAlpha = (0.9 * i) / points.length;
    const [fromX, fromY] = points[i - 1] ?? [x, y];
    const jump = Math.hypot(x - fromX, y - fromY) > JUMP;
    context.lineWidth = 3;
    context.setLineDash(jump ? [2, 7] : []);
    context.beginPath();
    context.moveTo(fromX, fromY);
    context.lineTo(x, y);
    context.stroke();
    context.beginPath();
    context.arc(x, y, 2.4, 0, 2 * Math.PI);
    context.fill();
  });
}
