//! Smaller files whose vertices stay within a bound.

mod geometry;
mod influences;
mod keys;
mod levers;
mod marker;
mod nodes;
mod numbers;
mod reorder;
mod report;
mod search;
mod streams;
mod tracks;
mod work;
mod write;

pub use report::Sizes;

use crate::document::open;
use crate::error::{ToolsError, codes};
use crate::measure::{Comparison, Difference, Place};
use gambol::import::{NoResolver, Resolver, import_changed, import_document};
use gambol::model::Model;
use gambol_gltf::container::is_glb;
use gambol_gltf::document::Document;
use work::{Attempt, Work};

/// The encoding of buffer views.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Compression {
    /// EXT_meshopt_compression, which most players read.
    #[default]
    Meshopt,
    /// KHR_meshopt_compression: a few per cent smaller, but fewer players read it.
    KhronosMeshopt,
    /// No encoding: a file that every player reads.
    None,
}

/// Options of [`optimize`].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Options {
    /// The largest distance, in metres, by which a vertex may be elsewhere, at any time of any clip. `None` for a
    /// ten-thousandth of the model's largest extent at rest: 0.18 mm for a person.
    pub error: Option<f32>,
    /// The encoding of buffer views.
    pub compression: Compression,
}

impl Options {
    fn check(&self) -> Result<(), ToolsError> {
        match self.error {
            Some(error) if !(error > 0.0 && error.is_finite()) => {
                Err(ToolsError::new(codes::OPTION, "", "The error must be a positive number of metres."))
            }
            _ => Ok(()),
        }
    }
}

/// A file that was made smaller.
#[derive(Debug, Clone, PartialEq)]
pub struct Optimized {
    /// The bytes of a GLB. If the file cannot be made smaller, the input as a GLB; those of a GLB are not changed.
    pub bytes: Vec<u8>,
    /// Measured numbers.
    pub report: Report,
}

/// The measured numbers of [`optimize`].
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The input.
    pub before: Sizes,
    /// The output.
    pub after: Sizes,
    /// The bound, in metres.
    pub bound: f32,
    /// The measured differences of input and output; `None` if the input is the output, or has no vertices.
    pub difference: Option<Difference>,
    /// `true` if the file was not made smaller.
    pub unchanged: bool,
}

impl Report {
    fn of_input(before: Sizes, bound: f32) -> Self {
        Self { before, after: before, bound, difference: None, unchanged: true }
    }

    /// The largest measured distance of a vertex, in metres.
    pub fn error(&self) -> f32 {
        self.difference.as_ref().map_or(0.0, |difference| difference.largest().0.distance)
    }
}

/// Makes a file smaller. Its vertices stay within a bound: fewer keys, dropped channels, quantised numbers, encoded buffer
/// views, unused nodes and equal accessors dropped. Materials, images, extras and unknown extensions stay as they are.
///
/// The second call with its own output and the same options returns the same bytes: `asset.extras.gambol` holds a mark.
///
/// - `resolver`: reads external buffers, and external images, which become part of the file. Images that it cannot read stay
///   external.
///
/// # Errors
/// The codes of the importer for faulty files, and [`codes::OPTION`].
pub fn optimize(
    bytes: &[u8],
    resolver: &mut dyn Resolver,
    options: &Options,
) -> Result<Optimized, ToolsError> {
    Optimizer::new(bytes, resolver, options)?.run(resolver)
}

/// As [`optimize`], of a document, which passes of your own may have changed: functions of it. The bound is a distance from
/// the document as it is given. If it cannot be made smaller, the result is the document as a GLB.
///
/// # Errors
/// As [`optimize`].
pub fn optimize_document(
    document: Document,
    resolver: &mut dyn Resolver,
    options: &Options,
) -> Result<Optimized, ToolsError> {
    Optimizer::of_document(document, resolver, options)?.run(resolver)
}

/// [`optimize`] in steps, for pages that must not be blocked.
pub struct Optimizer {
    options: Options,
    /// The input as a GLB.
    input: Vec<u8>,
    before: Sizes,
    work: Work,
    /// The vertices of the input, for each of those that are compared.
    origins: reorder::Origins,
    /// The attempts before the present one.
    failed: usize,
    /// The largest share of the work that was reported.
    shown: f32,
    stage: Stage,
}

/// The number of attempts. In the last one, clips that are still beyond the bound keep their keys.
const ATTEMPTS: usize = 4;

/// The file of an attempt.
struct Written {
    bytes: Vec<u8>,
    sizes: Sizes,
}

/// The state of an [`Optimizer`].
enum Stage {
    /// With this part of the bound for errors of vertices; 0 for changes without any error.
    Begin(f32),
    Clips(Box<Attempt>),
    Measure {
        attempt: Box<Attempt>,
        out: Written,
        copy: Box<Model>,
        comparison: Option<Box<Comparison>>,
    },
    Done(Box<Optimized>),
}

impl Optimizer {
    /// Reads the file.
    ///
    /// # Errors
    /// As [`optimize`].
    pub fn new(bytes: &[u8], resolver: &mut dyn Resolver, options: &Options) -> Result<Self, ToolsError> {
        options.check()?;
        let (document, importing) = open(bytes, resolver)?;
        let model = import_document(importing, resolver)?.model;
        Self::begin(document, model, Some(bytes).filter(|bytes| is_glb(bytes)), resolver, options)
    }

    /// As [`Optimizer::new`], of a document; see [`optimize_document`].
    ///
    /// # Errors
    /// As [`optimize`].
    pub fn of_document(
        document: Document,
        resolver: &mut dyn Resolver,
        options: &Options,
    ) -> Result<Self, ToolsError> {
        options.check()?;
        let model = import_changed(&document, resolver)?.model;
        Self::begin(document, model, None, resolver, options)
    }

    /// - `file`: the input, if it is a GLB.
    fn begin(
        mut document: Document,
        mut model: Model,
        file: Option<&[u8]>,
        resolver: &mut dyn Resolver,
        options: &Options,
    ) -> Result<Self, ToolsError> {
        document.embed_images(resolver);
        // The size of other files is that as a GLB.
        let input = file.map_or_else(|| document.to_glb(), |file| Ok(file.to_vec()))?;
        let before = Sizes::of(&document, input.len());
        let extent = work::extent(&model);
        let bound = options.error.unwrap_or(1e-4 * extent);
        let marked = marker::is_marked(&document, options);
        let mut origins = reorder::Origins::new();
        if !marked {
            document.decode_draco(resolver)?;
            numbers::shorten(&mut document);
            origins = reorder::reorder(&mut document);
            if !reorder::follow(&mut model, &origins) {
                model = import_changed(&document, resolver)?.model;
            }
        }
        let work = Work { document, model, extent, bound, compression: options.compression };
        let mut optimizer = Self {
            options: *options,
            input,
            before,
            work,
            origins,
            failed: 0,
            shown: 0.0,
            stage: Stage::Begin(1.0),
        };
        if marked {
            optimizer.stage = optimizer.unchanged();
        }
        Ok(optimizer)
    }

    /// The end without a smaller file.
    fn unchanged(&mut self) -> Stage {
        let report = Report::of_input(self.before, self.work.bound);
        Stage::Done(Box::new(Optimized { bytes: std::mem::take(&mut self.input), report }))
    }

    /// Does a part of the work. Returns about the share that is done, 0 … 1; `None` if all is done.
    ///
    /// # Errors
    /// As [`optimize`].
    pub fn advance(&mut self, resolver: &mut dyn Resolver) -> Result<Option<f32>, ToolsError> {
        let clips = self.work.model.clips.len() as f32 + 1.0;
        let stage = std::mem::replace(&mut self.stage, Stage::Begin(1.0));
        let (stage, done) = match stage {
            Stage::Begin(part) => (Stage::Clips(Box::new(self.work.begin(part, resolver)?)), 0.1),
            Stage::Clips(mut attempt) => match self.work.clip(&mut attempt) {
                true => {
                    let done = 0.1 + 0.6 * attempt.clips_done() as f32 / clips;
                    (Stage::Clips(attempt), done)
                }
                false => (self.written(attempt, resolver)?, 0.7),
            },
            Stage::Measure { attempt, out, copy, mut comparison } => {
                let more = comparison.as_mut().is_some_and(|each| each.advance(&self.work.model, &copy));
                let compared = comparison.as_ref().map_or(0, |comparison| comparison.clips_done());
                let done = 0.7 + 0.29 * compared as f32 / clips;
                match more {
                    true => (Stage::Measure { attempt, out, copy, comparison }, done),
                    false => (self.measured(attempt, out, comparison)?, 0.99),
                }
            }
            Stage::Done(made) => {
                self.stage = Stage::Done(made);
                return Ok(None);
            }
        };
        self.stage = stage;
        // An attempt that failed does not set the progress back.
        self.shown = self.shown.max(done);
        Ok(Some(self.shown))
    }

    /// Writes the file of an attempt.
    fn written(
        &mut self,
        mut attempt: Box<Attempt>,
        resolver: &mut dyn Resolver,
    ) -> Result<Stage, ToolsError> {
        let mut made = self.work.write(&mut attempt);
        marker::mark(&mut made, &self.options);
        let out = made.to_glb()?;
        if out.len() >= self.input.len() {
            return Ok(self.unchanged());
        }
        // The file as others read it, from its bytes.
        let (made, importing) = open(&out, &mut NoResolver)?;
        let copy = import_document(importing, resolver)?.model;
        let sizes = Sizes::of(&made, out.len());
        let known = std::mem::take(&mut attempt.known);
        let comparison = match Comparison::of_copy(&self.work.model, &copy, known) {
            Ok(comparison) => Some(Box::new(comparison)),
            Err(error) if error.code == codes::NOTHING_TO_COMPARE => None,
            Err(error) => return Err(error),
        };
        Ok(Stage::Measure { attempt, out: Written { bytes: out, sizes }, copy: Box::new(copy), comparison })
    }

    /// Ends an attempt that was measured.
    fn measured(
        &mut self,
        mut attempt: Box<Attempt>,
        out: Written,
        comparison: Option<Box<Comparison>>,
    ) -> Result<Stage, ToolsError> {
        let mut difference = comparison.map(|comparison| comparison.finish());
        let bound = self.work.bound;
        // Rounding in the measure itself is far below the difference to the bound.
        let most = 0.985 * bound;
        if let Some(found) = difference.as_ref().filter(|found| !(found.largest().0.distance <= most)) {
            self.failed += 1;
            let rest = found.rest.distance;
            let far: Vec<(usize, f32)> =
                found.clips.iter().map(|clip| (clip.clip, clip.place.distance / bound)).collect();
            return Ok(match attempt.is_exact() {
                // A file that cannot be measured, for example with vertices that are not finite.
                true => self.unchanged(),
                false if rest <= most && attempt.tighten(&far, most / bound, self.failed == ATTEMPTS) => {
                    let near = found.clips.iter().filter(|clip| clip.place.distance <= most);
                    attempt.known = near.cloned().collect();
                    Stage::Clips(attempt)
                }
                false => {
                    self.failed = 0;
                    Stage::Begin(attempt.smaller_part())
                }
            });
        }
        if let Some(found) = &mut difference {
            let places = found.clips.iter_mut().map(|clip| &mut clip.place).chain([&mut found.rest]);
            places.for_each(|place| self.original(place));
        }
        let report = Report { before: self.before, after: out.sizes, bound, difference, unchanged: false };
        Ok(Stage::Done(Box::new(Optimized { bytes: out.bytes, report })))
    }

    /// Changes the index of a vertex to that of the input.
    fn original(&self, place: &mut Place) {
        let origin =
            self.origins.get(&(place.mesh, place.primitive)).and_then(|origins| origins.get(place.vertex));
        if let Some(&origin) = origin {
            place.vertex = origin as usize;
        }
    }

    fn run(mut self, resolver: &mut dyn Resolver) -> Result<Optimized, ToolsError> {
        while self.advance(resolver)?.is_some() {}
        Ok(self.finish())
    }

    /// The result; the input if the work was not done.
    pub fn finish(mut self) -> Optimized {
        match std::mem::replace(&mut self.stage, Stage::Begin(1.0)) {
            Stage::Done(made) => *made,
            _ => Optimized { report: Report::of_input(self.before, self.work.bound), bytes: self.input },
        }
    }
}
