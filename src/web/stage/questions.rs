//! What a stage answers with lists of numbers.

use super::super::numbered::numbered;
use super::super::rest::need_rest;
use super::Stage;
use super::actors::joint_space;
use crate::animation::Aabb;
use crate::rare::rare;
use crate::render::RenderError;
#[cfg(doc)]
use crate::viewer;
use crate::viewer::{ActorId, Member, StageError, Still, SurfacePoint, Ticked};
use glam::{Mat4, Vec3};
use js_sys::Float64Array;
use wasm_bindgen::prelude::*;

numbered! {
    /// What can be asked about a stage or an actor, with numbers.
    enum Question {
        /// Azimuth, polar angle, distance, target X, Y, Z, vertical field of view.
        Camera,
        /// Of a joint: the matrix `world_from_joint` now, 16 numbers, column after column.
        WorldFromJoint,
        /// Of a joint, or −1 for the world, and of a point X, Y, Z at it, in the joint's own units if 1 follows and else in those of
        /// its model: where that is on the canvas, in CSS pixels from the left and from the top; metres in front of the camera; and
        /// 1 if it is in front, else 0.
        Project,
        /// Where all nodes of the actor are on the canvas, in the order of the file: CSS pixels from the left and the top, and
        /// metres in front of the camera, 0 behind it.
        ProjectJoints,
        /// Of a place on the canvas, in CSS pixels: the point and the normal that are seen there, in the world, the index of
        /// the node in its file, the actor or the crowd, the member of the crowd (0 for an actor), and the eight numbers of
        /// `Surface`; nothing if nothing is seen.
        Pick,
        /// Of a place on the surface (the mesh, its primitive, three vertices, and how much each of them counts): where it is
        /// now, and its normal, in the world; nothing if there is none.
        Surface,
        /// What frames cost, see [`Stage::stats`].
        Stats,
        /// No question, but a still to be drawn: its width and height; the time of the actor, or NaN for that of now; and perhaps
        /// its background, red, green, blue and alpha. Nothing else changes by it.
        Still,
        /// No question, but from now on another stage draws what this one plays; see [`viewer::Stage::set_apart`].
        Apart,
        /// No question, but a tick without a picture, at a time of the page's clock in milliseconds: whether there is anything to
        /// draw, and whether there will be next time. See [`viewer::Stage::pass`].
        Pass,
    }
}

#[wasm_bindgen]
impl Stage {
    /// Answers a [`Question`], which may be about an actor and may come with numbers.
    pub fn ask(&mut self, which: u32, actor: u32, about: &[f64]) -> Result<Vec<f64>, JsValue> {
        let which = Question::of(which);
        if !matches!(which, Some(Question::Camera)) {
            need_rest()?;
        }
        Ok(match which {
            Some(Question::Camera) => self.stage.camera().state().to_vec(),
            Some(Question::Still) => rare(|| self.draw_still(actor, about))?,
            Some(which) => rare(|| self.look_closely(which, actor, about))?,
            None => Vec::new(),
        })
    }

    /// Distance and target X, Y, Z of the automatic camera where it is or glides to; empty if it was moved, or if nothing is shown.
    #[wasm_bindgen(js_name = framedCamera)]
    pub fn framed_camera(&self) -> Vec<f64> {
        self.stage.framed_camera().map(|numbers| numbers.to_vec()).unwrap_or_default()
    }

    /// `true` if the automatic camera has followed a larger clip since the last call.
    #[wasm_bindgen(js_name = cameraGlided)]
    pub fn camera_glided(&mut self) -> bool {
        self.stage.take_glided()
    }

    /// `true` if the picture is framed as a still of the present clips is; see [`viewer::Stage::frames_as_still`].
    #[wasm_bindgen(js_name = framesAsStill)]
    pub fn frames_as_still(&self) -> bool {
        self.stage.frames_as_still()
    }

    /// The distance in metres from the first surface on the line from the camera to a point of the world, to that point; 0 if
    /// no surface is before it. See [`viewer::Stage::occlusion`].
    ///
    /// # Errors
    /// `load/chunk`.
    pub fn occlusion(&mut self, x: f32, y: f32, z: f32) -> Result<f32, JsValue> {
        need_rest()?;
        Ok(rare(|| self.stage.occlusion(Vec3::new(x, y, z))))
    }

    /// Measures the box around an actor's pose, in the world. Returns 1 if it is in [`Stage::measured`], 0 if nothing is shown, −1 if
    /// [`Stage::fail`] throws why there is none. (Pages ask every frame, and what a list is made of costs more than the pose.)
    pub fn measure(&mut self, actor: u32) -> i32 {
        match self.stage.posed().get(ActorId::new(actor)) {
            Ok(Member { bounds: Some(Aabb { min, max }), .. }) => {
                self.measured = [min.x, min.y, min.z, max.x, max.y, max.z].map(f64::from);
                1
            }
            Ok(_) => 0,
            Err(error) => {
                self.failure = Some(error.into());
                -1
            }
        }
    }

    /// The least and the greatest corner of the smallest box around all vertices of an actor as it is posed now, in the world; nothing
    /// if nothing is shown. Takes as long as the model has vertices.
    #[wasm_bindgen(js_name = tightBounds)]
    pub fn tight_bounds(&mut self, actor: u32) -> Result<Vec<f64>, JsValue> {
        let around = self.stage.tight_bounds(ActorId::new(actor))?;
        Ok(around.map_or_else(Vec::new, |Aabb { min, max }| corners(min, max)))
    }

    /// Where [`Stage::measure`] writes: the least corner and the greatest. Empty as soon as the memory has grown, and not to be looked
    /// at after [`Stage::free`].
    pub fn measured(&self) -> Float64Array {
        // SAFETY: the stage stays where it is as long as JS has it, and so do its numbers, which JS reads between two calls.
        unsafe { Float64Array::view(&self.measured) }
    }
}

impl Stage {
    fn look_closely(&mut self, which: Question, actor: u32, about: &[f64]) -> Result<Vec<f64>, StageError> {
        let id = ActorId::new(actor);
        match (which, about) {
            (Question::WorldFromJoint, &[joint]) => {
                let node = self.node(actor, joint)?;
                Ok(numbers(&Mat4::from(self.stage.world_from_node(id, node)?).to_cols_array()))
            }
            (Question::Project, &[joint, x, y, z, ref units @ ..]) => {
                let point = Vec3::new(x as f32, y as f32, z as f32);
                let at = if joint >= 0.0 {
                    let node = self.node(actor, joint)?;
                    self.stage.project(id, node, joint_space(units == [1.0]), point)?
                } else {
                    self.stage.project_world(point)
                };
                Ok(numbers(&[at.x, at.y, at.depth, f32::from(u8::from(at.in_front))]))
            }
            (Question::ProjectJoints, _) => {
                // Nobody asks for the joints of a thousand.
                if self.stage.cast().crowd(id).is_ok() {
                    return Ok(Vec::new());
                }
                let mut places = Vec::new();
                self.stage.project_all(id, |at| {
                    places.extend([at.x, at.y, if at.in_front { at.depth } else { 0.0 }].map(f64::from));
                })?;
                Ok(places)
            }
            (Question::Pick, &[x, y]) => Ok(self.picked(x as f32, y as f32).unwrap_or_default()),
            (Question::Surface, &[mesh, primitive, a, b, c, u, v, w]) => {
                let [mesh, primitive, a, b, c] = [mesh, primitive, a, b, c].map(|index| index as usize);
                let weights = [u, v, w].map(|weight| weight as f32);
                let at = SurfacePoint { mesh, primitive, vertices: [a, b, c], weights };
                let found = self.stage.surface(id, &at)?;
                Ok(found.map_or_else(Vec::new, |(position, normal)| corners(position, normal)))
            }
            (Question::Stats, _) => Ok(self.stats()),
            (Question::Apart, _) => {
                self.stage.set_apart();
                Ok(Vec::new())
            }
            (Question::Pass, &[now]) => {
                let Ticked { draws, goes_on } = self.stage.pass(now / 1000.0);
                Ok([draws, goes_on].map(|yes| f64::from(u8::from(yes))).to_vec())
            }
            _ => Ok(Vec::new()),
        }
    }

    fn draw_still(&mut self, actor: u32, about: &[f64]) -> Result<Vec<f64>, RenderError> {
        if let &[width, height, time, ref rgba @ ..] = about {
            let background = match *rgba {
                [r, g, b, a] => Some([r, g, b, a].map(|value| value as f32)),
                _ => self.stage.background(),
            };
            let at = time.is_finite().then_some((ActorId::new(actor), time));
            self.stage.draw_still(&Still { size: (width as u32, height as u32), at, background })?;
        }
        Ok(Vec::new())
    }

    fn picked(&mut self, x: f32, y: f32) -> Option<Vec<f64>> {
        let hit = self.stage.pick(x, y)?;
        let cast = self.stage.cast();
        let actor = cast.get(hit.actor).map(|member| &member.asset);
        let asset = actor.or_else(|_| cast.crowd(hit.actor).map(|member| &member.asset)).ok()?;
        let joint = asset.model.node_of_source.iter().position(|&node| node == hit.node)?;
        let SurfacePoint { mesh, primitive, vertices: [a, b, c], weights } = hit.surface;
        let mut found = corners(hit.position, hit.normal);
        let numbers = [joint, hit.actor.number() as usize, hit.member, mesh, primitive, a, b, c];
        found.extend(numbers.map(|number| number as f64));
        found.extend(weights.map(f64::from));
        Some(found)
    }
}

fn numbers(values: &[f32]) -> Vec<f64> {
    values.iter().copied().map(f64::from).collect()
}

pub(super) fn corners(a: Vec3, b: Vec3) -> Vec<f64> {
    numbers(&[a.x, a.y, a.z, b.x, b.y, b.z])
}
