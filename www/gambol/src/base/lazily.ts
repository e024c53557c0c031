// Lazy loading of the package's scripts.

import { GambolError } from './errors.ts';
import { refusal } from './local-files.ts';

/** The number of failed requests for each part, by its description. */
const failed = new Map<string, { readonly url: string; readonly times: number }>();

/**
 * Loads a script of the package lazily. A load that has failed can be retried. Some browsers cache the failure of a script for
 * the lifetime of the page, so a retry uses another URL.
 * @throws {@link GambolError} `load/chunk`
 */
export async function lazily<T>(part: string, load: () => Promise<T>): Promise<T> {
  const before = failed.get(part);
  const since = performance.now();
  try {
    return await load();
  } catch (error) {
    const url = scriptOf(error, since) ?? before?.url;
    if (before && url !== undefined) {
      try {
        return (await import(
          /* webpackIgnore: true */ /* @vite-ignore */ `${url}${url.includes('?') ? '&' : '?'}retry=${before.times}`
        )) as T;
      } catch {
        // Reported below, with the first error as its cause.
      }
    }
    if (url !== undefined) failed.set(part, { url, times: (before?.times ?? 0) + 1 });
    throw new GambolError(
      'load/chunk',
      `Cannot load ${part}${url ? ` (${url})` : ''}: ${refusal(globalThis.location?.href) ?? 'put all files of the package on the server.'} The next call tries again.`,
      { url, cause: error },
    );
  }
}

/** The URL of a failed script. It is in the message of Chromium and Firefox; else it is the only script requested since then. */
function scriptOf(error: unknown, since: number): string | undefined {
  const inMessage = error instanceof Error ? /https?:[^\s'"]+/.exec(error.message)?.[0] : undefined;
  if (inMessage !== undefined || typeof performance.getEntriesByType !== 'function') return inMessage;
  const entries = performance
    .getEntriesByType('resource')
    .filter(({ name, startTime }) => startTime >= since && /\.m?js(\?|$)/.test(name));
  const scripts = new Set(entries.map(({ name }) => name));
  return scripts.size === 1 ? [...scripts][0] : undefined;
}
