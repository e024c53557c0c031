// The JSON of the file in a dialog, at the place of a JSON pointer.

import { byId } from '../app/dom.ts';
import type { Inspector } from './inspector.ts';

/** Opens the dialog with the JSON of the file at a pointer; an empty one is the top. */
export function openJson(inspector: Inspector, pointer: string): void {
  const opened = inspector.opened.peek();
  if (!opened) return;
  const dialog = byId<HTMLDialogElement>('json-dialog');
  byId('json-title').textContent = pointer === '' ? opened.file.name : pointer;
  if (!dialog.open) dialog.showModal();
  const root = byId('json-text');
  root.replaceChildren('Loading …');
  import('./json-editor.ts')
    .then(({ showJson }) => {
      if (!showJson(root, opened.file.json, pointer))
        inspector.status.announce(`The file has no ${pointer}; the nearest place is shown.`);
    })
    .catch((error: unknown) => root.replaceChildren(`The view of the JSON could not be loaded: ${String(error)}`));
}
