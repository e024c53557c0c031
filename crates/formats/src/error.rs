//! Errors and warnings of the converters. Codes are public API: their meaning never changes.

use std::fmt;

/// The codes of errors and warnings.
pub mod codes {
    macro_rules! codes {
        ($($(#[doc = $doc:literal])* $name:ident = $code:literal;)*) => {
            $($(#[doc = $doc])* pub const $name: &str = $code;)*
            /// Each code with its meaning.
            pub const ALL: &[(&str, &str)] = &[$(($code, concat!($($doc),*)),)*];
        };
    }

    codes! {
        /// The format of the file is not one that can be converted.
        UNKNOWN_FORMAT = "convert/unknown-format";
        /// The decoded content of the file is larger than the limit.
        TOO_LARGE = "convert/too-large";
        /// The file is FBX, and this build has no reader of it: the feature `fbx` is off.
        NO_FBX = "convert/no-fbx";
        /// A mesh lacks the texture coordinates of its material; the textures are left out.
        NO_TEXCOORDS = "convert/no-texcoords";
        /// There are more warnings than useful; the others are only counted.
        WARNINGS_OMITTED = "convert/warnings-omitted";

        /// The hierarchy has an unexpected word, or none where a name or number must be.
        BVH_SYNTAX = "bvh/syntax";
        /// The file ends within the hierarchy.
        BVH_TRUNCATED = "bvh/truncated";
        /// A brace is missing or superfluous; joints end where the motion begins.
        BVH_BRACES = "bvh/braces";
        /// A joint has more or fewer channels than it declares; those that are named are used.
        BVH_CHANNEL_COUNT = "bvh/channel-count";
        /// A channel is neither a position nor a rotation; it is ignored.
        BVH_UNKNOWN_CHANNEL = "bvh/unknown-channel";
        /// A name belongs to several joints; the later ones get a number.
        BVH_DUPLICATE_NAME = "bvh/duplicate-name";
        /// There is no motion; the result has no clip.
        BVH_NO_MOTION = "bvh/no-motion";
        /// There are more or fewer frames than declared; those that are there are used.
        BVH_FRAME_COUNT = "bvh/frame-count";
        /// The time of a frame is missing or unusable; 1/30 s is used.
        BVH_FRAME_TIME = "bvh/frame-time";
        /// Lines have more values than channels, which are ignored, or fewer; such frames are skipped.
        BVH_FRAME_LENGTH = "bvh/frame-length";
        /// A value is not a finite number; it is replaced by 0, or by that of the frame before.
        BVH_NUMBER_REPLACED = "bvh/number-replaced";
        /// Numbers have decimal commas, commas between them, or no spaces; they are read all the same.
        BVH_NUMBER_SPELLING = "bvh/number-spelling";
        /// The positions of a joint are relative to its offset; they are added to it.
        BVH_OFFSET_ADDED = "bvh/offset-added";
        /// The unit of length is guessed from the height of the figure, and it is not a centimetre.
        BVH_UNIT_GUESSED = "bvh/unit-guessed";
        /// The figure stands along Z, so Z is taken for the axis that points up.
        BVH_UP_GUESSED = "bvh/up-guessed";

        /// The header is not that of a .x file, or of an unknown form.
        X_HEADER = "x/header";
        /// A compressed block is damaged.
        X_COMPRESSION = "x/compression";
        /// The file ends within an object.
        X_TRUNCATED = "x/truncated";
        /// A token is in a wrong place, or unknown.
        X_SYNTAX = "x/syntax";
        /// An object has fewer values than it must have; an error for the vertices and faces of a mesh.
        X_TOO_FEW_VALUES = "x/too-few-values";
        /// The file has neither frames nor meshes.
        X_EMPTY = "x/empty";
        /// A closing brace is superfluous; it is ignored.
        X_BRACES = "x/braces";
        /// A template is neither of DirectX nor defined in the file; its objects are skipped.
        X_UNKNOWN_TEMPLATE = "x/unknown-template";
        /// An object does not fit the template that the file defines; it is skipped.
        X_TEMPLATE_MISMATCH = "x/template-mismatch";
        /// A reference names no object.
        X_REFERENCE_MISSING = "x/reference-missing";
        /// A reference leads to a frame that has a parent already, or to a frame around it; it is ignored.
        X_REFERENCE_IGNORED = "x/reference-ignored";
        /// A matrix has shear, or is not affine; the nearest transform is used.
        X_MATRIX_REPAIRED = "x/matrix-repaired";
        /// A value is not a finite number; it is replaced by 0.
        X_NUMBER_REPLACED = "x/number-replaced";
        /// A part of a mesh (normals, texture coordinates, colours, materials) does not fit it; it is ignored.
        X_PART_IGNORED = "x/part-ignored";
        /// Faces have less than three corners, or corners that do not exist; they are skipped.
        X_FACE_IGNORED = "x/face-ignored";
        /// Weights are negative, of vertices that do not exist, or too many for a vertex; they are ignored.
        X_WEIGHTS_IGNORED = "x/weights-ignored";
        /// A bone of a skin is not in the hierarchy; its vertices follow the nearest bone that is.
        X_BONE_MISSING = "x/bone-missing";
        /// Keys are of an unknown kind, of no frame, twice for a frame, or have a wrong number of values; they are
        /// skipped.
        X_KEYS_IGNORED = "x/keys-ignored";
        /// Times of keys do not increase; the keys are sorted, and of equal times the last one is used.
        X_KEYS_UNSORTED = "x/keys-unsorted";
        /// The file does not say the ticks of a second, and keys seem to be numbered by frames: 24 a second.
        X_TICKS_GUESSED = "x/ticks-guessed";

        /// Curves or polygons deviate, since they would need too many keys or too much time.
        FBX_COARSE = "fbx/coarse";
        /// The file is not FBX.
        FBX_FORMAT = "fbx/format";
        /// Data of the file is damaged and was repaired.
        FBX_REPAIRED = "fbx/repaired";
        /// Objects that glTF or this converter lacks are left out.
        FBX_SKIPPED = "fbx/skipped";
        /// The file breaks the rules of FBX.
        FBX_SYNTAX = "fbx/syntax";
        /// A texture cannot be used.
        FBX_TEXTURE = "fbx/texture";
        /// The file is cut off.
        FBX_TRUNCATED = "fbx/truncated";
        /// The version of the file is not supported.
        FBX_VERSION = "fbx/version";
    }
}

/// The reason why a file cannot be converted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormatError {
    /// A stable code, such as `bvh/syntax`.
    pub code: &'static str,
    /// A sentence for people.
    pub message: String,
    /// The place of the fault in the file.
    pub place: Place,
}

/// A part of a file that was repaired or skipped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// A stable code, such as `x/unknown-template`.
    pub code: &'static str,
    /// A sentence for people.
    pub message: String,
    /// The place of the fault in the file.
    pub place: Place,
}

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A text file: line and column, both from 1; the column counts bytes.
    Text {
        /// The line, from 1.
        line: u32,
        /// The column, from 1, in bytes.
        column: u32,
    },
    /// A binary file: an offset from its start, in bytes, and the path of the enclosing objects (`Frame Root/Mesh Body`).
    Binary {
        /// The offset from the start of the file, in bytes.
        offset: u64,
        /// The names of the enclosing objects, separated by `/`; may be empty.
        path: String,
    },
    /// An object of the file, where the position of its bytes is not known: the path of its names.
    Object {
        /// The names of the enclosing objects, separated by `/`.
        path: String,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text { line, column } => write!(f, "line {line}, column {column}"),
            Self::Binary { offset, path } if path.is_empty() => write!(f, "byte {offset}"),
            Self::Binary { offset, path } => write!(f, "byte {offset}, {path}"),
            Self::Object { path } if path.is_empty() => f.write_str("the whole file"),
            Self::Object { path } => f.write_str(path),
        }
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The message says what to do, which depends on the format.
        if self.code == codes::UNKNOWN_FORMAT {
            return f.write_str(&self.message);
        }
        let cure = match self.code {
            codes::NO_FBX => "Convert the file to glTF with another program.",
            codes::TOO_LARGE => "Simplify the file, or raise the limit.",
            codes::BVH_TRUNCATED | codes::X_TRUNCATED | codes::X_COMPRESSION => {
                "Copy or download the file again."
            }
            codes::X_EMPTY => "Export the file with its frames and meshes.",
            _ => "Export the file again.",
        };
        write!(f, "{} ({}). {cure}", self.message, self.place)
    }
}

impl std::error::Error for FormatError {}
