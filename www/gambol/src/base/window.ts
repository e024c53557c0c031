// The window in which an element is shown. An element may move to the document of a frame, a pop-up or a picture-in-picture window.

export type View = Window & typeof globalThis;

/** The window of an element's document; that of the script if the document has none. */
export function windowOf(node: Node): View {
  return node.ownerDocument?.defaultView ?? window;
}

/** The time in milliseconds to add to times of animation frames of `view`, for times of `performance.now()`. */
export function timeOffset(view: View): number {
  return view.performance.timeOrigin - performance.timeOrigin;
}

/**
 * Calls back in the next animation frame of the element's window, which continues while the window of the script is hidden. Times
 * are those of `performance.now()`. Returns a function that cancels the request.
 */
export function nextFrame(node: Node, call: (now: number) => void): () => void {
  const view = windowOf(node);
  const handle = view.requestAnimationFrame((time) => call(time + timeOffset(view)));
  return () => view.cancelAnimationFrame(handle);
}
