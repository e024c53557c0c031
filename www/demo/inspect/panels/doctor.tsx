// The doctor: findings about clips, skins and meshes, by severity. The picture shows the selected one where it is.

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Finding, FindingSeverity } from 'gambol/tools';
import { plural } from '../../app/format.ts';
import { installMarks } from '../doctor/marks.ts';
import { Plot } from '../doctor/plot.tsx';
import { measured, named, titled } from '../doctor/words.ts';
import type { Inspector } from '../inspector.ts';
import { openJson } from '../json-view.ts';
import { Check, Facts, Note, Section } from '../ui.tsx';

const SEVERITIES: readonly (readonly [FindingSeverity, string])[] = [
  ['error', 'error'],
  ['warning', 'warning'],
  ['info', 'note'],
];

export function DoctorPanel({ inspector }: { readonly inspector: Inspector }): JSX.Element {
  const { doctor } = inspector;
  const source = inspector.source.value;
  // Null until the model of the source is shown, so findings are never those of another one.
  const opened = inspector.opened.value;
  const [validates, setValidates] = useState(doctor.examination.peek()?.validates ?? false);
  const [hidden, setHidden] = useState<readonly FindingSeverity[]>([]);
  useEffect(() => {
    if (source !== null && opened) void doctor.examine(source, validates);
  }, [doctor, source, opened, validates]);
  useEffect(() => installMarks(inspector), [inspector]);
  // Another model ends what is shown of the one before.
  useEffect(() => () => void (doctor.selected.value = null), [doctor, opened]);

  const examination = doctor.examination.value;
  if (!opened || examination?.source !== source) return <Note>No model is loaded.</Note>;
  const { inspection, failure } = examination;
  const all = inspection?.findings ?? [];
  const shown = all.filter(({ severity }) => !hidden.includes(severity));
  const title = inspection ? (all.length === 0 ? 'No findings' : plural(all.length, 'finding')) : 'Examining …';
  return (
    <>
      <Section title={failure === '' ? title : 'The examination has failed'}>
        {failure !== '' && <Note>{failure}</Note>}
        {inspection && (
          <div class="doctor-filter" role="group" aria-label="Severities">
            {SEVERITIES.map(([severity, words]) => {
              const number = all.filter((finding) => finding.severity === severity).length;
              const on = !hidden.includes(severity);
              return (
                <button
                  key={severity}
                  type="button"
                  class="doctor-severity"
                  data-severity={severity}
                  aria-pressed={on}
                  onClick={() => setHidden(on ? [...hidden, severity] : hidden.filter((each) => each !== severity))}
                >
                  {plural(number, words)}
                </button>
              );
            })}
          </div>
        )}
        {inspection && all.length === 0 && <Note>The doctor found nothing to mend in this file.</Note>}
        <ul class="doctor-list">
          {shown.map((finding, i) => (
            <Item key={`${finding.code} ${finding.pointer} ${i}`} inspector={inspector} finding={finding} />
          ))}
        </ul>
      </Section>
      <Section title="Khronos glTF Validator">
        <Check label="Add its messages" checked={validates} change={setValidates} />
      </Section>
    </>
  );
}

interface ItemProps {
  readonly inspector: Inspector;
  readonly finding: Finding;
}

function Item({ inspector, finding }: ItemProps): JSX.Element {
  const { doctor } = inspector;
  const selected = doctor.selected.value === finding;
  const { code, severity, message, pointer, values, fix, plot, clip, time } = finding;
  const name = clip === undefined ? undefined : inspector.clips.value.find(({ index }) => index === clip)?.name;
  const place = [name, time === undefined ? '' : `${time.toFixed(2)} s`].filter(Boolean).join(', ');
  return (
    <li data-severity={severity} data-code={code}>
      <button
        type="button"
        class="doctor-item"
        aria-expanded={selected}
        onClick={() => doctor.select(selected ? null : finding)}
      >
        <span class="doctor-dot" aria-hidden="true" />
        <span class="hidden-text">{severity}: </span>
        <strong>{titled(code)}</strong>
        {place !== '' && <span class="doctor-place">{place}</span>}
      </button>
      <p>{message}</p>
      {selected && (
        <div class="doctor-more">
          {plot && <Plot plot={plot} label={`The point over time, of ${titled(code).toLowerCase()}`} />}
          <Facts facts={Object.entries(values).map(([key, value]) => [named(key), measured(value)] as const)} />
          {fix && (
            <p class="doctor-fix">
              <strong>To mend it: </strong>
              {fix.description}
              {fix.optimize && ' The panel Optimise does this.'}
            </p>
          )}
          <p>
            <code>{code}</code>
            {pointer !== '' && (
              <button
                type="button"
                class="link pointer"
                title="Show this place in the JSON"
                onClick={() => openJson(inspector, pointer)}
              >
                <code>{pointer}</code>
              </button>
            )}
          </p>
        </div>
      )}
    </li>
  );
}
