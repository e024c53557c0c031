//! Cameras. Spec: glTF 2.0 §3.10.

use crate::model::{Camera, Projection};
use ::gltf::json;
use gambol_gltf::error::codes;
use gambol_gltf::log::Log;

/// The cameras of a file; an invalid one is replaced by a default perspective camera.
pub(super) fn cameras(cameras: &[json::Camera], log: &mut Log) -> Vec<Camera> {
    let camera = |(i, camera): (usize, &json::Camera)| {
        let projection = projection(camera).unwrap_or_else(|| {
            let message = "The projection of the camera is invalid; a default perspective is used";
            log.warn(codes::NUMBER_REPLACED, format_args!("/cameras/{i}"), message);
            Projection::Perspective { yfov: 0.8, aspect: None, near: 0.1, far: None }
        });
        Camera { name: camera.name.clone().unwrap_or_default(), projection }
    };
    cameras.iter().enumerate().map(camera).collect()
}

fn projection(camera: &json::Camera) -> Option<Projection> {
    let positive = |value: f32| Some(value).filter(|value| value.is_finite() && *value > 0.0);
    if let Some(camera) = &camera.perspective {
        let near = positive(camera.znear)?;
        return Some(Projection::Perspective {
            yfov: positive(camera.yfov).filter(|&yfov| yfov < std::f32::consts::PI)?,
            aspect: camera.aspect_ratio.and_then(positive),
            near,
            far: camera.zfar.filter(|far| far.is_finite() && *far > near),
        });
    }
    let camera = camera.orthographic.as_ref()?;
    // A negative magnification mirrors the view; its sign is ignored, as popular exporters never write one.
    let (xmag, ymag) = (positive(camera.xmag.abs())?, positive(camera.ymag.abs())?);
    let (near, far) = (camera.znear, camera.zfar);
    (near.is_finite() && far.is_finite() && near < far).then_some(Projection::Orthographic {
        xmag,
        ymag,
        near,
        far,
    })
}
