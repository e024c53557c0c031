// The keys of the selected rows as a table: the text equivalent of the dope sheet.

import type { ClipChannel } from 'gambol';
import { formatted } from './curves.ts';
import { traceSvg } from './mark-icon.tsx';
import { channelsOf, componentNames } from './rows.ts';
import type { Session } from './session.ts';
import { keyValue } from './values.ts';

/** The most rows of the table. */
const MOST = 400;

export function KeysTable({ session }: { session: Session }) {
  const channels = [...new Set(session.selectedRows.flatMap((row) => channelsOf(row)))];
  const count = channels.reduce((sum, { channel }) => sum + channel.times.length, 0);
  const rows = channels
    .flatMap((row) => Array.from(row.channel.times, (time, key) => ({ row, time, key })))
    .sort((a, b) => a.time - b.time)
    .slice(0, MOST);
  const selected = new Set(session.keys.map(({ row, key }) => `${row.id}:${key}`));
  const words = count > MOST ? `: the first ${MOST} of ${count}. Select fewer rows to see the others` : '';
  return (
    <table class="tl-table">
      <caption>Keys of the selected rows{words}</caption>
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Frame</th>
          <th scope="col">Joint</th>
          <th scope="col">Channel</th>
          <th scope="col">Interpolation</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ row, time, key }) => (
          <tr key={`${row.id}:${key}`} aria-current={selected.has(`${row.id}:${key}`) ? 'true' : undefined}>
            <td>
              <button
                class="tl-link"
                type="button"
                title="Go to the key"
                onClick={() => {
                  session.viewer.pause();
                  session.seek(time);
                  session.axis.reveal(time);
                  session.selectKeys([{ row, key }]);
                }}
              >
                {time.toFixed(4)} s
              </button>
            </td>
            <td>{(time * session.fps).toFixed(2).replace(/\.00$/, '')}</td>
            <td>{row.joint.name}</td>
            <td>{row.name}</td>
            <td>
              {traceSvg(row.channel.interpolation)} {row.channel.interpolation}
            </td>
            <td class="tl-value">{valueWords(row.channel, key)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The value of a key in words. */
export function valueWords(channel: ClipChannel, key: number): string {
  const names = componentNames(channel);
  const words = keyValue(channel, key).slice(0, 8);
  const more = channel.components > words.length ? ' …' : '';
  return words.map((value, i) => (names.length > 1 ? `${names[i]} ` : '') + formatted(value)).join(' ') + more;
}
