// The output of a command: results, notes, warnings and progress.

import type { Writable } from 'node:stream';

export interface OutputOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly env: Readonly<Record<string, string | undefined>>;
}

const COLORS = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const;
/** The least time between two updates of the progress, in milliseconds. */
const INTERVAL = 80;

export class Output {
  readonly json: boolean;
  readonly #quiet: boolean;
  readonly #out: OutputOptions['stdout'];
  readonly #err: OutputOptions['stderr'];
  readonly #env: OutputOptions['env'];
  /** `true` if stdout is for the bytes of a file. */
  #bytes = false;
  #line = false;
  #last = 0;

  constructor({ json, quiet, stdout, stderr, env }: OutputOptions) {
    this.json = json;
    this.#quiet = quiet;
    this.#out = stdout;
    this.#err = stderr;
    this.#env = env;
  }

  /** Keeps stdout for the bytes of a file. */
  reserveStdout(): void {
    this.#bytes = true;
  }

  /** A line of the result for people: on stdout, unless that has JSON or a file. */
  print(line = ''): void {
    const aside = this.json || this.#bytes;
    if (aside && this.#quiet) return;
    this.#clear();
    (aside ? this.#err : this.#out).write(`${line}\n`);
  }

  /** A text that was asked for: a help, a script. On stdout in any case. */
  text(text: string): void {
    this.#out.write(`${text.trimEnd()}\n`);
  }

  /** A line that is no part of the result, on stderr. */
  note(line: string): void {
    if (this.#quiet) return;
    this.#clear();
    this.#err.write(`${line}\n`);
  }

  warn(line: string): void {
    if (this.#quiet) return;
    this.#clear();
    this.#err.write(`${this.#painted('yellow', 'warning:', this.#err)} ${line}\n`);
  }

  error(line: string): void {
    this.#clear();
    this.#err.write(`${this.#painted('red', 'error:', this.#err)} ${line}\n`);
  }

  /** Replaces the line of the progress, on a terminal only. `fraction`: `0..=1`. */
  progress(label: string, fraction?: number): void {
    if (this.#quiet || !this.#err.isTTY) return;
    const now = Date.now();
    if (now - this.#last < INTERVAL && this.#line) return;
    this.#last = now;
    const width = 24;
    const done = Math.round(width * Math.min(1, Math.max(0, fraction ?? 0)));
    const bar =
      fraction === undefined ? '' : ` ${'█'.repeat(done)}${'░'.repeat(width - done)} ${Math.round(100 * fraction)} %`;
    this.#err.write(`\r\x1b[K${`${label}${bar}`.slice(0, (this.#err.columns ?? 80) - 1)}`);
    this.#line = true;
  }

  /** Writes the JSON document of the call. */
  document(value: unknown): void {
    this.#clear();
    this.#out.write(`${JSON.stringify(value, null, 2)}\n`);
  }

  /** Bytes of a file, to stdout; resolves when they are written. */
  async bytes(bytes: Uint8Array): Promise<void> {
    this.#clear();
    await new Promise<void>((resolve, reject) =>
      this.#out.write(bytes, (error) => (error ? reject(error) : resolve())),
    );
  }

  /** Text of a result in a colour, if the terminal to which {@link print} writes wants colours. */
  paint(color: keyof typeof COLORS, text: string): string {
    return this.#painted(color, text, this.json || this.#bytes ? this.#err : this.#out);
  }

  #painted(color: keyof typeof COLORS, text: string, stream: { readonly isTTY?: boolean }): string {
    const { NO_COLOR: no, FORCE_COLOR: force, TERM: term } = this.#env;
    const wanted = force ? force !== '0' : !no && term !== 'dumb' && stream.isTTY === true;
    return wanted ? `\x1b[${COLORS[color]}m${text}\x1b[0m` : text;
  }

  /** Columns of text, padded to the widest cell. Cells that begin with a digit are aligned to the right. */
  table(rows: readonly (readonly string[])[]): void {
    const widths: number[] = [];
    for (const row of rows) row.forEach((cell, i) => (widths[i] = Math.max(widths[i] ?? 0, cell.length)));
    for (const row of rows) {
      const cells = row.map((cell, i) =>
        /^[-−]?\d/.test(cell) && i > 0 ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0),
      );
      this.print(cells.join('  ').trimEnd());
    }
  }

  #clear(): void {
    if (!this.#line) return;
    this.#err.write('\r\x1b[K');
    this.#line = false;
  }
}
