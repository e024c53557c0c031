// Khronos's validator, for the open file.

import { validateBytes } from 'gltf-validator';
import type { GltfFile } from 'gambol/gltf';
import { plural } from '../app/format.ts';

const SEVERITIES = ['error', 'warning', 'information', 'hint'];

export interface ValidatorResult {
  readonly findings: readonly { readonly code: string; readonly message: string; readonly pointer: string }[];
  readonly words: string;
}

export async function validate(file: GltfFile): Promise<ValidatorResult> {
  const { issues, validatorVersion } = await validateBytes(file.bytes, {
    uri: file.name,
    maxIssues: 1000,
    externalResourceFunction: (uri) => file.resource(uri),
  });
  const findings = issues.messages.map(({ severity, code, message, pointer }) => ({
    code: `${SEVERITIES[severity] ?? 'hint'} ${code}`,
    message,
    pointer: pointer ?? '',
  }));
  const words = `Version ${validatorVersion}: ${plural(issues.numErrors, 'error')}, ${plural(issues.numWarnings, 'warning')}, ${issues.numInfos} notes`;
  return { findings, words };
}
