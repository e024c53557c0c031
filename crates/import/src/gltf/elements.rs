//! The parts of JSON elements that the import needs.

use ::gltf::json::Index;
use gambol_animation::base::sort_by;
use gambol_animation::model::NodeId;
use gambol_gltf::element::{Checked, ComponentType, Interpolation, Kind, Mode, Semantic, Word};
use gambol_gltf::json::Value;
use gambol_gltf::place::{FromJson, Place};

/// Values by mesh and primitive, sorted.
pub(super) type ByPrimitive<T> = Vec<((usize, usize), T)>;

/// The index of an accessor in the file.
pub(super) type AccessorIndex = Index<Accessor>;

/// An accessor. Its minimum and maximum are not trusted, so they are not read.
#[derive(Debug)]
pub(super) struct Accessor {
    pub(super) buffer_view: Option<Index<View>>,
    pub(super) byte_offset: u64,
    pub(super) count: u64,
    pub(super) component_type: Checked<ComponentType>,
    pub(super) kind: Checked<Kind>,
    pub(super) normalized: bool,
    pub(super) sparse: Option<Sparse>,
}

impl FromJson for Accessor {
    fn read(at: &Place<'_>) -> Self {
        Self {
            buffer_view: at.index("bufferView"),
            byte_offset: at.or("byteOffset", 0),
            count: at.required("count"),
            component_type: at.required("componentType"),
            kind: at.required("type"),
            normalized: at.or("normalized", false),
            sparse: at.optional("sparse"),
        }
    }
}

/// The replaced elements of an accessor.
#[derive(Debug)]
pub(super) struct Sparse {
    pub(super) count: u64,
    pub(super) indices: SparseIndices,
    pub(super) values: SparseValues,
}

impl FromJson for Sparse {
    fn read(at: &Place<'_>) -> Self {
        Self { count: at.required("count"), indices: at.required("indices"), values: at.required("values") }
    }
}

#[derive(Debug)]
pub(super) struct SparseIndices {
    pub(super) buffer_view: Index<View>,
    pub(super) byte_offset: u64,
    /// An unsigned type.
    pub(super) component_type: Checked<ComponentType>,
}

impl FromJson for SparseIndices {
    fn read(at: &Place<'_>) -> Self {
        use ComponentType::{U8, U16, U32};
        let buffer_view = at.required("bufferView");
        let byte_offset = at.or("byteOffset", 0);
        let component_type = match at.required("componentType") {
            component_type @ Checked::Valid(U8 | U16 | U32) => component_type,
            _ => Checked::Invalid,
        };
        Self { buffer_view, byte_offset, component_type }
    }
}

#[derive(Debug)]
pub(super) struct SparseValues {
    pub(super) buffer_view: Index<View>,
    pub(super) byte_offset: u64,
}

impl FromJson for SparseValues {
    fn read(at: &Place<'_>) -> Self {
        Self { buffer_view: at.required("bufferView"), byte_offset: at.or("byteOffset", 0) }
    }
}

#[derive(Debug)]
pub(super) struct Buffer {
    pub(super) byte_length: u64,
    pub(super) uri: Option<String>,
}

impl FromJson for Buffer {
    fn read(at: &Place<'_>) -> Self {
        at.object();
        Self { byte_length: at.or("byteLength", 0), uri: at.optional("uri") }
    }
}

/// A buffer view.
#[derive(Debug)]
pub(super) struct View {
    pub(super) buffer: Index<Buffer>,
    pub(super) byte_length: u64,
    pub(super) byte_offset: u64,
    pub(super) byte_stride: Option<usize>,
}

impl FromJson for View {
    fn read(at: &Place<'_>) -> Self {
        Self {
            buffer: at.required("buffer"),
            byte_length: at.required("byteLength"),
            byte_offset: at.or("byteOffset", 0),
            byte_stride: at.optional("byteStride"),
        }
    }
}

/// An animation whose channels and samplers are independent: a faulty one does not affect the others.
#[derive(Debug)]
pub(super) struct Animation {
    pub(super) name: String,
    pub(super) channels: Vec<Channel>,
    /// `None` for faulty ones.
    pub(super) samplers: Vec<Option<Sampler>>,
    /// The markers in `extras.markers`, an addition of gambol.
    pub(super) markers: Option<Value>,
}

/// A sampler of an animation.
#[derive(Debug)]
pub(super) struct Sampler {
    pub(super) input: AccessorIndex,
    pub(super) interpolation: Checked<Interpolation>,
    pub(super) output: AccessorIndex,
}

impl FromJson for Sampler {
    fn read(at: &Place<'_>) -> Self {
        // Some exporters write a value of another type. It counts as an unknown word, for which LINEAR is used.
        let word = |value: &Value| value.as_str().and_then(Interpolation::of);
        let interpolation = at.value().get("interpolation").map_or(Some(Interpolation::Linear), word);
        Self {
            input: at.required("input"),
            interpolation: interpolation.map_or(Checked::Invalid, Checked::Valid),
            output: at.required("output"),
        }
    }
}

/// A channel of an animation.
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
    /// Single morph weights of nodes. Files have none.
    Weights(Vec<(NodeId, u32)>),
    /// An unknown target.
    Nothing,
}

/// The location of an image.
#[derive(Debug, Default)]
pub(super) struct ImageSource {
    pub(super) name: String,
    pub(super) mime_type: Option<String>,
    pub(super) uri: Option<String>,
    pub(super) buffer_view: Option<Index<View>>,
}

impl FromJson for ImageSource {
    fn read(at: &Place<'_>) -> Self {
        at.object();
        let buffer_view = at.index("bufferView");
        let mime_type = at.optional("mimeType");
        Self { name: at.or("name", String::new()), mime_type, uri: at.optional("uri"), buffer_view }
    }
}

#[derive(Debug)]
pub(super) struct Mesh {
    pub(super) name: String,
    pub(super) primitives: Vec<Primitive>,
    pub(super) weights: Option<Vec<f32>>,
    /// `extras.targetNames`
    pub(super) target_names: Vec<String>,
}

impl FromJson for Mesh {
    fn read(at: &Place<'_>) -> Self {
        let names = at.value().path("extras/targetNames").and_then(Value::as_array).unwrap_or_default();
        Self {
            name: at.or("name", String::new()),
            primitives: at.required("primitives"),
            weights: at.optional("weights"),
            target_names: names.iter().map(|name| name.as_str().unwrap_or_default().to_owned()).collect(),
        }
    }
}

/// A primitive of a mesh.
#[derive(Debug)]
pub(super) struct Primitive {
    pub(super) attributes: Attributes,
    pub(super) indices: Option<AccessorIndex>,
    pub(super) material: Option<u32>,
    pub(super) mode: Checked<Mode>,
    pub(super) targets: Vec<MorphTarget>,
}

impl FromJson for Primitive {
    fn read(at: &Place<'_>) -> Self {
        Self {
            attributes: at.required("attributes"),
            indices: at.index("indices"),
            material: at.optional("material"),
            mode: at.or("mode", Checked::default()),
            targets: at.list("targets"),
        }
    }
}

/// The accessors of a primitive, sorted by semantic; unknown semantics are last.
#[derive(Debug)]
pub(super) struct Attributes(Vec<(Checked<Semantic>, AccessorIndex)>);

impl FromJson for Attributes {
    /// Of equal semantics (`JOINTS_0` and `JOINTS_00`), the last one is used.
    fn read(at: &Place<'_>) -> Self {
        let mut list = Vec::new();
        for (name, at) in at.members().filter(|(_, at)| !at.value().is_null()) {
            list.push((semantic(name), Index::read(&at)));
        }
        sort_by(&mut list, |(a, _), (b, _)| a.cmp(b));
        list.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0 && later.0 != Checked::Invalid;
            if same {
                earlier.1 = later.1;
            }
            same
        });
        Self(list)
    }
}

impl Attributes {
    /// The accessor of a semantic.
    pub(super) fn get(&self, semantic: Semantic) -> Option<AccessorIndex> {
        let wanted = Checked::Valid(semantic);
        let found = self.0.binary_search_by(|(semantic, _)| semantic.cmp(&wanted));
        found.ok().map(|found| self.0[found].1)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &(Checked<Semantic>, AccessorIndex)> {
        self.0.iter()
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut (Checked<Semantic>, AccessorIndex)> {
        self.0.iter_mut()
    }
}

fn semantic(name: &str) -> Checked<Semantic> {
    let of_set: fn(u32) -> Semantic = match name.split_once('_') {
        Some(("COLOR", _)) => Semantic::Colors,
        Some(("TEXCOORD", _)) => Semantic::TexCoords,
        Some(("JOINTS", _)) => Semantic::Joints,
        Some(("WEIGHTS", _)) => Semantic::Weights,
        _ => {
            return match name {
                "POSITION" => Checked::Valid(Semantic::Positions),
                "NORMAL" => Checked::Valid(Semantic::Normals),
                "TANGENT" => Checked::Valid(Semantic::Tangents),
                _ => Checked::Invalid,
            };
        }
    };
    let set = name.split_once('_').and_then(|(_, set)| set.parse().ok());
    set.map_or(Checked::Invalid, |set| Checked::Valid(of_set(set)))
}

/// The accessors of a morph target.
#[derive(Debug)]
pub(super) struct MorphTarget {
    pub(super) positions: Option<AccessorIndex>,
    pub(super) normals: Option<AccessorIndex>,
    pub(super) tangents: Option<AccessorIndex>,
    /// The pairs of texture coordinate set and accessor, sorted.
    pub(super) tex_coords: Vec<(u32, u32)>,
    pub(super) color: Option<u32>,
}

impl MorphTarget {
    /// `true` if it has more than positions, normals and tangents, which few files have.
    pub(super) fn is_extended(&self) -> bool {
        !self.tex_coords.is_empty() || self.color.is_some()
    }
}

impl FromJson for MorphTarget {
    fn read(at: &Place<'_>) -> Self {
        let (mut tex_coords, mut color) = (Vec::new(), None);
        // An invalid value is ignored, as applications may have attributes of their own.
        for (key, at) in at.members() {
            let Some(accessor) = at.value().as_u32() else { continue };
            if key == "COLOR_0" {
                color = Some(accessor);
            } else if let Some(set) = key.strip_prefix("TEXCOORD_").and_then(|set| set.parse().ok()) {
                tex_coords.push((set, accessor));
            }
        }
        sort_by(&mut tex_coords, Ord::cmp);
        let (positions, normals) = (at.index("POSITION"), at.index("NORMAL"));
        Self { positions, normals, tangents: at.index("TANGENT"), tex_coords, color }
    }
}

#[derive(Debug)]
pub(super) struct Node {
    pub(super) camera: Option<u32>,
    pub(super) children: Vec<Index<Node>>,
    pub(super) matrix: Option<[f32; 16]>,
    pub(super) mesh: Option<Index<Mesh>>,
    pub(super) name: String,
    pub(super) rotation: Option<[f32; 4]>,
    pub(super) scale: Option<[f32; 3]>,
    pub(super) translation: Option<[f32; 3]>,
    pub(super) skin: Option<Index<Skin>>,
    pub(super) weights: Option<Vec<f32>>,
}

impl FromJson for Node {
    fn read(at: &Place<'_>) -> Self {
        at.object();
        Self {
            camera: at.optional("camera"),
            children: at.list("children"),
            matrix: at.optional("matrix"),
            mesh: at.index("mesh"),
            name: at.or("name", String::new()),
            rotation: at.optional("rotation"),
            scale: at.optional("scale"),
            translation: at.optional("translation"),
            skin: at.index("skin"),
            weights: at.optional("weights"),
        }
    }
}

#[derive(Debug)]
pub(super) struct Scene {
    pub(super) name: String,
    pub(super) nodes: Vec<Index<Node>>,
}

impl FromJson for Scene {
    fn read(at: &Place<'_>) -> Self {
        at.object();
        Self { name: at.or("name", String::new()), nodes: at.list("nodes") }
    }
}

#[derive(Debug)]
pub(super) struct Skin {
    pub(super) inverse_bind_matrices: Option<AccessorIndex>,
    pub(super) joints: Vec<Index<Node>>,
    pub(super) name: String,
    pub(super) skeleton: Option<Index<Node>>,
}

impl FromJson for Skin {
    fn read(at: &Place<'_>) -> Self {
        Self {
            inverse_bind_matrices: at.index("inverseBindMatrices"),
            joints: at.required("joints"),
            name: at.or("name", String::new()),
            skeleton: at.index("skeleton"),
        }
    }
}
