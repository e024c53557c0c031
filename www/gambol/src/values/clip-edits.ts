// Edits of clips, as a page passes them.

import type { ClipSetup, ClipTrack, Interpolation, Marker, NamedNode, TrackPath } from './clips.ts';

/**
 * A track of a clip: its index in {@link ClipData.tracks}, the property of its node, or its JSON pointer.
 * @category Clips from numbers
 */
export type TrackRef =
  | number
  | {
      /** The node, as in {@link ClipTrack.node}. */
      readonly node: string | number | NamedNode;
      /** The property of the node. */
      readonly path: TrackPath;
    }
  | {
      /** The JSON pointer. */
      readonly pointer: string;
    };

/** A key of a track. @category Clips from numbers */
export interface TrackKey {
  /** The time in seconds; at least 0. A key at this time is replaced. */
  readonly time: number;
  /** The value. Default: that of the track at this time. */
  readonly value?: ArrayLike<number> | undefined;
  /** The in-tangent, per second, of a `CUBICSPLINE` track. Default: the slope of the track at this time. */
  readonly in?: ArrayLike<number> | undefined;
  /** The out-tangent, per second, of a `CUBICSPLINE` track. Default: as `in`. */
  readonly out?: ArrayLike<number> | undefined;
}

/** Keys of a track, by their indices. @category Clips from numbers */
export interface KeyRange {
  /** The track. */
  readonly track: TrackRef;
  /** The indices of the keys. */
  readonly keys: readonly number[];
}

/** Options of the edit `interpolation`. @category Clips from numbers */
export interface InterpolationEdit {
  /** The new interpolation. */
  readonly to: Interpolation;
  /** The track. Default: all tracks, except visibility. */
  readonly track?: TrackRef | undefined;
  /** New tangents: along the neighbours of each key (`smooth`), or 0 (`flat`). Default: `smooth`. */
  readonly tangents?: 'smooth' | 'flat' | undefined;
}

/** Options of the edit `closeLoop`. @category Clips from numbers */
export interface CloseLoopEdit {
  /** The seconds at the end of the clip in which it goes over to its beginning. Default: a quarter of the clip. */
  readonly over?: number | undefined;
  /** `false` to close values only, not their velocity. Default: true. */
  readonly velocity?: boolean | undefined;
  /** Nodes whose tracks stay as they are. */
  readonly except?: readonly (string | number | NamedNode)[] | undefined;
}

/**
 * An edit of a clip: exactly one of these. Times are seconds of the clip as the edits before have left it.
 * @category Clips from numbers
 */
export interface ClipEdit {
  /** The new name. */
  readonly rename?: string | undefined;
  /** New markers. */
  readonly markers?: readonly Marker[] | undefined;
  /** Other contents, such as those that {@link Model.clipData} has returned before an edit. */
  readonly replace?: ClipSetup | undefined;
  /** Adds a track. */
  readonly addTrack?: ClipTrack | undefined;
  /** Removes a track. */
  readonly removeTrack?: TrackRef | undefined;
  /** Adds keys to a track, or replaces those at the same times. */
  readonly setKeys?:
    | {
        /** The track. */
        readonly track: TrackRef;
        /** The keys. */
        readonly keys: readonly TrackKey[];
      }
    | undefined;
  /** Moves keys of a track by some seconds. A key at the time of another one replaces it. */
  readonly moveKeys?:
    | (KeyRange & {
        /** The movement in seconds. */
        readonly by: number;
      })
    | undefined;
  /** Deletes keys of a track; without keys, it is removed. */
  readonly deleteKeys?: KeyRange | undefined;
  /** Changes the interpolation of a track, or of all. */
  readonly interpolation?: InterpolationEdit | undefined;
  /** Keeps the part between two times. Default: from the beginning, to the end. */
  readonly trim?:
    | {
        /** The beginning in seconds. */
        readonly from?: number | undefined;
        /** The end in seconds. */
        readonly to?: number | undefined;
      }
    | undefined;
  /** Keeps the part before a time; the rest is a new clip, with this name or that of the clip. */
  readonly split?:
    | {
        /** The time in seconds. */
        readonly at: number;
        /** The name of the new clip. */
        readonly name?: string | undefined;
      }
    | undefined;
  /** Multiplies the speed, so that the clip is shorter above 1. */
  readonly speed?: number | undefined;
  /** Plays backwards. */
  readonly reverse?: true | undefined;
  /** Lets the end go over to the beginning, in value and velocity, so that the loop has no seam. */
  readonly closeLoop?: true | CloseLoopEdit | undefined;
  /** Holds the root in place: without the movement over the ground from the first key to the last, as `in-place` of root motion does. */
  readonly holdRoot?: true | undefined;
  /** Exchanges left and right: human bones, and other nodes by their names. Morph weights stay. */
  readonly mirror?: true | undefined;
}
