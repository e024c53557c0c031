//! The codes of findings.

macro_rules! codes {
    ($($(#[doc = $doc:literal])* $name:ident = $code:literal;)*) => {
        $($(#[doc = $doc])* pub const $name: &str = $code;)*
        /// Each code with its meaning.
        pub const ALL: &[(&str, &str)] = &[$(($code, concat!($($doc),*)),)*];
    };
}

codes! {
    /// The inverse bind matrices of a skin are not those of the pose that the nodes have without a clip.
    BIND_POSE = "inspect/bind-pose-differs";
    /// Bones have other lengths in some clips than in others.
    BONE_LENGTHS = "inspect/bone-lengths-differ";
    /// A channel has the same value at all keys, but not that of the node.
    CHANNEL_CONSTANT = "inspect/channel-constant";
    /// A channel has the value of its node at all keys.
    CHANNEL_AT_REST = "inspect/channel-at-rest";
    /// A mesh cannot be measured, because its data is compressed by Draco and there is no decoder.
    COMPRESSED = "inspect/compressed";
    /// A foot moves over the ground while it touches it.
    FOOT_SLIDE = "inspect/foot-slide";
    /// The keys of clips, or of channels of a clip, lie on frames of different rates.
    FRAME_RATES = "inspect/frame-rates-differ";
    /// Vertices have more than four joint influences.
    INFLUENCES = "inspect/influences-many";
    /// Joints neither move vertices nor carry anything that does.
    JOINTS_IDLE = "inspect/joint-moves-nothing";
    /// A skin has more joints than some players support.
    JOINTS_MANY = "inspect/joints-many";
    /// Keys of a clip lie before 0, where no player shows them.
    KEYS_EARLY = "inspect/keys-before-zero";
    /// A joint jumps from one frame to the next.
    JUMP = "inspect/jump";
    /// Keys lie on the line between their neighbours.
    KEYS_ON_LINE = "inspect/keys-on-line";
    /// The first key of a clip is not at 0, so its pose stands still before.
    KEYS_LATE = "inspect/keys-start-late";
    /// The keys of channels lie on the frames of no usual rate.
    KEYS_UNEVEN = "inspect/keys-uneven";
    /// The end of a loop is not where its start is.
    LOOP_SEAM = "inspect/loop-seam";
    /// A loop arrives at its end with another velocity than it starts with.
    LOOP_VELOCITY = "inspect/loop-velocity";
    /// A mesh has more morph targets than some players support.
    MORPHS_MANY = "inspect/morphs-many";
    /// A mesh has another number of names than of morph targets.
    MORPH_NAMES = "inspect/morph-names";
    /// Nodes, clips or morph targets have the same name.
    NAME_TWICE = "inspect/name-twice";
    /// A clip turns helper nodes of Assimp in place of bones.
    PIVOTS = "inspect/pivot-nodes";
    /// A frame of a moving clip has the pose of the model without a clip, or that of binding.
    REST_FRAME = "inspect/rest-pose-frame";
    /// A clip that loops otherwise ends beside its start.
    ROOT_DRIFT = "inspect/root-drift";
    /// Neighbouring rotation keys have opposite signs.
    ROTATION_FLIPPED = "inspect/rotation-flipped";
    /// Neighbouring rotation keys are half a turn apart, so the direction of the turn is a matter of chance.
    ROTATION_HALF_TURN = "inspect/rotation-half-turn";
    /// A rotation is not a unit quaternion.
    ROTATION_NOT_UNIT = "inspect/rotation-not-unit";
    /// A scale is negative.
    SCALE_NEGATIVE = "inspect/scale-negative";
    /// A scale is zero.
    SCALE_ZERO = "inspect/scale-zero";
    /// A clip has a single key in each channel.
    SINGLE_KEY = "inspect/single-key";
    /// Two skins bind the same joints in different poses.
    SKINS_DIFFER = "inspect/skins-differ";
    /// The node of a skinned mesh has a transform, which is ignored.
    SKINNED_TRANSFORM = "inspect/skinned-mesh-transform";
    /// A mesh is left over from another tool.
    STRAY_MESH = "inspect/stray-mesh";
    /// Tangents point against the texture coordinates.
    TANGENTS_FLIPPED = "inspect/tangents-flipped";
    /// A texture is larger than 4096 pixels.
    TEXTURE_LARGE = "inspect/texture-large";
    /// All textures together need much memory.
    TEXTURE_MEMORY = "inspect/texture-memory";
    /// The size of a texture with mipmaps or repetition is not a power of two.
    TEXTURE_POWER = "inspect/texture-not-power-of-two";
    /// The joint weights of vertices do not sum to 1.
    WEIGHTS_SUM = "inspect/weights-sum";
}
