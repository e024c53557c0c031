// Events of members of a crowd. A part of the script of the feature `crowds`.

/** The `detail` of the events of a {@link CrowdEvents}, by their names. @category Events */
export interface CrowdEventDetails {
  /** A repetition has ended and the next one has begun. */
  loop: MemberDetail & {
    /** The number of ended repetitions. */
    readonly iteration: number;
  };
  /** The playhead has passed or reached a marker; see {@link Clip.markers} and {@link Crowd.setMarkers}. */
  marker: MemberDetail & {
    /** The name of the marker. */
    readonly name: string;
    /** The id of the clip; null if it was removed. */
    readonly clip: string | null;
  };
  /** The end of the clip is reached, with the loop mode `once`. */
  finished: MemberDetail;
}

/** The `detail` of events of a member of a crowd. @category Events */
export interface MemberDetail {
  /** The index of the member. */
  readonly member: number;
  /** The time of the event in seconds of the clip, which may be between two frames. */
  readonly time: number;
  /** The number of events of the member that were skipped before this one, after a long gap. */
  readonly skipped?: number;
}

/** The name of an event of a crowd. @category Events */
export type CrowdEventName = keyof CrowdEventDetails;

/** An event of a crowd. @category Events */
export type CrowdEvent<Name extends CrowdEventName = CrowdEventName> = CustomEvent<CrowdEventDetails[Name]>;

/**
 * The events of some members of a crowd. Made by {@link Crowd.events}.
 *
 * ```js
 * const steps = crowd.events([0, 1, 2]);
 * steps.addEventListener('marker', ({ detail: { member, name } }) => console.log(member, name));
 * ```
 * @category Crowds
 */
export class CrowdEvents extends EventTarget {
  /** The members, by their indices, in ascending order. */
  readonly members: readonly number[];
  readonly #stop: () => void;

  /** @internal */
  constructor(members: readonly number[], stop: (events: CrowdEvents) => void) {
    super();
    this.members = members;
    this.#stop = () => stop(this);
  }

  /** Ends the events. The crowd no longer computes those that nothing else listens to. */
  stop(): void {
    this.#stop();
  }

  /** Adds a listener for one of the events of {@link CrowdEventDetails}, whose `detail` has the type that is listed there. */
  override addEventListener<Name extends CrowdEventName>(
    type: Name,
    listener: ((event: CrowdEvent<Name>) => void) | { handleEvent(event: CrowdEvent<Name>): void } | null,
    options?: AddEventListenerOptions | boolean,
  ): void;
  override addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: AddEventListenerOptions | boolean,
  ): void;
  override addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: AddEventListenerOptions | boolean,
  ): void {
    super.addEventListener(type, listener, options);
  }

  /** Sends an event of a member. @internal */
  send<Name extends CrowdEventName>(type: Name, detail: CrowdEventDetails[Name]): void {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
