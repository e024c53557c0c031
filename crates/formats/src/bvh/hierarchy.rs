//! The part of a file before MOTION.

use std::collections::{HashMap, HashSet};

use glam::DVec3;

use super::motion::is_header;
use super::numbers::Spelling;
use crate::conversion::Conversion;
use crate::error::{FormatError, codes};
use crate::text::{is_number, name, number, place, quoted};

/// A joint, or an end site.
pub(super) struct Joint {
    pub(super) name: String,
    pub(super) parent: Option<usize>,
    pub(super) offset: DVec3,
    pub(super) channels: Vec<Moved>,
    /// The offset in the file.
    pub(super) at: usize,
}

/// The effect of a channel, along or around an axis: 0 is X.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Moved {
    Position(usize),
    Rotation(usize),
    Unknown,
}

impl Moved {
    /// The channel of a name such as `Xposition`.
    fn named(word: &[u8]) -> Option<Self> {
        let (first, kind) = word.split_first()?;
        let axis = b"xyz".iter().position(|axis| axis.eq_ignore_ascii_case(first))?;
        let is = |name: &str| kind.eq_ignore_ascii_case(name.as_bytes());
        if is("position") {
            Some(Self::Position(axis))
        } else {
            is("rotation").then_some(Self::Rotation(axis))
        }
    }
}

/// The joints, parents before children, in the order of their channels; and the offset of MOTION.
pub(super) fn read(bytes: &[u8], conversion: &Conversion<'_>) -> Result<(Vec<Joint>, usize), FormatError> {
    let mut reader = Reader {
        words: Words { bytes, at: 0 },
        conversion,
        joints: Vec::new(),
        open: Vec::new(),
        spelling: Spelling::default(),
    };
    reader.read()?;
    let Reader { words, mut joints, spelling, .. } = reader;
    spelling.warn(bytes, conversion);
    rename(&mut joints, bytes, conversion);
    Ok((joints, words.at))
}

/// Words between white space; braces are words of their own.
#[derive(Clone, Copy)]
struct Words<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Words<'a> {
    /// The next word with its offset; empty at the end.
    fn next(&mut self) -> (&'a [u8], usize) {
        let rest = &self.bytes[self.at..];
        let start = self.at + rest.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(rest.len());
        let word = &self.bytes[start..];
        let ends = |byte: &u8| byte.is_ascii_whitespace() || b"{}".contains(byte);
        let length = match word.first() {
            Some(b'{' | b'}') => 1,
            _ => word.iter().position(ends).unwrap_or(word.len()),
        };
        self.at = start + length;
        (&word[..length], start)
    }

    fn peek(mut self) -> (&'a [u8], usize) {
        self.next()
    }

    /// The rest of the line, or the next line, up to a brace: names may contain spaces.
    fn name(&mut self) -> &'a [u8] {
        let rest = self.bytes[self.at..].trim_ascii_start();
        self.at = self.bytes.len() - rest.len();
        let length = rest.iter().position(|byte| b"\r\n{}".contains(byte)).unwrap_or(rest.len());
        self.at += length;
        rest[..length].trim_ascii()
    }
}

struct Reader<'a> {
    words: Words<'a>,
    conversion: &'a Conversion<'a>,
    joints: Vec<Joint>,
    /// The joints whose braces are open.
    open: Vec<usize>,
    spelling: Spelling,
}

impl Reader<'_> {
    fn error(&self, code: &'static str, message: impl Into<String>, at: usize) -> FormatError {
        FormatError { code, message: message.into(), place: place(self.words.bytes, at) }
    }

    fn warn(&self, code: &'static str, message: impl Into<String>, at: usize) {
        self.conversion.warn(code, message, || place(self.words.bytes, at));
    }

    fn unexpected(&self, (word, at): (&[u8], usize), expected: &str) -> FormatError {
        if word.is_empty() {
            let message = format!("The file ends where {expected} must be");
            return self.error(codes::BVH_TRUNCATED, message, at);
        }
        let message = format!("Here must be {expected}, not {}", quoted(word));
        self.error(codes::BVH_SYNTAX, message, at)
    }

    fn read(&mut self) -> Result<(), FormatError> {
        let first = self.words.next();
        if !first.0.eq_ignore_ascii_case(b"HIERARCHY") {
            return Err(self.unexpected(first, "HIERARCHY"));
        }
        loop {
            let before = self.words;
            let (word, at) = self.words.next();
            let is = |keyword: &str| word.eq_ignore_ascii_case(keyword.as_bytes());
            if is("ROOT") || is("JOINT") {
                let name = name(self.words.name());
                self.joint(name, at)?;
            } else if is("End") || is("EndSite") {
                self.end_site(is("End"), at)?;
            } else if is("OFFSET") {
                self.offset(at)?;
            } else if is("CHANNELS") {
                self.channels(at)?;
            } else if word == b"}" {
                if self.open.pop().is_none() {
                    self.warn(codes::BVH_BRACES, "This brace closes nothing; it is ignored", at);
                }
            } else if is_header(word) {
                if !self.open.is_empty() {
                    let message = format!("The hierarchy lacks {} closing braces", self.open.len());
                    self.warn(codes::BVH_BRACES, message, at);
                }
                // The motion begins here, also if the word MOTION is missing.
                self.words = before;
                break;
            } else if word.is_empty() && self.open.is_empty() && !self.joints.is_empty() {
                break;
            } else {
                return Err(self.unexpected((word, at), "JOINT, OFFSET, CHANNELS, a brace or MOTION"));
            }
        }
        if self.joints.is_empty() {
            return Err(self.unexpected(self.words.peek(), "ROOT"));
        }
        Ok(())
    }

    /// Adds a joint, whose brace opens.
    fn joint(&mut self, name: String, at: usize) -> Result<(), FormatError> {
        let brace = self.words.next();
        if brace.0 != b"{" {
            return Err(self.unexpected(brace, "an opening brace"));
        }
        self.conversion.spend(size_of::<Joint>() + name.len(), || place(self.words.bytes, at))?;
        let parent = self.open.last().copied();
        self.open.push(self.joints.len());
        self.joints.push(Joint { name, parent, offset: DVec3::ZERO, channels: Vec::new(), at });
        Ok(())
    }

    fn end_site(&mut self, site_follows: bool, at: usize) -> Result<(), FormatError> {
        let Some(&parent) = self.open.last() else {
            return Err(self.unexpected((b"End", at), "ROOT"));
        };
        if site_follows && self.words.peek().0.eq_ignore_ascii_case(b"Site") {
            self.words.next();
        }
        let mut name = name(self.words.name());
        if name.is_empty() {
            name = format!("{}_End", self.joints[parent].name);
        }
        self.joint(name, at)
    }

    fn offset(&mut self, at: usize) -> Result<(), FormatError> {
        let mut offset = DVec3::ZERO;
        let mut axis = 0;
        while axis < 3 {
            let (word, at) = self.words.next();
            if !is_number(word) {
                return Err(self.unexpected((word, at), "a number"));
            }
            let mut replaced = false;
            self.spelling.read(word, at, |value| {
                let finite = (value as f32).is_finite();
                replaced |= !finite;
                if axis < 3 && finite {
                    offset[axis] = value;
                }
                axis += 1;
            });
            if replaced {
                let message = format!("The number {} is not finite; it is replaced by 0", quoted(word));
                self.warn(codes::BVH_NUMBER_REPLACED, message, at);
            }
        }
        let Some(&joint) = self.open.last() else {
            return Err(self.unexpected((b"OFFSET", at), "ROOT"));
        };
        self.joints[joint].offset = offset;
        Ok(())
    }

    fn channels(&mut self, at: usize) -> Result<(), FormatError> {
        let (word, count_at) = self.words.next();
        if !is_number(word) {
            return Err(self.unexpected((word, count_at), "the number of channels"));
        }
        let count = number(word);
        let mut channels = Vec::new();
        loop {
            let (word, at) = self.words.peek();
            let moved = match Moved::named(word) {
                Some(moved) => moved,
                None if (channels.len() as f64) < count && !ends_channels(word) => {
                    let message = format!(
                        "The channel {} is neither a position nor a rotation; it is ignored",
                        quoted(word)
                    );
                    self.warn(codes::BVH_UNKNOWN_CHANNEL, message, at);
                    Moved::Unknown
                }
                None => break,
            };
            channels.push(moved);
            self.words.next();
        }
        if channels.len() as f64 != count {
            let message =
                format!("The joint declares {} channels, but names {}", quoted(word), channels.len());
            self.warn(codes::BVH_CHANNEL_COUNT, message, count_at);
        }
        let Some(&joint) = self.open.last() else {
            return Err(self.unexpected((b"CHANNELS", at), "ROOT"));
        };
        self.joints[joint].channels.extend(channels);
        Ok(())
    }
}

/// `true` for a word that follows the last channel of a joint.
fn ends_channels(word: &[u8]) -> bool {
    let is = |keyword: &str| word.eq_ignore_ascii_case(keyword.as_bytes());
    let keywords = ["{", "}", "", "ROOT", "JOINT", "End", "EndSite", "OFFSET", "CHANNELS"];
    keywords.into_iter().any(is) || is_header(word)
}

/// Gives each joint a name of its own, since clips name their joints: the second `Arm` becomes `Arm_2`.
fn rename(joints: &mut [Joint], bytes: &[u8], conversion: &Conversion<'_>) {
    let mut taken: HashSet<String> = joints.iter().map(|joint| joint.name.clone()).collect();
    let mut counts: HashMap<String, usize> = HashMap::new();
    for joint in joints {
        let count = counts.entry(joint.name.clone()).or_insert(0);
        *count += 1;
        if *count == 1 {
            continue;
        }
        let name = loop {
            let name = format!("{}_{count}", joint.name);
            if taken.insert(name.clone()) {
                break name;
            }
            *count += 1;
        };
        let message = format!("The name \"{}\" is there twice; this joint becomes \"{name}\"", joint.name);
        conversion.warn(codes::BVH_DUPLICATE_NAME, message, || place(bytes, joint.at));
        joint.name = name;
    }
}
