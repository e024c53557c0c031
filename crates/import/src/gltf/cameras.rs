//! Cameras. Spec: glTF 2.0 §3.10.

use super::lenient::repaired;
use gambol_animation::model::{Camera, Projection};
use gambol_gltf::error::codes;
use gambol_gltf::log::Log;
use gambol_gltf::place::Place;

/// The cameras of a file; an invalid one is replaced by a default perspective camera.
pub(super) fn cameras(at: &Place<'_>, log: &mut Log) -> Vec<Camera> {
    at.list_with("cameras", |at| {
        let (name, projection) = repaired(at, log, camera);
        let projection = projection.unwrap_or_else(|| {
            let message = "The projection of the camera is invalid; a default perspective is used";
            log.warn(codes::NUMBER_REPLACED, at, message);
            Projection::Perspective { yfov: 0.8, aspect: None, near: 0.1, far: None }
        });
        Camera { name, projection }
    })
}

/// The name and the projection; `None` if that is invalid.
fn camera(at: &Place<'_>) -> (String, Option<Projection>) {
    let name = at.or("name", String::new());
    let orthographic = at.member("orthographic").map(|at| orthographic(&at));
    let perspective = at.member("perspective").map(|at| perspective(&at));
    // It is not needed, as the projection is in its own member.
    at.required::<String>("type");
    (name, perspective.or(orthographic).flatten())
}

fn positive(value: f32) -> Option<f32> {
    Some(value).filter(|value| value.is_finite() && *value > 0.0)
}

fn perspective(at: &Place<'_>) -> Option<Projection> {
    let aspect: Option<f32> = at.optional("aspectRatio");
    let yfov = positive(at.required("yfov")).filter(|&yfov| yfov < std::f32::consts::PI);
    let far: Option<f32> = at.optional("zfar");
    let near = positive(at.required("znear"))?;
    let far = far.filter(|far| far.is_finite() && *far > near);
    Some(Projection::Perspective { yfov: yfov?, aspect: aspect.and_then(positive), near, far })
}

fn orthographic(at: &Place<'_>) -> Option<Projection> {
    // A negative magnification mirrors the view; its sign is ignored, as popular exporters never write one.
    let [xmag, ymag] = ["xmag", "ymag"].map(|key| positive(at.required::<f32>(key).abs()));
    let far: f32 = at.required("zfar");
    let near: f32 = at.required("znear");
    let (xmag, ymag) = (xmag?, ymag?);
    (near.is_finite() && far.is_finite() && near < far).then_some(Projection::Orthographic {
        xmag,
        ymag,
        near,
        far,
    })
}
