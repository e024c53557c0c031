import { byId } from './dom.ts';

const system = matchMedia('(prefers-color-scheme: dark)');

/** Light or dark: the system's choice until somebody makes another, which is then remembered. */
export function themeButton(): void {
  const root = document.documentElement;
  const button = byId('theme');
  const show = (theme: string): void => {
    root.dataset['theme'] = theme;
    const words = theme === 'dark' ? 'Light colours' : 'Dark colours';
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
      // Not remembered, then.
    }
  });
  system.addEventListener('change', () => {
    try {
      if (localStorage.getItem('gambol-theme') !== null) return;
    } catch {
      // As if nothing was chosen.
    }
    show(system.matches ? 'dark' : 'light');
  });
}
