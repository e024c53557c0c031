// The dialog in which a state machine is written.

import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { copy } from '../clipboard.ts';
import type { Inspector } from '../inspector.ts';
import type { JsonEditor } from '../json-editor.ts';
import { Findings } from '../panels/report.tsx';
import { Button, IconButton } from '../ui.tsx';

interface Props {
  readonly inspector: Inspector;
  /** The JSON pointer of the place that is shown first. */
  readonly pointer: string;
  close(): void;
}

export function MachineEditor({ inspector, pointer, close }: Props): JSX.Element {
  const { machine } = inspector;
  const dialog = useRef<HTMLDialogElement>(null);
  const root = useRef<HTMLDivElement>(null);
  const editor = useRef<JsonEditor | null>(null);
  const [applied, setApplied] = useState<string | null>(null);
  const apply = (): void => {
    const text = editor.current?.text;
    if (text === undefined) return;
    setApplied(text);
    machine.play(text);
  };
  useEffect(() => {
    dialog.current?.showModal();
    const { current } = root;
    let ended = false;
    if (current)
      import('../json-editor.ts').then(
        ({ editJson }) => {
          if (ended) return;
          editor.current = editJson(current, machine.draft.peek(), 'State machine as JSON', apply);
          if (pointer !== '') editor.current.mark(pointer);
        },
        (error: unknown) => current.replaceChildren(`The editor could not be loaded: ${String(error)}`),
      );
    return () => {
      ended = true;
      editor.current?.end();
    };
  }, []);
  const running = machine.running.value;
  useEffect(() => {
    if (applied !== null && running?.text === applied) dialog.current?.close();
  }, [applied, running]);
  const faults = applied === null && pointer === '' ? [] : machine.faults.value;
  return (
    <dialog class="dialog json-dialog" ref={dialog} aria-label="State machine" onClose={close}>
      <div class="dialog-head">
        <h2>State machine</h2>
        <IconButton icon="close" label="Close" press={() => dialog.current?.close()} />
      </div>
      <div class="json-text" ref={root}>
        Loading …
      </div>
      <div role="status">
        <Findings findings={faults} open={(place) => editor.current?.mark(place)} />
      </div>
      <div class="buttons">
        <Button primary press={apply}>
          Play this machine
        </Button>
        <Button press={() => void copy(inspector, editor.current?.text ?? '', 'State machine copied')}>Copy</Button>
      </div>
    </dialog>
  );
}
