// Points of the page in the coordinates of a canvas, through CSS transforms and zoom of its ancestors.

/** A point in CSS pixels. */
export interface PagePoint {
  readonly x: number;
  readonly y: number;
}

/** The corners of a box: left top, right top, right bottom, left bottom. */
type Corners<T> = readonly [leftTop: T, rightTop: T, rightBottom: T, leftBottom: T];

/** Elements of size 0 in the corners of boxes. Their places on the page include every transform, also rotation and perspective. */
const marked = new WeakMap<Element, Corners<Element>>();

/** Sets the elements of size 0 in the corners of the padding box of `box`, the offset parent of a canvas. */
export function markCorners(box: Element, corners: Corners<Element>): void {
  marked.set(box, corners);
}

/**
 * A point of the page (`clientX`, `clientY`) in CSS pixels of a canvas, from the left and the top of its padding box. Of a canvas
 * whose corners are not marked, scales are known, but no rotation. Not finite for a canvas that is not shown.
 */
export function canvasPoint(canvas: HTMLCanvasElement, clientX: number, clientY: number): PagePoint {
  const { parentElement: box, clientLeft, clientTop } = canvas;
  const corners = box ? marked.get(box) : undefined;
  if (!box || !corners) {
    const { left, top, right, bottom } = canvas.getBoundingClientRect();
    const [u, v] = [(clientX - left) / (right - left), (clientY - top) / (bottom - top)];
    return { x: u * canvas.offsetWidth - clientLeft, y: v * canvas.offsetHeight - clientTop };
  }
  const [a, b, c, d] = corners.map(place) as unknown as Corners<PagePoint>;
  const { x: u, y: v } = inSquare([a, b, c, d], { x: clientX, y: clientY });
  return {
    x: u * box.clientWidth - canvas.offsetLeft - clientLeft,
    y: v * box.clientHeight - canvas.offsetTop - clientTop,
  };
}

function place(corner: Element): PagePoint {
  const { left, top } = corner.getBoundingClientRect();
  return { x: left, y: top };
}

/**
 * The point of the unit square whose projection is `(x, y)`, for the projection of the square to a quadrilateral. The coefficients
 * are those of P. Heckbert, “Fundamentals of Texture Mapping and Image Warping” (1989), section 2.2.3.
 */
function inSquare([a, b, c, d]: Corners<PagePoint>, { x, y }: PagePoint): PagePoint {
  const [bx, by, dx, dy] = [b.x - c.x, b.y - c.y, d.x - c.x, d.y - c.y];
  // 0 for a parallelogram, which has no perspective.
  const [sx, sy] = [a.x - b.x + c.x - d.x, a.y - b.y + c.y - d.y];
  const g = (sx * dy - dx * sy) / (bx * dy - dx * by);
  const h = (bx * sy - sx * by) / (bx * dy - dx * by);
  const [ux, uy] = [b.x - a.x + g * (b.x - x), b.y - a.y + g * (b.y - y)];
  const [vx, vy] = [d.x - a.x + h * (d.x - x), d.y - a.y + h * (d.y - y)];
  const determinant = ux * vy - vx * uy;
  return {
    x: ((x - a.x) * vy - vx * (y - a.y)) / determinant,
    y: (ux * (y - a.y) - (x - a.x) * uy) / determinant,
  };
}
