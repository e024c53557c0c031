// The check of sessions, which may come from a file.

import { GambolError } from '../base/errors.ts';
import { checkedObject } from '../values/options.ts';
import { areArguments, isAllowed } from './allowed.ts';
import type { Session, SessionCall } from './session-data.ts';

/** Checks that a value is a session, whose calls are allowed. @throws {@link GambolError} `argument/invalid` */
export function checkedSession(session: Session): void {
  checkedObject(session, 'session');
  const { version, duration, timeline, calls } = session as Partial<Session>;
  const known =
    version === 3 &&
    typeof duration === 'number' &&
    duration >= 0 &&
    duration < Infinity &&
    Number.isFinite(timeline) &&
    Array.isArray(calls);
  if (!known) throw new GambolError('argument/invalid', 'session must be a session of recordSession().');
  let time = 0;
  for (const [i, call] of (calls as readonly SessionCall[]).entries()) {
    if (!isCall(call) || call.time < time)
      throw new GambolError(
        'argument/invalid',
        `session must be a session of recordSession(); its call ${i} is none that a session can hold.`,
        { pointer: `/calls/${i}` },
      );
    time = call.time;
  }
}

function isCall(call: SessionCall | null): boolean {
  if (typeof call !== 'object' || call === null) return false;
  const { time, timeline, topic, name, args, layer } = call;
  return (
    Number.isFinite(time) &&
    Number.isFinite(timeline) &&
    isAllowed(topic, name) &&
    Array.isArray(args) &&
    areArguments(topic, name, args) &&
    (layer === undefined || Number.isInteger(layer))
  );
}
