//! The data of extensions in the JSON.
//!
//! An invalid value of an extension affects only the extension there, not the whole file.

use super::elements::ByPrimitive;
use super::image_lights;
use super::lenient::{index, number, numbers, out_of_range, warn};
use super::material_extensions::{layers, transform};
use super::vrm::Vrm;
use gambol_animation::base::sort_by;
use gambol_animation::model::{
    Layers, Light, LightId, LightKind, MaterialId, TextureSlot, TextureTransform, VariantId,
};
use gambol_gltf::json::Value;
use gambol_gltf::log::Log;
use gambol_gltf::place::Place;
use std::f32::consts::{FRAC_PI_2, FRAC_PI_4};

/// The data of extensions. Only existing data is stored.
#[derive(Debug)]
pub(super) struct Extensions {
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
    /// EXT_lights_image_based.
    pub(super) image_lights: Option<Box<image_lights::Sources>>,
}

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
    pub(super) fn read(at: &Place<'_>, log: &mut Log) -> Self {
        let root = at.value();
        let lights = at.path_or_null("extensions/KHR_lights_punctual/lights");
        let lights: Vec<Light> = lights.elements().map(|at| light(&at, log)).collect();
        let variants = at.path_or_null("extensions/KHR_materials_variants/variants");
        let variants: Vec<String> = variants.elements().map(|at| name(&at)).collect();
        let node = |at: Place<'_>| at.value().get("extensions").and_then(|_| node(&at, lights.len(), log));
        let nodes = at.path_or_null("nodes").elements().map(node).collect();
        let (counts, mut all_mappings) = ((variants.len(), root.list("materials").len()), Vec::new());
        for (m, mesh) in at.path_or_null("meshes").elements().enumerate() {
            for (p, primitive) in mesh.path_or_null("primitives").elements().enumerate() {
                if let Some(at) = primitive.path("extensions/KHR_materials_variants") {
                    all_mappings.push(((m, p), mappings(&at.path_or_null("mappings"), counts, log)));
                }
            }
        }
        Self {
            nodes,
            lights,
            variants,
            mappings: all_mappings,
            vrm: Vrm::find(root),
            springs: root.path("extensions/VRMC_springBone").cloned(),
            image_lights: image_lights::find(root),
        }
    }

    /// The extensions of a node.
    pub(super) fn node(&self, index: u32) -> Option<&NodeExtensions> {
        self.nodes.get(index as usize)?.as_ref()
    }
}

fn name(at: &Place<'_>) -> String {
    at.value().str_at("name").unwrap_or_default().to_owned()
}

/// The path of the transform of a texture.
const TRANSFORM: &str = "extensions/KHR_texture_transform";

/// The extensions of a material and of its core textures.
pub(super) fn material(at: &Place<'_>, textures: usize, log: &mut Log) -> MaterialExtensions {
    let unlit = at.path("extensions/KHR_materials_unlit").is_some();
    let mut transforms: [(TextureTransform, Option<u32>); CORE_SLOTS] = Default::default();
    for (slot, out) in TextureSlot::ALL.into_iter().zip(&mut transforms) {
        if let Some(at) = at.path_or_null(slot.row(false).key).path(TRANSFORM) {
            *out = transform(&at, log);
        }
    }
    MaterialExtensions { unlit, transforms, layers: layers(at, textures, log) }
}

fn node(at: &Place<'_>, lights: usize, log: &mut Log) -> Option<NodeExtensions> {
    let visible = at.path("extensions/KHR_node_visibility/visible").is_none_or(|at| {
        at.value().as_bool().unwrap_or_else(|| {
            warn(log, at, "The value is not a boolean; the node is visible");
            true
        })
    });
    let light = at.path("extensions/KHR_lights_punctual").and_then(|at| {
        let light = index(&at, "light")?;
        if light >= lights {
            out_of_range(log, format_args!("{at}/light"), "light", light, lights);
        }
        (light < lights).then(|| LightId::new(light))
    });
    let instancing = at.path("extensions/EXT_mesh_gpu_instancing/attributes").map(|at| {
        let index = |key| at.value().get(key).and_then(Value::as_u32);
        Instancing { translation: index("TRANSLATION"), rotation: index("ROTATION"), scale: index("SCALE") }
    });
    let says_something = !visible || light.is_some() || instancing.is_some();
    says_something.then_some(NodeExtensions { visible, light, instancing })
}

fn light(at: &Place<'_>, log: &mut Log) -> Light {
    let name = name(at);
    let kind = match at.value().str_at("type") {
        Some("directional") => LightKind::Directional,
        Some("point") => LightKind::Point,
        Some("spot") => {
            let outer = number(log, at, "spot/outerConeAngle", FRAC_PI_4, &|angle| {
                angle > 0.0 && angle <= FRAC_PI_2 + 1e-6
            });
            let inner = number(log, at, "spot/innerConeAngle", 0.0, &|angle| angle >= 0.0 && angle < outer);
            LightKind::Spot { inner: if inner < outer { inner } else { 0.0 }, outer }
        }
        _ => {
            warn(log, format_args!("{at}/type"), "The type of light is unknown; it emits no light");
            return Light { name, intensity: 0.0, ..Light::default() };
        }
    };
    let ranged = at.value().get("range").is_some();
    let range = number(log, at, "range", f32::MAX, &|range| range > 0.0);
    Light {
        name,
        kind,
        color: numbers(log, at, "color", [1.0; 3]).map(|value| value.max(0.0)),
        intensity: number(log, at, "intensity", 1.0, &|value| value >= 0.0),
        range: (ranged && range < f32::MAX).then_some(range),
    }
}

/// The materials of variants, sorted, for a file with these numbers of variants and materials.
fn mappings(
    list: &Place<'_>,
    (variants, materials): (usize, usize),
    log: &mut Log,
) -> Vec<(VariantId, MaterialId)> {
    let mut out = Vec::new();
    for at in list.elements() {
        let Some(material) = index(&at, "material") else {
            warn(log, at, "The mapping has no material; it is skipped");
            continue;
        };
        if material >= materials {
            out_of_range(log, format_args!("{at}/material"), "material", material, materials);
            continue;
        }
        for at in at.path_or_null("variants").elements() {
            let variant = at.value().as_u64().and_then(|variant| usize::try_from(variant).ok());
            match variant.filter(|&variant| variant < variants) {
                Some(variant) => out.push((VariantId::new(variant), MaterialId::new(material))),
                None => out_of_range(log, at, "variant", variant.unwrap_or(usize::MAX), variants),
            }
        }
    }
    // If a variant has two materials, the first one is used.
    sort_by(&mut out, |(a, _), (b, _)| a.cmp(b));
    let all = out.len();
    out.dedup_by_key(|&mut (variant, _)| variant);
    if out.len() < all {
        warn(log, list, "A variant is mapped to several materials; the first one is used");
    }
    out
}
