// The warnings of the import, grouped by code, with the JSON at their places; and Khronos's validator.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { plural } from '../../app/format.ts';
import { openJson } from '../json-view.ts';
import type { Inspector } from '../inspector.ts';
import { Button, Note, Section } from '../ui.tsx';

export interface Finding {
  readonly code: string;
  readonly message: string;
  readonly pointer: string;
}

/** The upper limit of findings that are shown of a code. */
const MOST = 50;

export function Report({ inspector }: { readonly inspector: Inspector }): JSX.Element {
  const warnings = inspector.warnings.value;
  return (
    <>
      <Section title={warnings.length === 0 ? 'No warnings' : plural(warnings.length, 'warning')}>
        {warnings.length === 0 && <Note>gambol found no fault in this file.</Note>}
        <Findings findings={warnings} open={(pointer) => openJson(inspector, pointer)} />
      </Section>
      <Validator inspector={inspector} />
      <Section title="JSON">
        <Button disabled={!inspector.opened.value} press={() => openJson(inspector, '')}>
          Show the JSON of the file
        </Button>
      </Section>
    </>
  );
}

interface FindingsProps {
  readonly findings: readonly Finding[];
  /** Shows the place of a pointer. */
  open(pointer: string): void;
}

/** Findings by code, the most frequent first. */
export function Findings({ findings, open }: FindingsProps): JSX.Element {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) groups.set(finding.code, [...(groups.get(finding.code) ?? []), finding]);
  return (
    <ul class="findings">
      {[...groups]
        .sort(([, one], [, other]) => other.length - one.length)
        .map(([code, all]) => (
          <li key={code}>
            <details open={groups.size < 6}>
              <summary>
                <code>{code}</code> {all.length > 1 && <span class="count">{all.length} ×</span>}
              </summary>
              <ul>
                {all.slice(0, MOST).map(({ message, pointer }, i) => (
                  <li key={i}>
                    {message}
                    {pointer !== '' && <Pointer pointer={pointer} open={open} />}
                  </li>
                ))}
              </ul>
              {all.length > MOST && <Note>and {all.length - MOST} more</Note>}
            </details>
          </li>
        ))}
    </ul>
  );
}

function Pointer({ pointer, open }: { readonly pointer: string } & Pick<FindingsProps, 'open'>): JSX.Element {
  if (!pointer.startsWith('/')) return <code class="pointer">{pointer}</code>;
  return (
    <button type="button" class="link pointer" title="Show this place in the JSON" onClick={() => open(pointer)}>
      <code>{pointer}</code>
    </button>
  );
}

type Validation = 'none' | 'running' | { readonly findings: readonly Finding[]; readonly words: string };

/** Khronos's validator, which is loaded when it is asked for. */
function Validator({ inspector }: { readonly inspector: Inspector }): JSX.Element {
  const opened = inspector.opened.value;
  const [validation, setValidation] = useState<Validation>('none');
  const [of, setOf] = useState(opened);
  if (of !== opened) {
    setOf(opened);
    setValidation('none');
  }
  const run = async (): Promise<void> => {
    if (!opened) return;
    setValidation('running');
    try {
      const { validate } = await import('../validator.ts');
      const result = await validate(opened.file);
      setValidation(result);
      inspector.status.announce(result.words);
    } catch (error) {
      setValidation({ findings: [], words: `The validator has stopped: ${String(error)}` });
    }
  };
  return (
    <Section title="Khronos glTF Validator">
      {typeof validation === 'object' ? (
        <>
          <Note>{validation.words}</Note>
          <Findings findings={validation.findings} open={(pointer) => openJson(inspector, pointer)} />
        </>
      ) : (
        <Button disabled={!opened || validation === 'running'} press={() => void run()}>
          {validation === 'running' ? 'Validating …' : 'Validate'}
        </Button>
      )}
    </Section>
  );
}
