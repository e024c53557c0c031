// The numbers of the selected key: its value and its tangents on one curve, for keyboards and fingers.

import { useState } from 'preact/hooks';
import { isEditable, keyWithSlope, keyWithValue, slopesAt, type Side } from './curve-edits.ts';
import { graphOf, type GraphKind } from './graphs.ts';
import { changeKey, timeOf } from './key-edits.ts';
import type { Session } from './session.ts';

type Shown = Pick<Session, 'keys' | 'graph' | 'broken'>;

/** The keys are a property: a component with a state of its own is drawn again only if one of its properties changes. */
export function KeyFields({ session, keys, graph: shownGraph, broken }: { session: Session } & Shown) {
  const [curve, setCurve] = useState(0);
  const [first, ...others] = keys;
  // Speeds and angles are no numbers of keys.
  const kind: GraphKind = isEditable(shownGraph) ? shownGraph : 'euler';
  const graph = first && graphOf(first.row.channel, kind);
  if (!first || !graph || others.length > 0) return null;
  const { row, key } = first;
  const { channel } = row;
  const index = curve < graph.names.length ? curve : 0;
  const shown = graph.at(timeOf(first));
  const words = (what: string): string => `${what} of ${row.joint.name} ${row.name}`;
  const sides: readonly (readonly [Side, string])[] = [
    ['in', 'In'],
    ['out', 'Out'],
  ];
  return (
    <fieldset class="tl-fields" aria-label="Selected key">
      {graph.names.length > 1 && (
        <select
          class="tl-select"
          aria-label="Curve of the selected key"
          value={index}
          onChange={({ currentTarget }) => setCurve(Number(currentTarget.value))}
        >
          {graph.names.map((name, i) => (
            <option key={name} value={i}>
              {name}
            </option>
          ))}
        </select>
      )}
      <KeyNumber
        label={graph.unit === '' ? 'Value' : `Value ${graph.unit}`}
        value={shown[index] ?? 0}
        change={(to) => changeKey(session, words('value'), row, keyWithValue(channel, kind, key, shown, index, to))}
      />
      {sides.map(([side, label]) => {
        const slope = slopesAt(channel, kind, key, side)?.[index];
        if (slope === undefined) return null;
        const both: readonly Side[] = broken ? [side] : ['in', 'out'];
        return (
          <KeyNumber
            key={side}
            label={label}
            title={`The slope of the tangent ${side === 'in' ? 'before' : 'after'} the key, per second`}
            value={slope}
            change={(to) =>
              changeKey(session, words('tangent'), row, keyWithSlope(channel, kind, key, index, to, both))
            }
          />
        );
      })}
    </fieldset>
  );
}

interface KeyNumberProps {
  readonly label: string;
  readonly title?: string;
  readonly value: number;
  change(to: number): void;
}

function KeyNumber({ label, title, value, change }: KeyNumberProps) {
  const rounded = Number(value.toPrecision(5));
  return (
    <label class="tl-field" title={title}>
      {label}
      <input
        class="tl-number"
        type="number"
        step="any"
        value={rounded}
        onChange={({ currentTarget }) => {
          const to = currentTarget.valueAsNumber;
          if (Number.isFinite(to) && to !== rounded) change(to);
          else currentTarget.value = `${rounded}`;
        }}
      />
    </label>
  );
}
