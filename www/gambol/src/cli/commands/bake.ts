// `gambol bake`: the frames of clips, computed ahead.

import { FORCE, MODELS, NAME, OUTPUT, type Command } from '../base/command.ts';
import { EXIT, usage } from '../base/failure.ts';
import { STREAM, target, write } from '../base/files.ts';
import { open } from '../base/model.ts';
import { reportWarnings } from '../base/report.ts';
import { bytesText, lengthText } from '../base/units.ts';
