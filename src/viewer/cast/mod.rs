//! Who is on stage: actors on one timeline, some of whom follow joints of others.

mod asset;
mod crowds;
mod debug_lines;

pub use asset::{Asset, AssetBuilder};
pub use crowds::CrowdMember;
pub(crate) use debug_lines::DebugScene;
pub use debug_lines::DebugViews;

use crate::animation::{Actor, Event, Skinning, Transport, unscaled};
use crate::base::{Aabb, Affine, deferred};
use crate::model::NodeId;
use crate::viewer::error::StageError;
use crowds::Taken;
use std::rc::Rc;

/// The lists of this room; see `base/deferred.rs`.
#[cfg(feature = "split")]
pub(crate) static DEFERRED_LISTS: [&dyn crate::base::DeferredList; 2] = [&DEFERRED, &debug_lines::DEFERRED];

/// An actor on a stage. Never given to another one, so that one who was removed is not mistaken for a new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActorId(u32);

impl ActorId {
    /// The id with a number; it need not be on any stage.
    pub fn new(number: u32) -> Self {
        Self(number)
    }

    /// The number.
    pub fn number(self) -> u32 {
        self.0
    }
}

/// An actor with what the stage knows of it.
#[derive(Debug, Clone)]
pub struct Member {
    /// Its id.
    pub id: ActorId,
    /// What it shows.
    pub asset: Rc<Asset>,
    /// What it does.
    pub actor: Actor,
    /// The box around its pose of the last [`Cast::pose`], in world space; `None` if nothing is shown.
    pub bounds: Option<Aabb>,
    /// Where it stands: in the world, or relative to what it follows.
    place: Affine,
    follows: Option<Follow>,
}

impl Member {
    /// Whether it follows a joint of another.
    pub fn is_attached(&self) -> bool {
        self.follows.is_some()
    }

    /// Takes the rotations that dual quaternions need, and measures the box around them.
    fn turn(&mut self, boxes: &mut Vec<Aabb>) {
        self.actor.turn(true);
        self.bounds = self.actor.turned_bounds(&self.asset.bounds, self.asset.sharing(), boxes);
    }
}

/// The units of offsets at a joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum JointSpace {
    /// Those of the model: the joint's place and orientation, without the scale of its chain; see [`unscaled`].
    #[default]
    Metres,
    /// Those of the joint, scaled as its chain is.
    Joint,
}

impl JointSpace {
    /// `world_from_frame` for a node of a model that stands at `world_from_model`.
    pub fn frame(self, world_from_node: &Affine, world_from_model: &Affine) -> Affine {
        match self {
            Self::Metres => unscaled(world_from_node, world_from_model),
            Self::Joint => *world_from_node,
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Follow {
    leader: ActorId,
    node: NodeId,
    space: JointSpace,
    offset: Affine,
}

/// The actors of a stage and their timeline. Knows no GPU.
#[derive(Debug, Clone, Default)]
pub struct Cast {
    /// By id.
    members: Vec<Member>,
    /// Indices of all members, leaders before those that follow them.
    order: Vec<usize>,
    next: u32,
    now: f64,
    /// Whether poses, places and boxes are those of the present state.
    posed: bool,
    /// `true` after a call that can change the clips that an actor plays.
    commanded: bool,
    /// Whether everybody stands as they were bound, whatever they play.
    bound: bool,
    skinning: Skinning,
    crowds: Vec<CrowdMember>,
    /// What the crowds took up at the last pose.
    taken: Taken,
    /// What boxes are put together in, kept for its memory.
    boxes: Vec<Aabb>,
}

deferred! {
    fn remove_crowd(cast: &mut Cast, id: ActorId) -> Result<Rc<Asset>, StageError> = Cast::remove_crowd;
    fn crowd_moves(cast: &Cast) -> bool = Cast::crowd_moves;
    fn tell_crowds(cast: &mut Cast, renamed: Option<f64>) = Cast::tell_crowds;
    fn scrub_crowds(cast: &mut Cast, fraction: f64) -> bool = Cast::scrub_crowds;
    fn measure_taken(cast: &mut Cast) = Cast::measure_taken;
    fn place_at_joint(cast: &Cast, follow: Follow, place: &Affine) -> Affine = Cast::follow;
    fn put_bind_pose(actor: &mut Actor) = Actor::put_bind_pose;
    fn turn(member: &mut Member, boxes: &mut Vec<Aabb>) = Member::turn;
}

impl Cast {
    /// Adds an actor at the beginning of its first clip, paused.
    pub fn add(&mut self, asset: Rc<Asset>, place: Affine) -> ActorId {
        let id = ActorId(self.next);
        self.next += 1;
        let mut actor = Actor::new(&asset.model, Rc::clone(&asset.rig));
        actor.player.advance_to(self.now);
        self.members.push(Member { id, asset, actor, bounds: None, place, follows: None });
        self.reorder();
        id
    }

    /// Removes an actor, or a crowd. Those that follow it stay where they stand.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn remove(&mut self, id: ActorId) -> Result<Rc<Asset>, StageError> {
        let at = match self.index(id) {
            Ok(at) => at,
            Err(_) if self.has_crowds() => return remove_crowd(self, id),
            Err(gone) => return Err(gone),
        };
        self.pose();
        for member in &mut self.members {
            if member.follows.is_some_and(|follow| follow.leader == id) {
                (member.place, member.follows) = (member.actor.place, None);
            }
        }
        let member = self.members.remove(at);
        self.reorder();
        Ok(member.asset)
    }

    /// Places an actor: `world_from_model`, or, while it follows a joint, relative to there.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn place(&mut self, id: ActorId, place: Affine) -> Result<(), StageError> {
        let at = self.index(id)?;
        self.members[at].place = place;
        self.posed = false;
        Ok(())
    }

    /// Makes an actor follow a joint: it stands at `world_from_frame · offset · place`, in every frame, where the frame is the
    /// joint in a [`JointSpace`].
    ///
    /// # Errors
    /// `NoActor`, `NoJoint`, or `Cycle` if `leader` is the actor or follows it, be it through others. Nothing changes
    /// then.
    pub fn attach(
        &mut self,
        id: ActorId,
        leader: ActorId,
        node: NodeId,
        space: JointSpace,
        offset: Affine,
    ) -> Result<(), StageError> {
        let at = self.index(id)?;
        if node.index() >= self.members[self.index(leader)?].asset.model.nodes.len() {
            return Err(StageError::NoJoint);
        }
        let mut up = Some(leader);
        while let Some(above) = up {
            if above == id {
                return Err(StageError::Cycle);
            }
            up = self.members[self.index(above)?].follows.map(|follow| follow.leader);
        }
        self.members[at].follows = Some(Follow { leader, node, space, offset });
        self.reorder();
        Ok(())
    }

    /// Makes an actor follow nobody. It stays where it stands.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn detach(&mut self, id: ActorId) -> Result<(), StageError> {
        let at = self.index(id)?;
        self.pose();
        let member = &mut self.members[at];
        if member.follows.take().is_some() {
            member.place = member.actor.place;
            self.reorder();
        }
        Ok(())
    }

    /// All actors, by id: the order in which they came.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// An actor.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn get(&self, id: ActorId) -> Result<&Member, StageError> {
        Ok(&self.members[self.index(id)?])
    }

    /// An actor, to be changed.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn actor_mut(&mut self, id: ActorId) -> Result<&mut Actor, StageError> {
        let at = self.index(id)?;
        (self.posed, self.commanded) = (false, true);
        Ok(&mut self.members[at].actor)
    }

    /// The controls of what an actor plays, to be read: of its base, or of a layer.
    ///
    /// # Errors
    /// `NoActor`, `NoLayer`.
    pub fn track(&mut self, id: ActorId, layer: Option<u32>) -> Result<Transport<'_>, StageError> {
        let at = self.index(id)?;
        let player = &mut self.members[at].actor.player;
        match layer {
            None => Ok(player.base()),
            Some(layer) => player.layer(layer).ok_or(StageError::NoLayer),
        }
    }

    /// The controls of what an actor plays; see [`Cast::track`].
    ///
    /// # Errors
    /// `NoActor`, `NoLayer`.
    pub fn track_mut(&mut self, id: ActorId, layer: Option<u32>) -> Result<Transport<'_>, StageError> {
        (self.posed, self.commanded) = (false, true);
        self.track(id, layer)
    }

    /// `true` if an actor may have been told to play other clips since the last call. None plays others by itself.
    pub fn take_commanded(&mut self) -> bool {
        std::mem::take(&mut self.commanded)
    }

    /// The timeline's time in seconds.
    pub fn now(&self) -> f64 {
        self.now
    }

    /// Whether anybody moves by itself.
    pub fn is_moving(&self) -> bool {
        let moves = self.members.iter().any(|member| member.actor.player.is_moving());
        moves || self.has_crowds() && crowd_moves(self)
    }

    /// Sets the timeline to `now` seconds, forwards or backwards by any amount; what is not finite does nothing. See
    /// [`Player::advance_to`](crate::animation::Player::advance_to).
    pub fn set_time(&mut self, now: f64) {
        if now.is_finite() {
            self.now = now;
            self.posed = false;
            self.members.iter_mut().for_each(|member| member.actor.player.advance_to(now));
            if self.has_crowds() {
                tell_crowds(self, None);
            }
        }
    }

    /// Calls the timeline's present time `now` seconds; nothing moves. See
    /// [`Player::set_clock`](crate::animation::Player::set_clock).
    pub fn set_clock(&mut self, now: f64) {
        if now.is_finite() {
            let before = std::mem::replace(&mut self.now, now);
            self.members.iter_mut().for_each(|member| member.actor.player.set_clock(now));
            if self.has_crowds() {
                tell_crowds(self, Some(before));
            }
        }
    }

    /// Sets what everybody plays to a fraction of its segment; see [`Transport::scrub`]. Returns whether anything moved.
    pub fn scrub(&mut self, fraction: f64) -> bool {
        let mut moved = false;
        for member in &mut self.members {
            let mut base = member.actor.player.base();
            let before = base.position().time;
            base.scrub(fraction);
            moved |= base.position().time != before;
        }
        if self.has_crowds() {
            moved |= scrub_crowds(self, fraction);
        }
        self.posed &= !moved;
        moved
    }

    /// Whether there are events to take.
    pub fn has_events(&self) -> bool {
        self.members.iter().any(|member| member.actor.player.has_events())
    }

    /// Takes the events of all players and tells each: those of an actor together, oldest first.
    pub fn drain_events(&mut self, mut tell: impl FnMut(ActorId, Event)) {
        for member in &mut self.members {
            for event in member.actor.player.drain_events() {
                tell(member.id, event);
            }
        }
    }

    /// Tells that the present state was shown.
    pub fn presented(&mut self) {
        self.members.iter_mut().for_each(|member| member.actor.player.presented());
    }

    /// Brings poses, places and boxes up to date, leaders first.
    pub fn pose(&mut self) {
        if std::mem::replace(&mut self.posed, true) {
            return;
        }
        if self.has_crowds() || self.taken.bounds.is_some() {
            measure_taken(self);
        }
        for &i in &self.order {
            let member = &self.members[i];
            let place = match member.follows {
                Some(follow) => place_at_joint(self, follow, &member.place),
                None => member.place,
            };
            let member = &mut self.members[i];
            member.actor.place = place;
            member.actor.update();
            if self.bound {
                put_bind_pose(&mut member.actor);
            }
            member.actor.measure(&member.asset.bounds, &mut member.bounds);
            if self.skinning == Skinning::DualQuaternion {
                turn(member, &mut self.boxes);
            }
        }
    }

    /// The place of somebody who follows a joint.
    fn follow(&self, Follow { leader, node, space, offset }: Follow, place: &Affine) -> Affine {
        let Ok(leader) = self.index(leader) else { return *place };
        let leader = &self.members[leader].actor;
        space.frame(&leader.node_matrices()[node.index()], &leader.place).mul(&offset).mul(place)
    }

    /// Shows everybody as they were bound, or as they are; see [`Actor::put_bind_pose`].
    pub fn set_bind_pose(&mut self, on: bool) {
        self.posed &= self.bound == on;
        self.bound = on;
    }

    /// How the joints of all actors are blended.
    pub fn skinning(&self) -> Skinning {
        self.skinning
    }

    /// Sets that, from the next [`Cast::pose`] on.
    pub fn set_skinning(&mut self, skinning: Skinning) {
        self.skinning = skinning;
        self.posed = false;
        for member in &mut self.members {
            member.actor.turn(false);
        }
    }

    /// The box around everybody, at the last [`Cast::pose`].
    pub fn bounds(&self) -> Option<Aabb> {
        let all = self.members.iter().filter_map(|member| member.bounds);
        self.with_crowds(all.reduce(|a, b| a.union(&b)))
    }

    /// Whether there are crowds.
    pub fn has_crowds(&self) -> bool {
        !self.crowds.is_empty()
    }

    /// A box and that around all crowds, whatever they play, at the last [`Cast::pose`].
    pub(super) fn with_crowds(&self, others: Option<Aabb>) -> Option<Aabb> {
        match (others, self.taken.bounds) {
            (Some(a), Some(b)) => Some(a.union(&b)),
            (a, b) => a.or(b),
        }
    }

    /// How high the lowest of a crowd stands at rest, at the last [`Cast::pose`]; infinite without any.
    pub(super) fn crowd_ground(&self) -> f32 {
        self.taken.ground
    }

    /// Whether an actor or a crowd shows a model.
    pub(super) fn shows(&self, asset: &Rc<Asset>) -> bool {
        let shows = |other: &Rc<Asset>| Rc::ptr_eq(other, asset);
        self.members.iter().any(|member| shows(&member.asset))
            || self.crowds.iter().any(|member| shows(&member.asset))
    }

    fn index(&self, id: ActorId) -> Result<usize, StageError> {
        self.members.binary_search_by_key(&id, |member| member.id).map_err(|_| StageError::NoActor)
    }

    /// By how many an actor is led, which `attach` keeps finite.
    fn depth(&self, member: &Member) -> usize {
        let leader = |member: &Member| {
            member.follows.and_then(|follow| self.index(follow.leader).ok()).map(|at| &self.members[at])
        };
        std::iter::successors(leader(member), |member| leader(member)).count()
    }

    fn reorder(&mut self) {
        self.posed = false;
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.extend(0..self.members.len());
        order.sort_unstable_by_key(|&i| (self.depth(&self.members[i]), i));
        self.order = order;
    }
}
