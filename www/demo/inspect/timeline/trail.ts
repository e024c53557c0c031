// The motion trail: the path of the selected joint over the clip or the range, drawn over the picture.

import { Layer } from './layer.ts';
import { paletteOf, prepared } from './paint.ts';
import { pathOf } from './pose.ts';
import { jointOf } from './rows.ts';
import type { Session } from './session.ts';

/** Samples of the path per second, and at most of a clip. */
const PER_SECOND = 60;
const MOST = 600;

type Point = readonly [number, number, number];

interface Path {
  readonly points: readonly { readonly time: number; readonly at: Point }[];
  readonly keys: readonly { readonly time: number; readonly at: Point }[];
  readonly at: (time: number) => Point;
}

export class MotionTrail {
  readonly #layer: Layer;
  readonly #session: Session;
  readonly #panel: HTMLElement;
  #path: Path | null = null;
  #key = '';

  /** `panel` has the colours. */
  constructor(session: Session, panel: HTMLElement) {
    this.#session = session;
    this.#panel = panel;
    this.#layer = new Layer(session, 'tl-trail');
    session.on('change', () => this.update());
    session.on('time', () => this.draw());
  }

  /** The projected points of the trail, for tests and screen readers. */
  get points(): readonly { readonly time: number; readonly x: number; readonly y: number }[] {
    return (this.#path?.points ?? []).flatMap(({ time, at }) => {
      const shown = this.#session.viewer.project(at);
      return shown && shown.depth > 0 ? [{ time, x: shown.x, y: shown.y }] : [];
    });
  }

  /** Finds the path again if the joint, the clip or the range is another one. */
  update(): void {
    const { trail, current, clip, model, range, viewer, duration } = this.#session;
    const joint = current && jointOf(current);
    const node = joint?.node ?? null;
    const key = trail && clip && node !== null ? [model?.name, clip.index, node, range].join(' ') : '';
    if (key !== this.#key) {
      this.#key = key;
      this.#path = null;
      if (key !== '' && model && joint && node !== null) {
        const channels = this.#session.joints.flatMap((row) => row.channels.map(({ channel }) => channel));
        const at = pathOf(viewer, model, channels, node);
        const [begin, end] = range ?? [0, duration];
        const count = Math.min(MOST, Math.max(2, Math.ceil((end - begin) * PER_SECOND)));
        const times = Array.from({ length: count + 1 }, (_, i) => begin + ((end - begin) * i) / count);
        const keyed = [...joint.keys.times].filter((time) => time >= begin && time <= end);
        const located = (time: number): { time: number; at: Point } => ({ time, at: at(time) });
        this.#path = { points: times.map(located), keys: keyed.length <= MOST ? keyed.map(located) : [], at };
      }
    }
    this.draw();
  }

  draw(): void {
    const { canvas } = this.#layer;
    if (!this.#path) {
      canvas.hidden = true;
      return;
    }
    canvas.hidden = false;
    this.#layer.place();
    const { context } = prepared(canvas);
    const { viewer, time } = this.#session;
    const { accent, surface } = paletteOf(this.#panel);
    const { points, keys, at } = this.#path;
    const placed = (point: Point): { x: number; y: number } | null => {
      const shown = viewer.project(point);
      return shown && shown.depth > 0 ? shown : null;
    };
    const line = (from: number, to: number, dash: readonly number[], alpha: number): void => {
      context.globalAlpha = alpha;
      context.beginPath();
      let drawing = false;
      for (const point of points) {
        if (point.time < from || point.time > to) continue;
        const shown = placed(point.at);
        if (shown && drawing) context.lineTo(shown.x, shown.y);
        else if (shown) context.moveTo(shown.x, shown.y);
        drawing = shown !== null;
      }
      // A pale edge, so that the line is seen on any model.
      context.setLineDash([]);
      context.strokeStyle = surface;
      context.lineWidth = 4;
      context.stroke();
      context.setLineDash([...dash]);
      context.strokeStyle = accent;
      context.lineWidth = 2;
      context.stroke();
      context.setLineDash([]);
      context.globalAlpha = 1;
    };
    context.lineJoin = 'round';
    // The past is a solid line and the future a dashed one.
    line(time, Infinity, [3, 4], 0.75);
    line(-Infinity, time, [], 0.95);
    context.fillStyle = accent;
    context.strokeStyle = surface;
    context.lineWidth = 1.5;
    for (const key of keys) {
      const shown = placed(key.at);
      if (!shown) continue;
      context.beginPath();
      context.arc(shown.x, shown.y, 3.2, 0, 2 * Math.PI);
      context.fill();
      context.stroke();
    }
    const now = placed(at(time));
    if (!now) return;
    context.beginPath();
    context.arc(now.x, now.y, 6.5, 0, 2 * Math.PI);
    context.lineWidth = 4.5;
    context.strokeStyle = surface;
    context.stroke();
    context.lineWidth = 2.5;
    context.strokeStyle = accent;
    context.stroke();
  }

  dispose(): void {
    this.#layer.remove();
  }
}
