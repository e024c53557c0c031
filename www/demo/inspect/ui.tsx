// The controls that panels are made of.

import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';

export function Icon({ name }: { readonly name: string }): JSX.Element {
  return (
    <svg class="icon" aria-hidden="true">
      <use href={`#i-${name}`} />
    </svg>
  );
}

interface SectionProps {
  readonly title: string;
  /** Buttons beside the title. */
  readonly tools?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Section({ title, tools, children }: SectionProps): JSX.Element {
  const id = useId();
  return (
    <section class="part" aria-labelledby={id}>
      <div class="part-title">
        <h3 id={id}>{title}</h3>
        {tools}
      </div>
      {children}
    </section>
  );
}

interface SliderProps {
  readonly label: string;
  /** The term in plain words. */
  readonly title?: string;
  readonly value: number;
  readonly least: number;
  readonly most: number;
  readonly step?: number | 'any';
  readonly disabled?: boolean;
  /** The value with its unit. */
  words(value: number): string;
  change(value: number): void;
  /** A button after the value. */
  readonly after?: ComponentChildren;
}

export function Slider(props: SliderProps): JSX.Element {
  const { label, title, value, least, most, step = 'any', disabled, words, change, after } = props;
  const shown = words(value);
  return (
    <label class="row" title={title}>
      <span>{label}</span>
      <input
        type="range"
        min={least}
        max={most}
        step={step}
        value={value}
        disabled={disabled}
        aria-valuetext={shown}
        onInput={({ currentTarget }) => change(currentTarget.valueAsNumber)}
      />
      <output>{shown}</output>
      {after}
    </label>
  );
}

export interface Choice {
  readonly value: string;
  readonly words: string;
  /** Choices of the same group stand together. */
  readonly group?: string;
}

interface SelectProps {
  readonly label: string;
  readonly title?: string;
  readonly value: string;
  readonly choices: readonly Choice[];
  readonly disabled?: boolean;
  /** `true` to show no label beside the list. */
  readonly bare?: boolean;
  change(value: string): void;
}

export function Select({ label, title, value, choices, disabled, bare, change }: SelectProps): JSX.Element {
  const groups = [...new Set(choices.map(({ group }) => group))];
  const options = (group: string | undefined): JSX.Element[] =>
    choices
      .filter((choice) => choice.group === group)
      .map((choice) => (
        <option key={choice.value} value={choice.value} selected={choice.value === value}>
          {choice.words}
        </option>
      ));
  const list = (
    <select
      aria-label={bare ? label : undefined}
      disabled={disabled}
      value={value}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    >
      {groups.map((group) =>
        group === undefined ? (
          options(group)
        ) : (
          <optgroup key={group} label={group}>
            {options(group)}
          </optgroup>
        ),
      )}
    </select>
  );
  if (bare) return list;
  return (
    <label class="row" title={title}>
      <span>{label}</span>
      {list}
    </label>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly value: number;
  /** The largest number; the least is 1. */
  readonly most: number;
  readonly disabled?: boolean;
  change(value: number): void;
}

/** A field for a whole number. */
export function NumberField({ label, value, most, disabled, change }: NumberFieldProps): JSX.Element {
  return (
    <label class="row">
      <span>{label}</span>
      <input
        type="number"
        min="1"
        max={most}
        step="1"
        value={value}
        disabled={disabled}
        onInput={({ currentTarget }) => change(currentTarget.valueAsNumber)}
      />
    </label>
  );
}

interface CheckProps {
  readonly label: string;
  readonly title?: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  change(on: boolean): void;
}

export function Check({ label, title, checked, disabled, change }: CheckProps): JSX.Element {
  return (
    <label class="check" title={title}>
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={({ currentTarget }) => change(currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}

interface IconButtonProps {
  readonly icon: string;
  readonly label: string;
  readonly disabled?: boolean;
  press(): void;
}

export function IconButton({ icon, label, disabled, press }: IconButtonProps): JSX.Element {
  return (
    <button class="button icon-only" type="button" title={label} aria-label={label} disabled={disabled} onClick={press}>
      <Icon name={icon} />
    </button>
  );
}

interface ButtonProps {
  readonly primary?: boolean;
  readonly disabled?: boolean;
  readonly title?: string;
  readonly children: ComponentChildren;
  press(): void;
}

export function Button({ primary, disabled, title, children, press }: ButtonProps): JSX.Element {
  return (
    <button
      class={primary ? 'button primary' : 'button'}
      type="button"
      disabled={disabled}
      title={title}
      onClick={press}
    >
      {children}
    </button>
  );
}

/** A text that may break after underscores and slashes, such as the name of an extension. */
export function breakable(text: ComponentChildren): ComponentChildren {
  if (typeof text !== 'string' || !/[_/]/.test(text)) return text;
  return text.split(/(?<=[_/])/).flatMap((part, i) => (i === 0 ? [part] : [<wbr key={i} />, part]));
}

export type Fact = readonly [term: string, value: ComponentChildren];

export function Facts({ facts }: { readonly facts: readonly Fact[] }): JSX.Element {
  return (
    <dl class="facts">
      {facts.map(([term, value]) => (
        <div key={term}>
          <dt>{breakable(term)}</dt>
          <dd>{breakable(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Note({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return <p class="note">{children}</p>;
}
