//! The input of a frame.

use super::debug_view::Debug;
use crate::model::{SIDE_BY_SIDE, TextureCell, VariantId};
use crate::render::gl::ViewTarget;
use crate::render::light::{
    Environment, LIGHT_FLOATS, Lighting, MAX_LIGHTS, PunctualLight, ShadowArea, ShadowView, UnevenGround,
};
use crate::render::resources::{DeformedPrimitive, ModelHandle, OwnMaterial};
use glam::{Mat4, Vec3};
use std::rc::Rc;

/// The input of one frame: size, camera, background, actors, lights and debug views.
#[derive(Debug, Clone, Copy)]
pub struct Frame<'a> {
    /// The render target of the picture, of the frame's size; `None` is the lower left part of the canvas.
    pub target: Option<&'a ViewTarget>,
    /// The width of the drawing buffer in device pixels.
    pub width: u32,
    /// The height of the drawing buffer in device pixels.
    pub height: u32,
    /// Device pixels per CSS pixel, which is also the size of points; values below 1 count as 1.
    pub pixel_ratio: f32,
    /// The matrix `view_from_world`; the camera looks along its −Z.
    pub view: Mat4,
    /// The matrix `clip_from_view`, perspective or orthographic, with GL's depth range of −1 to 1.
    pub projection: Mat4,
    /// The background colour as in CSS: sRGB-encoded, not premultiplied. `None` is transparent.
    /// The canvas must have premultiplied alpha.
    pub background: Option<[f32; 4]>,
    /// The matrices of all actors, 12 floats per entry: three rows of `m0 m1 m2 t`, `world_from_mesh`.
    ///
    /// For dual-quaternion skinning, the rotations of the first [`Frame::rotation_count`] matrices follow.
    /// They are unit quaternions of four floats each, padded with zeros to the end of an entry.
    /// [`ActorDraw::palettes`] follow. Uploaded without a copy, once per frame.
    pub palette: &'a [f32],
    /// The number of matrices, from the first one, whose rotations follow the matrices in [`Frame::palette`].
    pub rotation_count: u32,
    /// The actors and crowds to draw.
    pub actors: &'a [ActorDraw<'a>],
    /// The punctual lights, strongest first; lights beyond [`MAX_LIGHTS`] are ignored. They
    /// light only models whose files have lights.
    pub lights: &'a [PunctualLight],
    /// The lighting settings.
    pub lighting: Lighting,
    /// The environment light; `None` is black.
    pub environment: Option<&'a Environment>,
    /// The environment drawn as the background, if [`Lighting::skybox`] is set.
    pub sky: Option<&'a Environment>,
    /// The centre and radius of the ground that the lower half of the sky is projected onto.
    /// `None` if the sky is at infinity.
    pub ground: Option<[f32; 4]>,
    /// The area that casts shadows; `None` if there are no shadows.
    pub shadows: Option<ShadowArea>,
    /// The ground of the shadows; `None` for the plane of [`ShadowArea::ground`].
    pub uneven: Option<&'a Rc<UnevenGround>>,
    /// The debug views to draw.
    pub debug: Debug<'a>,
    /// `true` if shadows and the sky may be missing while their programs compile; `false` waits for them.
    pub may_defer: bool,
}

/// An actor or a crowd to draw.
#[derive(Debug, Clone, Copy)]
pub struct ActorDraw<'a> {
    /// The model.
    pub model: ModelHandle,
    /// The index of the actor's first entry in [`Frame::palette`].
    pub palette_base: u32,
    /// The palettes of a crowd, with [`SIDE_BY_SIDE`] members interleaved; empty for an actor.
    /// They follow [`Frame::palette`] and the palettes of earlier crowds.
    pub palettes: &'a [f32],
    /// The morph weights, laid out as in [`PaletteLayout::weights_of_node`](crate::model::PaletteLayout).
    /// Missing weights count as 0.
    pub weights: &'a [f32],
    /// The active morph targets of a crowd, in place of the weights: for each member equally many, four numbers each (target,
    /// weight, 0, 0). They are those of each mesh.
    pub active_targets: &'a [f32],
    /// The animated properties other than node transforms, laid out as in
    /// [`PropertyLayout`](crate::model::PropertyLayout). Missing properties keep the values of the file.
    pub properties: &'a [f32],
    /// The materials whose textures show one of their cells.
    pub cells: &'a [TextureCell],
    /// The materials of the actor in place of those of the model, sorted by those.
    pub materials: &'a [OwnMaterial],
    /// For each node, `true` if it is visible; if empty, all nodes are visible.
    pub visible: &'a [bool],
    /// For each node, the part of a crowd that it belongs to, 255 for none; empty if no member hides a part. The last two rows of the
    /// last entry of a member have the parts that it hides: 24 in each float, as the bits of a whole number.
    pub parts: &'a [u8],
    /// The variant of materials.
    pub variant: Option<VariantId>,
    /// Primitives deformed on the CPU, drawn in place of the model's own.
    pub deformed: &'a [DeformedPrimitive<'a>],
    /// The number of members of a crowd; 1 for an actor.
    pub instances: u32,
    /// The number of palette entries per member of a crowd; 0 for an actor.
    ///
    /// The first row of the last entry is the member's tint: a linear factor of the base colour.
    /// [`ActorDraw::weights`] are those of all members. Hidden members have matrices of zeros.
    pub stride: u32,
    /// The level of detail of the meshes, see [`Renderer::set_mesh_levels`](crate::render::Renderer::set_mesh_levels); 0 for the full
    /// meshes, which are drawn in place of missing levels, too.
    pub level: usize,
}

impl ActorDraw<'_> {
    /// `true` for a crowd.
    pub(crate) fn is_crowd(&self) -> bool {
        self.stride > 0
    }

    /// The distance between successive palette entries.
    pub(crate) fn step(&self) -> u32 {
        if self.is_crowd() { SIDE_BY_SIDE as u32 } else { 1 }
    }
}

/// The number of floats of the uniform block `Frame` (`shaders/frame.glsl`).
pub(crate) const FRAME_FLOATS: usize = LIGHTING + 72;
/// The index of the float that is 1 while the backdrop for transmission is drawn.
pub(crate) const BACKDROP: usize = 22;
/// The index of the float with the mode of alpha masks: 0 for no alpha to coverage, 1 for alpha to coverage.
/// 2 writes the alpha of surfaces that were drawn with alpha to coverage.
pub(crate) const MASKS: usize = 23;
/// The index of the first float of the lighting.
const LIGHTING: usize = 24 + LIGHT_FLOATS * MAX_LIGHTS;

impl Frame<'_> {
    /// The palettes of crowds, in the order of the actors.
    pub(crate) fn crowd_palettes(&self) -> impl Iterator<Item = &[f32]> + Clone {
        self.actors.iter().map(|actor| actor.palettes).filter(|palettes| !palettes.is_empty())
    }

    /// `true` if the canvas has an alpha of 1 everywhere, whatever is drawn.
    pub(crate) fn is_opaque(&self) -> bool {
        self.background.is_some_and(|[.., alpha]| alpha >= 1.0)
    }

    /// The uniform block `Frame` for the canvas; [`Frame::light_block`] writes the remaining floats.
    pub(crate) fn block(&self, multisampled: bool) -> [f32; FRAME_FLOATS] {
        let mut out = [0.0; FRAME_FLOATS];
        out[..16].copy_from_slice(&(self.projection * self.view).to_cols_array());
        out[16..20].copy_from_slice(&self.eye());
        out[20] = if self.pixel_ratio >= 1.0 { self.pixel_ratio } else { 1.0 };
        out[MASKS] = f32::from(u8::from(multisampled));
        out[21] = self.lights.len().min(MAX_LIGHTS) as f32;
        for (light, out) in self.lights.iter().zip(out[24..].chunks_exact_mut(LIGHT_FLOATS)) {
            out.copy_from_slice(&light.block());
        }
        out
    }

    /// Writes the lighting part of the uniform block: environment, shadow, exposure and tone mapping.
    pub(crate) fn light_block(&self, shadows: Option<&ShadowView>, out: &mut [f32; FRAME_FLOATS]) {
        let lighting = &self.lighting;
        let out = &mut out[LIGHTING..];
        if let Some(environment) = self.environment {
            out[..40].copy_from_slice(environment.block(lighting).as_flattened());
        }
        let shadow = shadows.filter(|view| view.key.is_some());
        if let Some(key) = self.environment.and_then(|environment| environment.key(lighting)) {
            out[40..43].copy_from_slice(&key.direction);
            out[44..47].copy_from_slice(&key.color);
        }
        if let Some(view) = shadow {
            out[43] = view.offset;
            out[47] = lighting.shadow_intensity.clamp(0.0, 1.0);
            out[48..64].copy_from_slice(&view.map_from_world.to_cols_array());
            out[68..72].copy_from_slice(&view.penumbra);
        }
        out[65] = lighting.exposure;
        out[66] = lighting.tone_mapping as u32 as f32;
        out[67] = self.rotation_count as f32;
    }

    /// The eye position with w = 1, or, for an orthographic projection, the direction towards the eye with w = 0.
    fn eye(&self) -> [f32; 4] {
        let world_from_view = self.view.inverse();
        let parallel = self.projection.w_axis.w != 0.0;
        let axis = if parallel { world_from_view.z_axis } else { world_from_view.w_axis };
        let Vec3 { x, y, z } = axis.truncate();
        [x, y, z, if parallel { 0.0 } else { 1.0 }]
    }

    /// The background in the encoding of the backdrop (`backdrop_from_light` in `shaders/tone.glsl`), premultiplied.
    pub(crate) fn backdrop_color(&self) -> [f32; 4] {
        let [r, g, b, a] = self.background.unwrap_or_default();
        let [r, g, b] = [r, g, b].map(|c: f32| {
            let light = if c <= 0.04045 { c / 12.92 } else { (2.4 * ((c + 0.055) / 1.055).log2()).exp2() };
            a * (light / 4.0).clamp(0.0, 1.0).cbrt()
        });
        [r, g, b, a]
    }

    /// The background for the canvas: sRGB-encoded and premultiplied.
    pub(crate) fn clear_color(&self) -> [f32; 4] {
        let [r, g, b, a] = self.background.unwrap_or_default();
        [r * a, g * a, b * a, a]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::camera::rh::proj::opengl;
    use std::f32::consts::{FRAC_PI_2, PI};

    fn frame(projection: Mat4) -> Frame<'static> {
        let view = Mat4::from_translation(Vec3::new(0.0, -2.0, -5.0));
        Frame {
            target: None,
            width: 1,
            height: 1,
            pixel_ratio: 2.0,
            view,
            projection,
            background: Some([1.0, 0.5, 0.0, 0.5]),
            palette: &[],
            rotation_count: 0,
            actors: &[],
            lights: &[],
            lighting: Lighting::default(),
            environment: None,
            sky: None,
            ground: None,
            shadows: None,
            uneven: None,
            debug: Debug::default(),
            may_defer: false,
        }
    }

    #[test]
    fn frame_block_lights_match_the_shader_and_are_limited() {
        let spot = PunctualLight {
            position: Vec3::new(1.0, 2.0, 3.0),
            direction: Vec3::NEG_Y,
            directional: false,
            color: [PI, 0.0, 0.0],
            range: 4.0,
            cone: Some([0.0, FRAC_PI_2]),
        };
        let block = spot.block();
        assert_eq!(block[..8], [1.0, 2.0, 3.0, 1.0, 1.0, 0.0, 0.0, 0.25]);
        assert!((block[9] + 1.0).abs() < 1e-6 && block[11].abs() < 1e-6, "{block:?}");
        let sun = PunctualLight { directional: true, cone: None, range: f32::MAX, ..spot };
        assert_eq!(sun.block()[..4], [0.0, 1.0, 0.0, 0.0]);
        assert_eq!(sun.block()[8..], [0.0, 0.0, 0.0, 1.0]);
        let narrow = PunctualLight { cone: Some([0.3, 0.3]), range: 0.0, ..spot };
        assert!(narrow.block().iter().all(|value| value.is_finite()));
        let many = [spot; 12];
        assert_eq!(Frame { lights: &many, ..frame(Mat4::IDENTITY) }.block(true)[21], MAX_LIGHTS as f32);
    }

    #[test]
    fn frame_block_eye_is_a_point_or_a_direction() {
        let perspective = frame(opengl::perspective(1.0, 1.0, 0.1, 10.0));
        let parallel = frame(opengl::orthographic(-1.0, 1.0, -1.0, 1.0, 0.1, 10.0));
        let close = |a: [f32; 4], b: [f32; 4]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5);
        assert!(close(perspective.eye(), [0.0, 2.0, 5.0, 1.0]), "{:?}", perspective.eye());
        assert!(close(parallel.eye(), [0.0, 0.0, 1.0, 0.0]), "{:?}", parallel.eye());
    }

    #[test]
    fn frame_is_opaque_by_its_background_and_alpha_to_coverage_needs_multisampling() {
        let frame = frame(Mat4::IDENTITY);
        let opaque = Frame { background: Some([0.0, 0.0, 0.0, 1.0]), ..frame };
        assert!(opaque.is_opaque() && !frame.is_opaque() && !Frame { background: None, ..frame }.is_opaque());
        assert_eq!([true, false].map(|multisampled| frame.block(multisampled)[MASKS]), [1.0, 0.0]);
    }

    #[test]
    fn frame_background_is_premultiplied() {
        let frame = frame(Mat4::IDENTITY);
        assert_eq!(frame.clear_color(), [0.5, 0.25, 0.0, 0.5]);
        assert_eq!(Frame { background: None, ..frame }.clear_color(), [0.0; 4]);
        assert_eq!(Frame { background: None, ..frame }.backdrop_color(), [0.0; 4]);
        let [r, g, b, a] = frame.backdrop_color();
        assert!(
            [r - 0.5 * 0.629_96, g - 0.5 * 0.376_83, b, a - 0.5].iter().all(|off| off.abs() < 1e-4),
            "{r} {g} {b} {a}"
        );
    }
}
