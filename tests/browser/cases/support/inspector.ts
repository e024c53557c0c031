// The page of the inspector in a frame.

import type { GambolViewer } from 'gambol/element';
import type { T } from '../../page/api.ts';
import { part } from './element.ts';

export interface Site {
  readonly page: Document;
  readonly window: Window;
  readonly player: GambolViewer;
  text(id: string): string;
  click(id: string): void;
  /** A part of the viewer's bar. */
  bar<E extends HTMLElement = HTMLElement>(name: string): E;
}

export async function site(t: T, query = '', width = 1000, height = 700): Promise<Site> {
  // The layout of panels is kept in the browser.
  localStorage.clear();
  const frame = document.createElement('iframe');
  frame.style.cssText = `width: ${width}px; height: ${height}px; border: 0`;
  // No case looks at the picture on the page; those of stills have sizes of their own.
  frame.dataset['maxDpr'] = '0.25';
  frame.src = `/inspect.html${query}`;
  document.body.append(frame);
  await new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  const page = t.some(frame.contentDocument);
  const player = t.some(page.querySelector<GambolViewer>('gambol-viewer'));
  return {
    page,
    window: t.some(frame.contentWindow),
    player,
    text: (id) => page.getElementById(id)?.textContent ?? '',
    click: (id) => page.getElementById(id)?.click(),
    bar: (name) => part(t, player, name),
  };
}

/** Opens a panel by its button; returns its controls by label, without those of its title bar. */
export async function panel(t: T, { page }: Site, id: string): Promise<(label: string) => HTMLElement> {
  const button = t.some(page.querySelector<HTMLElement>(`[data-panel=${id}]`), id);
  if (button.getAttribute('aria-expanded') !== 'true') button.click();
  await t.until(() => page.getElementById(id), `the panel ${id}`);
  return (label) => {
    const root = t.some(page.getElementById(id)?.querySelector('.panel-body'));
    const named = (control: Element): string =>
      control.getAttribute('aria-label') ??
      control.closest('label')?.querySelector('span')?.textContent ??
      control.textContent ??
      '';
    const found = [...root.querySelectorAll<HTMLElement>('input, select, button')].find((control) =>
      named(control).trim().endsWith(label),
    );
    return t.some(found, `${label} of ${id}`);
  };
}

export function set(control: HTMLElement, value: string): void {
  if (control instanceof (control.ownerDocument.defaultView as Window & typeof globalThis).HTMLSelectElement) {
    control.value = value;
    control.dispatchEvent(new Event('change', { bubbles: true }));
  } else {
    (control as HTMLInputElement).value = value;
    control.dispatchEvent(new Event('input', { bubbles: true }));
  }
}

export function press(target: Element, key: string, more: KeyboardEventInit = {}): void {
  target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true, ...more }));
}
