import { chromium, type Browser } from 'playwright-core';
import { type Driver, WINDOW } from './driver.ts';

/** Launches Chromium, headless, with WebGL by SwiftShader and optional further flags. */
export function launchChromium(program: string, flags: string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: program,
    args: [
      '--no-sandbox',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      '--ignore-gpu-blocklist',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      // `performance.memory` reports exact values, without delay.
      '--enable-precise-memory-info',
      // Only the runner's server can be reached.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      ...flags,
    ],
  });
}

/** A driver of Chromium. */
export async function startChromium(program: string, flags: string[] = []): Promise<Driver> {
  const browser = await launchChromium(program, flags);
  const page = await browser.newPage({ viewport: WINDOW });
  let complaints: string[] = [];
  let urls: string[] = [];
  page.on('request', (request) => urls.push(request.url()));
  page.on('console', (message) => {
    // WebGL's messages reach the console without the page's console object.
    const text = message.text();
    const webgl = /WebGL|GL_INVALID|GL ERROR|shader/i.test(text) && !/performance/i.test(text);
    if (webgl && (message.type() === 'warning' || message.type() === 'error')) complaints.push(text);
  });
  page.on('crash', () => complaints.push('the page crashed'));
  const noticed = (): { complaints: string[]; urls: string[] } => {
    const all = { complaints, urls };
    [complaints, urls] = [[], []];
    return all;
  };

  return {
    version: browser.version(),
    async open(url) {
      noticed();
      await page.emulateMedia({ forcedColors: null, reducedMotion: null });
      await page.goto(url, { waitUntil: 'commit' });
    },
    screenshot: () => page.screenshot(),
    async act(action) {
      switch (action.type) {
        case 'key':
          return page.keyboard.press(action.key);
        case 'move':
          return page.mouse.move(action.x, action.y);
        case 'down':
          return page.mouse.down();
        case 'up':
          return page.mouse.up();
        case 'wheel':
          await page.mouse.move(action.x, action.y);
          return page.mouse.wheel(0, action.deltaY);
        case 'force-colors':
          return page.emulateMedia({ forcedColors: action.on ? 'active' : null });
        case 'reduce-motion':
          return page.emulateMedia({ reducedMotion: action.on ? 'reduce' : null });
        case 'resize':
          return page.setViewportSize({ width: action.width, height: action.height });
      }
    },
    noticed,
    close: () => browser.close(),
  };
}
