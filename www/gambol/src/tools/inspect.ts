// The animation doctor.

import { GambolError, throwIfAborted } from '../base/errors.ts';
import { described } from '../base/shown.ts';
import type { AssetSource } from '../load/source.ts';
import { optionNames } from '../values/options.ts';
import { checkedTool, type ToolOptions } from './options.ts';
import { filesOf, readInput, runTool, type Input } from './run.ts';

/**
 * The weight of a finding.
 *
 * - `error`: wrong by the specification, or the motion is not the one that was made.
 * - `warning`: visible, or wrong in some players.
 * - `info`: worth knowing: size, memory, habits of other players.
 * @category The animation doctor
 */
export type FindingSeverity = 'error' | 'warning' | 'info';

/** A measured number. @category The animation doctor */
export interface FindingValue {
  /** The number; finite. */
  readonly value: number;
  /** Its unit: metres, seconds, degrees, metres per second, frames per second, bytes, pixels; empty for counts and factors. */
  readonly unit: 'm' | 's' | '°' | 'm/s' | 'fps' | 'B' | 'px' | '';
}

/** A way to mend a finding. @category The animation doctor */
export interface FindingFix {
  /** The steps in the tool that made the file. */
  readonly description: string;
  /** `true` if {@link optimize} mends it with its default options. */
  readonly optimize: boolean;
  /** A JSON patch (RFC 6902) of the file's JSON that mends it; empty if there is none. */
  readonly patch: readonly {
    /** The operation. */
    readonly op: 'remove' | 'replace';
    /** The JSON pointer of the place. */
    readonly path: string;
    /** The new value of a replacement. */
    readonly value?: unknown;
  }[];
}

/** A curve that shows a finding. @category The animation doctor */
export interface FindingPlot {
  /** The unit of the values. */
  readonly unit: FindingValue['unit'];
  /**
   * Times in seconds, in increasing order. For the seam of a loop, the seam is at 0, twice: the values before are of the clip's end,
   * those after of its start.
   */
  readonly times: readonly number[];
  /** One value for each time. */
  readonly values: readonly number[];
}

/** One fault of a file, or one fact worth knowing. @category The animation doctor */
export interface Finding {
  /**
   * The stable code: `inspect/…` of a rule, `import/…` of the importer, `khronos/…` of Khronos's validator, `load/foreign-resource` of a
   * file that `externalResources` forbids. docs/findings.md has the first, docs/errors.md the second and the last.
   */
  readonly code: string;
  /** The weight. */
  readonly severity: FindingSeverity;
  /** Sentences with the cause and the effect. */
  readonly message: string;
  /** The JSON pointer (RFC 6901) of the place; empty for the whole file. */
  readonly pointer: string;
  /** The index of the animation. */
  readonly clip?: number;
  /** The index of the node, the worst one if there are several. */
  readonly node?: number;
  /** The indices of all nodes that are concerned, at most 256. */
  readonly nodes: readonly number[];
  /** The time in the clip, in seconds. */
  readonly time?: number;
  /** The measured numbers, by their names, for example `distance`. */
  readonly values: Readonly<Record<string, FindingValue>>;
  /** A way to mend it. */
  readonly fix?: FindingFix;
  /** A curve of the fault. */
  readonly plot?: FindingPlot;
  /** Places in the model, in metres, for example those of a sliding foot. */
  readonly trail: readonly (readonly [number, number, number])[];
}

/** All findings of a file. @category The animation doctor */
export interface InspectReport {
  /** Errors first, then warnings, then infos. */
  readonly findings: readonly Finding[];
  /** The number of findings by severity, and counts of the file. */
  readonly summary: {
    /** The number of findings of severity `error`. */
    readonly errors: number;
    /** The number of findings of severity `warning`. */
    readonly warnings: number;
    /** The number of findings of severity `info`. */
    readonly infos: number;
    /** The number of animations. */
    readonly clips: number;
    /** The number of channels of all animations. */
    readonly channels: number;
    /** The number of keys of all channels. */
    readonly keys: number;
    /** The number of nodes that are joints. */
    readonly joints: number;
  };
}

/** The function of the npm package `gltf-validator` that {@link inspect} calls. @category The animation doctor */
export interface GltfValidator {
  /** Validates the bytes of a `.glb` or `.gltf`. */
  validateBytes(
    bytes: Uint8Array,
    options: {
      uri?: string;
      maxIssues?: number;
      externalResourceFunction?(uri: string): Promise<Uint8Array>;
    },
  ): Promise<{
    /** The result of the validator. */
    readonly issues: {
      /** Its messages. */
      readonly messages: readonly {
        /** The code, in capitals. */
        readonly code: string;
        /** The sentence. */
        readonly message: string;
        /** 0 for an error, 1 for a warning, 2 for information, 3 for a hint. */
        readonly severity: number;
        /** The JSON pointer of the place. */
        readonly pointer?: string;
      }[];
    };
  }>;
}

/** A module with the validator. @category The animation doctor */
export interface GltfValidatorModule {
  /** The validator. */
  readonly default: GltfValidator;
}

/** Options of {@link inspect}. @category The animation doctor */
export interface InspectOptions extends ToolOptions {
  /**
   * Khronos's validator, or a function that imports it: `() => import('gltf-validator')`. Its messages become findings with codes
   * `khronos/…`. The function is called after the file was read. Default: none.
   */
  readonly validator?: GltfValidator | (() => Promise<GltfValidator | GltfValidatorModule>) | undefined;
  /** Codes whose findings are left out. */
  readonly ignore?: readonly string[] | undefined;
}

const OPTIONS = optionNames<Omit<InspectOptions, keyof ToolOptions>>({ validator: 0, ignore: 0 });

/** The largest number of messages of Khronos's validator. */
const MESSAGES = 1000;

/**
 * Inspects a file: seams of loops, sliding feet, drift, jumps, flipped rotations, weights, idle joints, textures and more. Each finding
 * has numbers in metres, seconds and degrees, which are measured on the skinned mesh or its joints.
 *
 * A file that cannot be imported is no error of the call, but a finding with a code `import/…`.
 *
 * ```js
 * const { findings } = await inspect('hero.glb', { validator: () => import('gltf-validator') });
 * for (const { severity, message } of findings) console.log(severity, message);
 * ```
 *
 * @throws {@link GambolError} `argument/invalid`, `load/aborted`, `tools/panic`, and the errors of loading
 * @category The animation doctor
 */
export async function inspect(source: AssetSource, options: InspectOptions = {}): Promise<InspectReport> {
  const signal = checkedTool(options, 'inspect()', OPTIONS);
  const { validator, ignore = [] } = options;
  if (!Array.isArray(ignore) || !ignore.every((code) => typeof code === 'string'))
    throw new GambolError('argument/invalid', 'ignore must be a list of codes.');
  if (!(validator === undefined || typeof validator === 'function' || isValidator(validator)))
    throw new GambolError(
      'argument/invalid',
      `validator must be the module gltf-validator or a function that imports it, not ${described(validator)}.`,
    );
  let input: Input;
  try {
    input = await readInput(source, options, signal, 'optional');
  } catch (error) {
    const finding = findingOf(error);
    if (!finding) throw error;
    return inspectionOf([finding], { clips: 0, channels: 0, keys: 0, joints: 0 }, ignore);
  }
  const { findings: found, summary } = await runTool(
    input.url,
    signal,
    (tools) => JSON.parse(tools.inspect(input.bytes, filesOf(tools, input))) as InspectReport,
  );
  const findings = [...found, ...input.refused.map(refusal)];
  options.onProgress?.(validator ? 0.5 : 1);
  if (!validator) return inspectionOf(findings, summary, ignore);
  const said = await validated(input, validator);
  throwIfAborted(signal);
  options.onProgress?.(1);
  return inspectionOf([...findings, ...said], summary, ignore);
}

function isValidator(value: unknown): value is GltfValidator {
  return typeof (value as GltfValidator | null)?.validateBytes === 'function';
}

/** The finding for a file whose JSON cannot be read; undefined for other errors. */
function findingOf(error: unknown): Finding | undefined {
  if (!(error instanceof GambolError) || !error.code.startsWith('import/')) return undefined;
  const { code, message, pointer = '' } = error;
  return { code, severity: 'error', message, pointer, nodes: [], values: {}, trail: [] };
}

/** The finding for a file that was not read because the options forbid it. */
function refusal({ pointer, message }: Input['refused'][number]): Finding {
  return { code: 'load/foreign-resource', severity: 'warning', message, pointer, nodes: [], values: {}, trail: [] };
}

const ORDER: readonly FindingSeverity[] = ['error', 'warning', 'info'];

function inspectionOf(
  all: readonly Finding[],
  counts: Omit<InspectReport['summary'], 'errors' | 'warnings' | 'infos'>,
  ignore: readonly string[],
): InspectReport {
  const kept = all.filter(({ code }) => !ignore.includes(code));
  const of = (severity: FindingSeverity): Finding[] => kept.filter((finding) => finding.severity === severity);
  const [errors, warnings, infos] = ORDER.map((severity) => of(severity).length) as [number, number, number];
  return { findings: ORDER.flatMap(of), summary: { ...counts, errors, warnings, infos } };
}

/** The messages of Khronos's validator. */
async function validated(input: Input, given: NonNullable<InspectOptions['validator']>): Promise<Finding[]> {
  const module = typeof given === 'function' ? await given() : given;
  // Bundlers and Node put the exports of the package into different places.
  const validator = isValidator(module) ? module : (module as { readonly default?: unknown } | undefined)?.default;
  if (!isValidator(validator))
    throw new GambolError('argument/invalid', 'validator must import the module gltf-validator.');
  const { issues } = await validator.validateBytes(input.bytes, {
    maxIssues: MESSAGES,
    externalResourceFunction: async (uri) => {
      const bytes = input.others.get(uri);
      if (bytes) return bytes;
      throw new GambolError('load/missing-resource', `The file ${uri} was not loaded.`, { url: input.url });
    },
  });
  return issues.messages.map(({ code, message, severity, pointer = '' }) => {
    const [clip, node] = ['animations', 'nodes'].map((list) => indexIn(pointer, list));
    return {
      code: `khronos/${code}`,
      severity: ORDER[severity] ?? 'info',
      message,
      pointer,
      ...(clip === undefined ? {} : { clip }),
      ...(node === undefined ? {} : { node }),
      nodes: node === undefined ? [] : [node],
      values: {},
      trail: [],
    };
  });
}

/** The index of a pointer below a list at the top of the JSON. */
function indexIn(pointer: string, list: string): number | undefined {
  const found = new RegExp(`^/${list}/(\\d+)`).exec(pointer)?.[1];
  return found === undefined ? undefined : Number(found);
}
