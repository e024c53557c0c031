// Buttons that copy the code beside them.

import { byId } from '../app/dom.ts';

/** The time in ms for which a button says that it has copied. */
const SAID = 2000;

/** Adds a copy button to each block of code that has none, and installs all of them. Without a clipboard there are no buttons. */
export function installCopyButtons(): void {
  if (!navigator.clipboard) return;
  const [first] = document.querySelectorAll<HTMLButtonElement>('.copy');
  for (const block of document.querySelectorAll<HTMLElement>('[data-copy]')) {
    const code = block.querySelector('code');
    const own = block.querySelector<HTMLButtonElement>('.copy');
    const button = own ?? (first?.cloneNode(true) as HTMLButtonElement | undefined);
    if (!code || !button) continue;
    if (!own) {
      button.setAttribute('aria-label', 'Copy the code');
      block.append(button);
    }
    button.title = button.ariaLabel ?? '';
    button.hidden = false;
    button.addEventListener('click', () => void copy(button, code.textContent ?? ''));
  }
}

async function copy(button: HTMLElement, text: string): Promise<void> {
  let said = 'Copied';
  try {
    await navigator.clipboard.writeText(text.trim());
  } catch {
    said = 'The browser does not allow copying';
  }
  button.classList.toggle('copied', said === 'Copied');
  byId('live').textContent = said;
  setTimeout(() => {
    button.classList.remove('copied');
    byId('live').textContent = '';
  }, SAID);
}
