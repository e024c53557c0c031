//! Names that are not UTF-8, as older programs write them in the encoding of their system.
//!
//! ufbx replaces each byte that is not UTF-8, so names of another encoding would become equal. The reader sees the
//! strings as UTF-8 instead: those of another encoding are read as Latin-1, so different names stay different.

use super::records::{Event, File};

/// The file with all strings as UTF-8. `None` if they already are, or if the file is damaged.
pub(super) fn as_utf8(bytes: &[u8]) -> Option<Vec<u8>> {
    match File::new(bytes) {
        Some(file) => of_binary(&file),
        None => of_text(bytes),
    }
}

fn of_text(bytes: &[u8]) -> Option<Vec<u8>> {
    if std::str::from_utf8(bytes).is_ok() {
        return None;
    }
    let mut converted = Vec::with_capacity(bytes.len() + bytes.len() / 8);
    // Each string by itself: a file may have strings of both encodings.
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        line.split_inclusive(|&byte| byte == b'"').for_each(|part| push(&mut converted, part));
    }
    Some(converted)
}

fn push(converted: &mut Vec<u8>, string: &[u8]) {
    match std::str::from_utf8(string) {
        Ok(_) => converted.extend(string),
        Err(_) => {
            let mut buffer = [0; 2];
            let latin = string.iter().map(|&byte| char::from(byte));
            latin.for_each(|letter| converted.extend(letter.encode_utf8(&mut buffer).as_bytes()));
        }
    }
}

/// A value of a node: its bytes, and those of its text, if it is a string.
struct Value<'a> {
    bytes: &'a [u8],
    string: Option<&'a [u8]>,
}

/// The values of a node; `None` at the end, or where they are damaged.
fn values(mut rest: &[u8]) -> impl Iterator<Item = Value<'_>> {
    std::iter::from_fn(move || {
        let number = |at: usize| {
            let bytes = rest.get(at..at + 4)?.try_into().ok()?;
            usize::try_from(u32::from_le_bytes(bytes)).ok()
        };
        let mut string = None;
        let length = match rest.first()? {
            b'C' | b'B' => 2,
            b'Y' => 3,
            b'I' | b'F' => 5,
            b'D' | b'L' => 9,
            b'S' => {
                let end = number(1)?.checked_add(5)?;
                string = Some(rest.get(5..end)?);
                end
            }
            b'R' => number(1)?.checked_add(5)?,
            // Count, encoding, length.
            b'f' | b'd' | b'l' | b'i' | b'b' | b'c' => number(9)?.checked_add(13)?,
            _ => return None,
        };
        let (bytes, after) = rest.split_at_checked(length)?;
        rest = after;
        Some(Value { bytes, string })
    })
}

fn is_other(value: &Value<'_>) -> bool {
    value.string.is_some_and(|string| std::str::from_utf8(string).is_err())
}

fn of_binary(file: &File<'_>) -> Option<Vec<u8>> {
    let mut any = false;
    for event in file.events() {
        if let Event::Node { node, .. } = event? {
            any |= values(file.values(node)).any(|value| is_other(&value));
        }
    }
    if !any {
        return None;
    }
    let mut converted = file.header().to_vec();
    let mut open = Vec::new();
    let mut end = converted.len();
    for event in file.events() {
        match event? {
            Event::Node { at, node } => {
                let start = converted.len();
                converted.extend(file.record_and_name(at));
                let first = converted.len();
                let of_node = file.values(node);
                let mut read = 0;
                for value in values(of_node) {
                    read += value.bytes.len();
                    match value.string.filter(|_| is_other(&value)) {
                        Some(string) => {
                            let at = converted.len();
                            converted.extend(&value.bytes[..5]);
                            push(&mut converted, string);
                            let length = u32::try_from(converted.len() - at - 5).ok()?;
                            converted[at + 1..at + 5].copy_from_slice(&length.to_le_bytes());
                        }
                        None => converted.extend(value.bytes),
                    }
                }
                // Values of an unknown type stay as they are.
                converted.extend(&of_node[read..]);
                let length = converted.len() - first;
                file.put_values(&mut converted, start, length);
                open.push(start);
            }
            Event::End => {
                let end = converted.len();
                file.put_end(&mut converted, open.pop()?, end);
            }
            Event::Null { at } => {
                converted.extend(file.null_record(at));
                end = at + file.record();
            }
        }
    }
    converted.extend(file.rest(end));
    Some(converted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fbx_text_is_converted_string_by_string() {
        let text = b"; caf\xe9\nA: \"Gr\xfc\xdfe\", \"Gr\xc3\xbc\xc3\x9fe\"\n";
        assert_eq!(as_utf8(text).as_deref(), Some("; café\nA: \"Grüße\", \"Grüße\"\n".as_bytes()));
        assert_eq!(as_utf8("A: \"Grüße\"".as_bytes()), None);
    }

    #[test]
    fn fbx_values_that_are_cut_off_end_the_list() {
        let bytes = b"Y12I1234S\x02\0\0\0abR\x01\0\0\0xi\x01\0\0\0\0\0\0\0\x04\0\0\0abcdC1D12345678";
        let all: Vec<usize> = values(bytes).map(|value| value.bytes.len()).collect();
        assert_eq!(all, [3, 5, 7, 6, 17, 2, 9]);
        for end in 0..bytes.len() {
            let read: usize = values(&bytes[..end]).map(|value| value.bytes.len()).sum();
            assert!(read <= end);
        }
        assert_eq!(values(b"S\xff\xff\xff\xff").count(), 0);
    }
}
