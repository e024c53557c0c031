//! JSON → the types of the `gltf` crate, element by element, so that a fault has a pointer.

use super::compressed::{self, Compressed};
use super::draco;
use super::extensions::Extensions;
use crate::import::Limits;
use crate::import::error::{ImportError, ImportErrorKind, Log, codes};
use ::gltf::json;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The JSON of a file. Each vector is in file order.
#[derive(Debug, Default)]
pub(super) struct File {
    pub(super) accessors: Vec<json::Accessor>,
    pub(super) animations: Vec<Animation>,
    pub(super) buffers: Vec<json::Buffer>,
    pub(super) buffer_views: Vec<json::buffer::View>,
    /// The buffer views whose bytes are encoded.
    pub(super) compressed_views: Vec<Compressed>,
    /// The primitives that Draco encodes.
    pub(super) draco: Vec<draco::Encoded>,
    /// Whether the file is nothing without them.
    pub(super) draco_required: bool,
    pub(super) cameras: Vec<json::Camera>,
    /// What extensions and morph targets say that the other types do not hold.
    pub(super) extensions: Extensions,
    pub(super) images: Vec<json::Image>,
    pub(super) materials: Vec<json::Material>,
    pub(super) meshes: Vec<json::Mesh>,
    /// `extras.targetNames` of each mesh.
    pub(super) target_names: Vec<Vec<String>>,
    pub(super) nodes: Vec<json::Node>,
    pub(super) samplers: Vec<json::texture::Sampler>,
    pub(super) scenes: Vec<json::Scene>,
    pub(super) scene: Option<usize>,
    pub(super) skins: Vec<json::Skin>,
    /// Textures; the source is that of an extension which gambol prefers, or [`NOWHERE`].
    pub(super) textures: Vec<json::Texture>,
    /// For each texture the source that it states besides.
    pub(super) texture_fallbacks: Vec<Option<usize>>,
}

/// An index that is never in range, for what a file leaves out and the types of `gltf` insist on.
pub(super) const NOWHERE: u32 = u32::MAX;

/// An animation, of which each channel and sampler may be broken without harm to the others.
#[derive(Debug)]
pub(super) struct Animation {
    pub(super) name: String,
    pub(super) channels: Vec<Channel>,
    pub(super) samplers: Vec<Option<json::animation::Sampler>>,
    /// `extras.markers`, which is gambol's own.
    pub(super) markers: Option<Value>,
}

/// A channel of an animation: `gltf` does not take those without a node.
#[derive(Debug)]
pub(super) struct Channel {
    /// An index into the samplers of the animation.
    pub(super) sampler: usize,
    pub(super) target: Target,
}

/// What a channel animates.
#[derive(Debug)]
pub(super) enum Target {
    /// A property of a node.
    Node { node: usize, path: String },
    /// What a JSON pointer names (KHR_animation_pointer).
    Pointer(String),
    /// Nothing that we know.
    Nothing,
}

/// Extensions that are part of what import does.
const SUPPORTED: &[&str] = &[
    "KHR_animation_pointer",
    "KHR_mesh_quantization",
    "EXT_texture_webp",
    "EXT_texture_avif",
    "EXT_mesh_gpu_instancing",
    "KHR_lights_punctual",
    "KHR_materials_anisotropy",
    "KHR_materials_clearcoat",
    "KHR_materials_dispersion",
    "KHR_materials_emissive_strength",
    "KHR_materials_ior",
    "KHR_materials_iridescence",
    "KHR_materials_pbrSpecularGlossiness",
    "KHR_materials_sheen",
    "KHR_materials_specular",
    "KHR_materials_transmission",
    "KHR_materials_unlit",
    "KHR_materials_variants",
    "KHR_materials_volume",
    "KHR_node_visibility",
    "KHR_texture_transform",
    "KHR_draco_mesh_compression",
    "KHR_texture_basisu",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
];

/// Extensions that change how a picture looks, but leave one without them, even where a file says
/// that it requires them.
const HARMLESS: &[&str] = &["KHR_materials_", "KHR_xmp"];

/// Better image formats of textures, best first: one that stays small on the GPU, and those that browsers
/// decode as they do PNG.
const TEXTURE_SOURCES: &[&str] = &["KHR_texture_basisu", "EXT_texture_avif", "EXT_texture_webp"];

/// Parses the JSON of a file.
pub(super) fn parse(mut text: &[u8], limits: &Limits, log: &mut Log) -> Result<File, ImportError> {
    if let Some(rest) = text.strip_prefix(b"\xEF\xBB\xBF") {
        log.warn(codes::BYTE_ORDER_MARK, "", "the JSON begins with a byte order mark, which is skipped");
        text = rest;
    }
    let (needed, limit) = (estimate(text), limits.of(text.len()));
    if needed > limit {
        return Err(ImportErrorKind::TooLarge { needed, limit }.at(""));
    }
    let mut root: Value = serde_json::from_slice(text).map_err(|error| {
        let reason = without_position(&error.to_string());
        ImportErrorKind::InvalidJson { line: error.line(), column: error.column(), reason }.at("")
    })?;
    tidy(&mut root, "");
    let Value::Object(mut root) = root else {
        return Err(invalid("the root is not an object").at(""));
    };
    check_version(&root)?;
    check_extensions(&root, log)?;

    // A scene may list no nodes, which the crate does not know.
    for scene in root.get_mut("scenes").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Value::Object(scene) = scene {
            scene.entry("nodes").or_insert_with(|| Value::Array(Vec::new()));
        }
    }

    let extensions = Extensions::read(&root, log);
    let compressed_views = compressed::views(root.get("bufferViews"), |name| requires(&root, name));
    let mut file = File {
        extensions,
        compressed_views,
        draco: draco::primitives(root.get("meshes"))?,
        draco_required: requires(&root, draco::EXTENSION),
        accessors: collection(&mut root, "accessors")?,
        animations: animations(elements(&mut root, "animations")?, log),
        buffers: collection(&mut root, "buffers")?,
        buffer_views: collection(&mut root, "bufferViews")?,
        cameras: spare(&mut root, "cameras", log)?,
        images: spare(&mut root, "images", log)?,
        materials: spare(&mut root, "materials", log)?,
        nodes: collection(&mut root, "nodes")?,
        samplers: spare(&mut root, "samplers", log)?,
        scenes: collection(&mut root, "scenes")?,
        scene: root.get("scene").and_then(index),
        skins: collection(&mut root, "skins")?,
        ..File::default()
    };
    let mut textures = elements(&mut root, "textures")?;
    file.texture_fallbacks = textures.iter().map(|texture| texture.get("source").and_then(index)).collect();
    textures.iter_mut().for_each(choose_source);
    root.insert("textures".to_owned(), Value::Array(textures));
    file.textures = spare(&mut root, "textures", log)?;
    if let Some(meshes) = root.get("meshes").and_then(Value::as_array) {
        file.target_names = meshes.iter().map(target_names).collect();
    }
    file.meshes = collection(&mut root, "meshes")?;
    Ok(file)
}

fn invalid(reason: &str) -> ImportErrorKind {
    ImportErrorKind::InvalidValue { reason: reason.to_owned() }
}

/// `serde_json` appends the position, which we report as numbers.
fn without_position(message: &str) -> String {
    message.split_once(" at line ").map_or(message, |(reason, _)| reason).to_owned()
}

/// Makes legal JSON fit the types of `gltf`: 3.0 is an integer, `null` is as good as nothing, extras that are no
/// object as well, and an index beyond 32 bits must not become a small one.
///
/// Recurses no deeper than `serde_json`, which stops at 128 levels.
fn tidy(value: &mut Value, key: &str) {
    match value {
        Value::Object(map) => {
            map.retain(|key, value| !value.is_null() && (key != "extras" || value.is_object()));
            for (inner_key, inner) in map.iter_mut() {
                match (key, inner_key.as_str()) {
                    (_, "extras") => {}
                    ("attributes" | "targets", _) => tidy(inner, key),
                    _ => tidy(inner, inner_key),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| tidy(item, key)),
        Value::Number(number) => {
            if let Some(float) = number.as_f64().filter(|_| number.is_f64())
                && float.fract() == 0.0
                && (0.0..9.0e15).contains(&float)
                && !(float == 0.0 && float.is_sign_negative())
            {
                *number = (float as u64).into();
            }
            if number.as_u64() > Some(NOWHERE.into()) && is_index(key) {
                *number = NOWHERE.into();
            }
        }
        _ => {}
    }
}

/// Whether the numbers at a key of the JSON are indices.
fn is_index(key: &str) -> bool {
    const KEYS: &[&str] = &[
        "attributes",
        "targets",
        "buffer",
        "bufferView",
        "camera",
        "children",
        "index",
        "indices",
        "input",
        "inverseBindMatrices",
        "joints",
        "material",
        "mesh",
        "node",
        "nodes",
        "output",
        "sampler",
        "scene",
        "skeleton",
        "skin",
        "source",
    ];
    KEYS.contains(&key)
}

fn check_version(root: &Map<String, Value>) -> Result<(), ImportError> {
    let asset = root.get("asset");
    let version = |key| asset.and_then(|asset| asset.get(key)).and_then(Value::as_str);
    let needed = version("minVersion").or(version("version"));
    // In glTF 1, where `asset` may be missing, the collections are objects.
    let old = ["meshes", "nodes", "scenes", "accessors"]
        .iter()
        .any(|&key| root.get(key).is_some_and(Value::is_object));
    match needed {
        Some(needed) if needed == "2" || needed == "2.0" => Ok(()),
        Some(_)
            if version("minVersion").is_none() && version("version").is_some_and(|v| v.starts_with("2.")) =>
        {
            Ok(())
        }
        Some(needed) => Err(ImportErrorKind::UnsupportedVersion { version: needed.to_owned() }.at("/asset")),
        None if old => Err(ImportErrorKind::UnsupportedVersion { version: "1.0".to_owned() }.at("")),
        None if asset.is_none() => Err(invalid("missing field `asset`").at("")),
        None => Err(invalid("missing field `version`").at("/asset")),
    }
}

/// About how many bytes the JSON takes as a tree and as parts of a model: `{},` is three bytes of text, and
/// hundreds of times that as a node. Counted before anything is parsed.
fn estimate(text: &[u8]) -> u64 {
    const OBJECT: u64 = 1200;
    const ITEM: u64 = 48;
    let mut bytes = 0;
    let mut rest = text.iter();
    while let Some(byte) = rest.next() {
        match byte {
            b'{' => bytes += OBJECT,
            b',' => bytes += ITEM,
            b'"' => {
                // Long strings are data URIs.
                while let Some(byte) = rest.next() {
                    match byte {
                        b'"' => break,
                        b'\\' => _ = rest.next(),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    bytes
}

fn check_extensions(root: &Map<String, Value>, log: &mut Log) -> Result<(), ImportError> {
    let harmless = |name: &str| HARMLESS.iter().any(|prefix| name.starts_with(prefix));
    let names = |key| root.get(key).and_then(Value::as_array).into_iter().flatten().map(Value::as_str);
    let mut required = Vec::new();
    for (i, name) in names("extensionsRequired").enumerate() {
        let Some(name) = name.filter(|name| !SUPPORTED.contains(name)) else { continue };
        let pointer = format!("/extensionsRequired/{i}");
        if !harmless(name) {
            return Err(ImportErrorKind::UnsupportedExtension { name: name.to_owned() }.at(pointer));
        }
        let message = format!("the required extension {name} is not supported; the picture may differ");
        log.warn(codes::EXTENSION_IGNORED, pointer, message);
        required.push(name);
    }
    for (i, name) in names("extensionsUsed").enumerate() {
        // A handful of names, unless someone is up to something: then they may be told twice.
        let told = |name: &str| required.iter().take(64).any(|&other| other == name);
        let Some(name) = name.filter(|name| !SUPPORTED.contains(name) && !told(name)) else { continue };
        let message = format!("the extension {name} is not supported and ignored");
        log.warn(codes::EXTENSION_IGNORED, format!("/extensionsUsed/{i}"), message);
    }
    Ok(())
}

/// Whether the file says that it requires an extension.
fn requires(root: &Map<String, Value>, name: &str) -> bool {
    let required = root.get("extensionsRequired").and_then(Value::as_array);
    required.into_iter().flatten().any(|other| other == name)
}

/// An index of the JSON, as far as it is one.
fn index(value: &Value) -> Option<usize> {
    usize::try_from(value.as_u64()?).ok()
}

/// Takes the elements of a top-level array; none if there is no such array.
fn elements(root: &mut Map<String, Value>, key: &str) -> Result<Vec<Value>, ImportError> {
    match root.remove(key) {
        None => Ok(Vec::new()),
        Some(Value::Array(elements)) => Ok(elements),
        Some(_) => Err(invalid("this is not an array").at(format!("/{key}"))),
    }
}

/// The elements of a top-level array, all of which must be right.
fn collection<T: DeserializeOwned>(root: &mut Map<String, Value>, key: &str) -> Result<Vec<T>, ImportError> {
    let elements = elements(root, key)?.into_iter().enumerate();
    elements.map(|(i, value)| element(value, || format!("/{key}/{i}"))).collect()
}

/// The elements of a top-level array that can be spared: a broken one is replaced by a plain one.
fn spare<T: DeserializeOwned + Plain>(
    root: &mut Map<String, Value>,
    key: &str,
    log: &mut Log,
) -> Result<Vec<T>, ImportError> {
    let elements = elements(root, key)?.into_iter().enumerate();
    let repaired = elements.map(|(i, value)| {
        element(value, || format!("/{key}/{i}")).unwrap_or_else(|error| {
            log.survived(error, "a plain one takes its place");
            T::plain()
        })
    });
    Ok(repaired.collect())
}

/// What stands in for a broken element.
trait Plain {
    fn plain() -> Self;
}

impl Plain for json::Camera {
    fn plain() -> Self {
        let type_ = json::validation::Checked::Invalid;
        let (extensions, extras) = Default::default();
        Self { name: None, orthographic: None, perspective: None, type_, extensions, extras }
    }
}

impl Plain for json::Image {
    fn plain() -> Self {
        let (extensions, extras) = Default::default();
        Self { buffer_view: None, mime_type: None, name: None, uri: None, extensions, extras }
    }
}

impl Plain for json::Material {
    fn plain() -> Self {
        Self::default()
    }
}

impl Plain for json::texture::Sampler {
    fn plain() -> Self {
        Self::default()
    }
}

impl Plain for json::Texture {
    fn plain() -> Self {
        let (extensions, extras) = Default::default();
        Self { name: None, sampler: None, source: json::Index::new(NOWHERE), extensions, extras }
    }
}

/// One element, which is at `pointer`.
fn element<T: DeserializeOwned>(value: Value, pointer: impl Fn() -> String) -> Result<T, ImportError> {
    T::deserialize(&value).map_err(|error| {
        let attempt = |value: &Value| T::deserialize(value).err().map(|error| error.to_string());
        let reason = error.to_string();
        let inner = if weight(&value) < 10_000 { locate(value, &reason, &attempt) } else { String::new() };
        ImportErrorKind::InvalidValue { reason }.at(pointer() + &inner)
    })
}

/// How many values are in a value; more than a few take too long to search.
fn weight(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(weight).sum::<usize>() + 1,
        Value::Object(map) => map.values().map(weight).sum::<usize>() + 1,
        _ => 1,
    }
}

/// Finds which part of `value` makes `attempt` fail as `failure` says: the pointer within `value`.
///
/// `serde` does not tell, and having it told costs much code in all types. So after a failure we look which
/// member must be taken away for another outcome, and which beginning of an array fails already.
/// Where that is ambiguous, the pointer stops above.
fn locate(mut value: Value, failure: &str, attempt: &dyn Fn(&Value) -> Option<String>) -> String {
    const FEW: usize = 64;
    let mut pointer = String::new();
    loop {
        let fails = |value: &Value| attempt(value).as_deref() == Some(failure);
        let step = match value.pointer_mut(&pointer) {
            Some(Value::Object(map)) if map.len() <= FEW => {
                let keys: Vec<String> = map.keys().cloned().collect();
                keys.into_iter().find(|key| {
                    let mut without = value.clone();
                    let member = without.pointer_mut(&pointer).and_then(Value::as_object_mut);
                    let _ = member.and_then(|map| map.remove(key));
                    let missing = failure.starts_with("missing field")
                        && attempt(&without).is_some_and(|other| other.contains(&format!("`{key}`")));
                    !fails(&without) && !missing
                })
            }
            Some(Value::Array(items)) if items.iter().any(|item| item.is_object() || item.is_array()) => {
                let (mut low, mut high) = (0, items.len());
                while low + 1 < high {
                    let middle = low.midpoint(high);
                    let mut beginning = value.clone();
                    if let Some(Value::Array(items)) = beginning.pointer_mut(&pointer) {
                        items.truncate(middle);
                    }
                    if fails(&beginning) { high = middle } else { low = middle }
                }
                Some(low.to_string())
            }
            _ => None,
        };
        let Some(step) = step else { return pointer };
        pointer.push('/');
        pointer.push_str(&step.replace('~', "~0").replace('/', "~1"));
    }
}

/// The animations, channel by channel: one that is broken is reported and left out later.
fn animations(elements: Vec<Value>, log: &mut Log) -> Vec<Animation> {
    let array = |value: &mut Value, key: &str| match value.get_mut(key).map(Value::take) {
        Some(Value::Array(items)) => items,
        _ => Vec::new(),
    };
    let animation = |(i, mut value): (usize, Value)| {
        let channels = array(&mut value, "channels").iter().map(channel).collect();
        let samplers = array(&mut value, "samplers").into_iter().enumerate().map(|(j, value)| {
            let sampler = element(value, || format!("/animations/{i}/samplers/{j}"));
            sampler.map_err(|error| log.survived(error, "its channels are left out")).ok()
        });
        let samplers = samplers.collect();
        let name = value.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        let markers = value.pointer_mut("/extras/markers").map(Value::take);
        Animation { name, channels, samplers, markers }
    };
    elements.into_iter().enumerate().map(animation).collect()
}

fn channel(value: &Value) -> Channel {
    let target = value.get("target");
    let path = target.and_then(|target| target.get("path")).and_then(Value::as_str);
    let node = target.and_then(|target| target.get("node")).and_then(index);
    let pointer = target.and_then(|target| target.pointer("/extensions/KHR_animation_pointer/pointer"));
    let target = match (path, node, pointer.and_then(Value::as_str)) {
        (Some("pointer") | None, _, Some(pointer)) => Target::Pointer(pointer.to_owned()),
        (Some(path), Some(node), _) => Target::Node { node, path: path.to_owned() },
        _ => Target::Nothing,
    };
    Channel { sampler: value.get("sampler").and_then(index).unwrap_or(NOWHERE as usize), target }
}

/// Gives a texture the source that suits a browser best, and [`NOWHERE`] if it has none.
fn choose_source(texture: &mut Value) {
    let extension = |name: &&str| texture.get("extensions")?.get(name)?.get("source").cloned();
    let better = TEXTURE_SOURCES.iter().find_map(extension);
    if let Value::Object(texture) = texture {
        match better {
            Some(source) => {
                texture.insert("source".to_owned(), source);
            }
            None => {
                texture.entry("source").or_insert_with(|| NOWHERE.into());
            }
        }
    }
}

fn target_names(mesh: &Value) -> Vec<String> {
    let names = mesh.pointer("/extras/targetNames").and_then(Value::as_array);
    let name = |name: &Value| name.as_str().unwrap_or_default().to_owned();
    names.map(|names| names.iter().map(name).collect()).unwrap_or_default()
}
