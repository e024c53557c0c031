//! All methods that read a stage. They have no visible effect.
//!
//! Results are objects with names. Those that pages read in every frame, for each joint, hotspot or foot, are lists of numbers:
//! an object would take longer than the numbers.

use super::Stage;
use super::actors::joint_space;
use super::joints::legs;
use super::playback;
use super::shared::Shared;
use crate::animation::{self, Rigid, RootOptions, SnapshotLists, SnapshotMeshes, Velocity, root_of};
use crate::base::Aabb;
use crate::model::InputValue;
use crate::viewer::{ActorId, Member, StageError};
use crate::web::convert::object;
use crate::web::features::feature_methods;
use crate::web::words::{Framing, LoopMode};
use glam::{Mat4, Vec3};
use js_sys::{Float32Array, Float64Array, Uint32Array};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = "
/** The result of {@link Query.pick}. */
export interface Hit {
  /** The position in metres, in world space: X, Y, Z. */
  readonly position: Float64Array;
  /** The unit normal of the surface, in world space. */
  readonly normal: Float64Array;
  /** The index in the file of the joint with the largest weight at the position. */
  readonly joint: number;
  /** The index in the file of the node of the mesh. */
  readonly meshNode: number;
  /** The id of the actor or crowd. */
  readonly actor: number;
  /** The index of the crowd member; 0 for an actor. */
  readonly member: number;
  /** The position on the surface, for {@link Query.surface}. */
  readonly surface: Float64Array;
}

/** A box in world space, by its corners. */
export interface Corners {
  readonly min: Float64Array;
  readonly max: Float64Array;
}

/** The result of {@link Query.framedCamera}, in metres. */
export interface FramedCamera {
  readonly distance: number;
  readonly target: Float64Array;
}

/** The result of {@link Query.clipTravel}, in metres and radians, per second. */
export interface ClipMovement {
  readonly position: Float64Array;
  /** X, Y, Z, W. */
  readonly rotation: Float64Array;
  readonly velocity: Float64Array;
  readonly turnRate: Float64Array;
}

/** The result of {@link Query.states}. */
export interface StatesNow {
  /** Seconds since the start of the machine. */
  readonly time: number;
  /** The factor of the rates of its states. */
  readonly speed: number;
  /** The value of each input; 0 and 1 for `false` and `true`. */
  readonly inputs: Float64Array;
  /** The index of the innermost active state of each layer. */
  readonly active: Uint32Array;
}

/** The result of {@link Query.snapshot}: lists that the tools read. */
export interface SnapshotDescription {
  readonly layout: Uint32Array;
  readonly numbers: Float32Array;
}
";

/// Reads a stage.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Query {
    pub(super) shared: Rc<Shared>,
    /// See [`Query::measure`].
    measured: [f64; 6],
    /// The error of the last [`Query::measure`].
    failure: Option<StageError>,
}

/// The stage.
impl Query {
    pub(super) fn shared(&self) -> &Shared {
        &self.shared
    }
}

#[wasm_bindgen]
impl Query {
    /// `true` if a node is shown in the current pose, with all nodes above it.
    ///
    /// # Errors
    /// `joint/not-found`.
    #[wasm_bindgen(js_name = isShown)]
    pub fn is_shown(&self, actor: u32, joint: u32) -> Result<bool, StageError> {
        let node = self.shared.node(actor, joint)?;
        let mut stage = self.shared.stage_mut();
        let visible = stage.posed().get(ActorId::new(actor))?.actor.visible();
        Ok(visible.get(node.index()).is_none_or(|shown| *shown))
    }

    /// A reader for a stage.
    #[wasm_bindgen(constructor)]
    pub fn new(stage: &Stage) -> Query {
        Self { shared: Rc::clone(&stage.shared), measured: [0.0; 6], failure: None }
    }

    /// The timeline's time in seconds.
    pub fn time(&self) -> f64 {
        self.shared.stage().cast().now()
    }

    /// The number of frames drawn.
    pub fn frames(&self) -> f64 {
        self.shared.stage().stats().frames as f64
    }

    /// The poses that the camera frames.
    pub fn framing(&self) -> Framing {
        self.shared.stage().framing().into()
    }

    /// `true` if events are queued.
    #[wasm_bindgen(js_name = hasEvents)]
    pub fn has_events(&self) -> bool {
        self.shared.stage().has_events()
    }

    /// The stage's own camera: azimuth, polar angle, distance, target X, Y, Z, vertical field of view; radians and metres. Pages read
    /// it in every frame.
    pub fn camera(&self) -> Vec<f64> {
        self.shared.stage().camera().state().to_vec()
    }

    /// The angle in radians from +Z to the front of the models, from which the azimuth of the camera is counted.
    pub fn heading(&self) -> f64 {
        self.shared.stage().camera().heading
    }

    /// Distance and target of the automatic camera, at the end of its movement. Nothing if the camera was moved, or if no model
    /// is visible.
    #[wasm_bindgen(js_name = framedCamera, unchecked_return_type = "FramedCamera | undefined")]
    pub fn framed_camera(&self) -> JsValue {
        let framed = self.shared.stage().framed_camera();
        framed.map_or(JsValue::UNDEFINED, |[distance, x, y, z]| {
            object([("distance", distance.into()), ("target", list(&[x, y, z]))])
        })
    }

    /// `true` if the framing equals that of a still of the current clips; see
    /// [`crate::viewer::Stage::frames_as_still`].
    #[wasm_bindgen(js_name = framesAsStill)]
    pub fn frames_as_still(&self) -> bool {
        self.shared.stage().frames_as_still()
    }
}

/// Tracks of actors.
#[wasm_bindgen]
impl Query {
    /// `true` if the track is paused or has finished.
    pub fn paused(&self, actor: u32, track: u32) -> Result<bool, StageError> {
        self.shared.track(actor, track, |transport| transport.paused())
    }

    /// The position of the playhead, in seconds of the clip.
    #[wasm_bindgen(js_name = currentTime)]
    pub fn current_time(&self, actor: u32, track: u32) -> Result<f64, StageError> {
        self.shared.track(actor, track, |transport| transport.position().time)
    }

    /// The length of the clip in seconds.
    pub fn duration(&self, actor: u32, track: u32) -> Result<f64, StageError> {
        self.shared.track(actor, track, |transport| transport.duration())
    }

    /// The number of complete passes.
    pub fn iteration(&self, actor: u32, track: u32) -> Result<f64, StageError> {
        self.shared.track(actor, track, |transport| transport.position().passes as f64)
    }

    /// `true` if all passes are complete.
    pub fn finished(&self, actor: u32, track: u32) -> Result<bool, StageError> {
        self.shared.track(actor, track, |transport| transport.position().finished)
    }

    /// The playback rate, in clip seconds per second.
    pub fn rate(&self, actor: u32, track: u32) -> Result<f64, StageError> {
        self.shared.track(actor, track, |transport| transport.rate())
    }

    /// The behaviour at the end of the clip.
    #[wasm_bindgen(js_name = loopMode)]
    pub fn loop_mode(&self, actor: u32, track: u32) -> Result<LoopMode, StageError> {
        self.shared.track(actor, track, |transport| transport.loop_mode().into())
    }

    /// The number of passes.
    pub fn repetitions(&self, actor: u32, track: u32) -> Result<f64, StageError> {
        self.shared.track(actor, track, |transport| transport.repetitions())
    }

    /// The start of the segment, in seconds of the clip.
    #[wasm_bindgen(js_name = segmentBegin)]
    pub fn segment_begin(&self, actor: u32, track: u32) -> Result<f64, StageError> {
        self.shared.track(actor, track, |transport| transport.segment().start)
    }

    /// The end of the segment, in seconds of the clip.
    #[wasm_bindgen(js_name = segmentEnd)]
    pub fn segment_end(&self, actor: u32, track: u32) -> Result<f64, StageError> {
        self.shared.track(actor, track, |transport| transport.segment().end)
    }

    /// The timeline's time at which playback started, in seconds; nothing while it is paused or at rate 0.
    #[wasm_bindgen(js_name = startTime)]
    pub fn start_time(&self, actor: u32, track: u32) -> Result<Option<f64>, StageError> {
        self.shared.track(actor, track, |transport| transport.start_time())
    }
}

/// Actors.
#[wasm_bindgen]
impl Query {
    /// The index of the base's clip; nothing without one or with a blend space.
    pub fn clip(&self, actor: u32) -> Result<Option<u32>, StageError> {
        self.shared.member(actor, |member| member.actor.player.clip().map(|clip| clip.index() as u32))
    }

    /// The index of the variant of materials; nothing for none.
    pub fn variant(&self, actor: u32) -> Result<Option<u32>, StageError> {
        self.shared.member(actor, |member| member.actor.variant.map(|variant| variant.index() as u32))
    }

    /// The index of the actor's camera that is active; nothing if the active camera is the stage's own or
    /// another actor's.
    #[wasm_bindgen(js_name = viewCamera)]
    pub fn view_camera(&self, actor: u32) -> Option<u32> {
        let through = self.shared.stage().view_camera().filter(|(id, _)| id.number() == actor);
        through.map(|(_, index)| index as u32)
    }

    /// Measures the bounding box of an actor's pose, in the world. Returns `true` if it is in
    /// [`Query::measured`], `false` if no mesh is visible, and `undefined` after an error, which
    /// [`Query::fail`] throws. (Pages call this in every frame, and allocating a list would cost more than
    /// the pose.)
    pub fn measure(&mut self, actor: u32) -> Option<bool> {
        match self.shared.stage_mut().posed().get(ActorId::new(actor)) {
            Ok(Member { bounds: Some(Aabb { min, max }), .. }) => {
                self.measured = [min.x, min.y, min.z, max.x, max.y, max.z].map(f64::from);
                Some(true)
            }
            Ok(_) => Some(false),
            Err(error) => {
                self.failure = Some(error);
                None
            }
        }
    }

    /// Throws the error of the last [`Query::measure`].
    pub fn fail(&mut self) -> Result<(), StageError> {
        self.failure.take().map_or(Ok(()), Err)
    }

    /// The numbers written by [`Query::measure`]: the minimum and the maximum corner. The view becomes empty
    /// when the memory grows, and must not be used after [`Query::free`].
    #[expect(unsafe_code, reason = "a view of memory, see below")]
    pub fn measured(&self) -> Float64Array {
        // SAFETY: the object and its numbers do not move while JS holds it, and JS reads them only between
        // calls.
        unsafe { Float64Array::view(&self.measured) }
    }

    /// The smallest box around all vertices of an actor's current pose; nothing if no mesh is visible. Takes time linear in the
    /// number of vertices.
    #[wasm_bindgen(js_name = tightBounds, unchecked_return_type = "Corners | undefined")]
    pub fn tight_bounds(&self, actor: u32) -> Result<JsValue, StageError> {
        Ok(corners(self.shared.stage_mut().tight_bounds(ActorId::new(actor))?))
    }
}

#[wasm_bindgen]
impl Query {
    /// The costs of frames.
    #[wasm_bindgen(unchecked_return_type = "import('../values/stats.ts').Stats")]
    pub fn stats(&self) -> JsValue {
        let stats = self.shared.stage().stats();
        let (cost, live) = (stats.cost, stats.live);
        let [update, draw] = self.shared.times();
        let count = |count: usize| JsValue::from_f64(count as f64);
        let live = object([
            ("buffers", count(live.buffers)),
            ("textures", count(live.textures)),
            ("samplers", count(live.samplers)),
            ("vertexArrays", count(live.vertex_arrays)),
            ("programs", count(live.programs)),
            ("shaders", count(live.shaders)),
            ("framebuffers", count(live.framebuffers)),
            ("fences", count(live.fences)),
        ]);
        object([
            ("frames", (stats.frames as f64).into()),
            ("drawCalls", cost.draws.into()),
            ("triangles", cost.triangles.into()),
            ("stateChanges", cost.states.into()),
            ("programChanges", cost.programs.into()),
            ("textureChanges", cost.textures.into()),
            ("bufferChanges", cost.buffers.into()),
            ("uploadedBytes", cost.uploaded.into()),
            ("paletteBytes", count(stats.palette_bytes)),
            ("actors", count(stats.actors)),
            ("joints", count(stats.joints)),
            ("updateTime", update.into()),
            ("drawTime", draw.into()),
            ("memoryBytes", (core::arch::wasm32::memory_size(0) as f64 * 65536.0).into()),
            ("skippedTime", stats.skipped.into()),
            ("live", live),
        ])
    }

    /// Throws the error of a source for the actor.
    ///
    /// # Errors
    /// `clip/not-found`, `blend-space/…`.
    #[wasm_bindgen(js_name = checkSource)]
    pub fn check_source(&self, actor: u32, source: &playback::js::Source) -> Result<(), StageError> {
        self.shared.source(actor, source.into()).map(|_| ())
    }

    /// A hash of all bits of an actor's pose, in hexadecimal.
    #[wasm_bindgen(js_name = poseHash)]
    pub fn pose_hash(&self, actor: u32) -> Result<String, StageError> {
        let mut stage = self.shared.stage_mut();
        let actor = &stage.posed().get(ActorId::new(actor))?.actor;
        Ok(format!("{:016x}", animation::pose_hash(actor.animated_palette(), &actor.pose().weights)))
    }

    /// The current matrix `world_from_joint`: 16 numbers, column-major.
    #[wasm_bindgen(js_name = worldFromJoint)]
    pub fn world_from_joint(&self, actor: u32, joint: u32) -> Result<Vec<f32>, StageError> {
        let node = self.shared.node(actor, joint)?;
        let matrix = self.shared.stage_mut().world_from_node(ActorId::new(actor), node)?;
        Ok(Mat4::from(matrix).to_cols_array().to_vec())
    }

    /// The weight of a morph in the current pose, of its first mesh.
    ///
    /// - `morph`: its index in [`Asset::morphs`](crate::web::asset::Asset::morphs).
    #[wasm_bindgen(js_name = morphWeight)]
    pub fn morph_weight(&self, actor: u32, morph: u32) -> Result<f32, StageError> {
        let mut stage = self.shared.stage_mut();
        let member = stage.posed().get(ActorId::new(actor))?;
        let at = member.asset.morphs().get(morph as usize).and_then(|morph| morph.weights.first());
        Ok(at.map_or(0.0, |&at| member.actor.pose().weights[at]))
    }

    /// Projects a point of the world to the canvas: X, Y, depth. Each hotspot asks in every frame.
    #[wasm_bindgen(js_name = projectPoint)]
    pub fn project_point(&self, x: f32, y: f32, z: f32) -> Vec<f32> {
        let at = self.shared.stage_mut().project_world(Vec3::new(x, y, z));
        vec![at.x, at.y, at.depth]
    }

    /// Projects a point relative to a joint to the canvas: X, Y, depth. Each element at a joint asks in every frame.
    ///
    /// - `own_units`: `true` if the point is in the joint's local units, `false` for metres of its model.
    #[wasm_bindgen(js_name = projectJoint)]
    pub fn project_joint(
        &self,
        actor: u32,
        joint: u32,
        own_units: bool,
        x: f32,
        y: f32,
        z: f32,
    ) -> Result<Vec<f32>, StageError> {
        let node = self.shared.node(actor, joint)?;
        let (space, point) = (joint_space(own_units), Vec3::new(x, y, z));
        let at = self.shared.stage_mut().project(ActorId::new(actor), node, space, point)?;
        Ok(vec![at.x, at.y, at.depth])
    }

    /// Projects all nodes of an actor to the canvas, in the order of its file: X, Y, depth of each. The
    /// depth is 0 behind the camera. Empty for a crowd.
    #[wasm_bindgen(js_name = projectJoints)]
    pub fn project_joints(&self, actor: u32) -> Result<Vec<f32>, StageError> {
        let id = ActorId::new(actor);
        let mut stage = self.shared.stage_mut();
        let mut places = Vec::new();
        // Not supported for crowds: the joints of a thousand members have no use.
        if stage.cast().crowd(id).is_err() {
            stage.project_all(id, |at| {
                places.extend([at.x, at.y, if at.in_front { at.depth } else { 0.0 }]);
            })?;
        }
        Ok(places)
    }
}

feature_methods! {
    list for_root_motion: Body;
    impl Query {
        /// The movement of an actor by root motion, in the space of its model: position (3) and rotation (4) of the last
        /// frame, the same of all frames, and the velocity (3) and the turn rate (3) now. Empty without root motion. Pages that move
        /// actors by themselves read it in every frame.
        pub fn travel(this, actor: u32) -> Result<Vec<f64>, StageError> {
            let mut stage = this.shared.stage_mut();
            let player = &mut stage.actor_silently(ActorId::new(actor))?.player;
            let Some(travel) = player.travel() else { return Ok(Vec::new()) };
            let (frame, total) = (travel.last_frame(), travel.total());
            let velocity = player.travel_velocity().unwrap_or_default();
            let mut numbers = Vec::new();
            for Rigid { rotation, translation } in [frame, total] {
                numbers.extend(translation.to_array());
                numbers.extend(rotation.to_array());
            }
            numbers.extend(velocity.linear.to_array());
            numbers.extend(velocity.angular.to_array());
            Ok(numbers)
        }

        /// The root motion of a clip: from its start to its end, with the velocity and the turn rate at a time. Those of a clip
        /// without root motion are zero.
        ///
        /// # Errors
        /// `clip/not-found`.
        #[wasm_bindgen(js_name = clipTravel, unchecked_return_type = "ClipMovement")]
        pub fn clip_travel(this, actor: u32, clip: u32, time: f64) -> Result<JsValue, StageError> {
            let clip = this.shared.clip(actor, clip)?;
            let stage = this.shared.stage();
            let member = stage.cast().get(ActorId::new(actor))?;
            let clips = member.asset.clips();
            let known = member.actor.player.travel().map(|travel| travel.roots()[clip.index()].clone());
            let root = known.unwrap_or_else(|| {
                let model = &member.asset.model;
                let legs = legs(model, &[]).map(|(legs, _)| legs).unwrap_or_default();
                let options = RootOptions { legs, ..RootOptions::default() };
                root_of(model, &clips.clips, &clips.rig, clip.index(), &options)
            });
            let length = f64::from(clips.rig.duration(clip));
            let (all, velocity) = root.path.map_or((Rigid::IDENTITY, Velocity::default()), |path| {
                (path.between(0.0, length), path.velocity(time, length))
            });
            Ok(object([
                ("position", list(&all.translation.to_array())),
                ("rotation", list(&all.rotation.to_array())),
                ("velocity", list(&velocity.linear.to_array())),
                ("turnRate", list(&velocity.angular.to_array())),
            ]))
        }
    }
}

feature_methods! {
    list for_states: States;
    impl Query {
        /// The state machine of an actor; nothing without one.
        #[wasm_bindgen(unchecked_return_type = "StatesNow | undefined")]
        pub fn states(this, actor: u32) -> Result<JsValue, StageError> {
            let mut stage = this.shared.stage_mut();
            let Some((states, _)) = stage.states_mut(ActorId::new(actor))? else {
                return Ok(JsValue::UNDEFINED);
            };
            let machine = states.machine();
            let inputs = (0..machine.inputs.len()).filter_map(|input| states.input(input));
            let inputs = inputs.map(|value| match value {
                InputValue::Number(number) => number,
                InputValue::Boolean(on) | InputValue::Trigger(on) => f64::from(u8::from(on)),
            });
            let active = (0..machine.layers.len()).filter_map(|layer| states.path(layer).last());
            let active: Vec<u32> = active.map(|state| state as u32).collect();
            Ok(object([
                ("time", states.time().into()),
                ("speed", states.speed().into()),
                ("inputs", list(&inputs.collect::<Vec<_>>())),
                ("active", Uint32Array::from(&active[..]).into()),
            ]))
        }
    }
}

feature_methods! {
    list for_pictures: Extras;
    impl Query {
        /// The transforms and the deformed meshes of an actor, for export; see [`crate::animation::Snapshot`].
        ///
        /// - `time`: seconds of its clip; now if nothing.
        /// - `all`: all meshes in world space, not only those that are deformed.
        #[wasm_bindgen(unchecked_return_type = "SnapshotDescription")]
        pub fn snapshot(this, actor: u32, time: Option<f64>, all: bool) -> Result<JsValue, StageError> {
            let meshes = if all { SnapshotMeshes::All } else { SnapshotMeshes::Deformed };
            let snapshot = this.shared.stage().cast().snapshot(ActorId::new(actor), time, meshes)?;
            let SnapshotLists { layout, numbers } = SnapshotLists::from(&snapshot);
            Ok(object([
                ("layout", Uint32Array::from(&layout[..]).into()),
                ("numbers", Float32Array::from(&numbers[..]).into()),
            ]))
        }

        /// The nodes that the page shows or hides: the index of each, and 1 for a shown one, or 0.
        #[wasm_bindgen(js_name = shownByHand)]
        pub fn shown_by_hand(this, actor: u32) -> Result<Vec<u32>, StageError> {
            let stage = this.shared.stage();
            let actor = ActorId::new(actor);
            let (model, _) = stage.cast().model_of(actor)?;
            let nodes = stage.cast().get(actor)?.actor.shown();
            Ok(nodes.iter().flat_map(|&(node, shown)| [model.nodes[node.index()].source, u32::from(shown)]).collect())
        }

        /// Records an actor for `frames` frames; see [`crate::viewer::Cast::record`]. For each frame: translation (3), rotation
        /// (X, Y, Z, W) and scale (3) of each node, in the order of the file, and then the morph weights.
        pub fn record(this, actor: u32, from: f64, step: f64, frames: u32) -> Result<Vec<f32>, StageError> {
            let mut all = Vec::new();
            for frame in this.shared.stage().cast().record(ActorId::new(actor), from, step, frames)? {
                for transform in frame.transforms {
                    all.extend_from_slice(&transform.translation.to_array());
                    all.extend_from_slice(&transform.rotation.to_array());
                    all.extend_from_slice(&transform.scale.to_array());
                }
                all.extend_from_slice(&frame.weights);
            }
            Ok(all)
        }
    }
}

feature_methods! {
    list for_faces: Faces;
    impl Query {
        /// The amount that was set for an expression, at this moment of its fade.
        ///
        /// - `expression`: its index in [`Asset::expressions`](crate::web::asset::Asset::expressions).
        #[wasm_bindgen(js_name = expressionAmount)]
        pub fn expression_amount(this, actor: u32, expression: u32) -> Result<f64, StageError> {
            this.shared.member(actor, |member| {
                let now = member.actor.player.elapsed();
                member.actor.expressions.amount(expression as usize, now)
            })
        }
    }
}

feature_methods! {
    list for_sprites: Extras;
    impl Query {
        /// The index of the cell that the textures of a material show, from the upper left by rows; nothing without a flip-book.
        #[wasm_bindgen(js_name = flipbookCell)]
        pub fn flipbook_cell(this, actor: u32, material: u32) -> Result<Option<u32>, StageError> {
            let mut stage = this.shared.stage_mut();
            let cells = stage.posed().get(ActorId::new(actor))?.actor.flipbooks.cells();
            let cell = cells.iter().find(|cell| cell.material.index() == material as usize);
            Ok(cell.map(|cell| cell.index))
        }
    }
}

feature_methods! {
    list for_body: Body;
    impl Query {
        /// A coordinate of the animated place of a foot in the world; nothing without this foot.
        ///
        /// - `axis`: 0, 1 or 2.
        #[wasm_bindgen(js_name = footPlace)]
        pub fn foot_place(this, actor: u32, foot: u32, axis: u32) -> Result<Option<f32>, StageError> {
            let mut stage = this.shared.stage_mut();
            let member = stage.posed().get(ActorId::new(actor))?;
            let place = member.actor.overrides.foot_places().nth(foot as usize);
            Ok(place.and_then(|place| place.to_array().get(axis as usize).copied()))
        }
    }
}

feature_methods! {
    list for_light: Light;
    impl Query {
        /// The part of the ground that may receive shadows: minimum X and Z, maximum X and Z; then the lowest and the highest Y
        /// of what casts them. Empty without shadows. Read in every frame.
        #[wasm_bindgen(js_name = shadowReach)]
        pub fn shadow_reach(this) -> Result<Vec<f32>, JsValue> {
            let reach = this.shared.stage_mut().shadow_reach();
            Ok(reach.map_or(Vec::new(), |(Aabb { min, max }, [low, high])| {
                vec![min.x, min.z, max.x, max.z, low, high]
            }))
        }
    }
}

feature_methods! {
    list for_crowds: Crowds;
    impl Query {
        /// The current times of all members in their clips, in seconds.
        #[wasm_bindgen(js_name = crowdTimes)]
        pub fn crowd_times(this, crowd: u32) -> Result<Vec<f64>, StageError> {
            let stage = this.shared.stage();
            let cast = stage.cast();
            Ok(cast.crowd(ActorId::new(crowd))?.crowd.times(cast.now()).collect())
        }

        /// The number of members inside the frustum in the last frame.
        #[wasm_bindgen(js_name = crowdVisible)]
        pub fn crowd_visible(this, crowd: u32) -> Result<u32, StageError> {
            Ok(this.shared.stage().cast().crowd(ActorId::new(crowd))?.crowd.visible_len() as u32)
        }

        /// The box around all members at all times; nothing without members.
        #[wasm_bindgen(js_name = crowdBounds, unchecked_return_type = "Corners | undefined")]
        pub fn crowd_bounds(this, crowd: u32) -> Result<JsValue, StageError> {
            Ok(corners(this.shared.stage_mut().crowd_bounds(ActorId::new(crowd))?))
        }
    }
}

/// A list of numbers.
pub(super) fn list(numbers: &[f64]) -> JsValue {
    Float64Array::from(numbers).into()
}

pub(super) fn vector(vector: Vec3) -> JsValue {
    list(&vector.to_array().map(f64::from))
}

/// A box as `Corners`.
fn corners(bounds: Option<Aabb>) -> JsValue {
    bounds
        .map_or(JsValue::UNDEFINED, |Aabb { min, max }| object([("min", vector(min)), ("max", vector(max))]))
}
