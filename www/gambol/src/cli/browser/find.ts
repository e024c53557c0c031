// Browsers of this machine.

import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { EXIT, Failure } from '../base/failure.ts';

export interface Browser {
  readonly path: string;
  readonly kind: 'chromium' | 'firefox';
  /** `xvfb-run`: without a window, Firefox has WebGL on Linux only on a virtual display. */
  readonly display?: string;
}

/** The parts of the machine that decide which browser is found. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

export const thisMachine = (): Machine => ({ platform: process.platform, env: process.env, home: homedir() });

/** Programs by their names in `PATH`, the preferred one first: Chromium's software renderer is the faster one. */
const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
  'microsoft-edge-stable',
  'brave-browser',
  'firefox',
  'firefox-esr',
] as const;

const MAC = [
  'Google Chrome.app/Contents/MacOS/Google Chrome',
  'Chromium.app/Contents/MacOS/Chromium',
  'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'Brave Browser.app/Contents/MacOS/Brave Browser',
  'Firefox.app/Contents/MacOS/firefox',
] as const;

const WINDOWS = [
  'Google/Chrome/Application/chrome.exe',
  'Chromium/Application/chrome.exe',
  'Microsoft/Edge/Application/msedge.exe',
  'BraveSoftware/Brave-Browser/Application/brave.exe',
  'Mozilla Firefox/firefox.exe',
] as const;

/** Browsers that Playwright and Puppeteer have downloaded, below their folders, the newest first. */
const DOWNLOADED: readonly (readonly [folder: RegExp, programs: readonly string[]])[] = [
  [
    /^chromium-\d+$/,
    [
      'chrome-linux/chrome',
      'chrome-linux64/chrome',
      'chrome-win/chrome.exe',
      'chrome-win64/chrome.exe',
      'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
    ],
  ],
  [
    /^chromium_headless_shell-\d+$/,
    [
      'chrome-linux/headless_shell',
      'chrome-headless-shell-linux64/chrome-headless-shell',
      'chrome-win/headless_shell.exe',
      'chrome-mac/headless_shell',
    ],
  ],
  [
    /^(linux|mac|mac_arm|win32|win64)-[\d.]+$/,
    [
      'chrome-linux64/chrome',
      'chrome-win64/chrome.exe',
      'chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
      'chrome-mac-x64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
    ],
  ],
];

/** Paths at which a browser may be, the preferred one first. */
export function candidates({ platform, env, home }: Machine): string[] {
  const inPath = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const suffix = platform === 'win32' ? '.exe' : '';
  const named = NAMES.flatMap((name) => inPath.map((folder) => join(folder, name + suffix)));
  const installed =
    platform === 'darwin'
      ? MAC.flatMap((path) => ['/Applications', join(home, 'Applications')].map((folder) => join(folder, path)))
      : platform === 'win32'
        ? WINDOWS.flatMap((path) =>
            [env['PROGRAMFILES'], env['PROGRAMFILES(X86)'], env['LOCALAPPDATA']].flatMap((folder) =>
              folder === undefined ? [] : [join(folder, path)],
            ),
          )
        : ['/snap/bin/chromium', '/opt/google/chrome/chrome', '/usr/lib/chromium/chromium'];
  const caches = [
    env['PLAYWRIGHT_BROWSERS_PATH'],
    platform === 'darwin'
      ? join(home, 'Library/Caches/ms-playwright')
      : platform === 'win32'
        ? join(env['LOCALAPPDATA'] ?? home, 'ms-playwright')
        : join(home, '.cache/ms-playwright'),
    join(env['PUPPETEER_CACHE_DIR'] ?? join(home, '.cache/puppeteer'), 'chrome'),
  ];
  const downloaded = caches.flatMap((folder) => (folder === undefined ? [] : inCache(folder)));
  return [...named, ...installed, ...downloaded];
}

function inCache(folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  const number = (name: string): number => Number(/\d+/.exec(name.replace(/^.*?-/, ''))?.[0] ?? 0);
  return DOWNLOADED.flatMap(([pattern, programs]) =>
    names
      .filter((name) => pattern.test(name))
      .sort((a, b) => number(b) - number(a))
      .flatMap((name) => programs.map((program) => join(folder, name, program))),
  );
}

/** The kind of a browser, by the name of its program. */
export function kindOf(path: string): Browser['kind'] {
  return /firefox/i.test(basename(path)) ? 'firefox' : 'chromium';
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** A browser with what it needs. @throws {@link Failure} `cli/no-browser` */
function usable(path: string, { platform, env }: Machine): Browser {
  const kind = kindOf(path);
  if (kind !== 'firefox' || platform !== 'linux') return { path, kind };
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const display = folders.map((folder) => join(folder, 'xvfb-run')).find(isProgram);
  if (display !== undefined) return { path, kind, display };
  throw new Failure(
    EXIT.missing,
    'cli/no-browser',
    `${path} has no WebGL without a display. Install xvfb (Debian, Ubuntu: apt install xvfb), or Chromium, which needs none.`,
  );
}

/**
 * The browser that draws: the one that was given, else that of the environment variable `GAMBOL_BROWSER`, else the first that is found.
 *
 * @throws {@link Failure} `cli/no-browser`
 */
export function findBrowser(given: string | undefined, machine: Machine = thisMachine()): Browser {
  const { GAMBOL_BROWSER: variable } = machine.env;
  const chosen = given ?? (variable === '' ? undefined : variable);
  if (chosen !== undefined) {
    if (isProgram(chosen)) return usable(chosen, machine);
    const from = given === undefined ? 'the environment variable GAMBOL_BROWSER' : '--browser';
    throw new Failure(
      EXIT.missing,
      'cli/no-browser',
      `${chosen} of ${from} is no program. Pass the path of Chromium, Chrome, Edge or Firefox.`,
    );
  }
  const path = candidates(machine).find(isProgram);
  if (path !== undefined) return usable(path, machine);
  throw new Failure(
    EXIT.missing,
    'cli/no-browser',
    'This command draws with a browser, and there is none on this machine: no Chromium, Chrome, Edge or Firefox is in PATH or in its usual folder.',
    {
      advice: [
        ...advice(machine.platform).map((line) => `  ${line}`),
        'Or name one: --browser PATH, or the environment variable GAMBOL_BROWSER. It needs no GPU and no display.',
      ],
    },
  );
}

function advice(platform: NodeJS.Platform): string[] {
  const anywhere = 'anywhere:           npx playwright install --with-deps chromium';
  if (platform === 'darwin') return ['macOS:              brew install --cask google-chrome', anywhere];
  if (platform === 'win32') return ['Windows:            winget install Google.Chrome', anywhere];
  return [
    'Debian, Ubuntu:     apt install chromium    (Ubuntu: or firefox)',
    'Fedora:             dnf install chromium',
    'Alpine:             apk add chromium',
    anywhere,
  ];
}
