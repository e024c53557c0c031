//! Errors of import, and the codes of errors and warnings.
//!
//! A fault is an [`ImportError`] if no useful picture is possible, and a [`Warning`](super::log::Warning) if it was
//! repaired or the faulty part was skipped. Both have a code of [`codes`] and the JSON pointer of the
//! fault. Codes are public API: their meaning never changes.

use std::fmt;
use std::sync::Arc;

/// The codes of errors and warnings.
///
/// The first group stops an import, unless the fault affects only an optional part (an animation channel,
/// a texture, normals …). Then the code is reported as a warning and the part is skipped.
/// The second group is only reported as warnings.
pub mod codes {
    macro_rules! codes {
        ($($(#[doc = $doc:literal])* $name:ident = $code:literal;)*) => {
            $($(#[doc = $doc])* pub const $name: &str = $code;)*
            /// Each code with its meaning.
            pub const ALL: &[(&str, &str)] = &[$(($code, concat!($($doc),*)),)*];
        };
    }

    codes! {
        /// The bytes are neither a GLB nor glTF JSON.
        UNKNOWN_FORMAT = "import/unknown-format";
        /// The file is glTF 1.x, or requires a version newer than glTF 2.
        UNSUPPORTED_VERSION = "import/unsupported-version";
        /// The file requires an extension that gambol does not support.
        UNSUPPORTED_EXTENSION = "import/unsupported-extension";
        /// The GLB ends before its header or one of its chunks does.
        GLB_TRUNCATED = "import/glb-truncated";
        /// The first chunk of the GLB is not JSON.
        GLB_NO_JSON = "import/glb-no-json";
        /// The JSON cannot be parsed.
        INVALID_JSON = "import/invalid-json";
        /// A JSON value has the wrong type, or a required value is missing.
        INVALID_VALUE = "import/invalid-value";
        /// An index is out of range.
        INDEX_OUT_OF_RANGE = "import/index-out-of-range";
        /// The bytes of a buffer or image are missing; an error if nothing can be shown without them.
        BUFFER_MISSING = "import/buffer-missing";
        /// A buffer has fewer bytes than declared; an error if nothing can be shown with them.
        BUFFER_TOO_SHORT = "import/buffer-too-short";
        /// A data URI cannot be decoded.
        INVALID_URI = "import/invalid-uri";
        /// A buffer view reaches past the end of its buffer.
        VIEW_OUT_OF_RANGE = "import/view-out-of-range";
        /// An accessor reaches past the end of its buffer view.
        ACCESSOR_OUT_OF_RANGE = "import/accessor-out-of-range";
        /// The type or component type of an accessor is invalid for its use.
        ACCESSOR_TYPE = "import/accessor-type";
        /// The count of an accessor differs from that of related accessors.
        ACCESSOR_COUNT = "import/accessor-count";
        /// A byte stride is smaller than the elements.
        STRIDE_TOO_SHORT = "import/stride-too-short";
        /// A sparse accessor replaces an element that does not exist.
        SPARSE_INDEX_OUT_OF_RANGE = "import/sparse-index-out-of-range";
        /// Bytes of EXT_meshopt_compression or KHR_meshopt_compression cannot be decoded.
        MESHOPT = "import/meshopt";
        /// Bytes of KHR_draco_mesh_compression cannot be decoded.
        DRACO = "import/draco";
        /// The file requires KHR_draco_mesh_compression, but no decoder is available.
        DRACO_UNAVAILABLE = "import/draco-unavailable";
        /// The file requires more memory than its size can justify; see [`Limits`](super::super::limits::Limits).
        TOO_LARGE = "import/too-large";
        /// The file has more nodes, hierarchy levels or vertices than [`Limits`](super::super::limits::Limits) allow.
        TOO_MANY = "import/too-many";
        /// The node hierarchy is not a forest: a node is its own descendant, or has two parents.
        NODE_CYCLE = "import/node-cycle";

        /// The JSON starts with a byte order mark; it is skipped.
        BYTE_ORDER_MARK = "import/byte-order-mark";
        /// The JSON has strings that are not UTF-8; they are read as Latin-1.
        NOT_UTF_8 = "import/not-utf8";
        /// Zero bytes follow the JSON; they are ignored.
        JSON_PADDING = "import/json-padding";
        /// The length in the GLB header differs from the length of the file; the latter is used.
        GLB_LENGTH = "import/glb-length";
        /// A GLB chunk is misplaced, duplicate or unknown; it is ignored.
        GLB_CHUNK = "import/glb-chunk";
        /// The file uses an extension that gambol does not support; it is ignored.
        EXTENSION_IGNORED = "import/extension-ignored";
        /// A number is infinite or NaN, or outside its range; it is replaced, or counts as missing.
        NUMBER_REPLACED = "import/number-replaced";
        /// A rotation is not a unit quaternion; it is normalised.
        ROTATION_NORMALIZED = "import/rotation-normalized";
        /// A node has a matrix and also translation, rotation or scale; the matrix is used.
        MATRIX_AND_TRS = "import/matrix-and-trs";
        /// The last row of a matrix is not 0 0 0 1, by more than 1e-5; it is replaced.
        MATRIX_NOT_AFFINE = "import/matrix-not-affine";
        /// A scene lists a node that has a parent, or a node twice.
        SCENE_ROOT = "import/scene-root";
        /// A skin belongs to a mesh without joints, or has no joints; the mesh is not skinned.
        SKIN_IGNORED = "import/skin-ignored";
        /// The number of inverse bind matrices differs from that of joints; missing ones are identities.
        INVERSE_BIND_COUNT = "import/inverse-bind-count";
        /// A primitive of a skinned mesh has no joints; it follows the first joint of the skin.
        INFLUENCES_MISSING = "import/influences-missing";
        /// Joints without weights, or weights without joints; they are ignored.
        INFLUENCES_UNPAIRED = "import/influences-unpaired";
        /// Vertices have more influences than fit in vertex attributes (20); a slower method skins them.
        INFLUENCES_MANY = "import/influences-many";
        /// The instances of a node are invalid, or it has a skin; the mesh is shown once.
        INSTANCES_IGNORED = "import/instances-ignored";
        /// Joint weights do not sum to 1; they are divided by their sum.
        WEIGHTS_NORMALIZED = "import/weights-normalized";
        /// Joint weights are negative, not finite, or all zero; see the message for the repair.
        WEIGHTS_REPAIRED = "import/weights-repaired";
        /// Vertices refer to joints that the skin lacks; those influences are dropped.
        JOINT_OUT_OF_RANGE = "import/joint-out-of-range";
        /// Vertex indices are out of range or do not complete a line or triangle; the affected elements are not drawn.
        /// Or indices have the value of primitive restart, which glTF forbids; they refer to a vertex, if it exists.
        VERTEX_INDEX_OUT_OF_RANGE = "import/vertex-index-out-of-range";
        /// A primitive has no positions; nothing is drawn.
        NO_POSITIONS = "import/no-positions";
        /// The numbers of morph targets, of weights, or of targets per primitive differ; they are made equal.
        MORPH_TARGET_COUNT = "import/morph-target-count";
        /// An animation has no usable keyframes; the channel is skipped.
        NO_KEYS = "import/no-keys";
        /// Keyframe times are not finite; the channel is skipped.
        KEY_TIME_NOT_FINITE = "import/key-time-not-finite";
        /// Keyframe times do not increase; keyframes are sorted, and of equal times the last one is used.
        KEY_TIMES_UNSORTED = "import/key-times-unsorted";
        /// There are fewer keyframe values than keyframe times need; the channel is skipped.
        OUTPUT_TOO_SHORT = "import/output-too-short";
        /// There are more keyframe values than keyframe times need; those at the end are ignored.
        OUTPUT_TOO_LONG = "import/output-too-long";
        /// A keyframe value is not finite; the channel is skipped.
        KEY_VALUE_NOT_FINITE = "import/key-value-not-finite";
        /// The meshopt filter QUATERNION has destroyed the tangents of CUBICSPLINE rotations; LINEAR is used.
        TANGENTS_LOST = "import/tangents-lost";
        /// The target of a channel does not exist or is not supported; the channel is skipped.
        CHANNEL_IGNORED = "import/channel-ignored";
        /// `extras.markers` of an animation is not a list, or an entry has no name or no time within the clip; it is skipped.
        MARKER_IGNORED = "import/marker-ignored";
        /// Two channels of a clip animate the same property; the last one is used.
        CHANNEL_DUPLICATE = "import/channel-duplicate";
        /// Vertices are beyond 1e18 metres; bounding boxes ignore them, so the camera does not frame them.
        TOO_FAR = "import/too-far";
        /// A mesh is so far from the origin that the steps of single precision are visible in it.
        FAR_FROM_ORIGIN = "import/far-from-origin";
        /// The active scene has no mesh; the picture stays empty.
        NOTHING_TO_SHOW = "import/nothing-to-show";
        /// There are more warnings than useful; the others are only counted.
        WARNINGS_OMITTED = "import/warnings-omitted";
    }
}

/// The reason why a file cannot be imported: a [`Fault`] behind a pointer. This keeps the `Result` of most functions
/// of import small.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportError(Arc<Fault>);

impl std::ops::Deref for ImportError {
    type Target = Fault;

    fn deref(&self) -> &Fault {
        &self.0
    }
}

/// A fault of a file with its location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The kind of fault.
    pub kind: ImportErrorKind,
    /// The JSON pointer (RFC 6901) of the fault, such as `/meshes/0/primitives/0/attributes/POSITION`;
    /// empty for the whole file.
    pub pointer: String,
}

/// A kind of fault with its details.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ImportErrorKind {
    /// [`codes::UNKNOWN_FORMAT`]
    UnknownFormat {
        /// The format with its article, such as `a COLLADA document`, and a way to glTF, as a sentence; `None` if it is
        /// unknown.
        found: Option<(&'static str, &'static str)>,
    },
    /// [`codes::UNKNOWN_FORMAT`] too
    LfsPointer,
    /// [`codes::UNSUPPORTED_VERSION`]
    UnsupportedVersion {
        /// The version that the file states.
        version: String,
    },
    /// [`codes::UNSUPPORTED_EXTENSION`]
    UnsupportedExtension {
        /// The name of the extension.
        name: String,
    },
    /// [`codes::GLB_TRUNCATED`]
    GlbTruncated {
        /// The required number of bytes.
        needed: u64,
        /// The available number of bytes.
        available: u64,
    },
    /// [`codes::GLB_NO_JSON`]
    GlbNoJson,
    /// [`codes::INVALID_JSON`]
    InvalidJson {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// The reason, as part of a sentence.
        reason: String,
    },
    /// [`codes::INVALID_VALUE`]
    InvalidValue {
        /// The reason, as part of a sentence.
        reason: String,
    },
    /// [`codes::INDEX_OUT_OF_RANGE`]
    IndexOutOfRange {
        /// The kind of element.
        element: &'static str,
        /// The index.
        index: usize,
        /// The number of elements, which is the end of the range.
        count: usize,
    },
    /// [`codes::BUFFER_MISSING`]
    BufferMissing {
        /// The reason, as part of a sentence.
        reason: String,
    },
    /// [`codes::BUFFER_TOO_SHORT`]
    BufferTooShort {
        /// The quoted URI with a space before it; empty for a buffer in the file.
        name: String,
        /// The required number of bytes.
        needed: u64,
        /// The available number of bytes.
        available: u64,
    },
    /// [`codes::INVALID_URI`]
    InvalidUri {
        /// The reason, as part of a sentence.
        reason: String,
    },
    /// [`codes::VIEW_OUT_OF_RANGE`]
    ViewOutOfRange {
        /// The required number of bytes.
        needed: u64,
        /// The available number of bytes.
        available: u64,
    },
    /// [`codes::ACCESSOR_OUT_OF_RANGE`]
    AccessorOutOfRange {
        /// The required number of bytes.
        needed: u64,
        /// The available number of bytes.
        available: u64,
    },
    /// [`codes::ACCESSOR_TYPE`]
    AccessorType {
        /// The required type.
        expected: &'static str,
        /// The type in the file.
        found: String,
    },
    /// [`codes::ACCESSOR_COUNT`]
    AccessorCount {
        /// The required number of elements.
        needed: usize,
        /// The available number of elements.
        available: usize,
    },
    /// [`codes::STRIDE_TOO_SHORT`]
    StrideTooShort {
        /// The byte stride, in bytes.
        stride: usize,
        /// The size of an element, in bytes.
        element: usize,
    },
    /// [`codes::SPARSE_INDEX_OUT_OF_RANGE`]
    SparseIndexOutOfRange {
        /// The index.
        index: usize,
        /// The number of elements of the accessor.
        count: usize,
    },
    /// [`codes::MESHOPT`]
    Meshopt {
        /// The reason, as part of a sentence.
        reason: String,
    },
    /// [`codes::DRACO`]
    Draco {
        /// The reason, as part of a sentence.
        reason: String,
    },
    /// [`codes::DRACO_UNAVAILABLE`]
    DracoUnavailable,
    /// [`codes::TOO_LARGE`]
    TooLarge {
        /// The required number of bytes.
        needed: u64,
        /// The limit, in bytes.
        limit: u64,
    },
    /// [`codes::TOO_MANY`]
    TooMany {
        /// The kind of elements, in the plural.
        elements: &'static str,
        /// The number of elements.
        count: u64,
        /// The limit.
        limit: u64,
    },
    /// [`codes::NODE_CYCLE`]: the node is its own descendant
    NodeCycle {
        /// The index of the node.
        node: usize,
    },
    /// [`codes::NODE_CYCLE`]: the node has two parents
    NodeParents {
        /// The index of the node.
        node: usize,
        /// The index of the first parent.
        first: usize,
        /// The index of the second parent.
        second: usize,
    },
    /// [`codes::NO_KEYS`]
    NoKeys,
    /// [`codes::KEY_TIME_NOT_FINITE`]
    KeyTimeNotFinite {
        /// The index of the keyframe.
        key: usize,
    },
    /// [`codes::KEY_VALUE_NOT_FINITE`]
    KeyValueNotFinite {
        /// The index of the component.
        component: usize,
    },
    /// [`codes::OUTPUT_TOO_SHORT`]
    OutputTooShort {
        /// The required number of components.
        needed: usize,
        /// The available number of components.
        available: usize,
    },
}

impl ImportErrorKind {
    /// Adds the pointer of the fault.
    pub fn at(self, pointer: impl fmt::Display) -> ImportError {
        fault(self, &pointer)
    }
}

#[cold]
#[inline(never)]
fn fault(kind: ImportErrorKind, pointer: &dyn fmt::Display) -> ImportError {
    ImportError(Arc::new(Fault { kind, pointer: pointer.to_string() }))
}

impl ImportError {
    /// The code of the error: one of [`codes`].
    pub fn code(&self) -> &'static str {
        use ImportErrorKind as K;
        match self.kind {
            K::UnknownFormat { .. } | K::LfsPointer => codes::UNKNOWN_FORMAT,
            K::UnsupportedVersion { .. } => codes::UNSUPPORTED_VERSION,
            K::UnsupportedExtension { .. } => codes::UNSUPPORTED_EXTENSION,
            K::GlbTruncated { .. } => codes::GLB_TRUNCATED,
            K::GlbNoJson => codes::GLB_NO_JSON,
            K::InvalidJson { .. } => codes::INVALID_JSON,
            K::InvalidValue { .. } => codes::INVALID_VALUE,
            K::IndexOutOfRange { .. } => codes::INDEX_OUT_OF_RANGE,
            K::BufferMissing { .. } => codes::BUFFER_MISSING,
            K::BufferTooShort { .. } => codes::BUFFER_TOO_SHORT,
            K::InvalidUri { .. } => codes::INVALID_URI,
            K::ViewOutOfRange { .. } => codes::VIEW_OUT_OF_RANGE,
            K::AccessorOutOfRange { .. } => codes::ACCESSOR_OUT_OF_RANGE,
            K::AccessorType { .. } => codes::ACCESSOR_TYPE,
            K::AccessorCount { .. } => codes::ACCESSOR_COUNT,
            K::StrideTooShort { .. } => codes::STRIDE_TOO_SHORT,
            K::SparseIndexOutOfRange { .. } => codes::SPARSE_INDEX_OUT_OF_RANGE,
            K::Meshopt { .. } => codes::MESHOPT,
            K::Draco { .. } => codes::DRACO,
            K::DracoUnavailable => codes::DRACO_UNAVAILABLE,
            K::TooLarge { .. } => codes::TOO_LARGE,
            K::TooMany { .. } => codes::TOO_MANY,
            K::NodeCycle { .. } | K::NodeParents { .. } => codes::NODE_CYCLE,
            K::NoKeys => codes::NO_KEYS,
            K::KeyTimeNotFinite { .. } => codes::KEY_TIME_NOT_FINITE,
            K::KeyValueNotFinite { .. } => codes::KEY_VALUE_NOT_FINITE,
            K::OutputTooShort { .. } => codes::OUTPUT_TOO_SHORT,
        }
    }
}

impl ImportErrorKind {
    /// `true` if bytes are missing: the part that needs them is skipped, and the rest of the file is shown.
    pub fn lacks_bytes(&self) -> bool {
        matches!(
            self,
            Self::BufferMissing { .. }
                | Self::BufferTooShort { .. }
                | Self::ViewOutOfRange { .. }
                | Self::AccessorOutOfRange { .. }
        )
    }

    /// Advice to the user on how to fix the file, as a sentence.
    fn cure(&self) -> &'static str {
        match self {
            Self::UnknownFormat { found: Some((_, way)) } => way,
            Self::UnknownFormat { found: None } => "Load a .glb or .gltf file.",
            Self::LfsPointer => "Run `git lfs pull` and load the file again.",
            Self::UnsupportedVersion { .. } => "Convert the file to glTF 2.0, or export it again.",
            Self::UnsupportedExtension { .. } => "Export the file without this extension.",
            Self::GlbTruncated { .. } => {
                "Copy or download the file again; the transfer may have been interrupted."
            }
            Self::BufferMissing { .. } | Self::BufferTooShort { .. } => {
                "Load the file together with all files that it names, or export it as one .glb file."
            }
            Self::Meshopt { .. } | Self::Draco { .. } => "Export the file again, or without compression.",
            Self::DracoUnavailable => "Provide a decoder, or export the file without Draco compression.",
            Self::TooLarge { .. } | Self::TooMany { .. } => "Simplify the model, or raise the limit.",
            _ => "Check the file with the glTF Validator, and export it again.",
        }
    }
}

impl fmt::Display for ImportErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownFormat { found: Some((name, _)) } => {
                write!(f, "The file is {name}, which gambol does not read")
            }
            Self::UnknownFormat { found: None } => write!(f, "This is not a glTF file"),
            Self::LfsPointer => write!(f, "This is a Git LFS pointer, not the file itself"),
            Self::UnsupportedVersion { version } => {
                write!(f, "This is glTF {version}, but only glTF 2.0 is supported")
            }
            Self::UnsupportedExtension { name } => {
                write!(f, "The file requires the extension {name}, which is not supported")
            }
            Self::GlbTruncated { needed, available } => {
                write!(f, "The GLB is truncated: it needs {needed} bytes, but has {available}")
            }
            Self::GlbNoJson => write!(f, "The first chunk of the GLB is not JSON"),
            Self::InvalidJson { line, column, reason } => {
                write!(f, "The JSON is invalid at line {line}, column {column}: {reason}")
            }
            Self::InvalidValue { reason } => write!(f, "The JSON value is invalid: {reason}"),
            Self::IndexOutOfRange { element, index, count } => {
                write!(f, "The {element} index {index} is out of range; the count is {count}")
            }
            Self::BufferMissing { reason } => write!(f, "The bytes are missing: {reason}"),
            Self::BufferTooShort { name, needed, available } => {
                write!(f, "The buffer{name} is too short: it needs {needed} bytes, but has {available}")
            }
            Self::InvalidUri { reason } => write!(f, "The URI cannot be decoded: {reason}"),
            Self::ViewOutOfRange { needed, available } => {
                write!(f, "The buffer view needs {needed} bytes of its buffer, which has {available}")
            }
            Self::AccessorOutOfRange { needed, available } => {
                write!(f, "The accessor needs {needed} bytes of its buffer view, which has {available}")
            }
            Self::AccessorType { expected, found } => {
                write!(f, "The accessor must contain {expected}, but it contains {found}")
            }
            Self::AccessorCount { needed, available } => {
                write!(f, "The accessor has {available} elements, but {needed} are needed here")
            }
            Self::StrideTooShort { stride, element } => {
                write!(f, "The byte stride {stride} is smaller than the element size of {element} bytes")
            }
            Self::SparseIndexOutOfRange { index, count } => {
                write!(f, "The sparse index {index} is out of range; the accessor has {count} elements")
            }
            Self::Meshopt { reason } => write!(f, "The meshopt data cannot be decoded: {reason}"),
            Self::Draco { reason } => write!(f, "The Draco mesh cannot be decoded: {reason}"),
            Self::DracoUnavailable => {
                write!(f, "The mesh is compressed with Draco, and no decoder is available")
            }
            Self::TooLarge { needed, limit } => {
                write!(
                    f,
                    "The data needs {needed} bytes of memory, more than the limit of {limit} for this file"
                )
            }
            Self::TooMany { elements, count, limit } => {
                write!(f, "There are {count} {elements}, more than the limit of {limit}")
            }
            Self::NodeCycle { node } => write!(f, "Node {node} is its own descendant"),
            Self::NodeParents { node, first, second } => {
                write!(f, "Node {node} has two parents, nodes {first} and {second}")
            }
            Self::NoKeys => write!(f, "The sampler has no keyframes"),
            Self::KeyTimeNotFinite { key } => write!(f, "The time of keyframe {key} is not finite"),
            Self::KeyValueNotFinite { component } => {
                write!(f, "Component {component} of the keyframe values is not finite")
            }
            Self::OutputTooShort { needed, available } => {
                write!(f, "The keyframes need {needed} components, but the output has {available}")
            }
        }
    }
}

/// The fault, its location, and advice.
impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cure = self.kind.cure();
        match self.pointer.as_str() {
            "" => write!(f, "{}. {cure}", self.kind),
            pointer => write!(f, "{} (at {pointer}). {cure}", self.kind),
        }
    }
}

impl std::error::Error for ImportError {}
