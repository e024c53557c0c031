// The command palette (Ctrl+K): every command of the page by its name.

import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { found, type Command } from './commands.ts';

/** The commands while the palette is open. */
const open = signal<readonly Command[] | null>(null);

export function openPalette(all: readonly Command[]): void {
  open.value = all;
}

export function Palette(): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const all = open.value;
  useEffect(() => {
    if (all && !dialog.current?.open) {
      setText('');
      setAt(0);
      dialog.current?.showModal();
    }
  }, [all]);
  const fitting = found(all ?? [], text);
  const chosen = Math.min(at, fitting.length - 1);
  useEffect(() => {
    dialog.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  });
  const run = (command: Command | undefined): void => {
    if (!command) return;
    dialog.current?.close();
    command.run();
  };
  const key = (event: KeyboardEvent): void => {
    const to: Record<string, number | undefined> = { ArrowDown: chosen + 1, ArrowUp: chosen - 1 };
    if (event.key === 'Enter') run(fitting[chosen]);
    else if (to[event.key] !== undefined) setAt(((to[event.key] ?? 0) + fitting.length) % Math.max(1, fitting.length));
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      class="dialog palette"
      ref={dialog}
      aria-label="Commands"
      onClose={() => {
        open.value = null;
      }}
      onClick={(event) => event.target === dialog.current && dialog.current?.close()}
    >
      <input
        type="text"
        role="combobox"
        aria-label="Find a command"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={fitting[chosen] ? `palette-${chosen}` : undefined}
        placeholder="Find a command, a panel or a clip"
        autocomplete="off"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setAt(0);
        }}
        onKeyDown={key}
      />
      <ul id="palette-list" role="listbox" aria-label="Commands">
        {fitting.map((command, i) => (
          <li
            key={command.name}
            id={`palette-${i}`}
            role="option"
            aria-selected={i === chosen}
            onClick={() => run(command)}
          >
            <span>{command.name}</span>
            {command.key && <kbd>{command.key}</kbd>}
          </li>
        ))}
      </ul>
      {fitting.length === 0 && <p class="note">No command has these words.</p>}
    </dialog>
  );
}
