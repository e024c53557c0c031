// The little that is needed of a framework.

/** The element with that id; the page is broken without it. */
export function byId<E extends Element = HTMLElement>(id: string): E {
  const element = document.getElementById(id);
  if (!element) throw new Error(`index.html has no #${id}`);
  return element as Element as E;
}

/** An element with text or children. Text is only ever text: names come from files that strangers made. */
export function element<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, className = '', ...children: (Node | string)[]): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  if (className !== '') made.className = className;
  made.append(...children);
  return made;
}
