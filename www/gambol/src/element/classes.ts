// The classes of elements that the entries export. No entry of its own, because bundlers would drop the effect of an entry that another one
// imports.

export {
  GambolAttach,
  GambolExpression,
  GambolIk,
  GambolLayer,
  GambolLook,
  GambolMarker,
  GambolMorph,
  GambolSpring,
} from './children/elements.ts';
export { GambolViewer } from './viewer-element.ts';
