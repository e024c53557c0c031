import { spawn } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { startDisplay } from '../display.ts';
import type { Action } from '../protocol.ts';
import { type Driver, WINDOW } from './driver.ts';

/** The WebDriver codes of keys, by their values of `KeyboardEvent.key`. */
const KEYS: Record<string, string> = {
  Enter: '\uE007',
  Tab: '\uE004',
  Escape: '\uE00C',
  PageUp: '\uE00E',
  PageDown: '\uE00F',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Delete: '\uE017',
};

interface Size {
  width: number;
  height: number;
}

/** WebKitGTK's MiniBrowser by W3C WebDriver, in a window on a display of its own. */
export async function startWebKit(program: string, browser: string): Promise<Driver> {
  const display = await startDisplay();
  const port = await freePort();
  const child = spawn(program, [`--port=${port}`, '--host=127.0.0.1'], {
    env: { ...process.env, ...display.env, LIBGL_ALWAYS_SOFTWARE: '1', WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' },
    stdio: 'ignore',
    detached: true, // so that the browser can be killed together with the driver
  });
  const kill = (): void => {
    try {
      if (child.pid) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // the process has ended already
    }
  };
  process.once('exit', kill);

  async function call<R>(method: string, path: string, body?: object): Promise<R> {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const { value } = (await response.json()) as { value: R & { error?: string; message?: string } };
    if (!response.ok) throw new Error(`WebKitWebDriver: ${value.error ?? response.status} ${value.message ?? ''}`);
    return value;
  }

  await ready(() => call('GET', '/status'));
  const { sessionId, capabilities } = await call<{
    sessionId: string;
    capabilities: { browserVersion?: string };
  }>('POST', '/session', {
    capabilities: {
      alwaysMatch: {
        pageLoadStrategy: 'none',
        'webkitgtk:browserOptions': { binary: browser, args: ['--automation'] },
      },
    },
  });
  const session = `/session/${sessionId}`;
  // The size of the window includes its bars, which may appear late.
  const bars = { width: 0, height: 0 };
  async function resize({ width, height }: Size): Promise<void> {
    const setWindow = (): Promise<unknown> =>
      call('POST', `${session}/window/rect`, { x: 0, y: 0, width: width + bars.width, height: height + bars.height });
    await setWindow();
    const script = 'return { width: innerWidth, height: innerHeight }';
    const page = await call<Size>('POST', `${session}/execute/sync`, { script, args: [] });
    if (page.width === width && page.height === height) return;
    bars.width += width - page.width;
    bars.height += height - page.height;
    await setWindow();
  }
  await resize(WINDOW);

  let wheels = 0;
  let pointer = { x: 0, y: 0 };
  function act(action: Action): Promise<unknown> {
    const perform = (source: object): Promise<unknown> => call('POST', `${session}/actions`, { actions: [source] });
    const mouse = (...actions: object[]): Promise<unknown> =>
      perform({ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions });
    switch (action.type) {
      case 'key': {
        const value = KEYS[action.key] ?? action.key;
        return perform({
          type: 'key',
          id: 'keys',
          actions: [
            { type: 'keyDown', value },
            { type: 'keyUp', value },
          ],
        });
      }
      case 'move':
        pointer = { x: action.x, y: action.y };
        return mouse({ type: 'pointerMove', duration: 0, ...pointer });
      case 'down':
        return mouse({ type: 'pointerDown', button: 0 });
      case 'up':
        return mouse({ type: 'pointerUp', button: 0 });
      case 'wheel': {
        const scroll = { type: 'scroll', duration: 0, x: action.x, y: action.y, deltaX: 0, deltaY: action.deltaY };
        // This driver stores the wheel's position: it sends the difference to the previous scroll, and nothing for an
        // equal one.
        return perform({ type: 'wheel', id: `wheel${++wheels}`, actions: [scroll] });
      }
      case 'force-colors':
      case 'reduce-motion':
        throw new Error('WebDriver emulates no media features');
      case 'resize':
        return resize(action);
    }
  }

  return {
    version: capabilities.browserVersion ?? 'of unknown version',
    open: (url) => call('POST', `${session}/url`, { url }),
    screenshot: async () => Buffer.from(await call<string>('GET', `${session}/screenshot`), 'base64'),
    act: async (action) => void (await act(action)),
    // WebDriver reports neither; the page's own list of resources suffices.
    noticed: () => ({ complaints: [], urls: [] }),
    async close() {
      // A hanging page would delay a regular close.
      await Promise.race([
        call('DELETE', session).catch(() => undefined),
        new Promise((done) => setTimeout(done, 2000)),
      ]);
      kill();
      display.stop();
    },
  };
}

async function ready(ask: () => Promise<unknown>): Promise<void> {
  for (let tries = 100; ; tries--) {
    try {
      await ask();
      return;
    } catch (error) {
      if (tries === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
