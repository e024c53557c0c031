// Files outside the folder of a model, and addresses: a model may name them, and the command reads them only if it is told to.

import type { Call } from './command.ts';

/** The option of the package for the files that a model names. */
export function resourcesOf({ values }: Pick<Call, 'values'>): { readonly externalResources: 'any' | 'same-folder' } {
  return { externalResources: values.flag('allow-outside') ? 'any' : 'same-folder' };
}

/** The message of `load/foreign-resource`, with the option of the command in place of that of the package. */
export function withHint(message: string): string {
  return message.replace(/ Put it .*$/s, ' Add --allow-outside if you trust the model.');
}
