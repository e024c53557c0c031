// All commands, in the order of the help.

import type { Command } from '../base/command.ts';
import { completionsOf } from './completions.ts';
import { convert } from './convert.ts';
import { helpOf } from './help.ts';
import { render } from './render.ts';

const all = (): readonly Command[] => COMMANDS;

export const COMMANDS: readonly Command[] = [convert, render, completionsOf(all), helpOf(all)];
