//! Images: embedded ones, and those that the file names.

use super::Reader;
use crate::error::{FormatError, codes};
use crate::scene::{Image, ImageData};
use crate::uri;

/// The identity of an image: textures share the image of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Key {
    File(u32),
    Texture(u32),
}

impl Key {
    pub(super) fn of(texture: &ufbx::Texture) -> Self {
        if texture.has_file {
            Self::File(texture.file_index)
        } else {
            Self::Texture(texture.element.typed_id)
        }
    }
}

/// The image of a file texture; `None`, with a warning, if browsers cannot decode it.
pub(super) fn image(reader: &mut Reader<'_>, texture: &ufbx::Texture) -> Result<Option<usize>, FormatError> {
    let key = Key::of(texture);
    if let Some(&image) = reader.images.get(&key) {
        return Ok(image);
    }
    let paths = [&texture.relative_filename, &texture.filename, &texture.absolute_filename];
    let path = paths.into_iter().map(|path| &**path).find(|path| !path.is_empty()).unwrap_or_default();
    let file = path.rsplit(['/', '\\']).next().unwrap_or_default();
    let name = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let data = if texture.content.is_empty() {
        let readable = !file.is_empty() && !UNREADABLE.iter().any(|end| ends_with(file, end));
        readable.then(|| ImageData::External(uri::relative(path)))
    } else {
        reader.spend(texture.content.len(), 1, path)?;
        mime_type(&texture.content)
            .map(|mime_type| ImageData::Embedded { bytes: texture.content.to_vec(), mime_type })
    };
    let image = match data {
        Some(data) => {
            reader.scene.images.push(Image { name: name.to_owned(), data });
            Some(reader.scene.images.len() - 1)
        }
        None => {
            let message =
                format!("The texture \"{file}\" is not an image that browsers decode; convert it to PNG");
            reader.warn(codes::FBX_TEXTURE, &texture.element.name, message);
            None
        }
    };
    reader.images.insert(key, image);
    Ok(image)
}

/// Endings of image files that no browser decodes.
const UNREADABLE: [&str; 9] = [".tga", ".dds", ".psd", ".tif", ".tiff", ".exr", ".hdr", ".tx", ".pcx"];

fn ends_with(name: &str, end: &str) -> bool {
    name.len()
        .checked_sub(end.len())
        .and_then(|at| name.get(at..))
        .is_some_and(|tail| tail.eq_ignore_ascii_case(end))
}

fn mime_type(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fbx_texture_names_are_told_by_their_ending() {
        assert!(ends_with("A.TGA", ".tga"));
        assert!(!ends_with("ä", ".tiff"));
        assert!(!ends_with("tga", ".tga"));
    }
}
