//! The cast of a stage: actors on one timeline, which may follow joints of other actors, and crowds.

mod asset;
mod crowds;
pub(crate) mod debug_lines;
mod export;
mod states;
mod steps;

pub use asset::{Asset, AssetBuilder};
pub use crowds::CrowdMember;
pub(crate) use debug_lines::DebugScene;
pub use debug_lines::DebugViews;
pub use export::RecordedFrame;

use crate::animation::{Actor, Billboards, Event, Facing, Flipbooks, Skinning, Transport, unscaled};
use crate::base::{Aabb, Affine, feature, order};
use crate::model::NodeId;
use crate::render::UnevenGround;
use crate::viewer::error::StageError;
use crowds::CrowdExtent;
use glam::Vec3;
use states::Driver;
use std::rc::Rc;

/// The id of an actor on a stage. Ids are not reused, so a stale id never refers to a new actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActorId(u32);

impl ActorId {
    /// The id with this number, whether or not a stage has such an actor.
    pub fn new(number: u32) -> Self {
        Self(number)
    }

    /// The number of the id.
    pub fn number(self) -> u32 {
        self.0
    }
}

/// An actor on stage.
#[derive(Debug, Clone)]
pub struct Member {
    /// The id of the actor.
    pub id: ActorId,
    /// The model of the actor.
    pub asset: Rc<Asset>,
    /// The state of the actor.
    pub actor: Actor,
    /// The bounding box at the last [`Cast::pose`], in world space; `None` if nothing is visible.
    pub bounds: Option<Aabb>,
    /// The placement in world space, or relative to the joint that it follows.
    place: Affine,
    /// The placement when time last moved.
    place_before: Affine,
    follows: Option<Follow>,
    /// The state machine that advances the player, if there is one.
    states: Option<Box<dyn Driver>>,
    /// The ground of its feet, if it is not flat.
    ground: Option<Rc<UnevenGround>>,
}

impl Member {
    fn is_moving(&self) -> bool {
        let pending = || self.states.as_ref().is_some_and(|states| states.is_pending(&self.actor.player));
        self.actor.is_moving() || pending()
    }

    fn set_time(&mut self, now: f64) {
        // Transitions begin here, not in the next pose: a pose must not depend on the poses computed before it.
        self.actor.begin_transition();
        let player = &mut self.actor.player;
        match &mut self.states {
            None => player.advance_to(now),
            Some(states) => states.advance_to(player, now),
        }
        self.actor.begin_transition();
    }

    /// `true` if it follows a joint of another actor.
    pub fn is_attached(&self) -> bool {
        self.follows.is_some()
    }

    /// Computes the rotations for dual-quaternion skinning, and the bounding box with it.
    fn update_rotations(&mut self, boxes: &mut Vec<Aabb>) {
        self.actor.extract_rotations(true);
        self.bounds = self.actor.dual_quaternion_bounds(&self.asset.bounds, self.asset.sharing(), boxes);
    }
}

/// The units of offsets at a joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum JointSpace {
    /// Metres of the model: the joint's position and orientation, without the scale of its chain; see [`unscaled`].
    #[default]
    Metres,
    /// Units of the joint, with the scale of its chain.
    Joint,
}

impl JointSpace {
    /// `world_from_frame` for a node of a model placed at `world_from_model`.
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

/// The actors of a stage and their timeline; independent of the GPU.
#[derive(Debug, Clone, Default)]
pub struct Cast {
    /// Sorted by id.
    members: Vec<Member>,
    /// The indices of all members; leaders precede their followers.
    order: Vec<usize>,
    next: u32,
    now: f64,
    /// `true` if poses, placements and boxes are up to date.
    posed: bool,
    /// `true` if transitions, springs, gaze and feet have taken their step to this pose; see [`Cast::pose_frame`].
    stepped: bool,
    /// `true` after a call that can change the clips that an actor plays.
    commanded: bool,
    /// `true` if all actors are shown in the bind pose, whatever they play.
    bound: bool,
    skinning: Skinning,
    /// See [`Cast::has_sprites`].
    has_sprites: bool,
    crowds: Vec<CrowdMember>,
    /// The extent of the crowds at the last pose.
    crowd_extent: CrowdExtent,
    /// A reusable buffer of boxes.
    boxes: Vec<Aabb>,
}

feature! {
    list for_crowds;
    fn remove_crowd(cast: &mut Cast, id: ActorId) -> Result<Rc<Asset>, StageError> = Cast::remove_crowd;
    fn crowd_moves(cast: &Cast) -> bool = Cast::crowd_moves;
    fn set_crowd_time(cast: &mut Cast, rebased_from: Option<f64>) = Cast::set_crowd_time;
    fn crowds_have_events(cast: &Cast) -> bool = Cast::crowds_have_events;
    fn drain_crowd_events(cast: &mut Cast, receive: &mut dyn FnMut(ActorId, Event)) = Cast::drain_crowd_events;
    fn scrub_crowds(cast: &mut Cast, fraction: f64) -> bool = Cast::scrub_crowds;
    fn measure_crowds(cast: &mut Cast) = Cast::measure_crowds;
    fn update_clips_of_crowds(cast: &mut Cast, asset: &Rc<Asset>) = Cast::update_clips_of_crowds;
}

feature! {
    list for_retargeting;
    fn begin_with_other_clips(actor: &mut Actor, asset: &Asset) = Asset::begin_with_other_clips;
}

feature! {
    list for_sprites;
    /// Makes all flip-books show the cell at a time in seconds.
    pub(super) fn show_cells(cast: &mut Cast, time: f64) = Cast::show_cells;
    fn shift_flipbooks(cast: &mut Cast, seconds: f64) = Cast::shift_flipbooks;
}

feature! {
    list for_debug;
    fn show_bind_pose(actor: &mut Actor) = Actor::show_bind_pose;
}

feature! {
    list for_skinning;
    fn update_rotations(member: &mut Member, boxes: &mut Vec<Aabb>) = Member::update_rotations;
}

impl Cast {
    /// Adds an actor at the start of its first clip that lasts, paused.
    pub fn add(&mut self, asset: Rc<Asset>, place: Affine) -> ActorId {
        let id = ActorId(self.next);
        self.next += 1;
        let mut actor = Actor::new(&asset.model, asset.rig());
        if asset.has_other_clips() {
            begin_with_other_clips(&mut actor, &asset);
        }
        actor.player.advance_to(self.now);
        self.members.push(Member {
            id,
            asset,
            actor,
            bounds: None,
            place,
            place_before: place,
            follows: None,
            states: None,
            ground: None,
        });
        self.reorder();
        id
    }

    /// Takes over the clips of a model after some were added, removed or replaced.
    pub fn update_clips(&mut self, asset: &Rc<Asset>) {
        self.posed = false;
        let clips = asset.clips();
        for member in self.members.iter_mut().filter(|member| Rc::ptr_eq(&member.asset, asset)) {
            member.actor.update_clips(&asset.model, &clips);
        }
        if self.has_crowds() {
            update_clips_of_crowds(self, asset);
        }
    }

    /// Sets the ground of an actor's feet, which receives the shadows; `None` for a plane.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn set_uneven_ground(
        &mut self,
        id: ActorId,
        ground: Option<Rc<UnevenGround>>,
    ) -> Result<(), StageError> {
        let at = self.index(id)?;
        self.members[at].ground = ground;
        Ok(())
    }

    /// The uneven ground of the stage: that of the first actor with one.
    pub fn uneven_ground(&self) -> Option<&Rc<UnevenGround>> {
        self.members.iter().find_map(|member| member.ground.as_ref())
    }

    /// Removes an actor or a crowd. Actors attached to it stay in place.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn remove(&mut self, id: ActorId) -> Result<Rc<Asset>, StageError> {
        let at = match self.index(id) {
            Ok(at) => at,
            Err(_) if self.has_crowds() => return remove_crowd(self, id),
            Err(error) => return Err(error),
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

    /// Places an actor: `world_from_model`, or, while it follows a joint, relative to the joint.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn place(&mut self, id: ActorId, place: Affine) -> Result<(), StageError> {
        let at = self.index(id)?;
        self.members[at].place = place;
        self.posed = false;
        Ok(())
    }

    /// Attaches an actor to a joint, [without physics](Cast::teleport). In every frame it is at `world_from_frame · offset · place`, where the frame is the
    /// joint in a [`JointSpace`].
    ///
    /// # Errors
    /// `NoActor`, `NoJoint`, or `Cycle` if `leader` is the actor or follows it, directly or indirectly. Nothing changes
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
        if self.has_memory() {
            self.jump(id);
        }
        Ok(())
    }

    /// Detaches an actor from its joint. It stays in place.
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

    /// All actors, sorted by id, which is the order of their creation.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// The front of the cast: that of the model of the first actor that follows no joint, else of the first crowd, else +Z.
    pub fn front(&self) -> Vec3 {
        let standing = self.members.iter().find(|member| !member.is_attached());
        let first = standing.map(|member| &member.asset);
        let first = first.or_else(|| self.crowds.first().map(|crowd| &crowd.asset));
        first.map_or(Vec3::Z, |asset| asset.model.front())
    }

    /// An actor.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn get(&self, id: ActorId) -> Result<&Member, StageError> {
        Ok(&self.members[self.index(id)?])
    }

    /// An actor, for changes.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn actor_mut(&mut self, id: ActorId) -> Result<&mut Actor, StageError> {
        let at = self.index(id)?;
        (self.posed, self.commanded) = (false, true);
        Ok(&mut self.members[at].actor)
    }

    /// An actor, for reading what needs buffers of it.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn actor_silently(&mut self, id: ActorId) -> Result<&mut Actor, StageError> {
        let at = self.index(id)?;
        Ok(&mut self.members[at].actor)
    }

    /// The playback controls of an actor's base or layer, for reading.
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

    /// The playback controls of an actor, for changes; see [`Cast::track`].
    ///
    /// # Errors
    /// `NoActor`, `NoLayer`.
    pub fn track_mut(&mut self, id: ActorId, layer: Option<u32>) -> Result<Transport<'_>, StageError> {
        (self.posed, self.commanded) = (false, true);
        self.track(id, layer)
    }

    /// `true` if a call since the last one may have changed the clips of an actor. Actors never change clips by themselves.
    pub fn take_commanded(&mut self) -> bool {
        std::mem::take(&mut self.commanded)
    }

    /// The timeline's time in seconds.
    pub fn now(&self) -> f64 {
        self.now
    }

    /// `true` if an actor or a crowd is playing, or a morph weight fades.
    pub fn is_moving(&self) -> bool {
        let moves = self.members.iter().any(Member::is_moving);
        moves || self.has_crowds() && crowd_moves(self)
    }

    /// Sets the timeline to `now` seconds, forwards or backwards by any amount; ignores values that are not finite. See
    /// [`Player::advance_to`](crate::animation::Player::advance_to).
    pub fn set_time(&mut self, now: f64) {
        if now.is_finite() {
            if self.has_memory() {
                self.take_steps(now);
            }
            self.now = now;
            self.posed = false;
            for member in &mut self.members {
                member.set_time(now);
                member.place_before = member.place;
            }
            if self.has_crowds() {
                set_crowd_time(self, None);
            }
            // The steps of springs, gaze and feet depend on the calls, not on the poses that are computed between them.
            if self.has_memory() {
                self.pose_frame();
            }
        }
    }

    /// Rebases the timeline: its current time becomes `now` seconds, and nothing moves. See
    /// [`Player::set_clock`](crate::animation::Player::set_clock).
    pub fn set_clock(&mut self, now: f64) {
        if now.is_finite() {
            let before = std::mem::replace(&mut self.now, now);
            self.members.iter_mut().for_each(|member| member.actor.player.set_clock(now));
            if self.has_sprites {
                shift_flipbooks(self, now - before);
            }
            if self.has_crowds() {
                set_crowd_time(self, Some(before));
            }
        }
    }

    /// Sets each actor and crowd to a fraction of its segment; see [`Transport::scrub`]. Completes the fades of morph
    /// weights, because the timeline does not move. Returns `true` if anything moved.
    pub fn scrub(&mut self, fraction: f64) -> bool {
        let mut moved = false;
        for member in &mut self.members {
            let mut base = member.actor.player.base();
            let before = base.position().time;
            base.scrub(fraction);
            moved |= base.position().time != before;
            member.actor.player.scrubbed();
            let elapsed = member.actor.player.elapsed();
            moved |= member.actor.morphs.is_fading(elapsed) || member.actor.expressions.is_fading(elapsed);
            moved |= member.actor.materials.end_fades(elapsed);
            member.actor.morphs.end_fades();
            member.actor.expressions.end_fades();
        }
        if self.has_crowds() {
            moved |= scrub_crowds(self, fraction);
        }
        self.posed &= !moved;
        moved
    }

    /// `true` if there are pending events.
    pub fn has_events(&self) -> bool {
        self.members.iter().any(|member| member.actor.player.has_events())
            || self.has_crowds() && crowds_have_events(self)
    }

    /// Takes the pending events of all players and calls `receive` for each: grouped by actor, oldest first. Then those of
    /// crowds, see [`Crowd::drain_events`](crate::animation::Crowd::drain_events).
    pub fn drain_events(&mut self, mut receive: impl FnMut(ActorId, Event)) {
        for member in &mut self.members {
            for event in member.actor.player.drain_events() {
                receive(member.id, event);
            }
        }
        if self.has_crowds() {
            drain_crowd_events(self, &mut receive);
        }
    }

    /// Notifies all players that the current state was displayed.
    pub fn presented(&mut self) {
        self.members.iter_mut().for_each(|member| member.actor.player.presented());
    }

    /// Notifies the root motion of all actors that a frame has ended.
    pub fn end_frame(&mut self) {
        self.members.iter_mut().for_each(|member| member.actor.player.end_travel_frame());
    }

    /// `true` if the pose of an actor depends on the frames before; see [`Actor::has_memory`].
    pub fn has_memory(&self) -> bool {
        self.members.iter().any(|member| member.actor.has_memory())
    }

    /// Updates poses, placements and boxes if they are out of date, leaders first. The call changes no later pose.
    pub fn pose(&mut self) {
        if !self.posed {
            self.stepped = !self.members.iter().any(|member| member.actor.takes_step());
            self.update(Actor::show);
        }
    }

    /// Updates the same for a frame: springs, gaze and feet take the step from the last frame to this one.
    pub fn pose_frame(&mut self) {
        if !(self.posed && self.stepped) {
            self.stepped = true;
            self.update(Actor::update);
        }
    }

    fn update(&mut self, update: fn(&mut Actor)) {
        self.posed = true;
        if self.has_crowds() || self.crowd_extent.bounds.is_some() {
            measure_crowds(self);
        }
        for &i in &self.order {
            let member = &self.members[i];
            let place = match member.follows {
                Some(follow) => self.follow(follow, &member.place),
                None => member.place,
            };
            let member = &mut self.members[i];
            member.actor.place = place;
            update(&mut member.actor);
            if self.bound {
                show_bind_pose(&mut member.actor);
            }
            member.actor.measure(&member.asset.bounds, &mut member.bounds);
            if self.skinning == Skinning::DualQuaternion {
                update_rotations(member, &mut self.boxes);
            }
        }
    }

    /// Turns all billboards to a camera, in the palettes and boxes of the last [`Cast::pose`]. The bind pose has none.
    pub fn face(&mut self, facing: &Facing) {
        if self.bound {
            return;
        }
        for member in self.members.iter_mut().filter(|member| !member.actor.billboards.is_empty()) {
            member.actor.face(facing);
            member.actor.measure(&member.asset.bounds, &mut member.bounds);
            if self.skinning == Skinning::DualQuaternion {
                member.update_rotations(&mut self.boxes);
            }
        }
    }

    /// The flip-books and billboards of an actor, for changes.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn sprites_mut(&mut self, id: ActorId) -> Result<(&mut Flipbooks, &mut Billboards), StageError> {
        self.has_sprites = true;
        let Actor { flipbooks, billboards, .. } = self.actor_mut(id)?;
        Ok((flipbooks, billboards))
    }

    /// `true` if an actor may have flip-books or billboards: if [`Cast::sprites_mut`] was called.
    pub fn has_sprites(&self) -> bool {
        self.has_sprites
    }

    fn shift_flipbooks(&mut self, seconds: f64) {
        self.members.iter_mut().for_each(|member| member.actor.flipbooks.shift(seconds));
    }

    fn show_cells(&mut self, time: f64) {
        self.posed = false;
        self.members.iter_mut().for_each(|member| member.actor.flipbooks.show_at(time));
    }

    /// The placement of an actor that follows a joint.
    fn follow(&self, Follow { leader, node, space, offset }: Follow, place: &Affine) -> Affine {
        let Ok(leader) = self.index(leader) else { return *place };
        let leader = &self.members[leader].actor;
        space.frame(&leader.node_matrices()[node.index()], &leader.place).mul(&offset).mul(place)
    }

    /// Shows all actors in the bind pose, or as animated; see [`Actor::show_bind_pose`].
    pub fn set_bind_pose(&mut self, on: bool) {
        self.posed &= self.bound == on;
        self.bound = on;
    }

    /// The skinning method of all actors.
    pub fn skinning(&self) -> Skinning {
        self.skinning
    }

    /// Sets the skinning method, from the next [`Cast::pose`] on.
    pub fn set_skinning(&mut self, skinning: Skinning) {
        self.skinning = skinning;
        self.posed = false;
        for member in &mut self.members {
            member.actor.extract_rotations(false);
        }
    }

    /// The bounding box of all actors and crowds, at the last [`Cast::pose`].
    pub fn bounds(&self) -> Option<Aabb> {
        let all = self.members.iter().filter_map(|member| member.bounds);
        self.with_crowds(all.reduce(|a, b| a.union(&b)))
    }

    /// `true` if there are crowds.
    pub fn has_crowds(&self) -> bool {
        !self.crowds.is_empty()
    }

    /// The union of a box and the box of all crowds, at the last [`Cast::pose`].
    pub(super) fn with_crowds(&self, others: Option<Aabb>) -> Option<Aabb> {
        match (others, self.crowd_extent.bounds) {
            (Some(a), Some(b)) => Some(a.union(&b)),
            (a, b) => a.or(b),
        }
    }

    /// The lowest height of a crowd member at rest, at the last [`Cast::pose`]; infinite without members.
    pub(super) fn crowd_ground(&self) -> f32 {
        self.crowd_extent.ground
    }

    /// `true` if an actor or a crowd shows the model.
    pub(super) fn shows(&self, asset: &Rc<Asset>) -> bool {
        let shows = |other: &Rc<Asset>| Rc::ptr_eq(other, asset);
        self.members.iter().any(|member| shows(&member.asset))
            || self.crowds.iter().any(|member| shows(&member.asset))
    }

    fn index(&self, id: ActorId) -> Result<usize, StageError> {
        self.members.binary_search_by_key(&id, |member| member.id).map_err(|_| StageError::NoActor)
    }

    /// The number of leaders above an actor, finite because [`Cast::attach`] rejects cycles.
    fn depth(&self, member: &Member) -> usize {
        let leader = |member: &Member| {
            member.follows.and_then(|follow| self.index(follow.leader).ok()).map(|at| &self.members[at])
        };
        std::iter::successors(leader(member), |member| leader(member)).count()
    }

    fn reorder(&mut self) {
        self.posed = false;
        let depth = |i: usize| self.depth(&self.members[i]);
        self.order = order(self.members.len(), &|a, b| depth(a).cmp(&depth(b)));
    }
}
