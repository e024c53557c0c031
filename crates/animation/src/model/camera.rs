//! Cameras.

/// A camera of the file. Spec: glTF 2.0 §3.10.
#[derive(Debug, Clone)]
pub struct Camera {
    /// The name in the file; empty if it has none.
    pub name: String,
    /// The projection.
    pub projection: Projection,
}

/// The projection of a camera, which looks along −Z of its node. Lengths in metres, angles in radians.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Projection {
    /// A perspective projection.
    Perspective {
        /// The vertical field of view.
        yfov: f32,
        /// Width over height; `None` for that of the canvas.
        aspect: Option<f32>,
        /// The distance of the near plane, above 0.
        near: f32,
        /// The distance of the far plane; `None` for infinite.
        far: Option<f32>,
    },
    /// An orthographic projection.
    Orthographic {
        /// Half the width of the view.
        xmag: f32,
        /// Half the height of the view.
        ymag: f32,
        /// The distance of the near plane.
        near: f32,
        /// The distance of the far plane.
        far: f32,
    },
}
