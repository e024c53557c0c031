//! Findings, and the report that lists them.

use std::fmt::Write;

/// The weight of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Wrong by the specification, or the motion is not the one that was made.
    Error,
    /// Visible, or wrong in some players.
    Warning,
    /// Worth knowing: size, memory, habits of other players.
    Info,
}

impl Severity {
    /// `error`, `warning` or `info`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

/// The unit of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Metres.
    Metres,
    /// Seconds.
    Seconds,
    /// Degrees.
    Degrees,
    /// Metres per second.
    MetresPerSecond,
    /// Frames per second.
    FramesPerSecond,
    /// Bytes.
    Bytes,
    /// Pixels.
    Pixels,
    /// A count, a factor or a component: without a unit.
    One,
}

impl Unit {
    /// The symbol: `m`, `s`, `°`, `m/s`, `fps`, `B`, `px`; empty without a unit.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Metres => "m",
            Self::Seconds => "s",
            Self::Degrees => "°",
            Self::MetresPerSecond => "m/s",
            Self::FramesPerSecond => "fps",
            Self::Bytes => "B",
            Self::Pixels => "px",
            Self::One => "",
        }
    }
}

/// A measured number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measure {
    /// The name, such as `distance`; it is unique in its finding.
    pub name: &'static str,
    /// The number; finite.
    pub value: f64,
    /// Its unit.
    pub unit: Unit,
}

/// A way to mend a finding.
#[derive(Debug, Clone, PartialEq)]
pub struct Fix {
    /// One or two sentences: the steps in the tool that made the file.
    pub description: String,
    /// `true` if `optimize` mends it with its default options.
    pub optimize: bool,
    /// A JSON patch (RFC 6902) of the file's JSON that mends it; empty if there is none.
    pub patch: Vec<PatchStep>,
}

/// A step of a JSON patch.
#[derive(Debug, Clone, PartialEq)]
pub enum PatchStep {
    /// Removes the value at a JSON pointer.
    Remove(String),
    /// Replaces the value at a JSON pointer.
    Replace(String, gambol_gltf::json::Value),
}

/// A curve that shows a finding: a coordinate over time.
#[derive(Debug, Clone, PartialEq)]
pub struct Plot {
    /// The unit of the values.
    pub unit: Unit,
    /// The times in seconds, increasing. For the seam of a loop, the seam is at 0: values before it are of the clip's end.
    pub times: Vec<f64>,
    /// One value for each time.
    pub values: Vec<f64>,
}

/// One fault, or one fact worth knowing.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// One of [`codes`](super::codes), or a code of [`gambol::import::codes`].
    pub code: &'static str,
    /// The weight.
    pub severity: Severity,
    /// The JSON pointer (RFC 6901) of the place in the file; empty for the whole file.
    pub pointer: String,
    /// The index of the animation.
    pub clip: Option<usize>,
    /// The index of the node, the worst one if there are several.
    pub node: Option<usize>,
    /// The indices of all nodes that are concerned, at most [`Finding::MOST_NODES`].
    pub nodes: Vec<usize>,
    /// The time in the clip, in seconds.
    pub time: Option<f64>,
    /// Sentences that say the cause and the effect.
    pub message: String,
    /// The measured numbers.
    pub values: Vec<Measure>,
    /// A way to mend it.
    pub fix: Option<Fix>,
    /// A curve of the fault.
    pub plot: Option<Plot>,
    /// Places in the model, in metres, such as those of a sliding foot.
    pub trail: Vec<[f64; 3]>,
}

impl Finding {
    /// The largest number of nodes that a finding lists.
    pub const MOST_NODES: usize = 256;

    /// A finding without numbers.
    pub fn new(
        code: &'static str,
        severity: Severity,
        pointer: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            code,
            severity,
            pointer: pointer.into(),
            clip: None,
            node: None,
            nodes: Vec::new(),
            time: None,
            message: message.into(),
            values: Vec::new(),
            fix: None,
            plot: None,
            trail: Vec::new(),
        }
    }

    /// Sets the clip.
    #[must_use]
    pub fn clip(mut self, clip: usize) -> Self {
        self.clip = Some(clip);
        self
    }

    /// Sets the node.
    #[must_use]
    pub fn node(mut self, node: usize) -> Self {
        self.node = Some(node);
        if self.nodes.is_empty() {
            self.nodes.push(node);
        }
        self
    }

    /// Sets all nodes; the first is the worst one, unless it is already set.
    #[must_use]
    pub fn nodes(mut self, nodes: impl IntoIterator<Item = usize>) -> Self {
        self.nodes = nodes.into_iter().take(Self::MOST_NODES).collect();
        self.node = self.node.or(self.nodes.first().copied());
        self
    }

    /// Sets the time in the clip, in seconds.
    #[must_use]
    pub fn time(mut self, time: f64) -> Self {
        self.time = Some(time).filter(|time| time.is_finite());
        self
    }

    /// Adds a number. One that is not finite is left out.
    #[must_use]
    pub fn value(mut self, name: &'static str, value: f64, unit: Unit) -> Self {
        if value.is_finite() {
            self.values.push(Measure { name, value, unit });
        }
        self
    }

    pub(super) fn count(self, name: &'static str, count: usize) -> Self {
        self.value(name, count as f64, Unit::One)
    }

    /// Sets a fix by hand.
    #[must_use]
    pub fn fix(mut self, description: impl Into<String>) -> Self {
        self.fix = Some(Fix { description: description.into(), optimize: false, patch: Vec::new() });
        self
    }

    /// The fix can be made by `optimize`.
    pub(super) fn by_optimize(mut self) -> Self {
        if let Some(fix) = &mut self.fix {
            fix.optimize = true;
        }
        self
    }

    pub(super) fn patch(mut self, patch: Vec<PatchStep>) -> Self {
        if let Some(fix) = &mut self.fix {
            fix.patch = patch;
        }
        self
    }

    pub(super) fn plot(mut self, plot: Plot) -> Self {
        self.plot = Some(plot).filter(|plot| plot.values.iter().all(|value| value.is_finite()));
        self
    }

    pub(super) fn trail(mut self, trail: impl IntoIterator<Item = [f64; 3]>) -> Self {
        self.trail =
            trail.into_iter().filter(|place| place.iter().all(|number| number.is_finite())).collect();
        self
    }

    /// A number of the finding.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.values.iter().find(|measure| measure.name == name).map(|measure| measure.value)
    }
}

/// The counts of a report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Summary {
    /// Findings of severity error.
    pub errors: usize,
    /// Findings of severity warning.
    pub warnings: usize,
    /// Findings of severity info.
    pub infos: usize,
    /// The animations of the file.
    pub clips: usize,
    /// The channels of all animations.
    pub channels: usize,
    /// The keys of all channels; a key of a sampler that two channels use counts twice.
    pub keys: usize,
    /// The nodes that are joints of a skin.
    pub joints: usize,
}

/// All findings of a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Report {
    /// Errors first, then warnings, then infos; of equal severity in the order of the clips.
    pub findings: Vec<Finding>,
    /// The counts.
    pub summary: Summary,
}

/// A number with three significant digits. From 10¹² on it has a power of ten.
pub(super) fn digits(value: f64) -> String {
    let magnitude = value.abs();
    if value.is_nan() {
        return "no number".to_owned();
    }
    if magnitude >= 1e12 {
        let sign = if value < 0.0 { "−" } else { "" };
        if magnitude.is_infinite() {
            return format!("{sign}10³⁰⁸ or more");
        }
        let text = format!("{magnitude:.2e}");
        let (digits, power) = text.split_once('e').unwrap_or((&text, ""));
        let raised: String =
            power.chars().filter_map(|digit| SUPERSCRIPTS.get(digit.to_digit(10)? as usize)).collect();
        return format!("{sign}{digits} · 10{raised}");
    }
    let decimals = if magnitude >= 100.0 || magnitude == 0.0 {
        0
    } else if magnitude >= 10.0 {
        1
    } else if magnitude >= 1.0 {
        2
    } else {
        (2 - magnitude.log10().floor() as i32).clamp(0, 9) as usize
    };
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write!(text, "{value:.decimals$}");
    if text.contains('.') {
        text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
    }
    text
}

const SUPERSCRIPTS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

/// `1 key`, `2 keys`.
pub(super) fn plural(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_have_three_places_and_are_no_words_of_a_machine() {
        let cases = [
            (0.0, "0"),
            (0.031_25, "0.0312"),
            (0.5, "0.5"),
            (1.0, "1"),
            (12.345, "12.3"),
            (1234.5, "1234"),
            (-0.25, "-0.25"),
            (1e-12, "0"),
            (-4.56e11, "-456000000000"),
            (3.402_823e38, "3.40 · 10³⁸"),
            (-1e300, "−1.00 · 10³⁰⁰"),
            (f64::INFINITY, "10³⁰⁸ or more"),
            (f64::NAN, "no number"),
        ];
        for (value, text) in cases {
            assert_eq!(digits(value), text);
        }
    }
}
