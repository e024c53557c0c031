// The controls that edit the keys and the clip.

import type { Interpolation } from 'gambol';
import { KeyFields } from './key-fields.tsx';
import {
  addKeys,
  deleteKeys,
  editedChannels,
  editWhole,
  interpolate,
  setTangents,
  splitAtPlayhead,
  trimToRange,
} from './key-edits.ts';
import type { Session } from './session.ts';

const INTERPOLATIONS = ['STEP', 'LINEAR', 'CUBICSPLINE'] as const satisfies readonly Interpolation[];

export function EditBar({ session }: { session: Session }) {
  const { clip, keys, range, host } = session;
  const kinds = new Set(editedChannels(session).map(({ channel }) => channel.interpolation));
  const kind = kinds.size === 1 ? [...kinds].join() : '';
  const toggle = (words: string, title: string, name: 'selecting' | 'broken') => (
    <button
      class="tl-button"
      type="button"
      title={title}
      aria-pressed={session[name]}
      onClick={() => session.set(name, !session[name])}
    >
      {words}
    </button>
  );
  const button = (words: string, title: string, press: () => void, disabled = !clip) => (
    <button class="tl-button" type="button" title={title} disabled={disabled} onClick={press}>
      {words}
    </button>
  );
  return (
    <div class="tl-bar tl-edit" role="group" aria-label="Edit">
      <fieldset class="tl-group" aria-label="History">
        {button('Undo', 'Undo (Ctrl Z)', () => host.undo?.(), false)}
        {button('Redo', 'Redo (Ctrl Shift Z)', () => host.redo?.(), false)}
      </fieldset>
      <fieldset class="tl-group" aria-label="Keys">
        {button('Add key', 'Add a key at the playhead to the selected rows (K)', () => addKeys(session))}
        {button('Delete', 'Delete the selected keys (Delete)', () => deleteKeys(session), keys.length === 0)}
        {button('All', 'Select all keys of the selected rows, in the range if there is one (S)', () =>
          session.selectAllKeys(),
        )}
        {toggle('Select', 'A drag selects by a rectangle, and a press adds to the selection', 'selecting')}
      </fieldset>
      <select
        class="tl-select"
        aria-label="Interpolation of the selected rows"
        value={kind}
        disabled={kinds.size === 0}
        onChange={({ currentTarget }) => interpolate(session, currentTarget.value as Interpolation)}
      >
        {kind === '' && (
          <option value="" disabled>
            several
          </option>
        )}
        {INTERPOLATIONS.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <fieldset class="tl-group" aria-label="Tangents">
        {button(
          'Smooth',
          'Tangents along the neighbours of the selected keys; other curves become splines',
          () => setTangents(session, 'smooth'),
          keys.length === 0,
        )}
        {button(
          'Flat',
          'Tangents of 0 at the selected keys; other curves become splines',
          () => setTangents(session, 'flat'),
          keys.length === 0,
        )}
        {toggle('Break', 'A handle changes the tangent of its side only, as with Alt', 'broken')}
      </fieldset>
      <KeyFields session={session} keys={keys} graph={session.graph} broken={session.broken} />
      <fieldset class="tl-group" aria-label="Clip">
        {button('Split', 'Make two clips: before and after the playhead (T)', () => splitAtPlayhead(session))}
        {button('Trim', 'Keep the part in the range (set it with I and O)', () => trimToRange(session), !range)}
        {button('Reverse', 'Play backwards', () => editWhole(session, 'reverse', { reverse: true }))}
        {button('Mirror', 'Exchange left and right', () => editWhole(session, 'mirror', { mirror: true }))}
        {button('Close loop', 'The end goes over to the beginning', () =>
          editWhole(session, 'close loop', { closeLoop: true }),
        )}
        {button('In place', 'Hold the root over the ground', () =>
          editWhole(session, 'root in place', { holdRoot: true }),
        )}
      </fieldset>
      {clip && <ClipFields key={`${clip.index} ${clip.name}`} session={session} name={clip.name} />}
      <span class="tl-space" />
      {button('Save file', 'Download the file with all edits', () => host.save?.())}
    </div>
  );
}

/** The name and the speed of the clip; Enter, or the end of the input, changes them. */
function ClipFields({ session, name }: { session: Session; name: string }) {
  const changeSpeed = (input: HTMLInputElement): void => {
    const factor = Number(input.value);
    // The clip has its new speed from now on.
    input.value = '1';
    if (factor > 0 && factor !== 1 && Number.isFinite(factor))
      editWhole(session, `speed × ${factor}`, { speed: factor });
  };
  return (
    <>
      <label class="tl-field">
        Name
        <input
          class="tl-clip-name"
          type="text"
          ref={(input) => {
            // The text of the user is no longer the name after an undo.
            if (input && document.activeElement !== input) input.value = name;
          }}
          defaultValue={name}
          maxLength={200}
          onChange={({ currentTarget: { value } }) => {
            if (value !== name) editWhole(session, `rename to ${value}`, { rename: value });
          }}
        />
      </label>
      <label class="tl-field">
        Speed ×
        <input
          type="number"
          min={0.01}
          step="any"
          defaultValue="1"
          onChange={({ currentTarget }) => changeSpeed(currentTarget)}
        />
      </label>
    </>
  );
}
