//! Names of human bones, by convention: tables of patterns that are compared with the names of nodes.
//!
//! Names are compared without prefix up to `:`, separators and case, as
//! [`find_joint`](crate::animation::find_joint) does. A further prefix is found from the name of the hips.

use std::fmt;

/// A naming convention of human bones, or another origin of a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names of the tools")]
pub enum Convention {
    /// The extension VRM of the file.
    Vrm0,
    /// The extension VRMC_vrm of the file.
    Vrm1,
    /// The extension VRMC_vrm_animation of the file.
    VrmAnimation,
    /// Mixamo, HumanIK and MotionBuilder.
    Mixamo,
    ReadyPlayerMe,
    Unreal,
    Rigify,
    CharacterCreator,
    /// Biped of 3ds Max.
    Biped,
    Blender,
    MakeHuman,
    Quaternius,
    KayKit,
    Xsens,
    /// Motion capture of Carnegie Mellon University.
    Cmu,
    /// Unity's names of human bones, which are VRM's too.
    Unity,
    Vroid,
    /// Common names that follow no known convention.
    Common,
    /// The shape of the skeleton.
    Structure,
    /// Only names that the caller gave.
    Given,
}

impl Convention {
    /// The name, in words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Vrm0 => "VRM 0",
            Self::Vrm1 => "VRM 1",
            Self::VrmAnimation => "VRM animation",
            Self::Mixamo => "Mixamo",
            Self::ReadyPlayerMe => "Ready Player Me",
            Self::Unreal => "Unreal",
            Self::Rigify => "Rigify",
            Self::CharacterCreator => "Character Creator",
            Self::Biped => "3ds Max Biped",
            Self::Blender => "Blender",
            Self::MakeHuman => "MakeHuman",
            Self::Quaternius => "Quaternius",
            Self::KayKit => "KayKit",
            Self::Xsens => "Xsens",
            Self::Cmu => "CMU",
            Self::Unity => "Unity",
            Self::Vroid => "VRoid",
            Self::Common => "common names",
            Self::Structure => "structure",
            Self::Given => "given",
        }
    }
}

impl fmt::Display for Convention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The patterns of a convention.
pub(super) struct Table {
    pub(super) convention: Convention,
    /// `false` if names have no prefix other than one up to `:`.
    pub(super) prefixed: bool,
    /// The marks of left and right, of which a model uses one pair.
    pub(super) sides: &'static [[&'static str; 2]],
    /// A bone, or the part of a limb without `left` and `right`, and its patterns in order of preference; `*` is the
    /// mark of the side. A node is one bone only: the first row that it matches counts.
    pub(super) rows: &'static [(&'static str, &'static str)],
    pub(super) fingers: Fingers,
    /// Names by which the convention differs from similar ones.
    pub(super) markers: &'static str,
}

/// The patterns of finger joints: `%` is the finger, `#` the number of the joint. Alternatives of these are separated
/// by `/`.
pub(super) struct Fingers {
    pub(super) patterns: &'static str,
    /// Thumb to little finger.
    pub(super) names: [&'static str; 5],
    /// From the hand to the tip.
    pub(super) joints: [&'static str; 3],
}

const WORDS: &[[&str; 2]] = &[["left", "right"]];
const LETTERS: &[[&str; 2]] = &[["l", "r"]];
const BOTH: &[[&str; 2]] = &[["left", "right"], ["l", "r"]];

const FINGERS: [&str; 5] = ["thumb", "index", "middle", "ring", "pinky"];

const MIXAMO: &[(&str, &str)] = &[
    ("hips", "hips"),
    ("neck", "neck"),
    ("head", "head"),
    ("jaw", "jaw"),
    ("UpperLeg", "*upleg"),
    ("LowerLeg", "*leg"),
    ("Foot", "*foot"),
    ("Toes", "*toebase"),
    ("Shoulder", "*shoulder"),
    ("UpperArm", "*arm"),
    ("LowerArm", "*forearm"),
    ("Hand", "*hand"),
];

const MIXAMO_FINGERS: Fingers = Fingers { patterns: "*hand%#", names: FINGERS, joints: ["1", "2", "3"] };

/// All tables. Of equally good ones, the first counts.
pub(super) const TABLES: &[Table] = &[
    Table {
        convention: Convention::Mixamo,
        prefixed: true,
        sides: WORDS,
        rows: MIXAMO,
        fingers: MIXAMO_FINGERS,
        markers: "",
    },
    Table {
        convention: Convention::ReadyPlayerMe,
        prefixed: false,
        sides: WORDS,
        rows: &[
            ("hips", "hips"),
            ("neck", "neck"),
            ("head", "head"),
            ("UpperLeg", "*upleg"),
            ("LowerLeg", "*leg"),
            ("Foot", "*foot"),
            ("Toes", "*toebase"),
            ("Shoulder", "*shoulder"),
            ("UpperArm", "*arm"),
            ("LowerArm", "*forearm"),
            ("Hand", "*hand"),
            ("Eye", "*eye"),
        ],
        fingers: MIXAMO_FINGERS,
        markers: "wolf3davatar wolf3dhead eyeleft",
    },
    Table {
        convention: Convention::Unreal,
        prefixed: true,
        sides: LETTERS,
        rows: &[
            ("hips", "pelvis"),
            ("neck", "neck01 neck"),
            ("head", "head"),
            ("jaw", "jaw"),
            ("Eye", "eye*"),
            ("UpperLeg", "thigh*"),
            ("LowerLeg", "calf*"),
            ("Foot", "foot*"),
            ("Toes", "ball*"),
            ("Shoulder", "clavicle*"),
            ("UpperArm", "upperarm*"),
            ("LowerArm", "lowerarm*"),
            ("Hand", "hand*"),
        ],
        fingers: Fingers { patterns: "%#*", names: FINGERS, joints: ["01", "02", "03"] },
        markers: "ikfootroot ikhandroot",
    },
    Table {
        convention: Convention::Blender,
        prefixed: true,
        sides: LETTERS,
        rows: &[
            ("hips", "hips pelvis hip"),
            ("neck", "neck"),
            ("head", "head"),
            ("jaw", "jaw"),
            ("Eye", "eye*"),
            ("UpperLeg", "thigh* upperleg*"),
            ("LowerLeg", "shin* calf* lowerleg*"),
            ("Foot", "foot*"),
            ("Toes", "toe* toes*"),
            ("Shoulder", "shoulder* clavicle* collar*"),
            ("UpperArm", "upperarm*"),
            ("LowerArm", "forearm* lowerarm*"),
            ("Hand", "hand*"),
        ],
        fingers: Fingers {
            patterns: "%#*",
            names: ["thumb", "fingerindex", "fingermiddle", "fingerring", "fingerpinky"],
            joints: ["01", "02", "03"],
        },
        markers: "",
    },
    Table {
        convention: Convention::Rigify,
        prefixed: true,
        sides: LETTERS,
        rows: &[
            ("hips", "spine"),
            ("neck", "spine004 neck"),
            ("head", "spine006 head"),
            ("jaw", "jaw jawmaster"),
            ("Eye", "eye*"),
            ("UpperLeg", "thigh*"),
            ("LowerLeg", "shin*"),
            ("Foot", "foot*"),
            ("Toes", "toe*"),
            ("Shoulder", "shoulder*"),
            ("UpperArm", "upperarm*"),
            ("LowerArm", "forearm*"),
            ("Hand", "hand*"),
        ],
        fingers: Fingers {
            patterns: "%#*",
            names: ["thumb", "findex", "fmiddle", "fring", "fpinky"],
            joints: ["01", "02", "03"],
        },
        markers: "spine001",
    },
    Table {
        convention: Convention::CharacterCreator,
        prefixed: true,
        sides: LETTERS,
        rows: &[
            ("hips", "hip"),
            ("neck", "necktwist01"),
            ("head", "head"),
            ("jaw", "jawroot"),
            ("Eye", "*eye"),
            ("UpperLeg", "*thigh"),
            ("LowerLeg", "*calf"),
            ("Foot", "*foot"),
            ("Toes", "*toebase"),
            ("Shoulder", "*clavicle"),
            ("UpperArm", "*upperarm"),
            ("LowerArm", "*forearm"),
            ("Hand", "*hand"),
        ],
        fingers: Fingers {
            patterns: "*%#",
            names: ["thumb", "index", "mid", "ring", "pinky"],
            joints: ["1", "2", "3"],
        },
        markers: "waist",
    },
    Table {
        convention: Convention::Biped,
        prefixed: true,
        sides: LETTERS,
        rows: &[
            ("hips", "pelvis"),
            ("neck", "neck"),
            ("head", "head"),
            ("UpperLeg", "*thigh"),
            ("LowerLeg", "*calf"),
            ("Foot", "*foot"),
            ("Toes", "*toe0"),
            ("Shoulder", "*clavicle"),
            ("UpperArm", "*upperarm"),
            ("LowerArm", "*forearm"),
            ("Hand", "*hand"),
        ],
        fingers: Fingers { patterns: "*finger%#", names: ["0", "1", "2", "3", "4"], joints: ["", "1", "2"] },
        markers: "",
    },
    Table {
        convention: Convention::MakeHuman,
        prefixed: true,
        sides: LETTERS,
        rows: &[
            ("hips", "root"),
            ("neck", "neck01"),
            ("head", "head"),
            ("jaw", "jaw"),
            ("Eye", "eye*"),
            ("UpperLeg", "upperleg01*"),
            ("LowerLeg", "lowerleg01*"),
            ("Foot", "foot*"),
            ("Toes", "toe11*"),
            ("Shoulder", "clavicle*"),
            ("UpperArm", "upperarm01*"),
            ("LowerArm", "lowerarm01*"),
            ("Hand", "wrist*"),
        ],
        fingers: Fingers { patterns: "finger%#*", names: ["1", "2", "3", "4", "5"], joints: ["1", "2", "3"] },
        markers: "spine05",
    },
    Table {
        convention: Convention::Quaternius,
        prefixed: true,
        sides: LETTERS,
        rows: &[
            ("hips", "hips body"),
            ("neck", "neck"),
            ("head", "head"),
            ("UpperLeg", "upperleg*"),
            ("LowerLeg", "lowerleg*"),
            ("Foot", "foot*"),
            ("Toes", "toe* toes*"),
            ("Shoulder", "shoulder*"),
            ("UpperArm", "upperarm*"),
            ("LowerArm", "lowerarm*"),
            ("Hand", "wrist* fist* palm2* palm* hand*"),
        ],
        fingers: Fingers { patterns: "%#*", names: FINGERS, joints: ["1/", "2", "3"] },
        markers: "abdomen torso",
    },
    Table {
        convention: Convention::KayKit,
        prefixed: true,
        sides: LETTERS,
        rows: &[
            ("hips", "hips"),
            ("neck", "neck"),
            ("head", "head"),
            ("UpperLeg", "upperleg*"),
            ("LowerLeg", "lowerleg*"),
            ("Foot", "foot*"),
            ("Toes", "toes*"),
            ("UpperArm", "upperarm*"),
            ("LowerArm", "lowerarm*"),
            ("Hand", "wrist* hand*"),
        ],
        fingers: Fingers { patterns: "", names: FINGERS, joints: ["1", "2", "3"] },
        markers: "handslotl handslotr",
    },
    Table {
        convention: Convention::Xsens,
        prefixed: true,
        sides: WORDS,
        // In files of Xsens's BVH the shoulder is the upper arm, and the collar the shoulder.
        rows: &[
            ("hips", "hips pelvis"),
            ("neck", "neck"),
            ("head", "head"),
            ("UpperLeg", "*hip *upperleg"),
            ("LowerLeg", "*knee *lowerleg"),
            ("Foot", "*ankle *foot"),
            ("Toes", "*toe"),
            ("UpperArm", "*upperarm *shoulder"),
            ("Shoulder", "*collar *shoulder"),
            ("LowerArm", "*elbow *forearm"),
            ("Hand", "*wrist *hand"),
        ],
        fingers: Fingers { patterns: "", names: FINGERS, joints: ["1", "2", "3"] },
        markers: "chest4 t8",
    },
    Table {
        convention: Convention::Cmu,
        prefixed: true,
        sides: BOTH,
        rows: &[
            ("hips", "hips root"),
            ("neck", "neck lowerneck"),
            ("head", "head"),
            ("UpperLeg", "*upleg *femur"),
            ("LowerLeg", "*leg *tibia"),
            ("Foot", "*foot"),
            ("Toes", "*toebase *toes"),
            ("Shoulder", "*shoulder *clavicle"),
            ("UpperArm", "*arm *humerus"),
            ("LowerArm", "*forearm *radius"),
            ("Hand", "*wrist *hand"),
        ],
        fingers: Fingers { patterns: "*hand%#", names: FINGERS, joints: ["1", "2", "3"] },
        markers: "lowerback lhipjoint",
    },
    Table {
        convention: Convention::Unity,
        prefixed: true,
        sides: WORDS,
        rows: &[
            ("hips", "hips"),
            ("neck", "neck"),
            ("head", "head"),
            ("jaw", "jaw"),
            ("Eye", "*eye"),
            ("UpperLeg", "*upperleg"),
            ("LowerLeg", "*lowerleg"),
            ("Foot", "*foot"),
            ("Toes", "*toes"),
            ("Shoulder", "*shoulder"),
            ("UpperArm", "*upperarm"),
            ("LowerArm", "*lowerarm"),
            ("Hand", "*hand"),
        ],
        fingers: Fingers {
            patterns: "*%#",
            names: ["thumb", "index", "middle", "ring", "little"],
            joints: ["proximal", "intermediate", "distal"],
        },
        markers: "",
    },
    Table {
        convention: Convention::Vroid,
        prefixed: false,
        sides: LETTERS,
        rows: &[
            ("hips", "jbipchips"),
            ("neck", "jbipcneck"),
            ("head", "jbipchead"),
            ("Eye", "jadj*faceeye"),
            ("UpperLeg", "jbip*upperleg"),
            ("LowerLeg", "jbip*lowerleg"),
            ("Foot", "jbip*foot"),
            ("Toes", "jbip*toebase"),
            ("Shoulder", "jbip*shoulder"),
            ("UpperArm", "jbip*upperarm"),
            ("LowerArm", "jbip*lowerarm"),
            ("Hand", "jbip*hand"),
        ],
        fingers: Fingers {
            patterns: "jbip*%#",
            names: ["thumb", "index", "middle", "ring", "little"],
            joints: ["1", "2", "3"],
        },
        markers: "",
    },
    Table {
        convention: Convention::Common,
        prefixed: true,
        sides: BOTH,
        rows: &[
            ("hips", "hips hip pelvis root"),
            ("neck", "neck neck1 neck01 necklower"),
            ("head", "head"),
            ("jaw", "jaw"),
            ("Eye", "*eye eye*"),
            ("UpperLeg", "*upperleg upperleg* *upleg upleg* *thigh thigh* *thighbend legupper* *hip hip*"),
            ("LowerLeg", "*lowerleg lowerleg* *calf calf* *shin shin* *knee knee* leglower* *leg leg*"),
            ("Foot", "*foot foot* *ankle ankle*"),
            ("Toes", "*toes toes* *toe toe* *toebase toebase* *ball ball*"),
            ("UpperArm", "*upperarm upperarm* *uparm uparm* *shldrbend armupper* *arm arm*"),
            ("Shoulder", "*shoulder shoulder* *clavicle clavicle* *collar collar*"),
            ("LowerArm", "*lowerarm lowerarm* *forearm forearm* *forearmbend *elbow elbow* armlower*"),
            ("Hand", "*hand hand* *wrist wrist*"),
        ],
        fingers: Fingers {
            patterns: "*%# %#* *hand%#",
            names: ["thumb", "index", "middle/mid", "ring", "pinky/little"],
            joints: ["1/01/proximal/", "2/02/intermediate", "3/03/distal"],
        },
        markers: "",
    },
];
