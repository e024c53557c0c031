//! Retargeted clips in the file of a model.

use crate::convert::{object, thrown};
use crate::files::Files;
use crate::web::retarget_options::{RetargetOptions, js};
use gambol::animation::retarget::{MappedBone, Report};
use gambol::model::{Clip, Model, NodeId};
use gambol_tools::{
    ClipSource, Document, RetargetedClips, ToolsError, find_clips, read_clips, read_skeleton, retarget_clips,
};
use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = "
/** The clips that a file has given. */
export interface RetargetedClips {
  readonly clips: readonly string[];
  readonly conventions: readonly [source: string, target: string] | undefined;
  readonly mapped: readonly { readonly bone: string; readonly source: string; readonly target: string }[];
  readonly named: number;
  readonly missing: readonly string[];
  readonly ambiguous: readonly string[];
  readonly scale: number;
  readonly skipped: number;
  readonly warnings: readonly string[];
}

/** The file of a model with retargeted clips. */
export interface RetargetedFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly files: readonly RetargetedClips[];
}
";

/// Retargets clips of other files, and writes them into the file of a model.
#[wasm_bindgen]
pub struct Retargeter {
    document: Document,
    model: Model,
    /// The files of clips: each has the clips that were chosen, and a name.
    sources: Vec<(Model, String)>,
}

#[wasm_bindgen]
impl Retargeter {
    /// Reads the file of the model.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: &[u8], mut files: Files) -> Result<Self, JsValue> {
        let (mut document, model) = read_skeleton(bytes, &mut files).map_err(|error| thrown(&error))?;
        document.embed_images(&mut files);
        Ok(Self { document, model, sources: Vec::new() })
    }

    /// Adds a file of clips.
    ///
    /// - `name`: for clips without a name.
    /// - `clips`: names or indices; none for all clips.
    pub fn add(
        &mut self,
        bytes: &[u8],
        mut files: Files,
        name: String,
        clips: Vec<String>,
    ) -> Result<(), JsValue> {
        let read = |files: &mut Files| -> Result<Model, ToolsError> {
            let mut model = read_clips(bytes, files)?;
            let chosen = find_clips(&model, &clips)?;
            model.clips = chosen.iter().filter_map(|clip| model.clips.get(clip.index()).cloned()).collect();
            Ok(model)
        };
        self.sources.push((read(&mut files).map_err(|error| thrown(&error))?, name));
        Ok(())
    }

    /// Retargets the clips and writes the file.
    ///
    /// - `keep`: `false` to remove the clips that the file has.
    #[wasm_bindgen(unchecked_return_type = "RetargetedFile")]
    pub fn finish(self, keep: bool, options: &js::RetargetOptions) -> Result<JsValue, JsValue> {
        let options = RetargetOptions::from(options).into();
        let Self { document, model, sources } = self;
        reserve(needed(&sources));
        let clips: Vec<_> =
            sources.iter().map(|(model, name)| ClipSource { model, clip: None, name }).collect();
        let (document, made) =
            retarget_clips(document, &model, &clips, &options, keep).map_err(|error| thrown(&error))?;
        let bytes = document.to_glb().map_err(|error| thrown(&error.into()))?;
        let files = made.iter().zip(&sources).map(|(made, (source, _))| described(made, source, &model));
        Ok(object([
            ("bytes", Uint8Array::from(&bytes[..]).into()),
            ("files", files.collect::<Array>().into()),
        ]))
    }
}

/// The memory of the clips while they are converted and written, in bytes: the JSON of each channel and copies of its keys.
fn needed(sources: &[(Model, String)]) -> usize {
    const CHANNEL: usize = 4096;
    const COPIES: usize = 4;
    let clips = sources.iter().flat_map(|(model, _)| &model.clips);
    let keys = |clip: &Clip| clip.curves.iter().map(|curve| size_of_val(curve.values())).sum::<usize>();
    clips.map(|clip| clip.channels.len() * CHANNEL + keys(clip) * COPIES).sum()
}

/// The most memory that is taken at once, in bytes.
const MOST_AT_ONCE: usize = 1 << 30;

/// Takes memory at once. Browsers and Node collect garbage whenever the memory of a module grows, so that many small steps take
/// longer than the work itself.
fn reserve(bytes: usize) {
    let mut taken: Vec<u8> = Vec::new();
    // Without so much memory, the work takes what it needs.
    let _ = taken.try_reserve_exact(bytes.min(MOST_AT_ONCE));
    std::hint::black_box(taken.as_ptr());
}

fn described(RetargetedClips { names, report }: &RetargetedClips, source: &Model, target: &Model) -> JsValue {
    let Report { conventions, mapped, named, missing, ambiguous, scale, skipped, warnings } = report;
    let name = |model: &Model, node: NodeId| JsValue::from(model.nodes[node.index()].name.as_str());
    let pair = |MappedBone { bone, source: from, target: to }: &MappedBone| {
        object([("bone", bone.name().into()), ("source", name(source, *from)), ("target", name(target, *to))])
    };
    let conventions =
        conventions.map_or(JsValue::UNDEFINED, |both| list(both.iter().map(|convention| convention.name())));
    object([
        ("clips", list(names.iter().map(String::as_str))),
        ("conventions", conventions),
        ("mapped", mapped.iter().map(pair).collect::<Array>().into()),
        ("named", (*named as f64).into()),
        ("missing", list(missing.iter().map(|bone| bone.name()))),
        ("ambiguous", list(ambiguous.iter().map(|bone| bone.name()))),
        ("scale", (*scale).into()),
        ("skipped", (*skipped as f64).into()),
        ("warnings", list(warnings.iter().map(String::as_str))),
    ])
}

fn list<'a>(words: impl Iterator<Item = &'a str>) -> JsValue {
    words.map(JsValue::from).collect::<Array>().into()
}
