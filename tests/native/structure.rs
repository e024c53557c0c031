//! The rules of the code's structure, which no compiler checks: allowed dependencies between modules, and names that
//! only some modules may use.

use crate::source_files::{files_below, loops};

/// For each top-level module of `src`, the other modules that it may use.
const ARROWS: [(&str, &[&str]); 7] = [
    ("web", &["viewer", "render", "animation", "model", "base", "import"]),
    ("viewer", &["render", "animation", "model", "base"]),
    ("render", &["model", "base"]),
    ("animation", &["model", "base"]),
    ("import", &["model", "base"]),
    ("model", &["base"]),
    ("base", &[]),
];

/// The units, lowest first: a file may use its own unit and those before it. A unit is a folder or a file; a file
/// belongs to the innermost unit that contains it.
const IMPORT_ORDER: [&str; 56] = [
    "base",
    "model",
    "import/imported",
    "import/states",
    "import/gltf",
    "import/extension",
    "import",
    "animation/joint_names",
    "animation/rest_pose",
    "animation/pose_hash",
    "animation/pose",
    "animation/clip",
    "animation/rig",
    "animation/clip_set",
    "animation/mixing",
    "animation/player",
    "animation/flipbook",
    "animation/states",
    "animation/skin",
    "animation/procedural",
    "animation/retarget",
    "animation/crowd",
    "animation/actor",
    "animation/snapshot",
    "animation",
    "render/error",
    "render/progress",
    "render/gl",
    "render/programs",
    "render/light",
    "render/resources",
    "render/debug_view",
    "render/frame",
    "render/passes",
    "render/renderer",
    "render",
    "viewer/error",
    "viewer/camera",
    "viewer/cast",
    "viewer/light",
    "viewer/shared_models",
    "viewer/context",
    "viewer/models",
    "viewer/stage",
    "viewer",
    "web/words",
    "web/convert",
    "web/rest",
    "web/hdr",
    "web/asset",
    "web/import",
    "web/context",
    "web/stage",
    "web",
    "web/second",
    "lib",
];

/// Folders whose files may have cycles: the parser of a file and its parts, and types with methods in the files of
/// their folder.
const ALLOWED_CYCLES: [&str; 3] = ["import/gltf/", "viewer/cast/", "viewer/stage/"];

/// Words that are allowed only below these paths.
const WORDS: [(&str, &[&str]); 3] =
    [("unsafe", &["render/gl/", "web/stage/query.rs"]), ("wasm_bindgen", &["web/"]), ("glow", &["render/"])];

/// The only folder that may name the crate `gltf`.
const GLTF: &str = "import/";

/// The maximum number of lines of a file.
const LINES: usize = 700;

/// A file of `src`.
struct Source {
    /// Its path relative to `src`, with slashes.
    path: String,
    lines: usize,
    tokens: Vec<Token>,
    /// The names of its child modules that are files.
    children: Vec<String>,
}

impl Source {
    /// The path of the file's module: `import/gltf/mod.rs` is `import::gltf`.
    fn module(&self) -> Vec<String> {
        let path = self.path.strip_suffix(".rs").unwrap_or(&self.path);
        path.strip_suffix("/mod").unwrap_or(path).split('/').map(str::to_owned).collect()
    }

    /// The file without its module `tests`, which is its last; empty for a file of tests.
    fn without_tests(&self) -> Self {
        let tokens = &self.tokens;
        let begins = |&i: &usize| {
            text(tokens, i) == "mod" && text(tokens, i + 1) == "tests" && text(tokens, i + 2) == "{"
        };
        let all = if self.path.ends_with("tests.rs") { 0 } else { tokens.len() };
        let end = (0..all).find(begins).unwrap_or(all);
        Self {
            path: self.path.clone(),
            lines: self.lines,
            tokens: tokens[..end].to_vec(),
            children: self.children.clone(),
        }
    }
}

/// A path of the crate that a file uses.
struct Use {
    line: usize,
    /// From the root of the crate; the last part may be an item.
    path: Vec<String>,
}

/// A word or a punctuation mark, with its line.
#[derive(Clone)]
struct Token {
    text: String,
    line: usize,
}

#[test]
fn structure_layers_import_only_lower_layers() {
    let mut violations = Vec::new();
    for source in sources() {
        let from = source.module()[0].clone();
        if from == "lib" {
            continue;
        }
        let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == from) else {
            violations.push(format!("src/{}:1: module {from} is not in ARROWS", source.path));
            continue;
        };
        for Use { line, path } in uses(&source) {
            let to = path[0].as_str();
            if to != from && !allowed.contains(&to) {
                let allowed = if allowed.is_empty() { "nothing".to_owned() } else { allowed.join(", ") };
                violations
                    .push(format!("src/{}:{line}: {from} uses {to}, but may use {allowed}", source.path));
            }
        }
    }
    assert!(violations.is_empty(), "{violations:#?}");
}

#[test]
fn structure_folders_import_only_earlier_folders() {
    let sources = sources();
    let unit = |path: &str| {
        let holds =
            |unit: &&str| path.strip_prefix(unit).is_some_and(|rest| rest.starts_with('/') || rest == ".rs");
        (0..IMPORT_ORDER.len()).filter(|&i| holds(&IMPORT_ORDER[i])).max_by_key(|&i| IMPORT_ORDER[i].len())
    };
    let mut violations = Vec::new();
    for source in &sources {
        let Some(from) = unit(&source.path) else {
            violations.push(format!("src/{}:1: this file is in no unit of IMPORT_ORDER", source.path));
            continue;
        };
        for Use { line, path } in uses(source) {
            let to = file_of(&sources, &path).and_then(|to| unit(&to.path));
            if let Some(to) = to.filter(|&to| to > from) {
                let (path, from, to) = (&source.path, IMPORT_ORDER[from], IMPORT_ORDER[to]);
                violations.push(format!("src/{path}:{line}: unit {from} uses {to}, which is above it"));
            }
        }
    }
    for (i, name) in IMPORT_ORDER.iter().enumerate() {
        if !sources.iter().any(|source| unit(&source.path) == Some(i)) {
            violations.push(format!("unit {name} is empty"));
        }
    }
    assert!(violations.is_empty(), "{violations:#?}");
}

#[test]
fn structure_files_have_no_import_cycles() {
    let sources = sources();
    let index = |source: &Source| sources.iter().position(|other| other.path == source.path);
    let edges: Vec<Vec<usize>> = sources
        .iter()
        .map(|source| {
            // A list of the lists of deferred functions does not call them.
            let is_list = |used: &Use| used.path.last().is_some_and(|name| name.starts_with("DEFERRED"));
            let used = uses(&source.without_tests()).into_iter().filter(|used| !is_list(used));
            used.filter_map(|used| index(file_of(&sources, &used.path)?)).collect()
        })
        .collect();
    let mut violations = Vec::new();
    for way in loops(&edges, false) {
        let names: Vec<&str> = way.iter().map(|&i| sources[i].path.as_str()).collect();
        if !ALLOWED_CYCLES.iter().any(|place| names.iter().all(|name| name.starts_with(place))) {
            violations.push(format!("src/{} uses itself by way of {}", names[0], names[1..].join(", ")));
        }
    }
    assert!(violations.is_empty(), "{violations:#?}");
}

#[test]
fn structure_modules_with_children_are_mod_files() {
    let sources = sources();
    let beside = |source: &&Source| {
        let folder = source.path.replace(".rs", "/");
        sources.iter().any(|other| other.path.starts_with(&folder))
    };
    let violations: Vec<_> = sources
        .iter()
        .filter(beside)
        .map(|source| format!("src/{} belongs in {}", source.path, source.path.replace(".rs", "/mod.rs")))
        .collect();
    assert!(violations.is_empty(), "{violations:#?}");
}

#[test]
fn structure_reserved_words_are_only_in_their_files() {
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

/// The shipped module is compiled without the code of `Debug`, so `{:?}` writes nothing there.
#[test]
fn structure_messages_do_not_use_debug_formatting() {
    let mut violations = Vec::new();
    for (path, code) in files_below("src", "rs", &[]) {
        let code = code.split("mod tests {").next().unwrap_or_default();
        let lines = code.lines().enumerate().filter(|(_, line)| line.contains(":?}"));
        let all = if path.ends_with("tests.rs") { 0 } else { usize::MAX };
        violations.extend(lines.take(all).map(|(i, _)| format!("src/{path}:{}: `{{:?}}`", i + 1)));
    }
    assert!(violations.is_empty(), "{violations:#?}");
}

#[test]
fn structure_files_stay_short() {
    let long = sources().into_iter().filter(|source| source.lines >= LINES);
    let violations: Vec<_> = long
        .map(|Source { path, lines, .. }| format!("src/{path}:{lines}: a file has fewer than {LINES} lines"))
        .collect();
    assert!(violations.is_empty(), "{violations:#?}");
}

#[test]
fn structure_reader_finds_imports_and_ignores_comments() {
    let code = r##"
        //! crate::comment
        use crate::{a::B, c, d::{e, f}}; // crate::comment
        const S: &str = "crate::text \" // no comment"; /* crate::comment /* nested */ */
        const R: &str = r#"crate::raw " text"#;
        fn f<'a>(x: &'a char) -> bool { *x == '"' && crate::g::h() || super::super::i() }
        use self::l::m;
        fn h() { three::n() }
        mod tests { use super::super::j; use super::super::super::k; }
    "##;
    let children = vec!["three".to_owned()];
    let source = Source { path: "one/two.rs".to_owned(), lines: 0, tokens: tokens(code), children };
    let found: Vec<String> = uses(&source).into_iter().map(|used| used.path.join("::")).collect();
    assert_eq!(
        found,
        ["a::B", "c", "d::e", "d::f", "g::h", "i", "one::two::l::m", "one::two::three::n", "one::j", "k"]
    );
    let found: Vec<String> =
        uses(&source.without_tests()).into_iter().map(|used| used.path.join("::")).collect();
    assert_eq!(found, ["a::B", "c", "d::e", "d::f", "g::h", "i", "one::two::l::m", "one::two::three::n"]);
}

fn sources() -> Vec<Source> {
    let read = |(path, code): (String, String)| {
        let (lines, tokens) = (code.lines().count(), tokens(&code));
        Source { path, lines, tokens, children: Vec::new() }
    };
    let mut sources: Vec<Source> = files_below("src", "rs", &[]).into_iter().map(read).collect();
    let modules: Vec<_> = sources.iter().map(Source::module).collect();
    for (source, module) in sources.iter_mut().zip(&modules) {
        let below =
            modules.iter().filter(|other| other.split_last().is_some_and(|(_, above)| above == module));
        source.children = below.filter_map(|other| other.last().cloned()).collect();
    }
    sources
}

/// The file of a path: that of the innermost module.
fn file_of<'a>(sources: &'a [Source], path: &[String]) -> Option<&'a Source> {
    let holds = |source: &&Source| path.starts_with(&source.module());
    sources.iter().filter(holds).max_by_key(|source| source.module().len())
}

fn text(tokens: &[Token], i: usize) -> &str {
    tokens.get(i).map_or("", |token| token.text.as_str())
}

/// The paths in a file after `crate::`, `self::`, `super::` or `use`, or after the name of a child.
fn uses(source: &Source) -> Vec<Use> {
    let tokens = &source.tokens;
    let module = source.module();
    let mut uses = Vec::new();
    let mut braces = 0;
    // The open inline modules, with the number of braces around the content of each.
    let mut inner: Vec<(usize, String)> = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        let here = || module.iter().chain(inner.iter().map(|(_, name)| name)).cloned().collect::<Vec<_>>();
        let next = match text(tokens, i) {
            "{" => {
                braces += 1;
                if i >= 2 && text(tokens, i - 2) == "mod" {
                    inner.push((braces, text(tokens, i - 1).to_owned()));
                }
                i + 1
            }
            "}" => {
                if inner.last().is_some_and(|(depth, _)| *depth == braces) {
                    inner.pop();
                }
                braces = braces.saturating_sub(1);
                i + 1
            }
            "crate" if text(tokens, i + 1) == "::" => tree(tokens, i + 2, &[], &mut uses),
            "self" if text(tokens, i + 1) == "::" => tree(tokens, i + 2, &here(), &mut uses),
            "super" => {
                let (start, mut base) = (i, here());
                while text(tokens, i) == "super" && text(tokens, i + 1) == "::" {
                    base.pop();
                    i += 2;
                }
                // A path within an inline module is in the same file.
                let outside = base.len() < module.len();
                let mut all = Vec::new();
                let end = tree(tokens, i, &base, &mut all);
                if outside {
                    uses.append(&mut all);
                }
                end.max(start + 1)
            }
            "use" if inner.is_empty() && !matches!(text(tokens, i + 1), "crate" | "self" | "super") => {
                tree(tokens, i + 1, &module, &mut uses)
            }
            child
                if text(tokens, i + 1) == "::"
                    && (i == 0 || text(tokens, i - 1) != "::")
                    && inner.is_empty()
                    && source.children.iter().any(|name| name == child) =>
            {
                tree(tokens, i, &module, &mut uses)
            }
            _ => i + 1,
        };
        i = next;
    }
    uses
}

/// Parses the path at `i`, or the paths in the braces at `i`; `base` is the prefix. Returns the index after it.
fn tree(tokens: &[Token], mut i: usize, base: &[String], uses: &mut Vec<Use>) -> usize {
    let mut path = base.to_vec();
    let line = tokens.get(i).map_or(0, |token| token.line);
    loop {
        match text(tokens, i) {
            "{" => {
                i += 1;
                while !matches!(text(tokens, i), "}" | "") {
                    i = if text(tokens, i) == "," { i + 1 } else { tree(tokens, i, &path, uses).max(i + 1) };
                }
                return i + 1;
            }
            word if word.starts_with(|c: char| c.is_alphabetic() || c == '_') => path.push(word.to_owned()),
            _ => break,
        }
        i += 1;
        if text(tokens, i) != "::" {
            break;
        }
        i += 1;
    }
    if path.last().is_some_and(|name| name == "self") {
        path.pop();
    }
    if text(tokens, i) == "as" {
        i += 2;
    }
    if !path.is_empty() {
        uses.push(Use { line, path });
    }
    i
}

/// The words and punctuation marks of Rust code, without comments and literals of text.
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
            // A character literal, or else a lifetime.
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

/// The number of `#` of a raw string that begins at `start`; `None` if there is none.
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
