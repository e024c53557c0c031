//! A resolver for files that Draco encodes: Node runs the decoder that the npm package ships.

use gambol::import::{DracoMesh, DracoRequest, FolderResolver, Resolver};
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::io::{Error, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Reads the files of a folder, and decodes what Draco encoded if there are Node and a built package.
pub(crate) struct NodeResolver {
    folder: FolderResolver,
    /// Node with `draco.mjs`, once it was needed.
    node: Option<Child>,
}

impl NodeResolver {
    /// Reads files relative to `folder`, which is where the glTF file lies.
    pub(crate) fn new(folder: &Path) -> Self {
        Self { folder: FolderResolver::new(folder), node: None }
    }

    /// Why nothing can be decoded here; `None` if it can.
    pub(crate) fn missing() -> Option<&'static str> {
        let script = |entry: std::io::Result<std::fs::DirEntry>| {
            let name = entry.ok()?.file_name().into_string().ok()?;
            (name.starts_with("draco-") && name.ends_with(".js")).then_some(())
        };
        if !std::fs::read_dir(DIST).is_ok_and(|mut entries| entries.any(|entry| script(entry).is_some())) {
            return Some("the npm package is not built: run `cargo xtask build`");
        }
        let version = Command::new("node").arg("--version").stdout(Stdio::null()).status();
        (!version.is_ok_and(|status| status.success())).then_some("there is no Node")
    }

    fn decode(&mut self, request: &DracoRequest, bytes: &[u8]) -> Result<DracoMesh, Error> {
        let node = match &mut self.node {
            Some(node) => node,
            none => none.insert(start()?),
        };
        let (Some(input), Some(output)) = (&mut node.stdin, &mut node.stdout) else {
            return Err(Error::other("Node has no pipes"));
        };
        let attribute = |wanted: &gambol::import::DracoAttribute| json!({"id": wanted.id, "type": wanted.component.as_gl_enum(), "components": wanted.components});
        let attributes: Vec<Value> = request.attributes.iter().map(attribute).collect();
        let text =
            json!({ "attributes": attributes, "byteLimit": request.byte_limit, "sizes": [bytes.len()] });
        let text = text.to_string().into_bytes();
        input.write_all(&(text.len() as u32).to_le_bytes())?;
        input.write_all(&text)?;
        input.write_all(bytes)?;
        input.flush()?;

        let mut length = [0; 4];
        output.read_exact(&mut length)?;
        let answer: Value = serde_json::from_slice(&read(output, u32::from_le_bytes(length).into())?)?;
        if let Some(error) = answer["error"].as_str() {
            return Err(Error::other(error));
        }
        let sizes = answer["sizes"].as_array().into_iter().flatten().filter_map(Value::as_u64);
        let mut attributes = sizes.map(|size| read(output, size)).collect::<Result<Vec<_>, _>>()?;
        let indices = attributes.pop().unwrap_or_default();
        let word = |bytes: &[u8; 4]| u32::from_le_bytes(*bytes);
        Ok(DracoMesh {
            vertices: answer["vertices"].as_u64().unwrap_or(0) as usize,
            attributes,
            indices: indices.as_chunks().0.iter().map(word).collect(),
        })
    }
}

const DIST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/www/gambol/dist");
const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/pose/draco.mjs");

fn start() -> Result<Child, Error> {
    let arguments = [SCRIPT, DIST].map(OsStr::new);
    Command::new("node").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()
}

fn read(from: &mut impl Read, size: u64) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    from.take(size).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == size { Ok(bytes) } else { Err(Error::other("the answer of Node ends early")) }
}

impl Resolver for NodeResolver {
    fn read(&mut self, uri: &str) -> Result<Vec<u8>, String> {
        self.folder.read(uri)
    }

    fn decode_draco(&mut self, request: &DracoRequest, bytes: &[u8]) -> Option<Result<DracoMesh, String>> {
        if self.node.is_none() && Self::missing().is_some() {
            return None;
        }
        Some(self.decode(request, bytes).map_err(|error| error.to_string()))
    }
}

/// Node ends with its input.
impl Drop for NodeResolver {
    fn drop(&mut self) {
        if let Some(mut node) = self.node.take() {
            drop(node.stdin.take());
            let _ = node.wait();
        }
    }
}
