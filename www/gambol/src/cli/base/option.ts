// The description of an option.

/** An option of a command. */
export interface OptionSpec {
  /** The name without dashes. */
  readonly name: string;
  readonly short?: string;
  /** The word for the value in the help, such as `FILE`; an option without it is a flag. */
  readonly value?: string;
  /** The values that are allowed. */
  readonly words?: readonly string[];
  /** `true` if the option may be given several times. */
  readonly multiple?: boolean;
  /** `true` if the value is the path of a file. */
  readonly file?: boolean;
  /** A sentence for the help. */
  readonly help: string;
}
