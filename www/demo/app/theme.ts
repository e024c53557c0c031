import { byId } from './dom.ts';

const system = matchMedia('(prefers-color-scheme: dark)');

/** Installs the button for the light or dark theme. The default is the theme of the system; the user's choice is stored. */
export function themeButton(): void {
  const root = document.documentElement;
  const button = byId('theme');
  const show = (theme: string): void => {
    root.dataset['theme'] = theme;
    const words = theme === 'dark' ? 'Light theme' : 'Dark theme';
    button.title = words;
    button.setAttribute('aria-label', words);
  };
  show(root.dataset['theme'] ?? 'light');
  button.addEventListener('click', () => {
    const theme = root.dataset['theme'] === 'dark' ? 'light' : 'dark';
    show(theme);
    try {
      localStorage.setItem('gambol-theme', theme);
    } catch {
      // Without storage, the choice is lost after a reload.
    }
  });
  system.addEventListener('change', () => {
    try {
      if (localStorage.getItem('gambol-theme') !== null) return;
    } catch {
      // Without storage, the theme follows the system.
    }
    show(system.matches ? 'dark' : 'light');
  });
}
