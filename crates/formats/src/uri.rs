//! Paths of textures as relative URIs.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// The characters that are encoded: all but those that are unreserved in RFC 3986, and the slash.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// A path of any operating system as a URI relative to the file. Of an absolute path, only the file name is kept, since
/// it is that of another computer.
pub(crate) fn relative(path: &str) -> String {
    let parts: Vec<_> = path.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".").collect();
    let is_absolute = path.starts_with(['/', '\\']) || path.as_bytes().get(1) == Some(&b':');
    let parts = if is_absolute { &parts[parts.len().saturating_sub(1)..] } else { &parts };
    utf8_percent_encode(&parts.join("/"), ENCODED).to_string()
}

#[cfg(test)]
mod tests {
    use super::relative;

    #[test]
    fn paths_become_relative_uris() {
        for (path, uri) in [
            ("", ""),
            ("C:", "C%3A"),
            ("C:\\", "C%3A"),
            ("skin.png", "skin.png"),
            (".\\tex\\skin 1.png", "tex/skin%201.png"),
            ("../tex//skin.png", "../tex/skin.png"),
            ("C:\\\\art\\\\skin#1.bmp", "skin%231.bmp"),
            ("/home/me/skin.tga", "skin.tga"),
            ("\\\\server\\share\\Häut.dds", "H%C3%A4ut.dds"),
            ("http://host/a.png", "http%3A/host/a.png"),
            ("a%20b.png", "a%2520b.png"),
        ] {
            assert_eq!(relative(path), uri, "{path}");
        }
    }
}
