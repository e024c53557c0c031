// Runs before the first paint, so that the page does not flash in the wrong colours.

(() => {
  let theme: string | null = null;
  try {
    theme = localStorage.getItem('gambol-theme');
  } catch {
    // Without storage, the theme follows the system.
  }
  if (theme !== 'light' && theme !== 'dark') {
    theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  }
  document.documentElement.dataset['theme'] = theme;
})();
