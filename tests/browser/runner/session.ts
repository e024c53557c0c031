// A session of one browser. The tests of a file share a page, with a new one after a test that fails or requires it. A
// test that hangs is followed by a new browser.

import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Driver } from './drivers/driver.ts';
import type { Action, Report, Start } from './protocol.ts';
import { StaticServer } from './server.ts';

export interface SessionOptions {
  name: string;
  start: () => Promise<Driver>;
  mounts: [prefix: string, folder: string][];
  root: string;
  output: string;
  filter: string;
  bless: boolean;
  /** `true` if tests with a long form use it. */
  long: boolean;
}

/** The time limit for a page to load and report that its test has started, in milliseconds. */
const LOADING = 30_000;
/** The time after a test's own time limit until it counts as hanging, in milliseconds. */
const GRACE = 3_000;

export class Session {
  version = '';
  #driver: Driver | undefined;
  #server: StaticServer | undefined;
  #run = 0;
  #started: (start: Start) => void = () => undefined;
  #finished: (report: Report) => void = () => undefined;
  /** Continues the open page with its next test, or ends it. Undefined if no page waits. */
  #goOn: ((next: boolean) => void) | undefined;

  constructor(readonly options: SessionOptions) {}

  /**
   * Runs the tests of a file. A failed test is repeated in a new page, since browsers on a busy machine sometimes lose
   * an event; `unsteady` is the message of the first failure.
   */
  async *run(file: string): AsyncGenerator<{ title: string; report: Report; unsteady?: string }> {
    let total = 1;
    for (let index = 0; index < total; index++) {
      let report = await this.#one(file, index);
      total = Math.max(total, report.total);
      let unsteady: string | undefined;
      if (report.outcome === 'failed') {
        const again = await this.#one(file, index);
        // A page that hangs while it loads has not reported the number of tests.
        total = Math.max(total, again.total);
        if (again.outcome === 'passed') {
          unsteady = report.message ?? '';
          report = again;
        }
      }
      // Many titles begin with the name of their file.
      const title = report.name.startsWith(`${file}: `) ? report.name : `${file}: ${report.name}`;
      yield { title, report, ...(unsteady !== undefined && { unsteady }) };
    }
  }

  async end(): Promise<void> {
    await this.#driver?.close();
    await this.#server?.stop();
  }

  async #one(file: string, index: number): Promise<Report> {
    this.#server ??= await StaticServer.start(this.options.mounts, (...request) => this.#answer(...request));
    this.#driver ??= await this.options.start();
    this.version = this.#driver.version;
    this.#server.forget();
    const report = await this.#wait(this.#driver, this.#server, file, index);
    if (report.outcome === 'passed') this.#judge(report, this.#driver, this.#server.origin);
    if (!(report.stays && report.outcome !== 'failed')) this.#reply(false);
    if (report.outcome === 'failed' && report.took === undefined) {
      // The test hangs, or the browser has crashed: start a new one.
      await this.#driver.close().catch(() => undefined);
      this.#driver = undefined;
    }
    return report.fails === undefined ? report : invert(report, report.fails);
  }

  /** The address of a page that runs the tests of a file from an index on. */
  #address(origin: string, file: string, index: number): string {
    const { name, filter, bless, long } = this.options;
    const url = new URL('/__tests/page.html', origin);
    const query = { file, index: String(index), run: String(++this.#run), browser: name, filter };
    url.search = new URLSearchParams(query).toString();
    if (bless) url.searchParams.set('bless', '');
    if (long) url.searchParams.set('long', '');
    return url.href;
  }

  /** Continues the open page with its next test, or ends it; `false` if no page waits. */
  #reply(next: boolean): boolean {
    const waits = this.#goOn !== undefined;
    this.#goOn?.(next);
    this.#goOn = undefined;
    return waits;
  }

  /** Continues the open page, or opens one, and waits for its report with a time limit. */
  #wait(driver: Driver, server: StaticServer, file: string, index: number): Promise<Report> {
    return new Promise((resolve) => {
      // A page that hangs while it loads cannot report the number of tests.
      let current: Omit<Start, 'timeout'> = { name: '(loading)', total: 1 };
      const hang = (after: number): NodeJS.Timeout =>
        setTimeout(() => {
          resolve({ ...current, outcome: 'failed', message: `no answer within ${after / 1000} s` });
        }, after);
      let timer = hang(LOADING);
      this.#started = ({ timeout, ...start }) => {
        clearTimeout(timer);
        current = start;
        timer = hang(timeout + GRACE);
      };
      this.#finished = (report) => {
        clearTimeout(timer);
        resolve(report);
      };
      if (this.#reply(true)) return;
      driver.open(this.#address(server.origin, file, index)).catch((error: unknown) => {
        this.#finished({ ...current, outcome: 'failed', message: `cannot open the page: ${String(error)}` });
      });
    });
  }

  /** A test also fails if the browser reported an error or a request left the server's origin. */
  #judge(report: Report, driver: Driver, origin: string): void {
    const { complaints, urls } = driver.noticed();
    const foreign = [...new Set([...urls, ...(report.urls ?? [])])].filter(
      (url) => /^(https?|wss?|ftp):/.test(url) && new URL(url).origin !== origin,
    );
    const faults = [...complaints, ...foreign.map((url) => `a request left the origin: ${url}`)];
    if (faults.length > 0) Object.assign(report, { outcome: 'failed', message: faults.join('\n') });
  }

  /** Answers a request of the page to the runner. */
  async #answer(what: string, query: URLSearchParams, body: Buffer): Promise<Buffer | string> {
    if (query.get('run') !== String(this.#run)) return ''; // from an earlier page
    const driver = this.#driver;
    switch (what) {
      case 'started':
        this.#started(JSON.parse(body.toString()) as Start);
        return '';
      case 'result': {
        const next = new Promise<boolean>((resolve) => {
          this.#goOn = resolve;
        });
        this.#finished(JSON.parse(body.toString()) as Report);
        return (await next) ? 'next' : '';
      }
      case 'requests':
        return JSON.stringify(this.#server?.recorded ?? []);
      case 'refuse':
        this.#server?.refuse(query.get('part') ?? '', Number(query.get('times')));
        return '';
      case 'act':
        for (const action of JSON.parse(body.toString()) as Action[]) await driver?.act(action);
        return '';
      case 'screenshot': {
        const png = Buffer.from((await driver?.screenshot()) ?? []);
        const name = query.get('name');
        if (name !== null) await this.#save(this.options.output, `${name}.${this.options.name}.png`, png);
        return png;
      }
      case 'file': {
        const name = query.get('name') ?? 'file';
        const dot = name.lastIndexOf('.') + 1 || name.length;
        await this.#save(this.options.output, `${name.slice(0, dot)}${this.options.name}.${name.slice(dot)}`, body);
        return '';
      }
      case 'golden':
        await this.#save(join(this.options.root, 'tests/golden/pictures'), `${query.get('name') ?? ''}.png`, body);
        return '';
      case 'picture': {
        const folder = 'target/pictures';
        const file = `${query.get('name') ?? ''}.${this.options.name}.png`;
        await this.#save(join(this.options.root, folder), file, body);
        return `${folder}/${basename(file)}`;
      }
      default:
        throw new Error(`the runner knows no ${what}`);
    }
  }

  async #save(folder: string, name: string, content: Buffer): Promise<void> {
    const file = join(folder, basename(name));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}

/** Inverts the report of a test that is known to fail. */
function invert(report: Report, reason: string): Report {
  switch (report.outcome) {
    case 'failed':
      return { ...report, outcome: 'passed', message: `fails as expected: ${reason}` };
    case 'passed':
      return { ...report, outcome: 'failed', message: `passes, but is marked as failing: ${reason}` };
    default:
      return report;
  }
}
