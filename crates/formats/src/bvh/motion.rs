//! The part of a file from MOTION: the frames.

use crate::conversion::Conversion;
use crate::error::codes;
use crate::text::{is_number, place, quoted};

use super::numbers::{self, Spelling};

/// The values of all channels for each frame.
pub(super) struct Motion {
    /// The time of each frame in seconds, increasing.
    pub(super) times: Vec<f32>,
    /// The index of the first value of each frame.
    starts: Vec<usize>,
    values: Vec<f32>,
    /// Values per frame.
    width: usize,
}

impl Motion {
    /// The number of frames.
    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    /// The values of a frame. Panics if there is no such frame.
    pub(super) fn frame(&self, index: usize) -> &[f32] {
        let start = self.starts[index];
        &self.values[start..start + self.width]
    }
}

/// The time of a frame, if the file has no usable one.
const FRAME_TIME: f64 = 1.0 / 30.0;

/// `true` for the words that can begin the motion: MOTION, `Frames:`, `Frame Time:`.
pub(super) fn is_header(word: &[u8]) -> bool {
    let word = word.split(|&byte| byte == b':').next().unwrap_or(word);
    let is = |keyword: &str| word.eq_ignore_ascii_case(keyword.as_bytes());
    ["MOTION", "Frames", "Frame", "FrameTime"].into_iter().any(is)
}

/// Reads from the offset `at`, the beginning of the motion, for `width` channels.
pub(super) fn read(bytes: &[u8], at: usize, width: usize, conversion: &Conversion<'_>) -> Motion {
    let Header { frames, frame_time, data } = header(bytes, at);
    let lines = Lines::read(bytes, data, conversion);
    let Rows { starts, numbers, count } = rows(&lines, width, frames, bytes, conversion);
    if starts.is_empty() {
        let message = if width == 0 { "No joint has channels" } else { "The file has no frames" };
        conversion.warn(codes::BVH_NO_MOTION, message, || place(bytes, at));
    } else if frames.is_none_or(|(declared, _)| declared != count as f64) {
        let message = format!("The file has {count} frames, but declares another number");
        conversion.warn(codes::BVH_FRAME_COUNT, message, || place(bytes, frames.map_or(at, |(_, at)| at)));
    }
    let usable = |time: f64| (1e-6..=1e3).contains(&time);
    let step = frame_time.map(|(time, _)| time).filter(|&time| usable(time));
    if step.is_none() && starts.len() > 1 {
        let message = "The time of a frame is missing or unusable; 1/30 s is used";
        conversion.warn(codes::BVH_FRAME_TIME, message, || place(bytes, frame_time.map_or(at, |(_, at)| at)));
    }
    let step = step.unwrap_or(FRAME_TIME);
    let mut motion = Motion { times: Vec::new(), starts: Vec::new(), values: lines.values, width };
    for (start, number) in starts.into_iter().zip(numbers) {
        let time = (number as f64 * step) as f32;
        // After days, the times of two frames can be the same f32.
        if motion.times.last().is_none_or(|&last| time > last) {
            motion.times.push(time);
            motion.starts.push(start);
        }
    }
    motion
}

/// Numbers with their offsets.
struct Header {
    frames: Option<(f64, usize)>,
    frame_time: Option<(f64, usize)>,
    /// The offset of the first value.
    data: usize,
}

/// Reads `Frames: 10` and `Frame Time: 0.1`, in any order, with or without colons and spaces.
fn header(bytes: &[u8], mut at: usize) -> Header {
    let mut header = Header { frames: None, frame_time: None, data: at };
    // The last words that were no numbers.
    let mut is_time = None;
    loop {
        let rest = &bytes[at..];
        let separator = |byte: &u8| byte.is_ascii_whitespace() || *byte == b':';
        let start = at + rest.iter().position(|byte| !separator(byte)).unwrap_or(rest.len());
        let word = &bytes[start..];
        let word = &word[..word.iter().position(separator).unwrap_or(word.len())];
        at = start + word.len();
        let is = |keyword: &str| word.eq_ignore_ascii_case(keyword.as_bytes());
        if word.is_empty() {
            header.data = at;
            return header;
        } else if is("Frames") {
            is_time = Some(false);
        } else if is("Time") || is("FrameTime") {
            is_time = Some(true);
        } else if is_number(word) {
            let value = Some((numbers::value(word), start));
            match is_time.take() {
                Some(true) => header.frame_time = value,
                Some(false) => header.frames = value,
                None => {
                    header.data = start;
                    return header;
                }
            }
        } else if !is("MOTION") && !is("Frame") {
            header.data = start;
            return header;
        }
    }
}

/// All values, and the lines that have some.
struct Lines {
    values: Vec<f32>,
    /// For each line, the index after its last value, and its offset in the file.
    ends: Vec<(usize, usize)>,
}

impl Lines {
    fn read(bytes: &[u8], data: usize, conversion: &Conversion<'_>) -> Self {
        let mut lines = Self { values: Vec::new(), ends: Vec::new() };
        let mut offset = data;
        let mut previous_start = 0;
        let mut replaced = 0;
        let mut first_replaced = None;
        let mut spelling = Spelling::of(&bytes[data..]);
        for line in bytes[data..].split(|&byte| byte == b'\n' || byte == b'\r') {
            let start = lines.values.len();
            for word in line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
                spelling.read(word, offset, |value| {
                    let mut value = value as f32;
                    if !value.is_finite() {
                        replaced += 1;
                        first_replaced.get_or_insert((word, offset));
                        // The value of the same channel in the frame before.
                        let before = previous_start + lines.values.len() - start;
                        value = lines.values[..start].get(before).copied().unwrap_or(0.0);
                    }
                    lines.values.push(value);
                });
            }
            if lines.values.len() > start {
                lines.ends.push((lines.values.len(), offset));
                previous_start = start;
            }
            offset += line.len() + 1;
        }
        spelling.warn(bytes, conversion);
        if let Some((word, offset)) = first_replaced {
            let message = format!(
                "Values are not finite numbers, such as {} ({replaced} of them); those of the frame before are used",
                quoted(word)
            );
            conversion.warn(codes::BVH_NUMBER_REPLACED, message, || place(bytes, offset));
        }
        lines
    }
}

/// The frames among all values.
struct Rows {
    /// The index of the first value of each frame.
    starts: Vec<usize>,
    /// The number of each frame: skipped frames leave a gap.
    numbers: Vec<usize>,
    /// The number of frames with those that were skipped.
    count: usize,
}

/// Finds the frames: one per line, or, if lines have other lengths but their total is right, one after the other.
fn rows(
    lines: &Lines,
    width: usize,
    declared: Option<(f64, usize)>,
    bytes: &[u8],
    conversion: &Conversion<'_>,
) -> Rows {
    let total = lines.values.len();
    if width == 0 {
        return Rows { starts: vec![], numbers: vec![], count: 0 };
    }
    let starts = || std::iter::once(0).chain(lines.ends.iter().map(|&(end, _)| end));
    let lengths = || starts().zip(&lines.ends).map(|(start, &(end, _))| end - start);
    let wrapped = total.is_multiple_of(width)
        && declared.is_some_and(|(declared, _)| declared == (total / width) as f64);
    if lengths().any(|length| length != width) && wrapped {
        let count = total / width;
        return Rows {
            starts: (0..count).map(|i| i * width).collect(),
            numbers: (0..count).collect(),
            count,
        };
    }
    for (kind, is, effect) in [
        ("fewer", (|length, width| length < width) as fn(usize, usize) -> bool, "these frames are skipped"),
        ("more", |length, width| length > width, "the others are ignored"),
    ] {
        if let Some(first) = lengths().position(|length| is(length, width)) {
            let count = lengths().filter(|&length| is(length, width)).count();
            let message =
                format!("Frames have {kind} values than the {width} channels ({count} of them); {effect}");
            conversion.warn(codes::BVH_FRAME_LENGTH, message, || place(bytes, lines.ends[first].1));
        }
    }
    let complete = lengths().enumerate().filter(|&(_, length)| length >= width).map(|(line, _)| line);
    let numbers: Vec<_> = complete.collect();
    let starts: Vec<_> = starts().collect();
    Rows { starts: numbers.iter().map(|&line| starts[line]).collect(), numbers, count: lines.ends.len() }
}
