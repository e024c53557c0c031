//! The data of extensions in the JSON.
//!
//! An invalid value of an extension affects only the extension there, not the whole file.

use super::elements::ByPrimitive;
use super::lenient::{Read, extension, index};
use super::vrm::Vrm;
use crate::base::sort_by;
use crate::model::{Layers, Light, LightId, LightKind, MaterialId, TextureSlot, TextureTransform, VariantId};
use gambol_gltf::error::codes;
use gambol_gltf::json::Value;
use gambol_gltf::log::Log;
use std::f32::consts::{FRAC_PI_2, FRAC_PI_4};

/// The data of extensions. Only existing data is stored.
#[derive(Debug, Default)]
pub(super) struct Extensions {
    /// Per material.
    pub(super) materials: Vec<Option<Box<MaterialExtensions>>>,
    /// Per node.
    pub(super) nodes: Vec<Option<NodeExtensions>>,
    pub(super) lights: Vec<Light>,
    /// The names of the variants of materials.
    pub(super) variants: Vec<String>,
    /// The material of each variant, sorted.
    pub(super) mappings: ByPrimitive<Vec<(VariantId, MaterialId)>>,
    pub(super) vrm: Option<Vrm>,
    /// VRMC_springBone.
    pub(super) springs: Option<Value>,
}

#[derive(Debug)]
pub(super) struct MaterialExtensions {
    pub(super) unlit: bool,
    /// The transforms of core textures.
    pub(super) transforms: [(TextureTransform, Option<u32>); CORE_SLOTS],
    pub(super) layers: Layers,
}

/// The number of core texture slots, which are the first ones.
const CORE_SLOTS: usize = 5;

#[derive(Debug)]
pub(super) struct NodeExtensions {
    pub(super) visible: bool,
    pub(super) light: Option<LightId>,
    /// The accessors of EXT_mesh_gpu_instancing.
    pub(super) instancing: Option<Instancing>,
}

/// The indices of accessors with one element per instance.
#[derive(Debug, Clone, Copy)]
pub(super) struct Instancing {
    pub(super) translation: Option<u32>,
    pub(super) rotation: Option<u32>,
    pub(super) scale: Option<u32>,
}

impl Extensions {
    /// Reads the extensions from the root of the JSON.
    pub(super) fn read(root: &Value, log: &mut Log) -> Self {
        let of_root = |name: &str, key: &str| {
            let list = root.get("extensions").and_then(|all| all.get(name)?.get(key)?.as_array());
            list.unwrap_or_default()
        };
        let mut read = Read { log, pointer: String::new() };
        let lights = of_root("KHR_lights_punctual", "lights").iter().enumerate();
        let lights: Vec<Light> = lights.map(|(i, value)| read.light(i, value)).collect();
        let name = |value: &Value| value.str_at("name").unwrap_or_default().to_owned();
        let variants: Vec<String> = of_root("KHR_materials_variants", "variants").iter().map(name).collect();

        let mut this = Self::default();
        for (i, value) in root.list("materials").iter().enumerate() {
            let textures = root.list("textures").len();
            let found = Read::has_extensions(value).then(|| Box::new(read.material(i, value, textures)));
            this.materials.push(found);
        }
        for (i, value) in root.list("nodes").iter().enumerate() {
            let extended = value.get("extensions").is_some();
            this.nodes.push(if extended { read.node(i, value, lights.len()) } else { None });
        }
        let counts = (variants.len(), root.list("materials").len());
        for (m, mesh) in root.list("meshes").iter().enumerate() {
            for (p, primitive) in mesh.list("primitives").iter().enumerate() {
                if let Some(extension) = extension(primitive, "KHR_materials_variants") {
                    read.pointer =
                        format!("/meshes/{m}/primitives/{p}/extensions/KHR_materials_variants/mappings");
                    let mappings = read.mappings(extension.list("mappings"), counts);
                    this.mappings.push(((m, p), mappings));
                }
            }
        }
        Self {
            lights,
            variants,
            vrm: Vrm::find(root),
            springs: root.path("extensions/VRMC_springBone").cloned(),
            ..this
        }
    }

    /// The extensions of a node.
    pub(super) fn node(&self, index: u32) -> Option<&NodeExtensions> {
        self.nodes.get(index as usize)?.as_ref()
    }
}

/// The texture transform of the texture at `key` of a material.
fn transform_of<'a>(material: &'a Value, key: &str) -> Option<&'a Value> {
    extension(material.path(key)?, "KHR_texture_transform")
}

impl Read<'_> {
    /// `true` if a material or one of its core textures has extensions.
    fn has_extensions(material: &Value) -> bool {
        let mut slots = TextureSlot::ALL[..CORE_SLOTS].iter();
        material.get("extensions").is_some()
            || slots.any(|&slot| transform_of(material, slot.row(false).key).is_some())
    }

    fn material(&mut self, i: usize, material: &Value, textures: usize) -> MaterialExtensions {
        let unlit = extension(material, "KHR_materials_unlit").is_some();
        let mut transforms: [(TextureTransform, Option<u32>); CORE_SLOTS] = Default::default();
        for (slot, out) in TextureSlot::ALL.into_iter().zip(&mut transforms) {
            let key = slot.row(false).key;
            let Some(value) = transform_of(material, key) else { continue };
            self.pointer = format!("/materials/{i}/{key}/extensions/KHR_texture_transform");
            *out = self.transform(value);
        }
        MaterialExtensions { unlit, transforms, layers: self.layers(i, material, textures) }
    }

    fn node(&mut self, i: usize, node: &Value, lights: usize) -> Option<NodeExtensions> {
        let visible = match extension(node, "KHR_node_visibility").and_then(|value| value.get("visible")) {
            Some(Value::Bool(visible)) => *visible,
            None => true,
            Some(_) => {
                self.pointer = format!("/nodes/{i}/extensions/KHR_node_visibility");
                self.warn("visible", "The value is not a boolean; the node is visible");
                true
            }
        };
        let light = extension(node, "KHR_lights_punctual").and_then(|value| index(value, "light"));
        let light = light.map(|light| light as usize).filter(|&light| {
            if light >= lights {
                self.pointer = format!("/nodes/{i}/extensions/KHR_lights_punctual");
                self.out_of_range("light", "light", light, lights);
            }
            light < lights
        });
        let instancing = extension(node, "EXT_mesh_gpu_instancing").and_then(|value| value.get("attributes"));
        let instancing = instancing.map(|attributes| Instancing {
            translation: index(attributes, "TRANSLATION"),
            rotation: index(attributes, "ROTATION"),
            scale: index(attributes, "SCALE"),
        });
        let says_something = !visible || light.is_some() || instancing.is_some();
        says_something.then_some(NodeExtensions { visible, light: light.map(LightId::new), instancing })
    }

    fn light(&mut self, i: usize, value: &Value) -> Light {
        self.pointer = format!("/extensions/KHR_lights_punctual/lights/{i}");
        let name = value.str_at("name").unwrap_or_default().to_owned();
        let kind = match value.str_at("type") {
            Some("directional") => LightKind::Directional,
            Some("point") => LightKind::Point,
            Some("spot") => {
                let empty = Value::Null;
                let spot = value.get("spot").unwrap_or(&empty);
                let light = std::mem::take(&mut self.pointer);
                self.pointer = format!("{light}/spot");
                let outer = self.number(spot, "outerConeAngle", FRAC_PI_4, |angle| {
                    angle > 0.0 && angle <= FRAC_PI_2 + 1e-6
                });
                let inner = self.number(spot, "innerConeAngle", 0.0, |angle| angle >= 0.0 && angle < outer);
                self.pointer = light;
                LightKind::Spot { inner: if inner < outer { inner } else { 0.0 }, outer }
            }
            _ => {
                self.warn("type", "The type of light is unknown; it emits no light");
                return Light { name, intensity: 0.0, ..Light::default() };
            }
        };
        let ranged = value.get("range").is_some();
        let range = self.number(value, "range", f32::MAX, |range| range > 0.0);
        Light {
            name,
            kind,
            color: self.numbers(value, "color", [1.0; 3]).map(|value| value.max(0.0)),
            intensity: self.number(value, "intensity", 1.0, |value| value >= 0.0),
            range: (ranged && range < f32::MAX).then_some(range),
        }
    }

    /// The materials of variants, sorted, for a file with these numbers of variants and materials.
    fn mappings(
        &mut self,
        mappings: &[Value],
        (variants, materials): (usize, usize),
    ) -> Vec<(VariantId, MaterialId)> {
        let mut out = Vec::new();
        for (i, mapping) in mappings.iter().enumerate() {
            let Some(material) = index(mapping, "material").map(|material| material as usize) else {
                self.warn(&i.to_string(), "The mapping has no material; it is skipped");
                continue;
            };
            if material >= materials {
                self.out_of_range(&format!("{i}/material"), "material", material, materials);
                continue;
            }
            for (j, variant) in mapping.list("variants").iter().enumerate() {
                let variant = variant.as_u64().and_then(|variant| usize::try_from(variant).ok());
                match variant.filter(|&variant| variant < variants) {
                    Some(variant) => out.push((VariantId::new(variant), MaterialId::new(material))),
                    None => {
                        let index = variant.unwrap_or(usize::MAX);
                        self.out_of_range(&format!("{i}/variants/{j}"), "variant", index, variants);
                    }
                }
            }
        }
        // If a variant has two materials, the first one is used.
        sort_by(&mut out, |(a, _), (b, _)| a.cmp(b));
        let all = out.len();
        out.dedup_by_key(|&mut (variant, _)| variant);
        if out.len() < all {
            let message = "A variant is mapped to several materials; the first one is used";
            self.log.warn(codes::INVALID_VALUE, self.pointer.clone(), message);
        }
        out
    }
}
