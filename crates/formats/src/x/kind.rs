//! The templates of DirectX.

/// The template of an object, as far as it matters for a conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Animation,
    AnimationKey,
    AnimationSet,
    AnimTicksPerSecond,
    DeclData,
    Frame,
    FrameTransformMatrix,
    FvfData,
    Material,
    Mesh,
    MeshMaterialList,
    MeshNormals,
    MeshTextureCoords,
    MeshVertexColors,
    NormalFilename,
    SkinWeights,
    TextureFilename,
    VertexDuplicationIndices,
    /// A template of DirectX without content for glTF.
    Ignored,
    /// Any other.
    Other,
}

/// Templates of DirectX that are skipped without a warning: their content is redundant (counts, adjacency), about
/// tools, or about effects, which glTF does not have.
const IGNORED: &[&str] = &[
    "AnimationOptions",
    "EffectDWord",
    "EffectFloats",
    "EffectInstance",
    "EffectParamDWord",
    "EffectParamFloats",
    "EffectParamString",
    "EffectString",
    "FaceAdjacency",
    "Header",
    "MaterialWrap",
    "MeshFaceWraps",
    "XSkinMeshHeader",
];

impl Kind {
    /// The kind of a template's name. Some programs write names in other case.
    pub(super) fn named(name: &[u8]) -> Self {
        let is = |known: &&str| known.as_bytes().eq_ignore_ascii_case(name);
        let kinds = [
            ("Animation", Self::Animation),
            ("AnimationKey", Self::AnimationKey),
            ("AnimationSet", Self::AnimationSet),
            ("AnimTicksPerSecond", Self::AnimTicksPerSecond),
            ("DeclData", Self::DeclData),
            ("Frame", Self::Frame),
            ("FrameTransformMatrix", Self::FrameTransformMatrix),
            ("FVFData", Self::FvfData),
            ("Material", Self::Material),
            ("Mesh", Self::Mesh),
            ("MeshMaterialList", Self::MeshMaterialList),
            ("MeshNormals", Self::MeshNormals),
            ("MeshTextureCoords", Self::MeshTextureCoords),
            ("MeshVertexColors", Self::MeshVertexColors),
            ("NormalmapFilename", Self::NormalFilename),
            ("SkinWeights", Self::SkinWeights),
            ("TextureFilename", Self::TextureFilename),
            ("VertexDuplicationIndices", Self::VertexDuplicationIndices),
        ];
        match kinds.iter().find(|(known, _)| is(known)) {
            Some((_, kind)) => *kind,
            None if IGNORED.iter().any(is) => Self::Ignored,
            None => Self::Other,
        }
    }
}
