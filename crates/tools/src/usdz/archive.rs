//! The archive of USDZ: a ZIP file without compression, in which the bytes of each file begin at a multiple of 64 bytes, so that
//! readers can map them into memory.
//!
//! Spec: OpenUSD, Usdz File Format.

/// The bytes of each file begin at a multiple of this.
const ALIGNMENT: usize = 64;
/// The id of the extra field that holds the padding, as OpenUSD writes it.
const PADDING_ID: u16 = 0x1986;
/// 1980-01-01, the first date of ZIP. A date of today would make each export another file.
const DATE: u16 = 0x21;

/// Packs files in their order; `None` if the archive would have 4 GiB or more. Names are ASCII.
pub(super) fn archive(files: &[(String, &[u8])]) -> Option<Vec<u8>> {
    let needed: usize = files.iter().map(|(name, bytes)| bytes.len() + 2 * name.len() + 256).sum();
    if u32::try_from(needed).is_err() || files.len() > usize::from(u16::MAX) {
        return None;
    }
    let (mut out, mut directory) = (Vec::with_capacity(needed), Vec::new());
    for (name, bytes) in files {
        let begin = out.len();
        // The local header and the id and size of the extra field.
        let padding = (begin + 30 + name.len() + 4).wrapping_neg() % ALIGNMENT;
        let mut fields = Vec::new();
        // Version 1.0, no flags, stored.
        for value in [10, 0, 0, 0, DATE] {
            push16(&mut fields, value);
        }
        for value in [crc32(bytes), bytes.len() as u32, bytes.len() as u32] {
            push32(&mut fields, value);
        }
        push16(&mut fields, name.len() as u16);

        push32(&mut out, 0x0403_4b50);
        out.extend_from_slice(&fields);
        push16(&mut out, padding as u16 + 4);
        out.extend_from_slice(name.as_bytes());
        push16(&mut out, PADDING_ID);
        push16(&mut out, padding as u16);
        out.resize(out.len() + padding, 0);
        out.extend_from_slice(bytes);

        push32(&mut directory, 0x0201_4b50);
        push16(&mut directory, 10);
        directory.extend_from_slice(&fields);
        // No extra field, no comment, the first disk, no attributes.
        directory.resize(directory.len() + 12, 0);
        push32(&mut directory, begin as u32);
        directory.extend_from_slice(name.as_bytes());
    }
    let begin = out.len();
    out.extend_from_slice(&directory);
    push32(&mut out, 0x0605_4b50);
    for value in [0, 0, files.len() as u16, files.len() as u16] {
        push16(&mut out, value);
    }
    push32(&mut out, directory.len() as u32);
    push32(&mut out, begin as u32);
    push16(&mut out, 0);
    Some(out)
}

fn push16(out: &mut Vec<u8>, value: u16) {
    out.extend_from_slice(&value.to_le_bytes());
}

fn push32(out: &mut Vec<u8>, value: u32) {
    out.extend_from_slice(&value.to_le_bytes());
}

/// The checksum of ZIP: CRC-32 with the polynomial 0xEDB88320.
fn crc32(bytes: &[u8]) -> u32 {
    let table: [u32; 256] = std::array::from_fn(|byte| {
        (0..8).fold(byte as u32, |crc, _| if crc & 1 == 0 { crc >> 1 } else { (crc >> 1) ^ 0xedb8_8320 })
    });
    !bytes.iter().fold(u32::MAX, |crc, &byte| (crc >> 8) ^ table[usize::from(crc as u8 ^ byte)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crc32_has_the_check_value() {
        assert_eq!((crc32(b""), crc32(b"123456789")), (0, 0xcbf4_3926));
    }

    #[test]
    fn archive_aligns_all_files_to_64_bytes() {
        for length in 0..70 {
            let name = format!("a{}.png", "x".repeat(length));
            let out = archive(&[("m.usda".to_owned(), &b"#usda 1.0"[..]), (name, &[7; 5])]).expect("small");
            for found in [b"#usda 1.0".as_slice(), &[7; 5]] {
                let at = out.windows(found.len()).position(|window| window == found);
                assert_eq!(at.map(|at| at % 64), Some(0), "{length}");
            }
        }
    }
}
