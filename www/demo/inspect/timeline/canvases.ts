// The canvases of the panel and the elements over them: when they are drawn, and where the playhead and the bubble are.

import { timeWords } from './axis.ts';
import { drawCurves, type CurvePicture } from './curves.ts';
import { installKeys } from './keyboard.ts';
import { paletteOf, prepared, type Palette } from './paint.ts';
import { installRulerPointer } from './pointer.ts';
import { drawRuler } from './ruler.ts';
import { drawSheet } from './sheet.ts';
import { VERTICAL_LIMITS, type Session } from './session.ts';
import { Stills } from './thumbnails.ts';
import { installViewPointer } from './view-pointer.ts';

/** The width of a thumbnail in CSS pixels. */
const THUMBNAIL = 132;
/** Thumbnails that are kept. */
const THUMBNAILS = 96;
/** Rows that are elements beyond the visible ones, above and below. */
const SPARE_ROWS = 6;

export class Canvases {
  readonly thumbnails: Stills;
  /** `true` if the current row takes the focus once it is an element. */
  focusRow = false;
  main: HTMLElement | null = null;
  scroll: HTMLElement | null = null;
  view: HTMLElement | null = null;
  ruler: HTMLElement | null = null;
  curves: CurvePicture | null = null;
  /** A rectangle that a drag selects, in pixels of the view. */
  box: readonly [x0: number, y0: number, x1: number, y1: number] | null = null;
  #canvas: HTMLCanvasElement | null = null;
  #rulerCanvas: HTMLCanvasElement | null = null;
  #playhead: HTMLElement | null = null;
  #line: HTMLElement | null = null;
  #bubble: HTMLElement | null = null;
  #time: HTMLElement | null = null;
  #palette: Palette | null = null;
  #queued = 0;
  #words = '';
  readonly #sizes = new ResizeObserver(() => this.resized());
  readonly #root: HTMLElement;

  /** `root` is the element of the panel. */
  constructor(
    readonly session: Session,
    root: HTMLElement,
  ) {
    this.#root = root;
    this.thumbnails = new Stills(session, THUMBNAILS);
    this.#sizes.observe(root);
    session.on('time', () => this.placePlayhead());
    installKeys(root, session, this);
  }

  dispose(): void {
    cancelAnimationFrame(this.#queued);
    this.#sizes.disconnect();
    this.thumbnails.clear();
  }

  // Functions for `ref`, which are called with the element and with null.

  readonly setMain = (element: HTMLElement | null): void => void (this.main = element);
  readonly setLine = (element: HTMLElement | null): void => void (this.#line = element);
  readonly setTime = (element: HTMLElement | null): void => {
    this.#time = element;
    this.#words = '';
  };
  readonly setBubble = (element: HTMLElement | null): void => void (this.#bubble = element);
  readonly setScroll = (element: HTMLElement | null): void => {
    this.scroll = element;
    if (!element) return;
    // Its height changes with the lines of the controls.
    this.#sizes.observe(element);
    const scrolled = (): void => {
      this.session.scroll = Math.round(element.scrollTop / this.rowHeight);
      this.session.changed();
    };
    element.addEventListener('scroll', scrolled, { passive: true });
  };
  readonly setView = (element: HTMLElement | null): void => {
    this.view = element;
    if (!element) return;
    this.#sizes.observe(element);
    installViewPointer(element, this.session, this);
  };
  readonly setRuler = (element: HTMLElement | null): void => {
    this.ruler = element;
    if (element) installRulerPointer(element, this.session, this);
  };
  readonly setCanvas = (element: HTMLCanvasElement | null): void => {
    this.#canvas = element;
    this.redraw();
  };
  readonly setRulerCanvas = (element: HTMLCanvasElement | null): void => void (this.#rulerCanvas = element);
  readonly setPlayhead = (element: HTMLElement | null): void => {
    this.#playhead = element;
    this.#words = '';
    this.placePlayhead();
  };

  // Geometry

  get rowHeight(): number {
    return matchMedia('(pointer: coarse)').matches ? 34 : 24;
  }

  /** The rows to make elements for: first, and the one after the last. */
  visibleRows(count: number): readonly [number, number] {
    const { scroll, rowHeight } = this;
    if (!scroll) return [0, Math.min(count, 40)];
    const first = Math.floor(scroll.scrollTop / rowHeight) - SPARE_ROWS;
    const last = Math.ceil((scroll.scrollTop + scroll.clientHeight) / rowHeight) + SPARE_ROWS;
    return [Math.max(0, first), Math.min(count, last)];
  }

  /** The pixel of the ruler at a position of the window. */
  rulerX(clientX: number): number {
    return clientX - (this.ruler?.getBoundingClientRect().left ?? 0);
  }

  resized(): void {
    const { scroll, view, ruler } = this;
    // The view stands still beside the tree, which scrolls.
    if (scroll && view) view.style.height = `${scroll.clientHeight}px`;
    const width = ruler?.clientWidth ?? 0;
    if (width > 0) this.session.axis.width = width;
    this.session.changed();
    this.placePlayhead();
  }

  revealRow(id: string): void {
    const { scroll, session, rowHeight } = this;
    const index = session.rows.findIndex((row) => row.id === id);
    if (!scroll || index < 0) return;
    const top = index * rowHeight;
    if (top < scroll.scrollTop) scroll.scrollTop = top;
    else if (top + rowHeight > scroll.scrollTop + scroll.clientHeight)
      scroll.scrollTop = top + rowHeight - scroll.clientHeight;
  }

  /** Scrolls to the row that the state names. */
  scrollToState(): void {
    if (this.scroll) this.scroll.scrollTop = this.session.scroll * this.rowHeight;
  }

  focusPlayhead(): void {
    this.#playhead?.focus();
  }

  // View

  zoom(factor: number, x?: number): void {
    const { axis, time } = this.session;
    // Keys and buttons zoom around the playhead if it is in view.
    const playhead = axis.x(time);
    axis.zoom(factor, x ?? (playhead >= 0 && playhead <= axis.width ? playhead : undefined));
    this.session.changed();
  }

  pan(pixels: number): void {
    this.session.axis.pan(pixels);
    this.session.changed();
  }

  fit(): void {
    this.session.axis.visible = null;
    this.session.set('verticalZoom', 1);
  }

  /** Zooms curves by a factor; 0 fits them. */
  zoomVertically(factor: number): void {
    const { verticalZoom } = this.session;
    const [least, most] = VERTICAL_LIMITS;
    this.session.set('verticalZoom', factor === 0 ? 1 : Math.min(most, Math.max(least, verticalZoom * factor)));
  }

  // Drawing

  /** Reads the colours again. */
  themed(): void {
    this.#palette = null;
    this.redraw();
  }

  redraw(): void {
    this.#queued ||= requestAnimationFrame(() => {
      this.#queued = 0;
      this.draw();
    });
  }

  /** Draws the sheet or the curves, and the ruler. */
  draw(): void {
    const { session } = this;
    const palette = (this.#palette ??= paletteOf(this.#root));
    if (this.#rulerCanvas) {
      const { context, width, height } = prepared(this.#rulerCanvas);
      drawRuler(context, session, width, height, palette);
    }
    if (this.#canvas) {
      const { context, width, height } = prepared(this.#canvas);
      const scroll = this.scroll?.scrollTop ?? 0;
      this.curves = null;
      if (session.view === 'sheet')
        drawSheet(context, session, { width, height, row: this.rowHeight, scroll }, palette);
      else this.curves = drawCurves(context, session, width, height, palette);
      if (this.box) {
        const [x0, y0, x1, y1] = this.box;
        context.fillStyle = palette.selected;
        context.strokeStyle = palette.accent;
        context.lineWidth = 1;
        context.fillRect(x0, y0, x1 - x0, y1 - y0);
        context.strokeRect(x0 + 0.5, y0 + 0.5, x1 - x0, y1 - y0);
      }
    }
    this.placePlayhead();
  }

  placePlayhead(): void {
    const { axis, time, fps, clip, duration } = this.session;
    const x = axis.x(time);
    const inside = clip !== null && x >= -1 && x <= axis.width + 1;
    for (const element of [this.#playhead, this.#line]) {
      if (!element) continue;
      element.style.transform = `translateX(${x}px)`;
      element.style.visibility = inside ? 'visible' : 'hidden';
    }
    const words = clip ? timeWords(time, fps) : '';
    if (words === this.#words) return;
    this.#words = words;
    if (this.#time) this.#time.textContent = words;
    this.#playhead?.setAttribute('aria-valuenow', time.toFixed(4));
    this.#playhead?.setAttribute('aria-valuetext', `${words} of ${duration.toFixed(3)} s`);
  }

  // The bubble

  /** Shows the bubble over the ruler at a time, with a thumbnail while the clip is paused. */
  showThumbnail(time: number): void {
    const { viewer, fps, axis, host } = this.session;
    const bubble = this.#bubble;
    if (!bubble) return;
    this.#place(axis.x(time), timeWords(time, fps), 'thumbnail');
    const { clientWidth, clientHeight } = host.overlay;
    const canvas = bubble.querySelector('canvas') as HTMLCanvasElement;
    if (!viewer.paused || clientWidth === 0 || clientHeight === 0) {
      this.thumbnails.cancel();
      canvas.hidden = true;
      return;
    }
    const ratio = Math.min(2, devicePixelRatio || 1);
    const [width, height] = [THUMBNAIL, Math.min(120, Math.max(40, (THUMBNAIL * clientHeight) / clientWidth))].map(
      (pixels) => Math.round(pixels * ratio),
    ) as [number, number];
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    canvas.hidden = false;
    // Whole frames, so that a slow movement of the pointer finds pictures in the cache.
    const frame = Math.min(this.session.duration, Math.round(time * fps) / fps);
    this.thumbnails.request([frame], { width, height, background: null }, (_, picture) => {
      const context = canvas.getContext('2d');
      context?.clearRect(0, 0, width, height);
      context?.drawImage(picture, 0, 0);
    });
  }

  /** Shows text about a key above the ruler, or values of curves beside the pointer. */
  showText(x: number, text: string, kind: 'key' | 'values'): void {
    this.#place(x, text, kind);
    const canvas = this.#bubble?.querySelector('canvas');
    if (canvas) canvas.hidden = true;
  }

  hideBubble(): void {
    this.thumbnails.cancel();
    if (this.#bubble) this.#bubble.hidden = true;
  }

  #place(x: number, text: string, kind: string): void {
    const { main, ruler } = this;
    const bubble = this.#bubble;
    if (!bubble || !main || !ruler) return;
    bubble.hidden = false;
    bubble.dataset['kind'] = kind;
    (bubble.querySelector('p') as HTMLElement).textContent = text;
    const half = bubble.offsetWidth / 2;
    // Beside the pointer, at the side that has the space.
    const aside = kind !== 'values' ? 0 : x > ruler.clientWidth / 2 ? -half - 16 : half + 16;
    const left = ruler.offsetLeft + x + aside;
    bubble.style.left = `${Math.min(main.clientWidth - half - 4, Math.max(half + 4, left))}px`;
  }
}
