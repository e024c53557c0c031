// Warnings: an event, and the console unless a listener prevents it.

import type { Warning } from './errors.ts';

/** The warning of a viewer and of an element whose `autoplay` did not start. */
export const REDUCED_MOTION: Warning = {
  code: 'motion/reduced',
  message: 'autoplay did not start, because the system asks for reduced motion. Call play() to start.',
  pointer: '',
};

/** Codes that are not logged, because the page cannot fix them: faults of a file, and the user's reduced motion. */
const QUIET = /^(import|motion)\//;
/** The upper limit of remembered warnings. */
const MOST = 1000;
/** The warnings that were logged already, by code and message. */
const logged = new Set<string>();

/**
 * Dispatches a `warning`. Unless a listener calls `preventDefault()`, it is written to the console, too: once for each code and subject.
 * Repairs of a file (`import/…`) and `motion/reduced` are events only.
 */
export function warn(target: EventTarget, warning: Warning): void {
  const { code, message } = warning;
  const event = new CustomEvent('warning', { detail: { ...warning }, cancelable: true });
  if (!target.dispatchEvent(event) || QUIET.test(code)) return;
  const subject = `${code} ${message}`;
  if (logged.has(subject)) return;
  if (logged.size >= MOST) logged.clear();
  logged.add(subject);
  console.warn(`gambol: ${message} (${code})`);
}
