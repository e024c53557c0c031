//! The animation doctor: findings about the clips, skins and meshes of a file, measured in metres, seconds and degrees.
//!
//! [`inspect`] reads a file as it is and as the importer repairs it. Each rule is a function from both to findings; all
//! codes are in [`codes`]. Thresholds are parts of the model's size, so that they hold for a figure in centimetres, too.

mod body;
pub mod codes;
mod context;
mod finding;
mod grid;
mod lines;
mod motion;
mod raw;
mod rules;
mod to_json;
pub(crate) mod without_draco;

pub use finding::{Finding, Fix, Measure, PatchStep, Plot, Report, Severity, Summary, Unit};

use crate::document::open;
use context::Context;
use gambol::import::{
    ImportErrorKind, Resolver, codes as import_codes, import, import_changed, import_document,
};
use gambol::model::Model;
use gambol_gltf::document::Document;
use std::collections::HashMap;

/// Options of [`inspect`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// Codes whose findings are left out.
    pub ignore: Vec<String>,
}

/// Inspects a `.glb` or `.gltf` file; `resolver` reads its external buffers.
///
/// A file that cannot be read has a finding of severity error with a code of [`gambol::import::codes`]; there is no other
/// error. Time is proportional to the size of the file and to the number of clips × frames × nodes, which is limited.
pub fn inspect(bytes: &[u8], resolver: &mut dyn Resolver, options: &Options) -> Report {
    inspect_with(bytes, resolver, options, &[])
}

/// A file as [rules](Rule) see it.
#[derive(Debug, Clone, Copy)]
pub struct Inspected<'a> {
    /// The file as it is.
    pub document: &'a Document,
    /// The model that the importer makes of it; `None` if it refuses the file.
    pub model: Option<&'a Model>,
}

/// A rule of your own: adds its findings to the list. Their codes should begin with a word of your own, such as `acme/`.
pub type Rule<'a> = &'a dyn Fn(Inspected<'_>, &mut Vec<Finding>);

/// As [`inspect`], with rules of your own after those of the crate. A file that is no document is not shown to them.
pub fn inspect_with(
    bytes: &[u8],
    resolver: &mut dyn Resolver,
    options: &Options,
    own: &[Rule<'_>],
) -> Report {
    let mut findings = Vec::new();
    let mut cache = Cached { resolver, read: HashMap::new() };
    let (document, imported) = match open(bytes, &mut cache) {
        Ok((document, importing)) => (Some(document), import_document(importing, &mut cache)),
        // A model with missing bytes is imported as far as they go.
        Err(_) => (None, import(bytes, &mut cache)),
    };
    let mut model: Option<Model> = None;
    match imported {
        Ok(imported) => {
            // A file of motion alone needs no mesh; players show its bones.
            let is_motion = imported.model.is_motion();
            let warnings = imported.warnings.iter();
            let warnings =
                warnings.filter(|warning| !(is_motion && warning.code == import_codes::NOTHING_TO_SHOW));
            rules::of_warnings(warnings, &mut findings);
            model = Some(imported.model);
        }
        Err(error) if matches!(error.kind, ImportErrorKind::DracoUnavailable) => {
            findings.push(without_draco::finding(&error.pointer));
            let plain = document.as_ref().map(without_draco::plain);
            if let Some(Ok(imported)) = plain.map(|plain| import_changed(&plain, &mut cache)) {
                // The picture is empty because the meshes were left out.
                let warnings =
                    imported.warnings.iter().filter(|warning| warning.code != import_codes::NOTHING_TO_SHOW);
                rules::of_warnings(warnings, &mut findings);
                model = Some(imported.model);
            }
        }
        Err(error) => findings.push(rules::of_error(&error)),
    }
    let mut report = Report::default();
    if let Some(document) = &document {
        let context = Context::new(document, model.as_ref());
        rules::all(&context, &mut findings);
        let file = Inspected { document, model: model.as_ref() };
        own.iter().for_each(|rule| rule(file, &mut findings));
        report.summary = counts(&context);
    }
    findings.retain(|finding| !options.ignore.iter().any(|code| code == finding.code));
    findings.sort_by_key(|finding| finding.severity);
    for finding in &findings {
        *match finding.severity {
            Severity::Error => &mut report.summary.errors,
            Severity::Warning => &mut report.summary.warnings,
            Severity::Info => &mut report.summary.infos,
        } += 1;
    }
    report.findings = findings;
    report
}

fn counts(context: &Context<'_>) -> Summary {
    let channels = || context.clips.iter().flat_map(|clip| &clip.channels);
    Summary {
        clips: context.clips.len(),
        channels: channels().count(),
        keys: channels().map(|channel| channel.times.len()).sum(),
        joints: context.is_joint.iter().filter(|is_joint| **is_joint).count(),
        ..Summary::default()
    }
}

/// A resolver that reads each file once.
struct Cached<'a> {
    resolver: &'a mut dyn Resolver,
    read: HashMap<String, Result<Vec<u8>, String>>,
}

impl Resolver for Cached<'_> {
    fn read(&mut self, uri: &str) -> Result<Vec<u8>, String> {
        if let Some(known) = self.read.get(uri) {
            return known.clone();
        }
        let read = self.resolver.read(uri);
        self.read.insert(uri.to_owned(), read.clone());
        read
    }

    fn decode_draco(
        &mut self,
        request: &gambol::import::DracoRequest,
        bytes: &[u8],
    ) -> Option<Result<gambol::import::DracoMesh, String>> {
        self.resolver.decode_draco(request, bytes)
    }
}
