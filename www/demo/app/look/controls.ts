import { byId } from '../dom.ts';

/** A slider with its value in words; `change` gets each new one. */
export function slider(id: string, start: number, words: (value: number) => string, change: (value: number) => void): void {
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

/** A list to choose from. */
export function choice(id: string, change: (value: string) => void): HTMLSelectElement {
  const list = byId<HTMLSelectElement>(id);
  list.addEventListener('change', () => change(list.value));
  return list;
}
