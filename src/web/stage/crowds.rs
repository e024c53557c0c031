//! Crowds. Each has the number of the actor that it was made from.

use super::Stage;
use super::joints::{self, gaze};
use super::playback;
use super::shared::Shared;
use crate::animation::MemberPart;
use crate::model::{self, ClipId, NodeId};
use crate::viewer::{ActorId, StageError};
use crate::web::features::feature_methods;
use crate::web::structures::{Indices, structures};
use crate::web::words::{LoopMode, UpdateRate};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

structures! {
    /// A level of detail of a primitive.
    pub struct PrimitiveLevel: "PrimitiveLevel" {
        /// `undefined`: its own indices.
        indices: Option<Indices>,
    }

    /// A level of detail of the meshes.
    pub struct MeshLevel: "MeshLevel" {
        /// All primitives of the model.
        primitives: Vec<PrimitiveLevel>,
    }
}

/// Creates crowds and sets the attributes of members. Lists contain the numbers of consecutive members, from
/// `first` on. If a call throws, no member changes.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Crowds {
    shared: Rc<Shared>,
}

#[wasm_bindgen]
impl Crowds {
    /// The crowds of a stage.
    #[wasm_bindgen(constructor)]
    pub fn new(stage: &Stage) -> Crowds {
        Self { shared: Rc::clone(&stage.shared) }
    }
}

feature_methods! {
    list for_crowds: Crowds;
    impl Crowds {
        /// Replaces an actor by a crowd without members, with the same number.
        pub fn make(this, actor: u32) -> Result<(), StageError> {
            this.shared.stage_mut().make_crowd(ActorId::new(actor))
        }

        /// Sets levels of detail of the meshes, from finer to coarser, before [`Crowds::prepare`].
        ///
        /// # Errors
        /// `argument/invalid`.
        #[wasm_bindgen(js_name = setMeshLevels)]
        pub fn set_mesh_levels(this, crowd: u32, levels: Vec<js::MeshLevel>) -> Result<(), StageError> {
            let level = |level: &js::MeshLevel| {
                let MeshLevel { primitives } = level.into();
                let indices = primitives.into_iter().map(|PrimitiveLevel { indices }| indices);
                model::MeshLevel { indices: indices.collect() }
            };
            let levels = levels.iter().map(level).collect();
            this.shared.stage_mut().set_mesh_levels(ActorId::new(crowd), levels)
        }

        /// Does one step of the work before a crowd can be drawn; returns `true` when it is complete.
        pub fn prepare(this, crowd: u32) -> Result<bool, StageError> {
            this.shared.stage_mut().prepare_crowd(ActorId::new(crowd))
        }

        /// Checks a number of members, a whole number, before any work for them.
        ///
        /// # Errors
        /// `render/too-large`.
        #[wasm_bindgen(js_name = checkCount)]
        pub fn check_count(this, crowd: u32, count: f64) -> Result<(), StageError> {
            this.shared.stage_mut().check_crowd_size(ActorId::new(crowd), count as usize)
        }

        /// Sets the number of members, a whole number.
        ///
        /// # Errors
        /// `render/too-large`.
        #[wasm_bindgen(js_name = setCount)]
        pub fn set_count(this, crowd: u32, count: f64) -> Result<(), StageError> {
            this.shared.stage_mut().resize_crowd(ActorId::new(crowd), count as usize)
        }

        /// Sets positions in metres: X, Y, Z of each member.
        #[wasm_bindgen(js_name = setPositions)]
        pub fn set_positions(this, crowd: u32, first: u32, numbers: &[f64]) -> Result<(), StageError> {
            this.set(crowd, MemberPart::Position, first, numbers)
        }

        /// Sets rotations: the quaternion X, Y, Z, W of each member.
        #[wasm_bindgen(js_name = setRotations)]
        pub fn set_rotations(this, crowd: u32, first: u32, numbers: &[f64]) -> Result<(), StageError> {
            this.set(crowd, MemberPart::Rotation, first, numbers)
        }

        /// Sets the scales, one factor per member.
        #[wasm_bindgen(js_name = setScales)]
        pub fn set_scales(this, crowd: u32, first: u32, numbers: &[f64]) -> Result<(), StageError> {
            this.set(crowd, MemberPart::Scale, first, numbers)
        }

        /// Sets the factors for the base colour: linear red, green, blue and alpha of each member.
        #[wasm_bindgen(js_name = setTints)]
        pub fn set_tints(this, crowd: u32, first: u32, numbers: &[f64]) -> Result<(), StageError> {
            this.set(crowd, MemberPart::Tint, first, numbers)
        }

        /// Sets the clips by their indices; a new clip starts from its beginning.
        #[wasm_bindgen(js_name = setClips)]
        pub fn set_clips(this, crowd: u32, first: u32, numbers: &[f64]) -> Result<(), StageError> {
            this.set(crowd, MemberPart::Clip, first, numbers)
        }

        /// Sets the current times in the members' clips, in seconds.
        #[wasm_bindgen(js_name = setTimes)]
        pub fn set_times(this, crowd: u32, first: u32, numbers: &[f64]) -> Result<(), StageError> {
            this.set(crowd, MemberPart::Time, first, numbers)
        }

        /// Sets the timeline's times at which the members' clips start, in the past or the future, in
        /// seconds.
        #[wasm_bindgen(js_name = setStarts)]
        pub fn set_starts(this, crowd: u32, first: u32, numbers: &[f64]) -> Result<(), StageError> {
            this.set(crowd, MemberPart::Start, first, numbers)
        }

        /// Sets the playback rates, in clip seconds per second.
        #[wasm_bindgen(js_name = setRates)]
        pub fn set_rates(this, crowd: u32, first: u32, numbers: &[f64]) -> Result<(), StageError> {
            this.set(crowd, MemberPart::Rate, first, numbers)
        }

        /// Sets morph weights.
        ///
        /// - `morphs`: indices in [`Asset::morphs`](crate::web::asset::Asset::morphs).
        /// - `numbers`: for each morph, the weights of all members; NaN for the animated weight.
        #[wasm_bindgen(js_name = setMorphs)]
        pub fn set_morphs(
            this,
            crowd: u32,
            first: u32,
            morphs: &[u32],
            numbers: &[f64],
        ) -> Result<(), StageError> {
            let crowd = ActorId::new(crowd);
            this.shared.stage_mut().set_crowd_morphs(crowd, morphs, first as usize, numbers)
        }

        /// Hides nodes, with all nodes below them.
        ///
        /// - `nodes`: their indices.
        /// - `hidden`: for each node, one number per member: 0 for shown, others for hidden.
        #[wasm_bindgen(js_name = setHidden)]
        pub fn set_hidden(
            this,
            crowd: u32,
            first: u32,
            nodes: &[u32],
            hidden: &[f64],
        ) -> Result<(), StageError> {
            let nodes: Vec<usize> = nodes.iter().map(|&node| node as usize).collect();
            let hidden: Vec<bool> = hidden.iter().map(|&number| number != 0.0).collect();
            let mut stage = this.shared.stage_mut();
            Ok(stage.crowd_mut(ActorId::new(crowd))?.set_hidden(&nodes, first as usize, &hidden)?)
        }

        /// Sets the behaviour at the ends of clips.
        #[wasm_bindgen(js_name = setLoopMode)]
        pub fn set_loop_mode(this, crowd: u32, mode: LoopMode) -> Result<(), StageError> {
            let mut stage = this.shared.stage_mut();
            let now = stage.cast().now();
            stage.crowd_mut(ActorId::new(crowd))?.set_loop_mode(mode.into(), now);
            Ok(())
        }

        /// Sets the duration of transitions between clips, in seconds.
        #[wasm_bindgen(js_name = setTransition)]
        pub fn set_transition(this, crowd: u32, seconds: f64) -> Result<(), StageError> {
            this.shared.stage_mut().crowd_mut(ActorId::new(crowd))?.set_transition(seconds);
            Ok(())
        }

        /// Sets the level of detail of small members.
        #[wasm_bindgen(js_name = setUpdateRate)]
        pub fn set_update_rate(this, crowd: u32, rate: UpdateRate) -> Result<(), StageError> {
            this.shared.stage_mut().crowd_mut(ActorId::new(crowd))?.set_update_rate(rate.into());
            Ok(())
        }

        /// Sets whether all members use cached poses.
        #[wasm_bindgen(js_name = setBaked)]
        pub fn set_baked(this, crowd: u32, baked: bool) -> Result<(), StageError> {
            this.shared.stage_mut().crowd_mut(ActorId::new(crowd))?.set_baked(baked);
            Ok(())
        }

        /// Makes the members that are nearest to a target in the world look at it; without options it ends.
        ///
        /// - `nearest`: the number of members, a whole number.
        ///
        /// # Errors
        /// `joint/not-found`.
        #[wasm_bindgen(js_name = setGaze)]
        pub fn set_gaze(
            this,
            crowd: u32,
            options: Option<joints::js::GazeOptions>,
            nearest: f64,
        ) -> Result<(), StageError> {
            let id = ActorId::new(crowd);
            let mut stage = this.shared.stage_mut();
            let now = stage.cast().now();
            let count = stage.cast().crowd(id)?.asset.model.nodes.len();
            let node = |joint: u32| {
                if (joint as usize) < count { Ok(NodeId::new(joint as usize)) } else { Err(StageError::NoJoint) }
            };
            let gaze = options.map(|options| gaze(&options, node)).transpose()?;
            stage.crowd_mut(id)?.set_gaze(gaze, nearest as usize, now);
            Ok(())
        }

        /// Collects the events of some members from now on, and of no others.
        pub fn listen(this, crowd: u32, members: &[u32]) -> Result<(), StageError> {
            let mut stage = this.shared.stage_mut();
            let now = stage.cast().now();
            stage.crowd_mut(ActorId::new(crowd))?.listen(members, now);
            Ok(())
        }

        /// Replaces the markers of a clip, for all members.
        ///
        /// # Errors
        /// `clip/not-found`.
        #[wasm_bindgen(js_name = setMarkers)]
        pub fn set_markers(
            this,
            crowd: u32,
            clip: u32,
            markers: Vec<playback::js::Marker>,
        ) -> Result<(), StageError> {
            let id = ActorId::new(crowd);
            let mut stage = this.shared.stage_mut();
            if clip as usize >= stage.cast().crowd(id)?.asset.clips().clips.len() {
                return Err(StageError::NoClip);
            }
            stage.crowd_mut(id)?.set_markers(ClipId::new(clip as usize), &playback::markers(&markers));
            Ok(())
        }

        /// Pauses or resumes all members.
        #[wasm_bindgen(js_name = setPaused)]
        pub fn set_paused(this, crowd: u32, paused: bool) -> Result<(), StageError> {
            let mut stage = this.shared.stage_mut();
            let now = stage.cast().now();
            stage.crowd_mut(ActorId::new(crowd))?.set_paused(paused, now);
            Ok(())
        }
    }
}

impl Crowds {
    fn set(&self, crowd: u32, part: MemberPart, first: u32, numbers: &[f64]) -> Result<(), StageError> {
        let mut stage = self.shared.stage_mut();
        let now = stage.cast().now();
        Ok(stage.crowd_mut(ActorId::new(crowd))?.set(part, first as usize, numbers, now)?)
    }
}
