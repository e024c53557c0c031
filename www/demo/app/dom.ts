// Helpers for DOM elements.

/** The element with this id; throws if the page does not have it. */
export function byId<E extends Element = HTMLElement>(id: string): E {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no #${id}`);
  return element as Element as E;
}

/** Makes an element with text or children. Text is never parsed as HTML, because names come from files of unknown origin. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className = '',
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  if (className !== '') made.className = className;
  made.append(...children);
  return made;
}
