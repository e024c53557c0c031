// Exit codes, and errors that end a command.

/** The exit codes of all commands. `docs/guides/command-line.md` documents them. */
export const EXIT = {
  ok: 0,
  /** A check failed: findings, or a difference above the tolerance. */
  findings: 1,
  /** The command line is wrong. */
  usage: 2,
  /** An input file cannot be read, or has a fault. */
  input: 3,
  /** A program or a part that the command needs is missing: a browser, the reader of FBX. */
  missing: 4,
  /** Anything else: the result cannot be written, a time limit, a bug. */
  failed: 5,
  /** SIGINT, as shells report it. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export interface FailureDetails {
  readonly file?: string | undefined;
  /** JSON pointer, or the place in a file of another format. */
  readonly pointer?: string | undefined;
  /** Lines below the message. */
  readonly advice?: readonly string[] | undefined;
  readonly cause?: unknown;
}

/** An error that ends a command, or its work on one file. */
export class Failure extends Error {
  readonly exit: ExitCode;
  /** The stable code, `area/kebab-case`: see `docs/errors.md`. */
  readonly code: string;
  readonly file: string | undefined;
  readonly pointer: string | undefined;
  /** The message without the advice. */
  readonly headline: string;
  readonly advice: readonly string[];

  constructor(
    exit: ExitCode,
    code: string,
    message: string,
    { file, pointer, advice = [], cause }: FailureDetails = {},
  ) {
    super([message, ...advice].join('\n'), cause === undefined ? undefined : { cause });
    this.headline = message;
    this.advice = advice;
    this.exit = exit;
    this.code = code;
    this.file = file;
    this.pointer = pointer;
  }
}

/** A fault of the command line. */
export function usage(message: string): Failure {
  return new Failure(EXIT.usage, 'cli/usage', message);
}

/** Areas of codes that are about an input file. */
const INPUT = ['import', 'load', 'fetch', 'convert', 'bvh', 'fbx', 'x', 'image', 'bake', 'export', 'tools'];
/** Areas of codes that are about an argument, which the command line gave. */
const ARGUMENT = ['argument', 'clip', 'joint', 'mask'];
/** Codes that mean something else than their area. */
const EXCEPTIONS: Readonly<Record<string, ExitCode>> = {
  'load/aborted': EXIT.interrupted,
  // The clips do not fit the model; the command line is right.
  'clip/no-match': EXIT.input,
  'convert/no-fbx': EXIT.missing,
  'render/webgl2-unsupported': EXIT.missing,
  'record/unsupported': EXIT.missing,
  'load/chunk': EXIT.failed,
  'convert/panic': EXIT.failed,
  'tools/panic': EXIT.failed,
  'tools/option': EXIT.usage,
  'viewer/picture-too-large': EXIT.usage,
};

/** Any thrown value as a `Failure`; the codes of gambol decide the exit code. */
export function failureOf(error: unknown, file?: string): Failure {
  if (error instanceof Failure) {
    if (error.file !== undefined || file === undefined) return error;
    const { exit, code, headline, pointer, advice, cause } = error;
    return new Failure(exit, code, headline, { file, pointer, advice, cause });
  }
  const fields = typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : {};
  const message = error instanceof Error ? error.message : String(error);
  const { code, pointer } = fields;
  const details = { file, pointer: typeof pointer === 'string' ? pointer : undefined, cause: error };
  if (typeof code !== 'string' || !code.includes('/'))
    return new Failure(
      EXIT.failed,
      'cli/failed',
      `${message} (${typeof code === 'string' ? code : 'unexpected'})`,
      details,
    );
  return new Failure(exitOf(code), code, message, details);
}

function exitOf(code: string): ExitCode {
  const area = code.slice(0, code.indexOf('/'));
  const exception = EXCEPTIONS[code];
  if (exception !== undefined) return exception;
  if (ARGUMENT.includes(area)) return EXIT.usage;
  return INPUT.includes(area) ? EXIT.input : EXIT.failed;
}
