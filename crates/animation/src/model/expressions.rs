//! Expressions of a face: named sets of morph weights, of a VRM file or found by the names of morph targets.

use super::humanoid::{Expression, ExpressionOverride, VrmVersion};
use super::morphs::Morph;
use super::palette_layout::PaletteLayout;
use super::root::Model;

/// A named set of morph weights, which a page sets together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FaceExpression {
    /// The name: that of VRM 1.0, ARKit or Oculus for an expression with the same meaning. No two are equal.
    pub name: String,
    /// The part that it plays in a face.
    pub kind: ExpressionKind,
    /// Indices of morph weights in a pose, and their values at full expression; no index twice.
    pub weights: Vec<(usize, f32)>,
    /// `true` if the amount is either 0 or 1: 1 above a half.
    pub is_binary: bool,
    /// The effect on other expressions: on blinks, on looks, and on visemes.
    pub overrides: [ExpressionOverride; 3],
}

/// The part that an expression plays in a face.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ExpressionKind {
    /// A mood, such as `happy`.
    Emotion,
    /// The mouth of a sound, such as `aa`.
    Viseme,
    /// Closed eyes.
    Blink,
    /// A direction of the eyes.
    Look,
    /// One of ARKit's 52 shapes, such as `jawOpen`.
    Shape,
    /// Any other.
    #[default]
    Custom,
}

impl ExpressionKind {
    /// All kinds, with their names for pages.
    pub const ALL: [(&'static str, Self); 6] = [
        ("emotion", Self::Emotion),
        ("viseme", Self::Viseme),
        ("blink", Self::Blink),
        ("look", Self::Look),
        ("shape", Self::Shape),
        ("custom", Self::Custom),
    ];

    /// The index in [`FaceExpression::overrides`] of the rule for this kind.
    pub fn group(self) -> Option<usize> {
        match self {
            Self::Blink => Some(0),
            Self::Look => Some(1),
            Self::Viseme => Some(2),
            Self::Emotion | Self::Shape | Self::Custom => None,
        }
    }
}

use ExpressionKind::{Blink, Custom, Emotion, Look, Shape, Viseme};

/// The names with a meaning, except those of [`SHAPES`]: the kind; names of morph targets that are the expression
/// itself, in the form of [`key`]; mixes of shapes, of which the first one counts whose first shape exists; and for
/// visemes a mix of the vowels of VRM. `*` stands for `Left` and `Right`.
type Recipe = (&'static str, ExpressionKind, &'static [&'static str], &'static [Mix], Mix);
type Mix = &'static [(&'static str, f32)];

const RECIPES: [Recipe; 28] = [
    ("neutral", Emotion, &["neutral"], &[], &[]),
    (
        "happy",
        Emotion,
        &["happy", "joy", "smile"],
        &[&[("mouthSmile*", 0.8), ("cheekSquint*", 0.4), ("eyeSquint*", 0.3)]],
        &[],
    ),
    (
        "angry",
        Emotion,
        &["angry", "anger"],
        &[&[("browDown*", 0.9), ("mouthFrown*", 0.4), ("eyeSquint*", 0.4), ("noseSneer*", 0.3)]],
        &[],
    ),
    (
        "sad",
        Emotion,
        &["sad", "sorrow", "sadness"],
        &[&[("mouthFrown*", 0.7), ("browInnerUp", 0.8), ("mouthShrugLower", 0.2)]],
        &[],
    ),
    ("relaxed", Emotion, &["relaxed", "fun"], &[&[("mouthSmile*", 0.35), ("eyeSquint*", 0.3)]], &[]),
    (
        "surprised",
        Emotion,
        &["surprised", "surprise"],
        &[&[("browInnerUp", 0.8), ("browOuterUp*", 0.8), ("eyeWide*", 0.8), ("jawOpen", 0.25)]],
        &[],
    ),
    ("blink", Blink, &["blink", "eyesclosed"], &[&[("eyeBlink*", 1.0)]], &[]),
    ("blinkLeft", Blink, &["blinkl"], &[&[("eyeBlinkLeft", 1.0)]], &[]),
    ("blinkRight", Blink, &["blinkr"], &[&[("eyeBlinkRight", 1.0)]], &[]),
    ("lookUp", Look, &["lookup", "eyeslookup"], &[&[("eyeLookUp*", 1.0)]], &[]),
    ("lookDown", Look, &["lookdown", "eyeslookdown"], &[&[("eyeLookDown*", 1.0)]], &[]),
    ("lookLeft", Look, &["lookl"], &[&[("eyeLookOutLeft", 1.0), ("eyeLookInRight", 1.0)]], &[]),
    ("lookRight", Look, &["lookr"], &[&[("eyeLookInLeft", 1.0), ("eyeLookOutRight", 1.0)]], &[]),
    ("sil", Viseme, &["visemesil"], &[], &[]),
    (
        "PP",
        Viseme,
        &["visemepp"],
        &[
            &[("mouthPress*", 0.6), ("mouthRollLower", 0.3), ("mouthRollUpper", 0.2)],
            &[("mouthPucker", 0.25)],
        ],
        &[],
    ),
    (
        "FF",
        Viseme,
        &["visemeff"],
        &[
            &[("mouthRollLower", 0.6), ("mouthUpperUp*", 0.2), ("jawOpen", 0.05)],
            &[("mouthFunnel", 0.25), ("jawOpen", 0.05)],
        ],
        &[("ih", 0.15)],
    ),
    ("TH", Viseme, &["visemeth"], &[&[("jawOpen", 0.2), ("tongueOut", 0.3)]], &[("aa", 0.2)]),
    ("DD", Viseme, &["visemedd"], &[&[("jawOpen", 0.15), ("mouthStretch*", 0.1)]], &[("ih", 0.3)]),
    ("kk", Viseme, &["visemekk"], &[&[("jawOpen", 0.2), ("mouthStretch*", 0.15)]], &[("ih", 0.3)]),
    ("CH", Viseme, &["visemech"], &[&[("mouthFunnel", 0.5), ("jawOpen", 0.1)]], &[("ou", 0.5)]),
    ("SS", Viseme, &["visemess"], &[&[("mouthStretch*", 0.35), ("jawOpen", 0.05)]], &[("ee", 0.3)]),
    ("nn", Viseme, &["visemenn"], &[&[("jawOpen", 0.12), ("mouthStretch*", 0.05)]], &[("ih", 0.2)]),
    ("RR", Viseme, &["visemerr"], &[&[("mouthFunnel", 0.35), ("jawOpen", 0.12)]], &[("ou", 0.3)]),
    ("aa", Viseme, &["visemeaa", "aa"], &[&[("jawOpen", 0.6)]], &[]),
    (
        "ee",
        Viseme,
        &["visemee", "visemeee", "ee"],
        &[&[("jawOpen", 0.3), ("mouthStretch*", 0.4), ("mouthSmile*", 0.15)]],
        &[],
    ),
    (
        "ih",
        Viseme,
        &["visemei", "visemeih", "ih"],
        &[&[("jawOpen", 0.2), ("mouthStretch*", 0.2), ("mouthSmile*", 0.3)]],
        &[],
    ),
    ("oh", Viseme, &["visemeo", "visemeoh", "oh"], &[&[("mouthFunnel", 0.6), ("jawOpen", 0.35)]], &[]),
    (
        "ou",
        Viseme,
        &["visemeu", "visemeou", "ou"],
        &[&[("mouthPucker", 0.7), ("mouthFunnel", 0.2), ("jawOpen", 0.12)]],
        &[],
    ),
];

/// The shapes of ARKit. `*` stands for `Left` and `Right`.
const SHAPES: [&str; 33] = [
    "browDown*",
    "browInnerUp",
    "browOuterUp*",
    "cheekPuff",
    "cheekSquint*",
    "eyeBlink*",
    "eyeLookDown*",
    "eyeLookIn*",
    "eyeLookOut*",
    "eyeLookUp*",
    "eyeSquint*",
    "eyeWide*",
    "jawForward",
    "jawLeft",
    "jawOpen",
    "jawRight",
    "mouthClose",
    "mouthDimple*",
    "mouthFrown*",
    "mouthFunnel",
    "mouthLeft",
    "mouthLowerDown*",
    "mouthPress*",
    "mouthPucker",
    "mouthRight",
    "mouthRollLower",
    "mouthRollUpper",
    "mouthShrugLower",
    "mouthShrugUpper",
    "mouthSmile*",
    "mouthStretch*",
    "mouthUpperUp*",
    "noseSneer*",
];
const TONGUE: &str = "tongueOut";

/// A name with or without sides: one name, or two.
fn sides(name: &str) -> impl Iterator<Item = String> {
    let stem = name.strip_suffix('*');
    let ends = if stem.is_some() { &["Left", "Right"][..] } else { &[""] };
    ends.iter().map(move |end| format!("{}{end}", stem.unwrap_or(name)))
}

/// A name for comparison: the part after the last `:` or `.`, without case and punctuation, with `l` and `r` for the
/// sides. So `eyeBlink_L` is `eyeBlinkLeft`.
fn key(name: &str) -> String {
    let bare = name.rsplit([':', '.']).next().unwrap_or(name);
    let letters = bare.chars().filter(|letter| letter.is_ascii_alphanumeric());
    let key: String = letters.map(|letter| letter.to_ascii_lowercase()).collect();
    match (key.strip_suffix("eft"), key.strip_suffix("ight")) {
        (Some(stem), _) if stem.ends_with('l') => stem.to_owned(),
        (_, Some(stem)) if stem.ends_with('r') => stem.to_owned(),
        _ => key,
    }
}

impl FaceExpression {
    /// The expressions of a model: those of its VRM extension, in the order of the file; then those with a meaning that
    /// are found by the names of morph targets; then the shapes of ARKit.
    ///
    /// - `morphs`: those of the model.
    pub fn list(model: &Model, layout: &PaletteLayout, morphs: &[Morph]) -> Vec<Self> {
        let keys: Vec<String> = morphs.iter().map(|morph| key(&morph.name)).collect();
        let mut list: Vec<Self> = Vec::new();
        let avatar = model.humanoid.as_ref().filter(|humanoid| humanoid.version != VrmVersion::Animation);
        // The file's expressions that change nothing, which many editors write for all presets, do not hide the shapes.
        let mut is_empty: Vec<bool> = Vec::new();
        for expression in avatar.iter().flat_map(|humanoid| &humanoid.expressions) {
            list.push(Self::of_file(expression, layout, unused(&list, &expression.name)));
            is_empty.push(expression.binds.is_empty() && !expression.changes_materials);
        }
        let target = |keyed: &str| keys.iter().position(|known| known == keyed);
        for (name, kind, own, mixes, vowels) in RECIPES {
            let known = list.iter().position(|known| known.name == name);
            if known.is_some_and(|at| !is_empty[at]) {
                continue;
            }
            let has = |mix: &Mix| {
                let first = mix.first().and_then(|(name, _)| sides(name).next());
                first.is_some_and(|first| target(&key(&first)).is_some())
            };
            let mut found = Self { name: name.to_owned(), kind, ..Self::default() };
            if let Some(index) = own.iter().find_map(|own| target(own)) {
                found.add(&morphs[index].weights, 1.0);
            } else if let Some(mix) = mixes.iter().find(|mix| has(mix)) {
                for (shapes, weight) in mix.iter() {
                    for index in sides(shapes).filter_map(|shape| target(&key(&shape))) {
                        found.add(&morphs[index].weights, *weight);
                    }
                }
            } else {
                for (vowel, share) in vowels {
                    let Some(vowel) = list.iter().find(|known| known.name == *vowel) else { continue };
                    for &(at, weight) in &vowel.weights {
                        found.add(&[at], weight * share);
                    }
                }
            }
            found.put(&mut list, &mut is_empty);
        }
        for shape in SHAPES.into_iter().flat_map(sides).chain([TONGUE.to_owned()]) {
            let is_free =
                list.iter().zip(&is_empty).all(|(known, is_empty)| known.name != shape || *is_empty);
            if let Some(index) = target(&key(&shape)).filter(|_| is_free) {
                let mut found = Self { name: shape, kind: Shape, ..Self::default() };
                found.add(&morphs[index].weights, 1.0);
                found.put(&mut list, &mut is_empty);
            }
        }
        list
    }

    /// An expression of a VRM file.
    fn of_file(expression: &Expression, layout: &PaletteLayout, name: String) -> Self {
        let known = RECIPES.iter().find(|(known, ..)| *known == expression.name && name == expression.name);
        let mut found = Self {
            name,
            kind: known.map_or(Custom, |(_, kind, ..)| *kind),
            weights: Vec::new(),
            is_binary: expression.is_binary,
            overrides: expression.overrides,
        };
        for bind in &expression.binds {
            let begin = layout.weights_of_node[bind.node.index()].start as usize;
            found.add(&[begin + bind.target], bind.weight);
        }
        found
    }

    /// Adds an expression that was found by the names of morph targets, or fills the file's empty one of its name.
    fn put(self, list: &mut Vec<Self>, is_empty: &mut Vec<bool>) {
        if self.weights.is_empty() {
            return;
        }
        match list.iter().position(|known| known.name == self.name) {
            Some(at) => (list[at].weights, is_empty[at]) = (self.weights, false),
            None => {
                list.push(self);
                is_empty.push(false);
            }
        }
    }

    /// Adds to morph weights of a pose. Values that are not finite are left out.
    pub fn add(&mut self, weights: &[usize], value: f32) {
        for &at in weights.iter().filter(|_| value.is_finite()) {
            match self.weights.iter_mut().find(|(known, _)| *known == at) {
                Some((_, sum)) => *sum += value,
                None => self.weights.push((at, value)),
            }
        }
    }
}

/// The name, or the name with a number if it is empty or in use.
fn unused(list: &[FaceExpression], name: &str) -> String {
    let is_free = |name: &str| list.iter().all(|known| known.name != name);
    if name.is_empty() {
        return unused(list, &format!("#{}", list.len()));
    }
    if is_free(name) {
        return name.to_owned();
    }
    let mut number = 2_usize;
    while !is_free(&format!("{name}~{number}")) {
        number += 1;
    }
    format!("{name}~{number}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_the_52_of_arkit_and_recipes_name_only_those() {
        let shapes: Vec<String> = SHAPES.into_iter().flat_map(sides).chain([TONGUE.to_owned()]).collect();
        assert_eq!(shapes.len(), 52);
        for (name, _, _, mixes, vowels) in RECIPES {
            for (shape, _) in mixes.iter().flat_map(|mix| mix.iter()) {
                assert!(sides(shape).all(|shape| shapes.contains(&shape)), "{name}: {shape}");
            }
            for (vowel, _) in vowels {
                assert!(["aa", "ee", "ih", "oh", "ou"].contains(vowel), "{name}: {vowel}");
            }
        }
        let visemes = RECIPES.iter().filter(|(_, kind, ..)| *kind == Viseme);
        assert_eq!(visemes.count(), 15);
    }

    #[test]
    fn names_are_compared_without_punctuation_prefix_and_length_of_sides() {
        for (name, same) in [
            ("eyeBlink_L", "eyeBlinkLeft"),
            ("blendShape1.JawOpen", "jawOpen"),
            ("Head:mouth smile right", "mouthSmileRight"),
        ] {
            assert_eq!(key(name), key(same));
        }
        for (name, other) in [("eyeBlink_L", "eyeBlinkRight"), ("gift", "gil"), ("jaw_left", "jaw_right")] {
            assert_ne!(key(name), key(other));
        }
        assert_eq!(key("gift"), "gift");
    }
}
