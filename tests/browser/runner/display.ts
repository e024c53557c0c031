import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

export interface Display {
  /** The environment variables of a program that draws there. */
  env: NodeJS.ProcessEnv;
  stop(): void;
}

/**
 * Starts an X server without a screen; if there is none, programs use the current display. Each browser has its own: of
 * two windows on one display only one has the focus, so keys would not reach the other's page.
 */
export async function startDisplay(): Promise<Display> {
  const child = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const number = await new Promise<string | undefined>((resolve) => {
    child.once('error', () => resolve(undefined));
    child.once('exit', () => resolve(undefined));
    // Xvfb writes the number of its display when it is ready.
    (child.stdio[3] as Readable).once('data', (data: Buffer) => resolve(data.toString().trim()));
  });
  if (number === undefined) return { env: {}, stop: () => undefined };
  process.once('exit', () => child.kill());
  return {
    env: { DISPLAY: `:${number}`, WAYLAND_DISPLAY: undefined, GDK_BACKEND: 'x11', MOZ_ENABLE_WAYLAND: '0' },
    stop: () => child.kill(),
  };
}
