// The output of a command: results, notes, warnings and progress.

import type { Writable } from 'node:stream';
import { jsonText, visible } from './visible.ts';

export interface OutputOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly env: Readonly<Record<string, string | undefined>>;
}

const COLORS = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const;
export type Color = keyof typeof COLORS;

/** A part of a line in a colour, if the terminal wants colours. */
export interface Painted {
  readonly color: Color;
  readonly text: string;
}

/** A line, possibly in parts. Control characters of its texts are shown as escapes. */
export type Line = string | readonly (string | Painted)[];

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

  /** A line of the result for people: on stdout, or on stderr if that has a file. The JSON document has the result already. */
  print(line: Line = ''): void {
    if (this.json || (this.#bytes && this.#quiet)) return;
    this.#clear();
    const stream = this.#bytes ? this.#err : this.#out;
    stream.write(`${this.#shown(line, stream)}\n`);
  }

  /** A text that was asked for: a help, a script. On stdout in any case. */
  text(text: string): void {
    this.#out.write(`${text.trimEnd()}\n`);
  }

  warn(line: string): void {
    if (this.#quiet) return;
    this.#say([{ color: 'yellow', text: 'warning:' }, ` ${line}`]);
  }

  /** An error, and lines of advice below it. */
  error(line: string, advice: readonly string[] = []): void {
    this.#say([{ color: 'red', text: 'error:' }, ` ${line}`]);
    for (const one of advice) this.#say(one);
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
    this.#err.write(`\r\x1b[K${`${visible(label)}${bar}`.slice(0, (this.#err.columns ?? 80) - 1)}`);
    this.#line = true;
  }

  /** Writes the JSON document of the call. */
  document(value: unknown): void {
    this.#clear();
    this.#out.write(`${jsonText(value)}\n`);
  }

  /** Bytes of a file, to stdout; resolves when they are written. */
  async bytes(bytes: Uint8Array): Promise<void> {
    this.#clear();
    await new Promise<void>((resolve, reject) =>
      this.#out.write(bytes, (error) => (error ? reject(error) : resolve())),
    );
  }

  #say(line: Line): void {
    this.#clear();
    this.#err.write(`${this.#shown(line, this.#err)}\n`);
  }

  #shown(line: Line, stream: { readonly isTTY?: boolean }): string {
    if (typeof line === 'string') return visible(line);
    return line
      .map((part) => (typeof part === 'string' ? visible(part) : this.#painted(part.color, visible(part.text), stream)))
      .join('');
  }

  #painted(color: Color, text: string, stream: { readonly isTTY?: boolean }): string {
    const { NO_COLOR: no, FORCE_COLOR: force, TERM: term } = this.#env;
    const wanted = force ? force !== '0' : !no && term !== 'dumb' && stream.isTTY === true;
    return wanted ? `\x1b[${COLORS[color]}m${text}\x1b[0m` : text;
  }

  /** Columns of text, padded to the widest cell. Cells that begin with a digit are aligned to the right. */
  table(rows: readonly (readonly string[])[]): void {
    const widths: number[] = [];
    const shown = rows.map((row) => row.map(visible));
    for (const row of shown) row.forEach((cell, i) => (widths[i] = Math.max(widths[i] ?? 0, cell.length)));
    for (const row of shown) {
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
