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
mod write;

pub use report::Sizes;

use crate::document::Document;
use crate::error::{ToolsError, codes};
use crate::measure::{Chosen, Comparison, Difference, Place, Posed, grid, representatives, strip};
use gambol::import::{Resolver, import};
use gambol::model::{Clip, Model};
use influences::Precision;
use levers::largest_scale;
use search::Models;
use std::collections::HashMap;
use std::sync::Arc;
use streams::Streams;
use tracks::Found;
use write::Writer;

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
    let mut optimizer = Optimizer::new(bytes, resolver, options)?;
    while optimizer.advance(resolver)?.is_some() {}
    Ok(optimizer.finish())
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
    /// The share of the bound that the present attempt uses as its tolerance; 0 for changes without any error.
    share: f32,
    /// The largest share of the work that was reported.
    shown: f32,
    stage: Stage,
}

/// The number of attempts. The last one makes no errors.
const ATTEMPTS: usize = 5;

/// The state of an [`Optimizer`].
enum Stage {
    Begin,
    Clips(Box<Attempt>),
    Measure { out: Vec<u8>, copy: Box<Model>, comparison: Option<Box<Comparison>>, clips: usize },
    Done(Box<Optimized>),
}

impl Optimizer {
    /// Reads the file.
    ///
    /// # Errors
    /// As [`optimize`].
    pub fn new(bytes: &[u8], resolver: &mut dyn Resolver, options: &Options) -> Result<Self, ToolsError> {
        if options.error.is_some_and(|error| !(error > 0.0 && error.is_finite())) {
            return Err(ToolsError::new(codes::OPTION, "", "The error must be a positive number of metres."));
        }
        let mut document = Document::parse(bytes, resolver)?;
        let mut model = import(bytes, resolver)?.model;
        document.embed_images(resolver);
        // The size of other files is that as a GLB.
        let input = if bytes.starts_with(b"glTF") { bytes.to_vec() } else { document.to_glb()? };
        let before = Sizes::of(&input)?;
        let extent = extent(&model);
        let bound = options.error.unwrap_or(1e-4 * extent);
        let marked = marker::is_marked(&document, options);
        let mut origins = reorder::Origins::new();
        if !marked {
            numbers::shorten(&mut document);
            origins = reorder::reorder(&mut document);
            if !origins.is_empty() {
                // The same vertices in another order.
                model = import(&document.to_glb()?, resolver)?.model;
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
            share: 1.0,
            shown: 0.0,
            stage: Stage::Begin,
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
        let stage = std::mem::replace(&mut self.stage, Stage::Begin);
        let (stage, done) = match stage {
            Stage::Begin => (Stage::Clips(Box::new(self.work.begin(self.share, resolver)?)), 0.1),
            Stage::Clips(mut attempt) => match self.work.clip(&mut attempt) {
                true => {
                    let done = 0.1 + 0.6 * attempt.clip as f32 / clips;
                    (Stage::Clips(attempt), done)
                }
                false => (self.written(*attempt, resolver)?, 0.7),
            },
            Stage::Measure { out, copy, comparison, clips: compared } => {
                let done = 0.7 + 0.3 * (compared as f32 + 1.0) / clips;
                (self.measured(out, copy, comparison, compared)?, done.min(0.99))
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
    fn written(&mut self, attempt: Attempt, resolver: &mut dyn Resolver) -> Result<Stage, ToolsError> {
        let mut made = self.work.finish(attempt);
        marker::mark(&mut made, &self.options)?;
        let out = made.to_glb()?;
        if out.len() >= self.input.len() {
            return Ok(self.unchanged());
        }
        let copy = import(&out, resolver)?.model;
        let comparison = match Comparison::new(&self.work.model, &copy) {
            Ok(comparison) => Some(Box::new(comparison)),
            Err(error) if error.code == codes::NOTHING_TO_COMPARE => None,
            Err(error) => return Err(error),
        };
        Ok(Stage::Measure { out, copy: Box::new(copy), comparison, clips: 0 })
    }

    /// Compares one more clip, or ends the attempt.
    fn measured(
        &mut self,
        out: Vec<u8>,
        copy: Box<Model>,
        mut comparison: Option<Box<Comparison>>,
        clips: usize,
    ) -> Result<Stage, ToolsError> {
        if comparison.as_mut().is_some_and(|comparison| comparison.advance(&self.work.model, &copy)) {
            return Ok(Stage::Measure { out, copy, comparison, clips: clips + 1 });
        }
        let mut difference = comparison.map(|comparison| comparison.finish());
        if let Some(found) = &mut difference {
            let places = found.clips.iter_mut().map(|clip| &mut clip.place).chain([&mut found.rest]);
            places.for_each(|place| self.original(place));
        }
        let bound = self.work.bound;
        // Rounding in the measure itself is far below the difference to the bound.
        let found = difference.as_ref().map_or(0.0, |found| found.largest().0.distance);
        if found <= 0.985 * bound || self.share == 0.0 {
            let report =
                Report { before: self.before, after: Sizes::of(&out)?, bound, difference, unchanged: false };
            return Ok(Stage::Done(Box::new(Optimized { bytes: out, report })));
        }
        self.failed += 1;
        self.share *= (0.95 * bound / found).min(0.95);
        if self.failed + 1 == ATTEMPTS || !(self.share > 0.01) {
            self.share = 0.0;
        }
        Ok(Stage::Begin)
    }

    /// Changes the index of a vertex to that of the input.
    fn original(&self, place: &mut Place) {
        let origin =
            self.origins.get(&(place.mesh, place.primitive)).and_then(|origins| origins.get(place.vertex));
        if let Some(&origin) = origin {
            place.vertex = origin as usize;
        }
    }

    /// The result; the input if the work was not done.
    pub fn finish(mut self) -> Optimized {
        match std::mem::replace(&mut self.stage, Stage::Begin) {
            Stage::Done(made) => *made,
            _ => Optimized { report: Report::of_input(self.before, self.work.bound), bytes: self.input },
        }
    }
}

/// The largest extent of the box around all vertices at rest, or around the origins of the nodes.
fn extent(model: &Model) -> f32 {
    let stripped = Arc::new(strip(model, None));
    let mut posed = Posed::new(&stripped, None);
    let mut range = [(f32::INFINITY, f32::NEG_INFINITY); 3];
    let mut add = |position: [f32; 3]| {
        for (range, value) in range.iter_mut().zip(position) {
            *range = (range.0.min(value), range.1.max(value));
        }
    };
    if posed.vertices() == 0 {
        (0..posed.nodes()).for_each(|node| add(posed.origin(node)));
    }
    for drawable in 0..posed.drawables() {
        for primitive in 0..posed.drawable(drawable).2 {
            posed.positions(drawable, primitive).iter().for_each(|position| add(*position));
        }
    }
    let extents = range.iter().map(|(low, high)| high - low).filter(|extent| extent.is_finite());
    let largest = extents.fold(0.0, f32::max);
    if largest > 0.0 { largest } else { 1.0 }
}

/// The input of all attempts.
struct Work {
    document: Document,
    model: Model,
    extent: f32,
    bound: f32,
    compression: Compression,
}

/// The work with one share of the bound.
struct Attempt {
    /// The errors of positions for each mesh.
    errors: Vec<[f32; 2]>,
    precision: Precision,
    /// The models to compare, unless no keys change.
    models: Option<Models>,
    reach: HashMap<usize, Vec<f32>>,
    document: Document,
    streams: Streams,
    writer: Writer,
    /// The next clip.
    clip: usize,
}

impl Work {
    /// Begins an attempt with a share of the bound as the tolerance; 0 for changes without any error.
    fn begin(&self, share: f32, resolver: &mut dyn Resolver) -> Result<Attempt, ToolsError> {
        let bound = share * self.bound;
        let scales = self.mesh_scales();
        let (errors, precision) = self.geometry(bound, &scales, resolver)?;
        let clips = self.model.clips.len();
        let mut models = None;
        if share > 0.0 && clips > 0 && clips == self.document.list("animations").len() {
            let copy = import(&self.changed(&errors, precision).to_glb()?, resolver)?.model;
            let chosen = representatives(&self.model);
            models = Some(Models {
                original: Arc::new(strip(&self.model, Some(&chosen))),
                changed: Arc::new(strip(&copy, Some(&chosen))),
                size: self.extent,
                bound,
                encoded: self.compress().is_some(),
            });
        }
        let (document, reach) = (self.document.clone(), self.reach(&scales));
        let (streams, writer) = (Streams::default(), Writer::default());
        Ok(Attempt { errors, precision, models, reach, document, streams, writer, clip: 0 })
    }

    /// Writes the keys of the next clip; `false` if there is none.
    fn clip(&self, attempt: &mut Attempt) -> bool {
        let (Some(models), Some(clip)) = (&attempt.models, self.model.clips.get(attempt.clip)) else {
            return false;
        };
        let animation = attempt.clip;
        attempt.clip += 1;
        let found: Vec<Found> = tracks::tracks(&self.document, animation, &self.model, clip, &attempt.reach);
        let tracks: Vec<_> = found.iter().map(|found| found.track.clone()).collect();
        if let Some(plan) = search::search(models, clip, &tracks) {
            let Attempt { document, streams, writer, .. } = attempt;
            writer.write(document, streams, animation, &found, plan, clip.duration);
        }
        true
    }

    fn compress(&self) -> Option<bool> {
        match self.compression {
            Compression::Meshopt => Some(false),
            Compression::KhronosMeshopt => Some(true),
            Compression::None => None,
        }
    }

    /// The document of an attempt.
    fn finish(&self, attempt: Attempt) -> Document {
        let Attempt { errors, precision, mut document, streams, .. } = attempt;
        let compress = self.compress();
        streams.finish(&mut document, compress);
        nodes::drop_unused(&mut document);
        // Accessors of replaced keys are gone before the others are encoded.
        document.prune();
        let mut streams = Streams::default();
        geometry::rewrite(&mut document, &mut streams, &errors, compress.is_some());
        influences::rewrite(&mut document, &mut streams, precision, compress.is_some());
        streams.finish(&mut document, compress);
        document.prune();
        report::merge_equal(&mut document);
        document
    }

    /// The document with changed vertices only, not encoded.
    fn changed(&self, errors: &[[f32; 2]], precision: Precision) -> Document {
        let mut document = self.document.clone();
        let mut streams = Streams::default();
        geometry::rewrite(&mut document, &mut streams, errors, true);
        influences::rewrite(&mut document, &mut streams, precision, self.compress().is_some());
        streams.finish(&mut document, None);
        document.prune();
        document
    }

    /// The errors of positions per mesh, and the type of weights: weights of fewer bits if they move vertices by no more
    /// than a third of the bound.
    fn geometry(
        &self,
        bound: f32,
        scales: &[f32],
        resolver: &mut dyn Resolver,
    ) -> Result<(Vec<[f32; 2]>, Precision), ToolsError> {
        let share = self.share_of_positions() * bound;
        let error = |(mesh, scale): (&gambol::model::Mesh, &f32)| {
            let own = share / scale.max(1e-9);
            // Several targets may be at work at the same time.
            let targets = mesh.weights.len().clamp(1, 4) as f32;
            [own, own / targets]
        };
        let errors: Vec<[f32; 2]> = self.model.meshes.iter().zip(scales).map(error).collect();
        let skinned =
            self.model.meshes.iter().flat_map(|mesh| &mesh.primitives).any(|p| p.influences.is_some());
        if !skinned || bound <= 0.0 {
            return Ok((errors, Precision::Kept));
        }
        let stripped = Arc::new(strip(&self.model, None));
        let exact = vec![[0.0; 2]; errors.len()];
        let mut precision = Precision::Bits(8);
        while let Precision::Bits(bits) = precision {
            let copy = import(&self.changed(&exact, precision).to_glb()?, resolver)?.model;
            let copy = Arc::new(strip(&copy, None));
            let mut clips: Vec<Option<&Clip>> = self.model.clips.iter().map(|clip| Some(&**clip)).collect();
            clips.push(None);
            let far = clips.into_iter().map(|clip| {
                let times = clip.map_or_else(|| vec![0.0], |clip| grid(clip, 12));
                let (mut a, mut b) = (Posed::new(&stripped, clip), Posed::new(&copy, clip));
                let pairs = crate::measure::Pairs::same(&a, &b, [&stripped, &copy]);
                pairs.map_or(f32::INFINITY, |pairs| {
                    crate::measure::compare(&mut a, &mut b, &pairs, &times).distance
                })
            });
            let ratio = far.fold(0.0, f32::max) / (0.3 * bound);
            if ratio <= 1.0 {
                return Ok((errors, precision));
            }
            // Each bit halves the error.
            let bits = bits + ratio.log2().ceil().clamp(1.0, 16.0) as u32;
            precision = if bits <= 16 { Precision::Bits(bits) } else { Precision::Kept };
        }
        Ok((errors, precision))
    }

    /// The share of the bound that the rounding of positions may take: the larger, the more bytes of the file are positions.
    fn share_of_positions(&self) -> f32 {
        let primitives = self.model.meshes.iter().flat_map(|mesh| &mesh.primitives);
        let positions: usize =
            primitives.map(|primitive| primitive.vertex_count() * (1 + primitive.targets.len())).sum();
        let curves = self.model.clips.iter().flat_map(|clip| &clip.curves);
        let keys: usize = curves.map(|curve| curve.times().len()).sum();
        (positions as f32 / (positions + keys).max(1) as f32).clamp(0.15, if keys > 0 { 0.55 } else { 0.9 })
    }

    /// For each mesh, the largest factor by which joints or nodes scale it.
    fn mesh_scales(&self) -> Vec<f32> {
        let mut scales = vec![0.0f32; self.model.meshes.len()];
        let empty = Arc::new(strip(&self.model, Some(&none_of(&self.model))));
        let mut clips: Vec<Option<&Clip>> = self.model.clips.iter().map(|clip| Some(&**clip)).collect();
        clips.push(None);
        for clip in clips {
            let mut posed = Posed::new(&empty, clip);
            for time in clip.map_or_else(|| vec![0.0], |clip| grid(clip, 8)) {
                posed.at(time);
                for drawable in 0..posed.drawables() {
                    let mesh = posed.drawable(drawable).0;
                    let all = posed.palette(drawable).iter().map(largest_scale);
                    scales[mesh] = all.fold(scales[mesh], f32::max);
                }
            }
        }
        // A mesh that nothing shows.
        scales.iter().map(|&scale| if scale > 0.0 { scale } else { 1.0 }).collect()
    }

    /// For each node with morph targets, the metres by which each target moves its farthest vertex.
    fn reach(&self, scales: &[f32]) -> HashMap<usize, Vec<f32>> {
        let length = |delta: &[f32; 3]| delta.iter().map(|v| v * v).sum::<f32>().sqrt();
        let mut reach = HashMap::new();
        for (i, node) in self.model.nodes.iter().enumerate() {
            let Some(mesh) = node.mesh.filter(|_| !node.weights.is_empty()) else { continue };
            let primitives = &self.model.meshes[mesh.index()].primitives;
            let farthest = |target: usize| {
                let targets = primitives.iter().filter_map(|primitive| primitive.targets.get(target));
                let farthest =
                    targets.flat_map(|target| target.positions.values()).map(length).fold(0.0, f32::max);
                // A target may change only normals or colours.
                (farthest * scales[mesh.index()]).max(1e-3 * self.extent)
            };
            reach.insert(i, (0..node.weights.len()).map(farthest).collect());
        }
        reach
    }
}

/// No vertices of any mesh.
fn none_of(model: &Model) -> Chosen {
    model.meshes.iter().map(|mesh| vec![Vec::new(); mesh.primitives.len()]).collect()
}
