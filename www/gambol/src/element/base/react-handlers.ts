// Listeners in the JSX of React. When React hydrates the markup of a server, it adds no listeners to custom elements
// (https://github.com/facebook/react/issues/35446), but it keeps the props of each element in a property of the element.

/** The start of the name of React's property, from version 17 on. */
const PROPS = '__reactProps$';

/** The props whose listeners were added. */
const adopted = new WeakMap<Element, unknown>();

/**
 * Adds the listeners of React's props, such as `onload`. A listener that React has added itself is not added twice, because it is
 * the same function; and React removes it as if it were its own.
 */
export function adoptHandlers(element: HTMLElement): void {
  const name = Object.keys(element).find((key) => key.startsWith(PROPS));
  const props: unknown = name === undefined ? undefined : Reflect.get(element, name);
  if (typeof props !== 'object' || props === null || adopted.get(element) === props) return;
  adopted.set(element, props);
  for (const [prop, handler] of Object.entries(props)) {
    // Names with a capital, such as `onClick`, are React's own events.
    if (typeof handler === 'function' && /^on[^A-Z]/.test(prop))
      element.addEventListener(prop.slice(2), handler as EventListener);
  }
}
