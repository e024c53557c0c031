//! Reads the JSON of a file, element by element.

use super::compressed::{self, Compressed};
use super::elements::{
    Accessor, Animation, Buffer, ByPrimitive, Channel, ImageSource, Mesh, Node, Sampler, Scene, Skin, Target,
    View,
};
use super::extensions::Extensions;
use super::{cameras, draco_primitives, materials};
use gambol_animation::model::{Camera, LayerRow, Material, Texture};
use gambol_gltf::error::{ImportError, ImportErrorKind, codes};
use gambol_gltf::json::Value;
use gambol_gltf::log::Log;
use gambol_gltf::place::{self, FromJson, Place};

/// The JSON of a file. Each vector is in the order of the file.
#[derive(Debug)]
pub(super) struct File {
    pub(super) accessors: Vec<Accessor>,
    pub(super) animations: Vec<Animation>,
    pub(super) buffers: Vec<Buffer>,
    pub(super) buffer_views: Vec<View>,
    /// The encoded buffer views.
    pub(super) compressed_views: Vec<Compressed>,
    /// The primitives with Draco compression.
    pub(super) draco: Vec<draco_primitives::Encoded>,
    /// `true` if the file requires Draco compression.
    pub(super) draco_required: bool,
    /// The error because of which the encoded bytes are missing.
    pub(super) draco_missing: ByPrimitive<ImportError>,
    pub(super) cameras: Vec<Camera>,
    pub(super) extensions: Extensions,
    pub(super) images: Vec<ImageSource>,
    pub(super) materials: Vec<Material>,
    pub(super) meshes: Vec<Mesh>,
    pub(super) nodes: Vec<Node>,
    pub(super) scenes: Vec<Scene>,
    pub(super) scene: Option<usize>,
    pub(super) skins: Vec<Skin>,
    pub(super) textures: Vec<Texture>,
    /// The core source of each texture, whose image may be that of an extension.
    pub(super) texture_fallbacks: Vec<Option<usize>>,
}

/// The supported extensions except for the layers of materials.
const SUPPORTED: &[&str] = &[
    "KHR_animation_pointer",
    "KHR_mesh_quantization",
    "EXT_texture_webp",
    "EXT_texture_avif",
    "EXT_mesh_gpu_instancing",
    "VRMC_springBone",
    "VRMC_vrm",
    "VRMC_vrm_animation",
    "KHR_lights_punctual",
    "EXT_lights_image_based",
    "KHR_materials_unlit",
    "KHR_materials_variants",
    "KHR_node_visibility",
    "KHR_texture_transform",
    "KHR_draco_mesh_compression",
    "KHR_texture_basisu",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
];

fn is_supported(name: &str) -> bool {
    SUPPORTED.contains(&name) || LayerRow::extensions().any(|row| row.extension == name)
}

/// Prefixes of unsupported extensions without which the model can be shown, even if the file requires them.
/// The second string is the effect of ignoring the extension.
const HARMLESS: &[(&str, &str)] = &[
    ("KHR_materials_", "materials look simpler"),
    ("ADOBE_materials_", "materials look simpler"),
    ("EXT_materials_", "materials look simpler"),
    ("KHR_xmp", "its metadata is not read"),
    ("EXT_structural_metadata", "its metadata is not read"),
    ("EXT_mesh_features", "its metadata is not read"),
    ("EXT_instance_features", "its metadata is not read"),
    ("KHR_lights_", "its lights are ignored"),
    ("EXT_lights_", "its lights are ignored"),
    ("KHR_texture_", "textures that need it are ignored"),
    ("EXT_texture_", "textures that need it are ignored"),
    ("GOOGLE_texture_", "textures that need it are ignored"),
    ("MSFT_texture_", "textures that need it are ignored"),
    ("MSFT_packing_", "textures that need it are ignored"),
    ("VRMC_node_constraint", "its constraints do not act"),
    ("VRMC_springBone_", "its additions to spring bones are ignored"),
    ("VRM", "materials look simpler"),
    ("KHR_interactivity", "its behaviour does not run"),
    ("KHR_node_selectability", "its nodes do not react"),
    ("KHR_node_hoverability", "its nodes do not react"),
    ("KHR_character", "its data of characters is not used"),
    ("MSFT_lod", "its levels of detail are not used"),
    ("KHR_audio", "its sound is not played"),
    ("MSFT_audio_", "its sound is not played"),
    ("KHR_physics", "its bodies do not move"),
    ("KHR_rigid_bodies", "its bodies do not move"),
    ("KHR_implicit_shapes", "its bodies do not move"),
];

/// Reads the JSON of a file.
pub(super) fn read(root: &Value, log: &mut Log) -> Result<File, ImportError> {
    check_version(root)?;
    check_extensions(root, log)?;
    place::read_with(root, "", |at| File::read(at, log))
}

impl File {
    fn read(at: &Place<'_>, log: &mut Log) -> Self {
        let root = at.value();
        let extensions = Extensions::read(at, log);
        Self {
            compressed_views: compressed::views(root),
            draco: draco_primitives::primitives(root.list("meshes")),
            draco_required: requires(root, draco_primitives::EXTENSION),
            draco_missing: Vec::new(),
            accessors: at.list("accessors"),
            animations: animations(at, log),
            buffers: at.list("buffers"),
            buffer_views: at.list("bufferViews"),
            cameras: cameras::cameras(at, log),
            images: materials::image_sources(at, log),
            materials: materials::materials(at, log),
            nodes: at.list("nodes"),
            scenes: at.list("scenes"),
            scene: index(root, "scene"),
            skins: at.list("skins"),
            textures: materials::textures(at, log),
            texture_fallbacks: root.list("textures").iter().map(|texture| index(texture, "source")).collect(),
            meshes: at.list("meshes"),
            extensions,
        }
    }
}

fn invalid(reason: &str) -> ImportErrorKind {
    ImportErrorKind::InvalidValue { reason: reason.to_owned() }
}

fn check_version(root: &Value) -> Result<(), ImportError> {
    let asset = root.get("asset");
    let version = |key| asset.and_then(|asset| asset.get(key)).and_then(Value::as_str);
    let needed = version("minVersion").or(version("version"));
    // In glTF 1, in which `asset` is optional, the collections are objects.
    let old = ["meshes", "nodes", "scenes", "accessors"]
        .iter()
        .any(|&key| root.get(key).is_some_and(|value| value.as_object().is_some()));
    match needed {
        Some(needed) if needed == "2" || needed == "2.0" => Ok(()),
        Some(_)
            if version("minVersion").is_none() && version("version").is_some_and(|v| v.starts_with("2.")) =>
        {
            Ok(())
        }
        needed => Err(wrong_version(needed, asset, old)),
    }
}

fn wrong_version(needed: Option<&str>, asset: Option<&Value>, old: bool) -> ImportError {
    match needed {
        Some("") => invalid("the glTF version is empty; write \"2.0\"").at("/asset/version"),
        Some(needed) => ImportErrorKind::UnsupportedVersion { version: needed.to_owned() }.at("/asset"),
        None if old => ImportErrorKind::UnsupportedVersion { version: "1.0".to_owned() }.at(""),
        None if asset.is_none() => invalid("the property `asset` is missing").at(""),
        None => invalid("the property `version` is missing").at("/asset"),
    }
}

fn check_extensions(root: &Value, log: &mut Log) -> Result<(), ImportError> {
    let missing = |name: &str| HARMLESS.iter().find(|(prefix, _)| name.starts_with(prefix));
    // Bones, expressions and springs of VRM 0 are used.
    let support = |name: &str| if name == "VRM" { "supported in part" } else { "not supported" };
    let names = |key| root.list(key).iter().map(Value::as_str);
    let mut required = Vec::new();
    for (i, name) in names("extensionsRequired").enumerate() {
        let Some(name) = name.filter(|name| !is_supported(name)) else { continue };
        let pointer = format_args!("/extensionsRequired/{i}");
        let Some((_, missing)) = missing(name) else {
            return Err(ImportErrorKind::UnsupportedExtension { name: name.to_owned() }.at(pointer));
        };
        let message = format_args!("The required extension {name} is {}; {missing}", support(name));
        log.warn(codes::EXTENSION_IGNORED, pointer, message);
        required.push(name);
    }
    for (i, name) in names("extensionsUsed").enumerate() {
        // Normally a few names; the cap keeps the time linear for malicious files, which may get duplicate warnings.
        let is_required = |name: &str| required.iter().take(64).any(|&other| other == name);
        let Some(name) = name.filter(|name| !is_supported(name) && !is_required(name)) else {
            continue;
        };
        let missing = missing(name).map_or("it is ignored", |(_, missing)| missing);
        let message = format_args!("The extension {name} is {}; {missing}", support(name));
        log.warn(codes::EXTENSION_IGNORED, format_args!("/extensionsUsed/{i}"), message);
    }
    Ok(())
}

/// `true` if the file requires an extension.
pub(super) fn requires(root: &Value, name: &str) -> bool {
    root.list("extensionsRequired").iter().any(|other| other.as_str() == Some(name))
}

/// An index in a member; `None` if it is not one.
fn index(value: &Value, key: &str) -> Option<usize> {
    usize::try_from(value.get(key)?.as_u64()?).ok()
}

/// The animations. Faulty samplers are reported here, their channels are skipped later.
fn animations(at: &Place<'_>, log: &mut Log) -> Vec<Animation> {
    at.list_with("animations", |at| {
        let value = at.value();
        let mut sampler = |at: Place<'_>| {
            let sampler = at.apart(Sampler::read);
            sampler.map_err(|error| log.warn_repaired(error, "its channels are skipped")).ok()
        };
        Animation {
            name: value.str_at("name").unwrap_or_default().to_owned(),
            channels: value.list("channels").iter().map(channel).collect(),
            samplers: at.path_or_null("samplers").elements().map(&mut sampler).collect(),
            markers: value.path("extras/markers").cloned(),
        }
    })
}

fn channel(value: &Value) -> Channel {
    let target = value.get("target");
    let path = target.and_then(|target| target.str_at("path"));
    let node = target.and_then(|target| index(target, "node"));
    let pointer = target.and_then(|target| target.path("extensions/KHR_animation_pointer/pointer"));
    let target = match (path, node, pointer.and_then(Value::as_str)) {
        (Some("pointer") | None, _, Some(pointer)) => Target::Pointer(pointer.to_owned()),
        (Some(path), Some(node), _) => Target::Node { node, path: path.to_owned() },
        _ => Target::Nothing,
    };
    Channel { sampler: index(value, "sampler").unwrap_or(u32::MAX as usize), target }
}
