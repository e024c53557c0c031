import type { Engine } from '../stage/engine.ts';
import { GambolError } from '../base/errors.ts';
import type { Joint, JointFollower, JointOwner } from './joint.ts';
import type { Model } from '../load/model.ts';
import { Performer } from './performer.ts';
import { placeNumbers, type Place } from '../values/transforms.ts';

/** An attachment: the joint that an actor follows, and its offset there. */
interface Attachment {
  readonly leader: JointOwner;
  readonly joint: Joint;
  readonly ownUnits: boolean;
  readonly offset: Float32Array;
}

/**
 * A further actor on a viewer's stage, made by {@link Viewer.add}. It has the playback controls and playback events of a viewer.
 * After {@link Actor.remove} every call throws `actor/removed`.
 * @category Viewers and actors
 */
export class Actor extends Performer implements JointFollower {
  #attachment: Attachment | undefined;
  #removed = false;

  /** @internal */
  constructor(engine: Engine, model: Model, place: Place, numbers: Float32Array) {
    super(engine);
    const { position, rotation, scale } = place;
    this.placed = {
      ...(position && { position }),
      ...(rotation && { rotation }),
      ...(scale !== undefined && { scale }),
    };
    this.enter(engine.host.add(model, numbers), model);
  }

  /**
   * Removes the actor from the stage. Actors that follow it stay at their current place. Calling it again does nothing.
   * @category Viewers and actors
   */
  remove(): void {
    if (this.#removed) return;
    this.engine.check();
    this.leave('Playback aborted: the actor was removed.');
    this.#removed = true;
    this.#attachment?.leader.setFollower(this, false);
    this.forgetFollowers();
  }

  /** Attaches the actor to a joint; returns a function that detaches it. @internal */
  attach(leader: JointOwner, joint: Joint, offset: Place, ownUnits: boolean): () => void {
    this.check();
    const attachment: Attachment = { leader, joint, ownUnits, offset: placeNumbers(offset) };
    this.#applyAttachment(attachment);
    this.#attachment?.leader.setFollower(this, false);
    this.#attachment = attachment;
    leader.setFollower(this, true);
    return () => {
      if (this.#attachment === attachment) this.detach();
    };
  }

  /** Detaches the actor from its joint, if it follows one. @internal */
  detach(): void {
    const attachment = this.#attachment;
    if (!attachment || this.#removed) return;
    this.#attachment = undefined;
    attachment.leader.setFollower(this, false);
    this.change((stage, follower) => stage.detach(follower));
  }

  /**
   * Attaches to the joint of the same name in the leader's new model; without such a joint, the actor stays where it is.
   *
   * @internal
   */
  reattach(): void {
    try {
      if (this.#attachment) this.#applyAttachment(this.#attachment);
    } catch (error) {
      if (!(error instanceof GambolError && error.code === 'joint/not-found')) throw error;
    }
  }

  /** @internal */
  protected override check(): void {
    super.check();
    if (this.#removed)
      throw new GambolError('actor/removed', 'This actor was removed. Add it again with viewer.add().');
  }

  #applyAttachment({ leader, joint, ownUnits, offset }: Attachment): void {
    const { index } = joint;
    const place = placeNumbers(this.placed);
    const leaderId = leader.number();
    this.change((stage, actor) => {
      stage.attach(actor, leaderId, index, ownUnits, offset);
      // While it was detached, its place was in the world; now it is relative to the joint.
      stage.place(actor, place);
    });
  }
}
