//! The rules of the code's structure, which no compiler checks: which module may use which, and where what is named.

use std::fs;
use std::path::{Path, PathBuf};

/// For each module of `src`, the modules that it may use.
const ARROWS: [(&str, &[&str]); 7] = [
    ("web", &["viewer", "render", "animation", "model", "import", "rare"]),
    ("viewer", &["render", "animation", "model", "rare"]),
    ("render", &["model", "rare"]),
    ("animation", &["model", "rare"]),
    ("import", &["model", "rare"]),
    ("model", &["rare"]),
    ("rare", &[]),
];

/// Words that stand in some places only.
const WORDS: [(&str, &[&str]); 3] = [
    (
        "unsafe",
        &[
            "render/gl/",
            "animation/simd.rs",
            "animation/affine.rs",
            "animation/quartet.rs",
            "animation/table.rs",
            "web/stage/query.rs",
        ],
    ),
    ("wasm_bindgen", &["web/"]),
    ("glow", &["render/"]),
];

/// Where the crate `gltf` is named.
const GLTF: &str = "import/";

/// The most lines of a file, not counted the last.
const LINES: usize = 700;

/// A file of `src`.
struct Source {
    /// Relative to `src`, with slashes.
    path: String,
    lines: usize,
    tokens: Vec<Token>,
}

/// A word or a punctuation mark, and the line it stands on.
struct Token {
    text: String,
    line: usize,
}

#[test]
fn arrows_point_one_way() {
    let mut violations = Vec::new();
    for source in sources() {
        let from = module_of(&source.path)[0].clone();
        if from == "lib" {
            continue;
        }
        let allowed = ARROWS.iter().find(|(name, _)| *name == from).map(|(_, allowed)| *allowed);
        let Some(allowed) = allowed else {
            violations.push(format!("src/{}:1: module {from} has no place among the arrows", source.path));
            continue;
        };
        for (line, to) in uses(&source) {
            let known = ARROWS.iter().any(|(name, _)| *name == to);
            if to != from && !(known && allowed.contains(&to.as_str())) {
                let allowed = if allowed.is_empty() { "nothing".to_owned() } else { allowed.join(", ") };
                violations
                    .push(format!("src/{}:{line}: {from} uses {to}, but may use {allowed}", source.path));
            }
        }
    }
    assert!(violations.is_empty(), "{violations:#?}");
}

#[test]
fn words_stand_where_they_belong() {
    let mut violations = Vec::new();
    for Source { path, tokens, .. } in sources() {
        for (i, token) in tokens.iter().enumerate() {
            for (word, places) in WORDS {
                if token.text == word && !places.iter().any(|place| path.starts_with(place)) {
                    let (line, places) = (token.line, places.join(", "));
                    violations.push(format!("src/{path}:{line}: `{word}` belongs in {places} only"));
                }
            }
            let gltf = token.text == "gltf" && text(&tokens, i + 1) == "::";
            if gltf && !path.starts_with(GLTF) {
                let line = token.line;
                violations.push(format!("src/{path}:{line}: the crate `gltf` belongs in {GLTF} only"));
            }
        }
    }
    assert!(violations.is_empty(), "{violations:#?}");
}

#[test]
fn files_stay_short() {
    let long = sources().into_iter().filter(|source| source.lines >= LINES);
    let violations: Vec<_> = long
        .map(|Source { path, lines, .. }| format!("src/{path}:{lines}: a file has fewer than {LINES} lines"))
        .collect();
    assert!(violations.is_empty(), "{violations:#?}");
}

#[test]
fn the_reader_of_code_sees_what_counts() {
    let code = r##"
        //! crate::comment
        use crate::{a::B, c, d::{e, f}}; // crate::comment
        const S: &str = "crate::text \" // no comment"; /* crate::comment /* nested */ */
        const R: &str = r#"crate::raw " text"#;
        fn f<'a>(x: &'a char) -> bool { *x == '"' && crate::g::h() || super::super::i() }
        mod tests { use super::super::super::j; use super::super::k; }
    "##;
    let source = Source { path: "one/two.rs".to_owned(), lines: 0, tokens: tokens(code) };
    let found: Vec<String> = uses(&source).into_iter().map(|(_, to)| to).collect();
    assert_eq!(found, ["a", "c", "d", "g", "i", "j"]);
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![root.clone()];
    let mut files: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of sources") {
            let path = entry.expect("an entry of a folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    assert!(files.len() > 6, "the sources were not found");
    let read = |path: PathBuf| {
        let code = fs::read_to_string(&path).expect("a source file");
        let path = path.strip_prefix(&root).expect("a path below src");
        let path = path.to_string_lossy().replace('\\', "/");
        Source { path, lines: code.lines().count(), tokens: tokens(&code) }
    };
    files.into_iter().map(read).collect()
}

/// The modules that a file lies in: `import/gltf/mod.rs` is `import::gltf`.
fn module_of(path: &str) -> Vec<String> {
    let path = path.strip_suffix(".rs").unwrap_or(path);
    let path = path.strip_suffix("/mod").unwrap_or(path);
    path.split('/').map(str::to_owned).collect()
}

fn text(tokens: &[Token], i: usize) -> &str {
    tokens.get(i).map_or("", |token| token.text.as_str())
}

/// The top-level modules that a file names with `crate::` or enough of `super::`, with their lines.
fn uses(source: &Source) -> Vec<(usize, String)> {
    let tokens = &source.tokens;
    let depth = module_of(&source.path).len();
    let mut uses = Vec::new();
    let mut braces = 0;
    // How many braces are open around the content of each module within the file.
    let mut inner: Vec<usize> = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        let next = match text(tokens, i) {
            "{" => {
                braces += 1;
                if i >= 2 && text(tokens, i - 2) == "mod" {
                    inner.push(braces);
                }
                i + 1
            }
            "}" => {
                if inner.last() == Some(&braces) {
                    inner.pop();
                }
                braces = braces.saturating_sub(1);
                i + 1
            }
            "crate" if text(tokens, i + 1) == "::" => {
                names(tokens, i + 2, &mut uses);
                i + 2
            }
            "super" => {
                let start = i;
                while text(tokens, i) == "super" && text(tokens, i + 1) == "::" {
                    i += 2;
                }
                if (i - start) / 2 >= depth + inner.len() {
                    names(tokens, i, &mut uses);
                }
                i.max(start + 1)
            }
            _ => i + 1,
        };
        i = next;
    }
    uses
}

/// The name at `i`, or the first names of the paths in the braces that open there.
fn names(tokens: &[Token], mut i: usize, uses: &mut Vec<(usize, String)>) {
    if text(tokens, i) != "{" {
        uses.extend(tokens.get(i).map(|token| (token.line, token.text.clone())));
        return;
    }
    let mut braces = 0;
    while i < tokens.len() {
        match text(tokens, i) {
            "{" => braces += 1,
            "}" => braces -= 1,
            _ => {}
        }
        if braces == 0 {
            return;
        }
        let begins = braces == 1 && matches!(text(tokens, i), "{" | ",");
        if begins && !matches!(text(tokens, i + 1), "}" | "{") {
            names(tokens, i + 1, uses);
        }
        i += 1;
    }
}

/// The words and marks of Rust code, without comments and without what is quoted.
fn tokens(code: &str) -> Vec<Token> {
    let chars: Vec<char> = code.chars().collect();
    let at = |i: usize| chars.get(i).copied().unwrap_or('\0');
    let mut tokens: Vec<Token> = Vec::new();
    let (mut i, mut line) = (0, 1);
    while i < chars.len() {
        let start = i;
        i = match (at(i), at(i + 1)) {
            ('/', '/') => (i..chars.len()).find(|&i| at(i) == '\n').unwrap_or(chars.len()),
            ('/', '*') => end_of_comment(&chars, i),
            ('"', _) => end_of_text(&chars, i, '"'),
            ('r', '"' | '#') if raw_hashes(&chars, i).is_some() => {
                end_of_raw(&chars, i, raw_hashes(&chars, i).unwrap_or(0))
            }
            // A character, or else a lifetime.
            ('\'', '\\') => end_of_text(&chars, i, '\''),
            ('\'', _) if at(i + 2) == '\'' => i + 3,
            (c, _) if c.is_alphanumeric() || c == '_' => {
                let word = |&i: &usize| !(at(i).is_alphanumeric() || at(i) == '_');
                (i..chars.len()).find(word).unwrap_or(chars.len())
            }
            (':', ':') => i + 2,
            _ => i + 1,
        };
        let first = chars[start];
        let comment = first == '/' && matches!(at(start + 1), '/' | '*');
        let quoted = i > start + 1 && (first == '"' || first == '\'' || chars[start..i].contains(&'"'));
        if !first.is_whitespace() && !comment && !quoted {
            tokens.push(Token { text: chars[start..i].iter().collect(), line });
        }
        line += chars[start..i].iter().filter(|&&c| c == '\n').count();
    }
    tokens
}

fn end_of_comment(chars: &[char], start: usize) -> usize {
    let (mut i, mut depth) = (start, 0);
    while i + 1 < chars.len() {
        match (chars[i], chars[i + 1]) {
            ('/', '*') => depth += 1,
            ('*', '/') => depth -= 1,
            _ => {
                i += 1;
                continue;
            }
        }
        i += 2;
        if depth == 0 {
            return i;
        }
    }
    chars.len()
}

fn end_of_text(chars: &[char], start: usize, quote: char) -> usize {
    let mut i = start + 1;
    while i < chars.len() && chars[i] != quote {
        i += if chars[i] == '\\' { 2 } else { 1 };
    }
    chars.len().min(i + 1)
}

/// How many `#` a raw text that begins at `start` has; `None` if there is none.
fn raw_hashes(chars: &[char], start: usize) -> Option<usize> {
    let rest = &chars[start + 1..];
    let hashes = rest.iter().take_while(|&&c| c == '#').count();
    (rest.get(hashes) == Some(&'"')).then_some(hashes)
}

fn end_of_raw(chars: &[char], start: usize, hashes: usize) -> usize {
    let ends = |&i: &usize| {
        chars[i] == '"' && chars[i + 1..].iter().take(hashes).filter(|&&c| c == '#').count() == hashes
    };
    let end = (start + hashes + 2..chars.len()).find(ends);
    end.map_or(chars.len(), |end| end + 1 + hashes)
}
