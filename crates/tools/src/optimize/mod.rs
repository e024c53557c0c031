//! Smaller files whose vertices stay within a bound.

mod geometry;
mod influences;
mod keys;
mod levers;
mod marker;
mod nodes;
mod report;
mod search;
mod streams;
mod tracks;
mod write;

pub use report::Sizes;

use crate::document::Document;
use crate::error::{ToolsError, codes};
use crate::measure::{Chosen, Difference, Posed, diff, grid, representatives, strip};
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
    /// The bytes of a GLB. The bytes of the input if it cannot be made smaller.
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
    /// `true` if the bytes are those of the input.
    pub unchanged: bool,
}

impl Report {
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
/// - `resolver`: reads external buffers. External images stay external.
///
/// # Errors
/// The codes of the importer for faulty files, and [`codes::OPTION`].
pub fn optimize(
    bytes: &[u8],
    resolver: &mut dyn Resolver,
    options: &Options,
) -> Result<Optimized, ToolsError> {
    if options.error.is_some_and(|error| !(error > 0.0 && error.is_finite())) {
        return Err(ToolsError::new(codes::OPTION, "", "The error must be a positive number of metres."));
    }
    let document = Document::parse(bytes, resolver)?;
    let model = import(bytes, resolver)?.model;
    let glb = bytes.starts_with(b"glTF");
    let size = if glb { bytes.len() } else { document.to_glb()?.len() };
    let before = Sizes::new(&document, size);
    let extent = extent(&model);
    let bound = options.error.unwrap_or(1e-4 * extent);
    let same = |bound: f32| {
        let report = Report { before, after: before, bound, difference: None, unchanged: true };
        Ok(Optimized { bytes: bytes.to_vec(), report })
    };
    if marker::is_marked(&document, options.error, options.compression) {
        return same(bound);
    }
    let work = Work { document: &document, model: &model, extent, bound, compression: options.compression };
    for share in [1.0, 0.6, 0.3, 0.1, 0.0] {
        let mut made = work.attempt(share, resolver)?;
        marker::mark(&mut made, options.error, options.compression)?;
        let out = made.to_glb()?;
        if glb && out.len() >= bytes.len() {
            return same(bound);
        }
        let copy = import(&out, resolver)?.model;
        let difference = match diff(&model, &copy) {
            Ok(difference) => Some(difference),
            Err(error) if error.code == codes::NOTHING_TO_COMPARE => None,
            Err(error) => return Err(error),
        };
        // Rounding in the measure itself is far below the difference to the bound.
        if difference.as_ref().is_none_or(|found| found.largest().0.distance <= 0.985 * bound) || share == 0.0
        {
            let after = Sizes::new(&made, out.len());
            let report = Report { before, after, bound, difference, unchanged: false };
            return Ok(Optimized { bytes: out, report });
        }
    }
    same(bound)
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
struct Work<'a> {
    document: &'a Document,
    model: &'a Model,
    extent: f32,
    bound: f32,
    compression: Compression,
}

impl Work<'_> {
    /// The document with a share of the bound as the tolerance; 0 for changes without any error.
    fn attempt(&self, share: f32, resolver: &mut dyn Resolver) -> Result<Document, ToolsError> {
        let bound = share * self.bound;
        let scales = self.mesh_scales();
        let (geometry, precision) = self.geometry(bound, &scales, resolver)?;
        let compress = match self.compression {
            Compression::Meshopt => Some(false),
            Compression::KhronosMeshopt => Some(true),
            Compression::None => None,
        };
        let mut document = self.document.clone();
        if share > 0.0 {
            let mut streams = Streams::default();
            self.animations(bound, &geometry, precision, &scales, &mut document, &mut streams, resolver)?;
            streams.finish(&mut document, compress);
        }
        nodes::drop_unused(&mut document);
        // Accessors of replaced keys are gone before the others are encoded.
        document.prune();
        let mut streams = Streams::default();
        geometry::rewrite(&mut document, &mut streams, &geometry, compress.is_some());
        influences::rewrite(&mut document, &mut streams, precision);
        streams.finish(&mut document, compress);
        document.prune();
        report::merge_equal(&mut document);
        Ok(document)
    }

    /// The document with changed vertices only, not encoded.
    fn changed(&self, errors: &[[f32; 2]], precision: Precision) -> Document {
        let mut document = self.document.clone();
        let mut streams = Streams::default();
        geometry::rewrite(&mut document, &mut streams, errors, true);
        influences::rewrite(&mut document, &mut streams, precision);
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
        let share = 0.15 * bound;
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
        let stripped = Arc::new(strip(self.model, None));
        let exact = vec![[0.0; 2]; errors.len()];
        for precision in [Precision::U8, Precision::U16] {
            let copy = import(&self.changed(&exact, precision).to_glb()?, resolver)?.model;
            let copy = Arc::new(strip(&copy, None));
            let mut clips: Vec<Option<&Clip>> = self.model.clips.iter().map(|clip| Some(&**clip)).collect();
            clips.push(None);
            let near = clips.into_iter().all(|clip| {
                let times = clip.map_or_else(|| vec![0.0], |clip| grid(clip, 12));
                let (mut a, mut b) = (Posed::new(&stripped, clip), Posed::new(&copy, clip));
                let Some(pairs) = crate::measure::Pairs::same(&a, &b, [&stripped, &copy]) else {
                    return false;
                };
                crate::measure::compare(&mut a, &mut b, &pairs, &times).distance <= 0.3 * bound
            });
            if near {
                return Ok((errors, precision));
            }
        }
        Ok((errors, Precision::Kept))
    }

    /// For each mesh, the largest factor by which joints or nodes scale it.
    fn mesh_scales(&self) -> Vec<f32> {
        let mut scales = vec![0.0f32; self.model.meshes.len()];
        let empty = Arc::new(strip(self.model, Some(&none_of(self.model))));
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

    #[expect(clippy::too_many_arguments, reason = "the parts of one attempt")]
    fn animations(
        &self,
        bound: f32,
        errors: &[[f32; 2]],
        precision: Precision,
        scales: &[f32],
        document: &mut Document,
        streams: &mut Streams,
        resolver: &mut dyn Resolver,
    ) -> Result<(), ToolsError> {
        if self.model.clips.len() != document.list("animations").len() || self.model.clips.is_empty() {
            return Ok(());
        }
        let copy = import(&self.changed(errors, precision).to_glb()?, resolver)?.model;
        let chosen = representatives(self.model);
        let models = Models {
            original: Arc::new(strip(self.model, Some(&chosen))),
            changed: Arc::new(strip(&copy, Some(&chosen))),
            size: self.extent,
            bound,
        };
        let reach = self.reach(scales);
        let mut writer = Writer::default();
        for (animation, clip) in self.model.clips.iter().enumerate() {
            let found: Vec<Found> = tracks::tracks(self.document, animation, self.model, clip, &reach);
            let tracks: Vec<_> = found.iter().map(|found| found.track.clone()).collect();
            if let Some(plan) = search::search(&models, clip, &tracks) {
                writer.write(document, streams, animation, &found, plan, clip.duration);
            }
        }
        Ok(())
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
