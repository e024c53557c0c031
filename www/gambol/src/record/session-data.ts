// The data of sessions.

/**
 * A number, a text, a flag, nothing (null), a list, or a structure. JSON has no infinite numbers, so those are text in a list.
 * @category Recordings
 */
export type SessionValue =
  | number
  | string
  | boolean
  | null
  | {
      /** The type of the list; `number` for a single number. */
      readonly list: 'f32' | 'f64' | 'u32' | 'text' | 'number';
      /** The elements of the list. */
      readonly values: readonly (number | string)[];
    }
  | {
      /** The type of the list: any values. */
      readonly list: 'values';
      /** The elements of the list. */
      readonly values: readonly SessionValue[];
    }
  | {
      /** The fields of the structure by their names. */
      readonly fields: { readonly [name: string]: SessionValue };
    };

/** A call of the page or an input of the user. @category Recordings */
export interface SessionCall {
  /** The time in seconds after the start of the session. */
  readonly time: number;
  /** The time of the timeline in seconds after the start. It stands while nothing plays. */
  readonly timeline: number;
  /** The topic of the core: `stage`, `playback`, `layers`, `joints`, `camera`, `lighting` or `crowds`. */
  readonly topic: SessionTopic;
  /** The name of its method. */
  readonly name: string;
  /** The arguments. Actors and crowds are numbered in the order in which they entered the stage. */
  readonly args: readonly SessionValue[];
  /** The number of the layer that the call has made. */
  readonly layer?: number;
}

/**
 * The calls of a page and the input of its user, with their times. It is plain data, which `JSON.stringify` can store.
 * @category Recordings
 */
export interface Session {
  /** The version of the format. */
  readonly version: 3;
  /** The duration in seconds. */
  readonly duration: number;
  /** The time of the timeline at the end, in seconds after the start. */
  readonly timeline: number;
  /** The calls, sorted by time. Those of time 0 set the state at the start. */
  readonly calls: readonly SessionCall[];
}

/** A part of the stage whose methods a session holds. @category Recordings */
export type SessionTopic = 'stage' | 'playback' | 'layers' | 'joints' | 'camera' | 'lighting' | 'crowds';
