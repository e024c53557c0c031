import puppeteer, { type KeyInput } from 'puppeteer-core';
import { startDisplay } from '../display.ts';
import { type Driver, WINDOW } from './driver.ts';

/** Firefox by WebDriver BiDi, in a window on a display of its own, with WebGL by Mesa's software renderer. */
export async function startFirefox(program: string): Promise<Driver> {
  const display = await startDisplay();
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: program,
    headless: false,
    // Each request would be reported four times, a tenth of a page's time; the page's own list of resources suffices.
    networkEnabled: false,
    env: { ...process.env, ...display.env, LIBGL_ALWAYS_SOFTWARE: '1', MOZ_CRASHREPORTER_DISABLE: '1' },
    defaultViewport: WINDOW,
    extraPrefsFirefox: {
      'webgl.force-enabled': true,
      'app.update.enabled': false,
      'datareporting.policy.dataSubmissionEnabled': false,
      'toolkit.telemetry.enabled': false,
      // A page in the back/forward cache would stay alive during the next test.
      'browser.sessionhistory.max_total_viewers': 0,
    },
  });
  const page = (await browser.pages())[0] ?? (await browser.newPage());
  await page.setViewport(WINDOW);

  return {
    version: await browser.version(),
    async open(url) {
      // The runner waits for the test's report, not for the page.
      page.goto(url).catch(() => undefined);
    },
    screenshot: () => page.screenshot(),
    async act(action) {
      switch (action.type) {
        case 'key':
          return page.keyboard.press(action.key as KeyInput);
        case 'move':
          return page.mouse.move(action.x, action.y);
        case 'down':
          return page.mouse.down();
        case 'up':
          return page.mouse.up();
        case 'wheel':
          await page.mouse.move(action.x, action.y);
          return page.mouse.wheel({ deltaY: action.deltaY });
        case 'force-colors':
        case 'reduce-motion':
          throw new Error('WebDriver emulates no media features');
        case 'resize':
          return page.setViewport({ width: action.width, height: action.height });
      }
    },
    noticed: () => ({ complaints: [], urls: [] }),
    async close() {
      browser.process()?.kill('SIGKILL');
      await browser.disconnect();
      display.stop();
    },
  };
}
