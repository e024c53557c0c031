// Makes the site usable without a network: registers its service worker, when the page has loaded.

/** The Network Information API, which TypeScript's DOM types do not have. */
interface Saving {
  readonly connection?: { readonly saveData?: boolean };
}

// In a frame the site is part of another page, which has not asked for a service worker.
if (window.top === window && navigator.serviceWorker && !(navigator as Saving).connection?.saveData) {
  const register = (): void => {
    navigator.serviceWorker
      .register(new URL('./sw.js', import.meta.url))
      // Browsers look for a new version only after later visits.
      .then((registration) => registration.update())
      .catch((error: unknown) => console.warn('The site will not work offline:', error));
  };
  if (document.readyState === 'complete') register();
  else addEventListener('load', register, { once: true });
}
