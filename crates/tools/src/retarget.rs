//! Clips of other files, retargeted and written into the file of a model.

use crate::document::open;
use crate::error::ToolsError;
use crate::export::{ClipToWrite, NewClip, export_clips};
use crate::inspect::without_draco;
use gambol::animation::retarget::{Options, Report, RetargetError, retarget};
use gambol::import::{ImportErrorKind, Resolver, import, import_changed, import_document};
use gambol::model::{ClipId, Model};
use gambol_gltf::document::Document;
use std::collections::{HashMap, HashSet};

/// Reads a file for retargeting: without the meshes that are compressed by Draco, since clips need no vertices. The document
/// has the whole file.
///
/// # Errors
/// The codes of [`gambol::import::codes`].
pub fn read_skeleton(bytes: &[u8], resolver: &mut dyn Resolver) -> Result<(Document, Model), ToolsError> {
    let (document, importing) = open(bytes, resolver)?;
    let model = match import_document(importing, resolver) {
        Err(error) if matches!(error.kind, ImportErrorKind::DracoUnavailable) => {
            import_changed(&without_draco::plain(&document), resolver)?.model
        }
        imported => imported?.model,
    };
    Ok((document, model))
}

/// Reads a file of clips to retarget, as [`read_skeleton`] does, but without the document.
///
/// # Errors
/// The codes of [`gambol::import::codes`].
pub fn read_clips(bytes: &[u8], resolver: &mut dyn Resolver) -> Result<Model, ToolsError> {
    match import(bytes, resolver) {
        Err(error) if matches!(error.kind, ImportErrorKind::DracoUnavailable) => {
            Ok(read_skeleton(bytes, resolver)?.1)
        }
        imported => Ok(imported?.model),
    }
}

/// The file of clips to retarget.
#[derive(Debug, Clone, Copy)]
pub struct ClipSource<'a> {
    /// The imported file.
    pub model: &'a Model,
    /// The index of one clip; `None` for all.
    pub clip: Option<ClipId>,
    /// The name that clips without a name get, such as that of the file.
    pub name: &'a str,
}

/// The clips that a source has given.
#[derive(Debug, Clone, PartialEq)]
pub struct RetargetedClips {
    /// The names of the new animations.
    pub names: Vec<String>,
    /// The pairs of nodes.
    pub report: Report,
}

/// Adds clips of other files to the file of a model, retargeted by [`retarget`]. Keys are written to the bit.
///
/// - `model`: the import of `document`.
/// - `keep`: `false` to remove the animations of the file; all other parts stay as they are.
///
/// A clip whose name is taken gets a number: `Walk 2`. Returns the file, and the new clips of each source.
///
/// # Errors
/// The codes of [`RetargetError`]; [`EXPORT_KEYS`](crate::codes::EXPORT_KEYS) for keys before time 0.
pub fn retarget_clips(
    document: Document,
    model: &Model,
    sources: &[ClipSource<'_>],
    options: &Options,
    keep: bool,
) -> Result<(Document, Vec<RetargetedClips>), ToolsError> {
    let kept = if keep { document.list("animations") } else { &[] };
    let taken = kept.iter().filter_map(|animation| Some(animation.str_at("name")?.to_owned()));
    let mut free = Names { taken: taken.collect(), next: HashMap::new() };
    let mut clips: Vec<ClipToWrite> = (0..kept.len()).map(ClipToWrite::Kept).collect();
    let mut reports = Vec::with_capacity(sources.len());
    for source in sources {
        let made = retarget(source.model, source.clip, model, options)?;
        let mut names = Vec::with_capacity(made.clips.len());
        for clip in &made.clips {
            let wanted = if clip.name.is_empty() { source.name } else { &clip.name };
            let name = free.take(wanted);
            clips.push(ClipToWrite::New(NewClip { name: name.clone(), ..NewClip::from_model(clip, model) }));
            names.push(name);
        }
        reports.push(RetargetedClips { names, report: made.report });
    }
    Ok((export_clips(document, &clips)?, reports))
}

/// The names of clips.
struct Names {
    taken: HashSet<String>,
    /// The numbers that were not tried yet after a name.
    next: HashMap<String, usize>,
}

impl Names {
    /// Takes a name that no clip has: `wanted`, or with a number from 2.
    fn take(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        if self.taken.insert(name.clone()) {
            return name;
        }
        let number = self.next.entry(wanted.to_owned()).or_insert(2);
        while !self.taken.insert(name.clone()) {
            name = format!("{wanted} {number}");
            *number += 1;
        }
        name
    }
}

impl From<RetargetError> for ToolsError {
    fn from(error: RetargetError) -> Self {
        // The error has no place in the model's file.
        Self::new(error.code(), "", error.to_string())
    }
}
