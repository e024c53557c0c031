// Findings in the picture: their joints in red, and the trail of a point with its length.

import type { Finding } from 'gambol/tools';
import type { Inspector } from '../inspector.ts';
import { inPicture } from './words.ts';

const SVG = 'http://www.w3.org/2000/svg';
/** The largest number of joints that are marked. */
const MOST = 64;

type Place = { readonly x: number; readonly y: number };

/** Draws the selected finding over the picture, in each frame; returns a function that ends it. */
export function installMarks(inspector: Inspector): () => void {
  const { player, doctor } = inspector;
  const overlay = document.createElementNS(SVG, 'svg');
  overlay.setAttribute('class', 'doctor-marks');
  overlay.setAttribute('aria-hidden', 'true');
  player.after(overlay);
  let frame = 0;
  const draw = (): void => {
    frame = requestAnimationFrame(draw);
    const { viewer } = inspector;
    const finding = doctor.selected.peek();
    const shapes = viewer && finding ? shapesOf(inspector, finding) : [];
    if (!viewer || shapes.length === 0) return void (overlay.childElementCount > 0 && overlay.replaceChildren());
    const [inner, outer] = [viewer.canvas.getBoundingClientRect(), overlay.getBoundingClientRect()];
    const group = shape('g', { transform: `translate(${inner.left - outer.left} ${inner.top - outer.top})` });
    group.append(...shapes);
    overlay.replaceChildren(group);
  };
  const stop = doctor.selected.subscribe((finding) => {
    cancelAnimationFrame(frame);
    frame = 0;
    if (finding) draw();
    else overlay.replaceChildren();
  });
  return () => {
    stop();
    cancelAnimationFrame(frame);
    overlay.remove();
  };
}

function shapesOf(inspector: Inspector, finding: Finding): SVGElement[] {
  const { viewer } = inspector;
  if (!viewer) return [];
  const place = (at: readonly [number, number, number]): Place | null => {
    const shown = viewer.project(at);
    return shown && shown.depth > 0 ? shown : null;
  };
  const joints = finding.nodes.slice(0, MOST).flatMap((node) => {
    const world = viewer.joint(node)?.world;
    const at = world ? place([world[12] ?? 0, world[13] ?? 0, world[14] ?? 0]) : null;
    return at ? [{ at, worst: node === finding.node }] : [];
  });
  const trail = finding.trail.flatMap((at) => place(at) ?? []);
  const shapes = joints.map(({ at, worst }) =>
    shape('circle', { class: worst ? 'joint worst' : 'joint', cx: at.x, cy: at.y, r: worst ? 7 : 4 }),
  );
  const [first, last] = [trail[0], trail.at(-1)];
  if (first && last && trail.length > 1) shapes.push(...trailOf(trail, first, last));
  const at = last ?? joints.find(({ worst }) => worst)?.at ?? joints[0]?.at;
  const words = inPicture(finding);
  if (at && words !== '') {
    const text = shape('text', { x: at.x + 12, y: at.y + 24 });
    text.textContent = words;
    shapes.push(text);
  }
  return shapes;
}

/** The trail as a line with an arrow at its end. */
function trailOf(trail: readonly Place[], first: Place, last: Place): SVGElement[] {
  const points = trail.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
  const angle = (Math.atan2(last.y - first.y, last.x - first.x) * 180) / Math.PI;
  const head = { d: 'M 0 0 L -9 -5 L -9 5 Z', transform: `translate(${last.x} ${last.y}) rotate(${angle})` };
  return [
    shape('polyline', { class: 'trail edge', points }),
    shape('polyline', { class: 'trail', points }),
    shape('path', { class: 'head', ...head }),
    shape('circle', { class: 'start', cx: first.x, cy: first.y, r: 3.5 }),
  ];
}

function shape(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}
