// All commands, in the order of the help.

import type { Command } from '../base/command.ts';
import { bake } from './bake.ts';
import { completionsOf } from './completions.ts';
import { convert } from './convert.ts';
import { diff } from './diff.ts';
import { helpOf } from './help.ts';
import { inspect } from './inspect.ts';
import { optimize } from './optimize.ts';
import { render } from './render.ts';
import { retarget } from './retarget.ts';

const all = (): readonly Command[] => COMMANDS;

export const COMMANDS: readonly Command[] = [
  inspect,
  optimize,
  convert,
  retarget,
  render,
  bake,
  diff,
  completionsOf(all),
  helpOf(all),
];
