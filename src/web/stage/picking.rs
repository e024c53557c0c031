//! Methods that pick surfaces.

use super::query::{Query, list, vector};
use crate::viewer::{self, ActorId, Picked, StageError, SurfacePoint};
use crate::web::convert::object;
use crate::web::features::feature_methods;
use glam::Vec3;
use wasm_bindgen::prelude::*;

impl Query {
    fn hit(&self, pick: impl FnOnce(&mut viewer::Stage) -> Option<Picked>) -> Option<JsValue> {
        let mut stage = self.shared.stage_mut();
        let hit = pick(&mut stage)?;
        let cast = stage.cast();
        let actor = cast.get(hit.actor).map(|member| &member.asset);
        let asset = actor.or_else(|_| cast.crowd(hit.actor).map(|member| &member.asset)).ok()?;
        let source = |id| asset.model.node_of_source.iter().position(|&node| node == id);
        let (joint, mesh_node) = (source(hit.node)?, source(hit.mesh_node)?);
        let SurfacePoint { mesh, primitive, vertices: [a, b, c], weights: [u, v, w] } = hit.surface;
        let [mesh, primitive, a, b, c] = [mesh, primitive, a, b, c].map(|index| index as f64);
        let [u, v, w] = [u, v, w].map(f64::from);
        Some(object([
            ("position", vector(hit.position)),
            ("normal", vector(hit.normal)),
            ("joint", (joint as u32).into()),
            ("meshNode", (mesh_node as u32).into()),
            ("actor", hit.actor.number().into()),
            ("member", (hit.member as u32).into()),
            ("surface", list(&[mesh, primitive, a, b, c, u, v, w])),
        ]))
    }
}

feature_methods! {
    list for_picking: Picking;
    impl Query {
        /// The surface of an actor below a point: Y, and the normal; empty for none. Each foot asks in every frame.
        ///
        /// - `y`, `depth`: the height at which the search begins, and the height that it covers.
        #[wasm_bindgen(js_name = groundBelow)]
        pub fn ground_below(
            this,
            actor: u32,
            x: f32,
            y: f32,
            z: f32,
            depth: f32,
        ) -> Result<Vec<f32>, StageError> {
            let found = this.shared.stage_mut().surface_below(ActorId::new(actor), Vec3::new(x, y, z), depth)?;
            Ok(found.map_or(Vec::new(), |(at, normal)| vec![at.y, normal.x, normal.y, normal.z]))
        }

        /// The visible surface at a point of the canvas; nothing if there is none.
        #[wasm_bindgen(unchecked_return_type = "Hit | undefined")]
        pub fn pick(this, x: f32, y: f32) -> Result<JsValue, JsValue> {
            Ok(this.hit(|stage| stage.pick(x, y)).unwrap_or(JsValue::UNDEFINED))
        }

        /// The first surface on a ray: its origin and its direction in world space, X, Y, Z of each. Nothing if there is none.
        #[wasm_bindgen(js_name = pickAlong, unchecked_return_type = "Hit | undefined")]
        pub fn pick_along(this, ray: &[f32]) -> Result<JsValue, JsValue> {
            let &[x, y, z, right, up, back] = ray else { return Ok(JsValue::UNDEFINED) };
            let (origin, direction) = (Vec3::new(x, y, z), Vec3::new(right, up, back));
            Ok(this.hit(|stage| stage.pick_along(origin, direction)).unwrap_or(JsValue::UNDEFINED))
        }

        /// A point on an actor's surface in its current pose: the position and the normal in the world, X, Y,
        /// Z of each. Nothing if the point does not exist. Each hotspot of a surface asks in every frame.
        ///
        /// - `at`: mesh, primitive, three vertices, and their barycentric weights.
        pub fn surface(this, actor: u32, at: &[f64]) -> Result<Option<Vec<f64>>, StageError> {
            let &[mesh, primitive, a, b, c, u, v, w] = at else { return Ok(None) };
            let [mesh, primitive, a, b, c] = [mesh, primitive, a, b, c].map(|index| index as usize);
            let weights = [u, v, w].map(|weight| weight as f32);
            let at = SurfacePoint { mesh, primitive, vertices: [a, b, c], weights };
            let found = this.shared.stage_mut().surface(ActorId::new(actor), &at)?;
            let numbers = |(a, b): (Vec3, Vec3)| [a.x, a.y, a.z, b.x, b.y, b.z].map(f64::from).to_vec();
            Ok(found.map(numbers))
        }

        /// The distance in metres between a point of the world and the first surface on the line from the
        /// camera to it; 0 if no surface is in front of it. See [`crate::viewer::Stage::occlusion`].
        pub fn occlusion(this, x: f32, y: f32, z: f32) -> Result<f32, JsValue> {
            Ok(this.shared.stage_mut().occlusion(Vec3::new(x, y, z)))
        }
    }
}
