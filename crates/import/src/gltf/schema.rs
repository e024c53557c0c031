//! Converts the JSON to the types of the `gltf` crate, element by element.

use super::compressed::{self, Compressed};
use super::draco_primitives;
use super::elements::{self, Element, InvalidValue};
use super::extensions::{ByPrimitive, Extensions};
use crate::base::sort_by;
use crate::model::LayerRow;
use ::gltf::json;
use gambol_gltf::error::{ImportError, ImportErrorKind, codes};
use gambol_gltf::json::Value;
use gambol_gltf::log::Log;
use json::mesh::Semantic;
use json::validation::Checked;
use std::fmt;

/// The JSON of a file. Each vector is in the order of the file.
#[derive(Debug, Default)]
pub(super) struct File {
    pub(super) accessors: Vec<json::Accessor>,
    pub(super) animations: Vec<Animation>,
    pub(super) buffers: Vec<json::Buffer>,
    pub(super) buffer_views: Vec<json::buffer::View>,
    /// The encoded buffer views.
    pub(super) compressed_views: Vec<Compressed>,
    /// The primitives with Draco compression.
    pub(super) draco: Vec<draco_primitives::Encoded>,
    /// `true` if the file requires Draco compression.
    pub(super) draco_required: bool,
    /// The error because of which the encoded bytes are missing.
    pub(super) draco_missing: ByPrimitive<ImportError>,
    pub(super) cameras: Vec<json::Camera>,
    /// The data of extensions and morph targets without a place in the other types.
    pub(super) extensions: Extensions,
    pub(super) images: Vec<json::Image>,
    pub(super) materials: Vec<json::Material>,
    pub(super) meshes: Vec<Mesh>,
    /// `extras.targetNames` of each mesh.
    pub(super) target_names: Vec<Vec<String>>,
    pub(super) nodes: Vec<json::Node>,
    pub(super) samplers: Vec<json::texture::Sampler>,
    pub(super) scenes: Vec<json::Scene>,
    pub(super) scene: Option<usize>,
    pub(super) skins: Vec<json::Skin>,
    /// The textures; the source is that of a preferred extension if there is one, or [`INVALID_INDEX`].
    pub(super) textures: Vec<json::Texture>,
    /// For each texture with a source of an extension, the core source.
    pub(super) texture_fallbacks: Vec<Option<usize>>,
}

/// An index that is always out of range, for required fields of `gltf` that a file omits.
pub(super) const INVALID_INDEX: u32 = u32::MAX;

/// A mesh. The primitives are not those of `gltf`, whose attribute maps take several kilobytes of code.
#[derive(Debug)]
pub(super) struct Mesh {
    pub(super) name: Option<String>,
    pub(super) primitives: Vec<Primitive>,
    pub(super) weights: Option<Vec<f32>>,
}

/// A primitive of a mesh.
#[derive(Debug)]
pub(super) struct Primitive {
    pub(super) attributes: Attributes,
    pub(super) indices: Option<json::Index<json::Accessor>>,
    pub(super) material: Option<json::Index<json::Material>>,
    pub(super) mode: Checked<json::mesh::Mode>,
    pub(super) targets: Vec<json::mesh::MorphTarget>,
}

/// The accessors of a primitive, sorted by semantic; unknown semantics are last.
#[derive(Debug)]
pub(super) struct Attributes(Vec<(Checked<Semantic>, json::Index<json::Accessor>)>);

impl Attributes {
    /// Sorts the accessors. Of equal semantics (`JOINTS_0` and `JOINTS_00`), the last one is used.
    pub(super) fn new(mut list: Vec<(Checked<Semantic>, json::Index<json::Accessor>)>) -> Self {
        sort_by(&mut list, |(a, _), (b, _)| place(a).cmp(&place(b)));
        list.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0 && later.0 != Checked::Invalid;
            if same {
                earlier.1 = later.1;
            }
            same
        });
        Self(list)
    }

    /// The accessor of a semantic.
    pub(super) fn get(&self, semantic: Semantic) -> Option<json::Index<json::Accessor>> {
        let wanted = place(&Checked::Valid(semantic));
        let found = self.0.binary_search_by_key(&wanted, |(semantic, _)| place(semantic));
        found.ok().map(|found| self.0[found].1)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &(Checked<Semantic>, json::Index<json::Accessor>)> {
        self.0.iter()
    }

    pub(super) fn iter_mut(
        &mut self,
    ) -> impl Iterator<Item = &mut (Checked<Semantic>, json::Index<json::Accessor>)> {
        self.0.iter_mut()
    }
}

/// The sort key of a semantic; unknown ones are last.
fn place(semantic: &Checked<Semantic>) -> (u8, u32) {
    match semantic {
        Checked::Valid(Semantic::Positions) => (0, 0),
        Checked::Valid(Semantic::Normals) => (1, 0),
        Checked::Valid(Semantic::Tangents) => (2, 0),
        Checked::Valid(Semantic::Colors(set)) => (3, *set),
        Checked::Valid(Semantic::TexCoords(set)) => (4, *set),
        Checked::Valid(Semantic::Joints(set)) => (5, *set),
        Checked::Valid(Semantic::Weights(set)) => (6, *set),
        Checked::Invalid => (7, 0),
    }
}

/// An animation whose channels and samplers are independent: a faulty one does not affect the others.
#[derive(Debug)]
pub(super) struct Animation {
    pub(super) name: String,
    pub(super) channels: Vec<Channel>,
    pub(super) samplers: Vec<Option<json::animation::Sampler>>,
    /// The markers in `extras.markers`, an addition of gambol.
    pub(super) markers: Option<Value>,
}

/// A channel of an animation; that of `gltf` requires a node.
#[derive(Debug)]
pub(super) struct Channel {
    /// An index into the samplers of the animation.
    pub(super) sampler: usize,
    pub(super) target: Target,
}

/// The target of a channel.
#[derive(Debug)]
pub(super) enum Target {
    /// A property of a node.
    Node { node: usize, path: String },
    /// The target of a JSON pointer (KHR_animation_pointer).
    Pointer(String),
    /// An unknown target.
    Nothing,
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

/// Extensions for texture sources, in order of preference: GPU compression first, then formats that browsers decode
/// like PNG.
const TEXTURE_SOURCES: &[&str] = &["KHR_texture_basisu", "EXT_texture_avif", "EXT_texture_webp"];

/// Reads the JSON of a file.
pub(super) fn read(root: &Value, log: &mut Log) -> Result<File, ImportError> {
    check_version(root)?;
    check_extensions(root, log)?;
    let mut file = File::default();
    file.read(root, log)?;
    Ok(file)
}

impl File {
    /// Reads all lists into `self`, so that an error on the way leaves a single value to drop.
    fn read(&mut self, root: &Value, log: &mut Log) -> Result<(), ImportError> {
        self.extensions = Extensions::read(root, log);
        self.compressed_views = compressed::views(root.list("bufferViews"), |name| requires(root, name));
        self.draco = draco_primitives::primitives(root.list("meshes"))?;
        self.draco_required = requires(root, draco_primitives::EXTENSION);
        self.accessors = collection(root, "accessors")?;
        self.animations = animations(elements(root, "animations")?, log);
        self.buffers = collection(root, "buffers")?;
        self.buffer_views = collection(root, "bufferViews")?;
        if root.get("cameras").is_some() {
            self.cameras = repaired_collection(root, "cameras", log)?;
        }
        self.images = repaired_collection(root, "images", log)?;
        self.materials = repaired_collection(root, "materials", log)?;
        self.nodes = collection(root, "nodes")?;
        self.samplers = repaired_collection(root, "samplers", log)?;
        self.scenes = collection(root, "scenes")?;
        self.scene = root.get("scene").and_then(index);
        self.skins = collection(root, "skins")?;
        self.textures = repaired_collection(root, "textures", log)?;
        self.target_names = root.list("meshes").iter().map(target_names).collect();
        self.meshes = collection(root, "meshes")?;
        for (texture, value) in self.textures.iter_mut().zip(root.list("textures")) {
            self.texture_fallbacks.push(value.get("source").and_then(index));
            if let Some(better) = better_source(value) {
                texture.source = json::Index::new(better);
            }
        }
        Ok(())
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
fn requires(root: &Value, name: &str) -> bool {
    root.list("extensionsRequired").iter().any(|other| other.as_str() == Some(name))
}

/// An index in the JSON; `None` if the value is not one.
fn index(value: &Value) -> Option<usize> {
    usize::try_from(value.as_u64()?).ok()
}

/// The elements of a top-level array; empty if it is missing.
fn elements<'a>(root: &'a Value, key: &str) -> Result<&'a [Value], ImportError> {
    match root.get(key) {
        None => Ok(&[]),
        Some(Value::Array(elements)) => Ok(elements),
        Some(_) => Err(invalid("expected an array").at(format_args!("/{key}"))),
    }
}

/// The elements of a top-level array, all of which must be valid.
fn collection<T: Element>(root: &Value, key: &str) -> Result<Vec<T>, ImportError> {
    let mut out = Vec::new();
    for (i, value) in elements(root, key)?.iter().enumerate() {
        out.push(element(value, format_args!("/{key}/{i}"))?);
    }
    Ok(out)
}

/// The elements of a top-level array; invalid ones are replaced by default ones.
fn repaired_collection<T: Element + DefaultElement>(
    root: &Value,
    key: &str,
    log: &mut Log,
) -> Result<Vec<T>, ImportError> {
    let elements = elements(root, key)?.iter().enumerate();
    let repaired = elements.map(|(i, value)| {
        element(value, format_args!("/{key}/{i}")).unwrap_or_else(|error| {
            log.warn_repaired(error, "the default is used");
            T::default_element()
        })
    });
    Ok(repaired.collect())
}

/// The default for an invalid element.
trait DefaultElement {
    fn default_element() -> Self;
}

impl DefaultElement for json::Camera {
    fn default_element() -> Self {
        let type_ = Checked::Invalid;
        let (extensions, extras) = Default::default();
        Self { name: None, orthographic: None, perspective: None, type_, extensions, extras }
    }
}

impl DefaultElement for json::Image {
    fn default_element() -> Self {
        let (extensions, extras) = Default::default();
        Self { buffer_view: None, mime_type: None, name: None, uri: None, extensions, extras }
    }
}

impl DefaultElement for json::Material {
    fn default_element() -> Self {
        Self::default()
    }
}

impl DefaultElement for json::texture::Sampler {
    fn default_element() -> Self {
        Self::default()
    }
}

impl DefaultElement for json::Texture {
    fn default_element() -> Self {
        let (extensions, extras) = Default::default();
        Self { name: None, sampler: None, source: json::Index::new(INVALID_INDEX), extensions, extras }
    }
}

/// Reads the element at `pointer`.
fn element<T: Element>(value: &Value, pointer: fmt::Arguments<'_>) -> Result<T, ImportError> {
    elements::read(value).map_err(|wrong| fault(wrong, pointer))
}

#[inline(never)]
fn fault(wrong: InvalidValue, pointer: fmt::Arguments<'_>) -> ImportError {
    ImportErrorKind::InvalidValue { reason: wrong.reason }.at(format_args!("{pointer}{}", wrong.pointer))
}

/// The animations. Faulty samplers are reported here, their channels are skipped later.
fn animations(elements: &[Value], log: &mut Log) -> Vec<Animation> {
    let animation = |(i, value): (usize, &Value)| {
        let channels = value.list("channels").iter().map(channel).collect();
        let samplers = value.list("samplers").iter().enumerate().map(|(j, value)| {
            let sampler = element(value, format_args!("/animations/{i}/samplers/{j}"));
            sampler.map_err(|error| log.warn_repaired(error, "its channels are skipped")).ok()
        });
        let samplers = samplers.collect();
        let name = value.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        let markers = value.path("extras/markers").cloned();
        Animation { name, channels, samplers, markers }
    };
    elements.iter().enumerate().map(animation).collect()
}

fn channel(value: &Value) -> Channel {
    let target = value.get("target");
    let path = target.and_then(|target| target.get("path")).and_then(Value::as_str);
    let node = target.and_then(|target| target.get("node")).and_then(index);
    let pointer = target.and_then(|target| target.path("extensions/KHR_animation_pointer/pointer"));
    let target = match (path, node, pointer.and_then(Value::as_str)) {
        (Some("pointer") | None, _, Some(pointer)) => Target::Pointer(pointer.to_owned()),
        (Some(path), Some(node), _) => Target::Node { node, path: path.to_owned() },
        _ => Target::Nothing,
    };
    Channel { sampler: value.get("sampler").and_then(index).unwrap_or(INVALID_INDEX as usize), target }
}

/// The source of a preferred extension of a texture.
fn better_source(texture: &Value) -> Option<u32> {
    let extensions = texture.get("extensions")?;
    let source = TEXTURE_SOURCES.iter().find_map(|&name| extensions.get(name)?.get("source"))?;
    source.as_u64().map(|source| u32::try_from(source).unwrap_or(INVALID_INDEX))
}

fn target_names(mesh: &Value) -> Vec<String> {
    let names = mesh.path("extras/targetNames").and_then(Value::as_array).unwrap_or_default();
    names.iter().map(|name| name.as_str().unwrap_or_default().to_owned()).collect()
}
