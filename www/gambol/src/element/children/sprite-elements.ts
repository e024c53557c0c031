// The child elements `<gambol-flipbook>`, `<gambol-billboard>` and `<gambol-sprite>`. They are defined with the script for child
// elements, which is loaded lazily: few pages use them.

import type { JointSpace } from '../../values/transforms.ts';
import type { BillboardMode, FlipbookOptions } from '../../values/sprites.ts';
import type { LoopMode } from '../../values/words.ts';
import { number, one, positive, reflect, text, words, type Kind } from '../base/attributes.ts';
import { Late } from './late.ts';

/** The cells of a flip-book. */
interface CellAttributes {
  /** The number of columns of the image. */
  columns: number;
  /** The number of rows of the image. */
  rows: number;
  /** The index of the first cell, from the upper left by rows. */
  start: number;
  /** The number of cells. Default: all from `start` on. */
  frames: number | null;
  /** Cells per second; negative plays backwards. */
  fps: number;
  /** The loop mode at the end of the cells. */
  loopMode: LoopMode;
}

/** The properties of `<gambol-flipbook>` that are attributes, too. @category Attributes */
export interface FlipbookAttributes extends CellAttributes {
  /** The material whose textures are animated, by its name. */
  material: string | null;
  /** The clock: the viewer's `timeline`, or the playhead of the `clip`. */
  clock: 'timeline' | 'clip';
}

/** The properties of `<gambol-billboard>` that are attributes, too. @category Attributes */
export interface BillboardAttributes {
  /** The joint whose geometry faces the camera. */
  joint: string | null;
  /** The rotation: parallel to the picture, or about the joint's own Y axis. */
  mode: BillboardMode;
}

/** The properties of `<gambol-sprite>` that are attributes, too. @category Attributes */
export interface SpriteAttributes extends CellAttributes {
  /** The URL of an image. */
  src: string | null;
  /** The joint that the sprite follows. Without it, `offset` is its position in the scene. */
  joint: string | null;
  /** The offset from the joint: three numbers; see `space`. */
  offset: string;
  /** The unit of `offset`: `metres`, or `joint` for units of the joint's own, scaled space. */
  space: JointSpace;
  /** The height in metres, or the width and the height. */
  size: string;
  /** The rotation to the camera; `none` keeps that of the joint. */
  billboard: BillboardMode | 'none';
}

const CELLS = {
  columns: number(1),
  rows: number(1),
  start: number(0),
  frames: positive,
  fps: number(12),
  loopMode: one('repeat', 'once', 'pingpong'),
};
const FLIPBOOK: { readonly [Name in keyof FlipbookAttributes]: Kind<FlipbookAttributes[Name]> } = {
  ...CELLS,
  material: text,
  clock: one('timeline', 'clip'),
};
const BILLBOARD: { readonly [Name in keyof BillboardAttributes]: Kind<BillboardAttributes[Name]> } = {
  joint: text,
  mode: one('full', 'axis'),
};
const SPRITE: { readonly [Name in keyof SpriteAttributes]: Kind<SpriteAttributes[Name]> } = {
  ...CELLS,
  src: text,
  joint: text,
  offset: words('0 0 0'),
  space: one('metres', 'joint'),
  size: words('1'),
  billboard: one('full', 'axis', 'none'),
};

/** A material whose textures are animated by cells. @category Elements */
export class GambolFlipbook extends Late {}
export interface GambolFlipbook extends FlipbookAttributes {}
/** A joint whose geometry faces the camera. @category Elements */
export class GambolBillboard extends Late {}
export interface GambolBillboard extends BillboardAttributes {}
/** An image that faces the camera, and may follow a joint. @category Elements */
export class GambolSprite extends Late {}
export interface GambolSprite extends SpriteAttributes {}

declare global {
  interface HTMLElementTagNameMap {
    'gambol-flipbook': GambolFlipbook;
    'gambol-billboard': GambolBillboard;
    'gambol-sprite': GambolSprite;
  }
}

/** Defines the elements, once. */
export function defineSpriteElements(): void {
  for (const [name, element, table] of [
    ['gambol-flipbook', GambolFlipbook, FLIPBOOK],
    ['gambol-billboard', GambolBillboard, BILLBOARD],
    ['gambol-sprite', GambolSprite, SPRITE],
  ] as const) {
    reflect(element.prototype, table as object);
    if (!customElements.get(name)) customElements.define(name, element);
  }
}

/** The options of the flip-book that an element describes. */
export function cellsOf({ columns, rows, start, frames, fps, loopMode }: CellAttributes): FlipbookOptions {
  return { columns, rows, start, fps, loopMode, ...(frames !== null && { frames }) };
}
