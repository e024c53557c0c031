// A browser process with a profile of its own, which ends with this process.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { deferred } from '../../base/deferred.ts';
import { EXIT, Failure } from '../base/failure.ts';
import type { Browser } from './find.ts';

/** A running browser. */
export interface Running {
  /** Rejects with `cli/browser-failed` when the browser ends by itself. */
  readonly ended: Promise<never>;
  /** Ends the browser, and removes its profile. */
  close(): Promise<void>;
}

/** Characters of the browser's messages that an error repeats. */
const TAIL = 1200;

const FIREFOX_SETTINGS = {
  'webgl.force-enabled': true,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'browser.aboutwelcome.enabled': false,
  'browser.sessionstore.resume_from_crash': false,
  'toolkit.startup.max_resumed_crashes': -1,
  'datareporting.policy.dataSubmissionEnabled': false,
  'toolkit.telemetry.enabled': false,
  'app.update.enabled': false,
  'app.normandy.enabled': false,
  'extensions.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'dom.disable_open_during_load': true,
} as const;

function chromiumArguments(profile: string): string[] {
  const isRoot = process.getuid?.() === 0;
  return [
    '--headless=new',
    `--user-data-dir=${profile}`,
    ...(isRoot ? ['--no-sandbox'] : []),
    // Rendering by the CPU is the same on every machine.
    '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader',
    '--ignore-gpu-blocklist',
    '--disable-gpu-compositing',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-default-apps',
    '--disable-extensions',
    '--disable-sync',
    '--disable-breakpad',
    '--disable-crash-reporter',
    '--no-first-run',
    '--no-default-browser-check',
    '--metrics-recording-only',
    '--mute-audio',
    '--hide-scrollbars',
    '--password-store=basic',
    '--use-mock-keychain',
    '--disable-background-timer-throttling',
    '--disable-renderer-backgrounding',
    '--disable-backgrounding-occluded-windows',
    // Containers have little shared memory.
    ...(process.platform === 'linux' ? ['--disable-dev-shm-usage'] : []),
    // Only the server of this process can be reached.
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    '--force-device-scale-factor=1',
    '--window-size=1024,768',
    // The address of the page is sent through it. It also ends the browser with this process.
    '--remote-debugging-pipe',
  ];
}

function commandLine(
  { path, kind, display }: Browser,
  profile: string,
  start: string,
): [program: string, args: string[]] {
  if (kind === 'chromium') return [path, chromiumArguments(profile)];
  const args = ['--no-remote', '--new-instance', '--profile', profile, start];
  return display === undefined ? [path, ['--headless', ...args]] : [display, ['-a', path, ...args]];
}

/**
 * Prepares Firefox's profile; returns the address of a page that leads to `url`. The secret of that is in a file that only this user
 * can read, because every user can read the command lines of all processes.
 */
function firefoxStart(profile: string, url: string): string {
  const lines = Object.entries(FIREFOX_SETTINGS).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  writeFileSync(join(profile, 'user.js'), lines.join('\n'));
  const start = join(profile, 'start.html');
  const script = `<!doctype html><script>location.replace(${JSON.stringify(url)})</script>`;
  writeFileSync(start, script, { mode: 0o600, flag: 'wx' });
  return pathToFileURL(start).href;
}

/** Opens a page by the protocol of Chromium's developer tools, whose messages end with a zero. */
function openPage(child: ChildProcess, url: string): void {
  const [, , , input, output] = child.stdio as readonly (Readable | Writable | null | undefined)[];
  const message = JSON.stringify({ id: 1, method: 'Target.createTarget', params: { url } });
  // An end of the browser is reported by its exit.
  for (const stream of [input, output]) stream?.on('error', () => undefined);
  if (output instanceof Readable) output.resume();
  if (input instanceof Writable) input.write(`${message}\0`);
}

/** Starts a browser, without a window, with this address. */
export function runBrowser(browser: Browser, url: string): Running {
  const { path, kind } = browser;
  const profile = mkdtempSync(join(tmpdir(), 'gambol-browser-'));
  let child: ChildProcess | undefined;
  const removeProfile = (): void => rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  /** Ends the browser at once, and all processes that it has started. */
  const kill = (): void => {
    const pid = child?.pid;
    if (pid === undefined) return;
    if (process.platform === 'win32') {
      spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' });
      return;
    }
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // All of them have ended.
    }
  };
  const atExit = (): void => {
    kill();
    removeProfile();
  };
  // For ends without `close()`, such as an uncaught error.
  process.on('exit', atExit);

  let messages = '';
  let closing = false;
  const gone = deferred();
  const ended = new Promise<never>((_, reject) => {
    const fail = (what: string): void => {
      gone.resolve();
      if (closing) return;
      const tail = messages.trim().slice(-TAIL);
      reject(
        new Failure(EXIT.missing, 'cli/browser-failed', `The browser ${path} ${what}.`, {
          advice: tail === '' ? [] : tail.split('\n'),
        }),
      );
    };
    const [program, args] = commandLine(browser, profile, kind === 'firefox' ? firefoxStart(profile, url) : '');
    // A group of its own: a key of the terminal reaches this process only, which then ends the whole group.
    child = spawn(program, args, {
      stdio: kind === 'chromium' ? ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] : ['ignore', 'ignore', 'pipe'],
      detached: process.platform !== 'win32',
      // Its temporary files end with the profile.
      env: { ...process.env, TMPDIR: profile },
      windowsHide: true,
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (messages = `${messages}${text}`.slice(-4 * TAIL)));
    child.on('error', (error) => fail(`cannot be started: ${error.message}`));
    child.on('exit', (code, signal) => fail(`ended by itself (${signal ?? `exit code ${code}`})`));
    if (kind === 'chromium') openPage(child, url);
  });
  // Nothing may await it yet, and then the end of a browser must not end this process.
  ended.catch(() => undefined);

  return {
    ended,
    close: async () => {
      closing = true;
      kill();
      if (child?.pid !== undefined) await gone.promise;
      process.off('exit', atExit);
      removeProfile();
    },
  };
}
