// The names of joints over the picture: one element each, moved after each frame.

import type { StageHost } from './stage-host.ts';

/** In CSS pixels: the height of a label, its offset to the right of the joint, and the approximate width of a character. */
const [HEIGHT, ASIDE, LETTER] = [16, 7, 6.5];

interface Label {
  readonly element: HTMLElement;
  /** The index of the joint in the file. */
  readonly index: number;
  /** The approximate width in CSS pixels. */
  readonly width: number;
  translate: string;
}

export class JointNames {
  readonly #canvas: HTMLCanvasElement;
  readonly #host: StageHost;
  /** The container over the canvas, while names are shown. */
  #box: HTMLElement | undefined;
  readonly #labels = new Map<number, readonly Label[]>();

  constructor(canvas: HTMLCanvasElement, host: StageHost) {
    this.#canvas = canvas;
    this.#host = host;
  }

  show(on: boolean): void {
    if (on === (this.#box !== undefined)) return;
    this.#box?.remove();
    this.#labels.clear();
    this.#box = on ? document.createElement('div') : undefined;
    if (!this.#box) return;
    this.#box.className = 'gambol-names';
    this.#box.setAttribute('aria-hidden', 'true');
    Object.assign(this.#box.style, {
      position: 'absolute',
      left: '0',
      top: '0',
      overflow: 'hidden',
      pointerEvents: 'none',
    });
  }

  /** Moves all labels to their joints in the frame that was just drawn: `project` is {@link Query.projectJoints}. */
  update(project: (actor: number) => Float32Array): void {
    const box = this.#box;
    if (!box) return;
    const { offsetLeft, offsetTop, clientLeft, clientTop, clientWidth, clientHeight } = this.#canvas;
    if (box.previousSibling !== this.#canvas) this.#canvas.after(box);
    Object.assign(box.style, {
      translate: `${offsetLeft + clientLeft}px ${offsetTop + clientTop}px`,
      width: `${clientWidth}px`,
      height: `${clientHeight}px`,
    });
    const there = new Set<number>();
    // The areas of labels that are shown already; labels that would overlap one are hidden.
    const taken: [x: number, y: number, width: number][] = [];
    for (const [actor, model] of this.#host.cast()) {
      there.add(actor);
      const labels = this.#labels.get(actor) ?? this.#make(box, actor, model.joints);
      const places = project(actor);
      for (const label of labels) place(label, places, taken);
    }
    for (const [actor, labels] of this.#labels) {
      if (there.has(actor)) continue;
      labels.forEach(({ element }) => element.remove());
      this.#labels.delete(actor);
    }
  }

  #make(
    box: HTMLElement,
    actor: number,
    joints: readonly { readonly name: string; readonly index: number; readonly skinned: boolean }[],
  ): readonly Label[] {
    // As for the skeleton view: joints of skins, or all nodes if the model has no skin.
    const skinned = joints.some((joint) => joint.skinned);
    const labels = joints
      .filter((joint) => joint.name !== '' && joint.skinned === skinned)
      .map(({ name, index }) => {
        const element = document.createElement('span');
        element.textContent = name;
        element.hidden = true;
        Object.assign(element.style, {
          position: 'absolute',
          left: `${ASIDE}px`,
          top: `${-HEIGHT / 2}px`,
          padding: '0 4px',
          borderRadius: '4px',
          font: `500 11px/${HEIGHT}px system-ui, sans-serif`,
          whiteSpace: 'nowrap',
          color: '#fff',
          background: 'var(--gambol-joint-color, rgb(24 20 30 / 72%))',
        });
        return { element, index, width: 8 + LETTER * name.length, translate: '' };
      });
    box.append(...labels.map(({ element }) => element));
    this.#labels.set(actor, labels);
    return labels;
  }
}

function place(label: Label, places: Float32Array, taken: [x: number, y: number, width: number][]): void {
  const [x = 0, y = 0, depth = 0] = places.subarray(3 * label.index, 3 * label.index + 3);
  const { element, width } = label;
  const over = taken.some(
    ([left, middle, other]) => Math.abs(y - middle) < HEIGHT - 2 && x < left + other && left < x + width,
  );
  element.hidden = depth === 0 || over;
  if (element.hidden) return;
  taken.push([x, y, width]);
  const translate = `${Math.round(10 * x) / 10}px ${Math.round(10 * y) / 10}px`;
  if (translate !== label.translate) element.style.translate = label.translate = translate;
}
