import { byId } from '../dom.ts';

/** Installs a slider that shows its value as text; `change` is called with each new value. */
export function slider(
  id: string,
  start: number,
  words: (value: number) => string,
  change: (value: number) => void,
): void {
  const input = byId<HTMLInputElement>(id);
  const output = byId<HTMLOutputElement>(`${id}-shown`);
  const show = (): void => {
    output.value = words(input.valueAsNumber);
    input.setAttribute('aria-valuetext', output.value);
  };
  input.value = String(start);
  input.addEventListener('input', () => {
    change(input.valueAsNumber);
    show();
  });
  show();
}

/** Installs a list of choices. */
export function choice(id: string, change: (value: string) => void): HTMLSelectElement {
  const list = byId<HTMLSelectElement>(id);
  list.addEventListener('change', () => change(list.value));
  return list;
}
