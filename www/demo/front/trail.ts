// The change of a clip as a picture: the path of a joint shortly before and after it, and ghosts of the poses after it. Both stay until
// the next change. A point of the path is a frame, so wide gaps are fast.

import type { Viewer } from 'gambol';

/** The times in s before and after a change that the path shows. */
const [BEFORE, AFTER] = [0.3, 0.9];
/** The times in s after a change at which a ghost stays. */
const GHOSTS = [0, 0.09, 0.18, 0.27, 0.36, 0.45];
const GHOST_OPACITY = 0.13;
/** The distance of two points in CSS pixels, from one frame to the next, that is drawn as a jump. */
const JUMP = 24;

interface Point {
  readonly x: number;
  readonly y: number;
  /** The time in s, on the timeline of the viewer. */
  readonly time: number;
}

export function showTrail(viewer: Viewer, joint: string): void {
  const { canvas } = viewer;
  const [over, under] = ['trail', 'ghosts'].map((name) => {
    const layer = document.createElement('canvas');
    layer.className = name;
    layer.ariaHidden = 'true';
    return layer;
  }) as [HTMLCanvasElement, HTMLCanvasElement];
  canvas.after(over);
  canvas.before(under);
  let points: Point[] = [];
  let changed = -Infinity;
  let ghosts = 0;
  // Before the end of `load()` there may be a model, but not the module that projects points.
  let loaded = false;
  viewer.addEventListener('load', () => {
    loaded = true;
  });
  viewer.addEventListener('clipchange', () => {
    changed = viewer.now;
    ghosts = 0;
    points = points.filter(({ time }) => time > changed - BEFORE && time <= changed);
    fitted(under)?.clearRect(0, 0, under.clientWidth, under.clientHeight);
  });
  viewer.addEventListener('before-render', () => {
    if (!loaded) return;
    const { now } = viewer;
    // The path after the change stays; the one before the next change begins late enough to be short.
    if (now > changed + AFTER) {
      const path = points.filter(({ time }) => time <= changed + AFTER);
      points = [...path, ...points.filter(({ time }) => time > changed + AFTER && time > now - BEFORE)];
    }
    const { x, y } = viewer.project([0, 0, 0], joint) ?? {};
    if (x === undefined || y === undefined) return;
    points.push({ x, y, time: now });
    draw(
      over,
      points.filter(({ time }) => time <= changed + AFTER),
      changed,
    );
  });
  viewer.addEventListener('frame', () => {
    if (viewer.now < changed + (GHOSTS[ghosts] ?? Infinity)) return;
    ghosts += 1;
    const context = fitted(under);
    if (!context) return;
    context.globalAlpha = GHOST_OPACITY;
    context.drawImage(canvas, 0, 0, under.clientWidth, under.clientHeight);
  });
}

/** The context of a layer, whose picture has the size of the element; it is cleared by a change of size. */
function fitted(layer: HTMLCanvasElement): CanvasRenderingContext2D | null {
  const context = layer.getContext('2d');
  const ratio = Math.min(2, devicePixelRatio);
  const [width, height] = [layer.clientWidth, layer.clientHeight].map((size) => Math.round(size * ratio));
  if (layer.width !== width || layer.height !== height) Object.assign(layer, { width, height });
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

function draw(over: HTMLCanvasElement, points: readonly Point[], changed: number): void {
  const context = fitted(over);
  if (!context) return;
  context.clearRect(0, 0, over.clientWidth, over.clientHeight);
  const { color, outlineColor } = getComputedStyle(over);
  context.lineCap = 'round';
  context.lineWidth = 3;
  points.forEach(({ x, y, time }, i) => {
    const from = points[i - 1] ?? { x, y };
    context.strokeStyle = context.fillStyle = time <= changed ? outlineColor : color;
    context.globalAlpha = 0.9;
    context.setLineDash(Math.hypot(x - from.x, y - from.y) > JUMP ? [2, 7] : []);
    context.beginPath();
    context.moveTo(from.x, from.y);
    context.lineTo(x, y);
    context.stroke();
    context.beginPath();
    context.arc(x, y, 2.4, 0, 2 * Math.PI);
    context.fill();
  });
}
