//! Animated properties apart from transforms: numbers of materials, lights and cameras, and visibility of
//! nodes. Spec: KHR_animation_pointer, glTF 2.0 Asset Object Model.

use super::camera::{Camera, Projection};
use super::ids::{CameraId, LightId, MaterialId, NodeId};
use super::light::{Light, LightKind};
use super::material::{AlphaMode, Material};
use super::material_table::{MaterialProperty, TextureSlot, TransformProperty};
use super::texture::TextureTransform;
use std::ops::Range;

/// An animated property that is not the transform of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Property {
    /// Visibility of a node and its descendants: 0 is hidden.
    Visible(NodeId),
    /// One morph weight of a node. It is stored in the weights of a pose, not in the properties.
    Weight(NodeId, u32),
    /// A property of a material.
    Material(MaterialId, MaterialProperty),
    /// A property of a light.
    Light(LightId, LightProperty),
    /// A property of a camera.
    Camera(CameraId, CameraProperty),
}

impl Property {
    /// The number of components.
    pub fn width(self) -> usize {
        match self {
            Self::Visible(_) | Self::Weight(..) | Self::Camera(..) => 1,
            Self::Material(_, property) => property.range().len(),
            Self::Light(_, property) => property.range().len(),
        }
    }
}

impl TextureTransform {
    /// The transform of a slot in [`Material::properties`].
    pub fn of_properties(properties: &[f32; MaterialProperty::COUNT], slot: TextureSlot) -> Self {
        let begin = MaterialProperty::TRANSFORMS + 5 * slot as usize;
        let at = |i: usize| properties[begin + i];
        Self { offset: [at(0), at(1)], rotation: at(2), scale: [at(3), at(4)] }
    }
}

impl Material {
    /// All animatable numbers of the material, indexed by [`MaterialProperty::range`].
    pub fn properties(&self) -> [f32; MaterialProperty::COUNT] {
        let mut out = [0.0; MaterialProperty::COUNT];
        out[..MaterialProperty::TRANSFORMS].copy_from_slice(&self.layers.numbers);
        let mut set =
            |property: MaterialProperty, values: &[f32]| out[property.range()].copy_from_slice(values);
        use MaterialProperty as P;
        set(P::BaseColor, &self.base_color);
        set(P::Emissive, &self.emissive);
        set(P::Metallic, &[self.metallic]);
        set(P::Roughness, &[self.roughness]);
        let cutoff = if let AlphaMode::Mask { cutoff } = self.alpha_mode { cutoff } else { 0.5 };
        set(P::AlphaCutoff, &[cutoff]);
        set(P::NormalScale, &[self.normal_texture.map_or(1.0, |normal| normal.scale)]);
        set(P::OcclusionStrength, &[self.occlusion_texture.map_or(1.0, |occlusion| occlusion.strength)]);
        for slot in TextureSlot::ALL {
            let transform = self.texture(slot).map_or(TextureTransform::IDENTITY, |used| used.transform);
            set(P::Transform(slot, TransformProperty::Offset), &transform.offset);
            set(P::Transform(slot, TransformProperty::Rotation), &[transform.rotation]);
            set(P::Transform(slot, TransformProperty::Scale), &transform.scale);
        }
        out
    }
}

/// A number of a light, or its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LightProperty {
    /// The colour: linear red, green, blue.
    Color,
    /// The intensity: candela, or lux for directional lights.
    Intensity,
    /// The range, in metres.
    Range,
    /// The inner cone angle of a spot light, in radians.
    InnerAngle,
    /// The outer cone angle of a spot light, in radians.
    OuterAngle,
}

impl LightProperty {
    /// The length of [`Light::properties`].
    pub const COUNT: usize = 7;

    /// The indices in [`Light::properties`].
    pub fn range(self) -> Range<usize> {
        match self {
            Self::Color => 0..3,
            Self::Intensity => 3..4,
            Self::Range => 4..5,
            Self::InnerAngle => 5..6,
            Self::OuterAngle => 6..7,
        }
    }
}

impl Light {
    /// All numbers of the light, indexed by [`LightProperty::range`]; without a range, [`f32::MAX`].
    pub fn properties(&self) -> [f32; LightProperty::COUNT] {
        let [r, g, b] = self.color;
        let (inner, outer) =
            if let LightKind::Spot { inner, outer } = self.kind { (inner, outer) } else { (0.0, 0.0) };
        [r, g, b, self.intensity, self.range.unwrap_or(f32::MAX), inner, outer]
    }
}

/// A number of a camera: an index into [`Camera::properties`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CameraProperty {
    /// The vertical field of view, or half the width of an orthographic view.
    First,
    /// The aspect ratio, or half the height of an orthographic view.
    Second,
    /// The near plane.
    Near,
    /// The far plane.
    Far,
}

impl CameraProperty {
    /// The length of [`Camera::properties`].
    pub const COUNT: usize = 4;
}

impl Camera {
    /// All numbers of the camera: `yfov, aspect, near, far` or `xmag, ymag, near, far`. Without an aspect
    /// ratio, 0; without a far plane, [`f32::MAX`].
    pub fn properties(&self) -> [f32; CameraProperty::COUNT] {
        match self.projection {
            Projection::Perspective { yfov, aspect, near, far } => {
                [yfov, aspect.unwrap_or(0.0), near, far.unwrap_or(f32::MAX)]
            }
            Projection::Orthographic { xmag, ymag, near, far } => [xmag, ymag, near, far],
        }
    }

    /// The projection with other numbers.
    pub fn with_properties(&self, properties: [f32; CameraProperty::COUNT]) -> Projection {
        let [first, second, near, far] = properties;
        match self.projection {
            Projection::Perspective { .. } => Projection::Perspective {
                yfov: first,
                aspect: Some(second).filter(|&aspect| aspect > 0.0),
                near,
                far: Some(far).filter(|&far| far < f32::MAX),
            },
            Projection::Orthographic { .. } => {
                Projection::Orthographic { xmag: first, ymag: second, near, far }
            }
        }
    }
}
