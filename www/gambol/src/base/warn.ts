// The one way out for warnings: an event, and the console where nobody prevents it.

import type { Warning } from './errors.ts';

/** Codes that a page cannot mend: of what a file holds, and of what people want of their system. */
const QUIET = /^(import|motion)\//;
/** So many different warnings are remembered. */
const MOST = 1000;
/** What the console has been told: codes and messages, which name their subject. */
const told = new Set<string>();

/**
 * Dispatches a `warning`. Unless a listener calls `preventDefault()`, it is written to the console, too: once for each code and subject.
 * Repairs of a file (`import/…`) and `motion/reduced` are events only.
 */
export function warn(target: EventTarget, warning: Warning): void {
  const { code, message } = warning;
  const event = new CustomEvent('warning', { detail: { ...warning }, cancelable: true });
  if (!target.dispatchEvent(event) || QUIET.test(code)) return;
  const subject = `${code} ${message}`;
  if (told.has(subject)) return;
  if (told.size >= MOST) told.clear();
  told.add(subject);
  console.warn(`gambol: ${message} (${code})`);
}
