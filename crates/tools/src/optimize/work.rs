//! The work of the optimiser on one file, in steps: vertices, then the keys of each clip, then the file.

use super::influences::{self, Precision};
use super::levers::largest_scale;
use super::search::{self, Models, Plan};
use super::streams::Streams;
use super::tracks::{self, Found};
use super::write::Writer;
use super::{Compression, geometry, nodes, report};
use crate::error::ToolsError;
use crate::measure::{Chosen, ClipDifference, Pairs, Posed, compare, grid, representatives, strip};
use gambol::import::{Resolver, import_changed};
use gambol::model::{Mesh, Model};
use gambol_gltf::document::Document;
use gambol_gltf::json::Value;
use std::collections::HashMap;
use std::sync::Arc;

/// The largest extent of the box around all vertices at rest, or around the origins of the nodes.
pub(super) fn extent(model: &Model) -> f32 {
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
pub(super) struct Work {
    pub(super) document: Document,
    pub(super) model: Model,
    /// The extent of the model, in metres.
    pub(super) extent: f32,
    pub(super) bound: f32,
    pub(super) compression: Compression,
}

/// The keys of a clip.
enum Clips {
    /// They are searched with this share of the bound as the tolerance.
    Search(f32),
    /// They are found: `None` if the keys of the file stay.
    Found(f32, Option<Plan>),
}

/// The state of the work.
pub(super) struct Attempt {
    /// The errors of positions for each mesh.
    errors: Vec<[f32; 2]>,
    precision: Precision,
    /// The models to compare, unless no keys change.
    models: Option<Models>,
    /// The model in each of its clips, without vertices.
    posed: Vec<Posed>,
    reach: HashMap<usize, Vec<f32>>,
    clips: Vec<Clips>,
    /// The next clip.
    next: usize,
    /// The part of the bound for errors of vertices; 0 for changes without any error.
    part: f32,
    /// The measured clips of the attempt before that are as they were.
    pub(super) known: Vec<ClipDifference>,
}

impl Attempt {
    pub(super) fn is_exact(&self) -> bool {
        self.part == 0.0
    }

    /// The part of the bound for the next attempt.
    pub(super) fn smaller_part(&self) -> f32 {
        if self.part == 1.0 { 0.4 } else { 0.0 }
    }

    /// The number of clips whose keys are found.
    pub(super) fn clips_done(&self) -> usize {
        self.next
    }

    /// Searches the keys of clips again whose errors are above `most`, with smaller tolerances. Returns `false` if there are
    /// none.
    ///
    /// - `far`: clips and their errors; like `most` as parts of the bound.
    /// - `last`: `true` to keep the keys of the file instead.
    pub(super) fn tighten(&mut self, far: &[(usize, f32)], most: f32, last: bool) -> bool {
        let mut changed = false;
        for &(clip, error) in far.iter().filter(|(_, error)| !(*error <= most)) {
            let Some(state @ Clips::Found(..)) = self.clips.get_mut(clip) else { continue };
            let Clips::Found(share, plan) = state else { continue };
            if plan.is_none() {
                continue;
            }
            changed = true;
            let share = *share * (0.95 / error).min(0.95);
            *state = if last || !(share > 0.01) { Clips::Found(0.0, None) } else { Clips::Search(share) };
        }
        self.next = 0;
        changed
    }
}

impl Work {
    /// Begins the work.
    ///
    /// - `part`: the part of the bound for errors of vertices; 0 for changes without any error.
    pub(super) fn begin(&self, part: f32, resolver: &mut dyn Resolver) -> Result<Attempt, ToolsError> {
        let empty = Arc::new(strip(&self.model, Some(&none_of(&self.model))));
        let posed: Vec<Posed> = self.model.clips.iter().map(|clip| Posed::new(&empty, Some(clip))).collect();
        let scales = self.mesh_scales(&posed, &empty);
        let bare = &bare(&self.document);
        let (errors, precision) = self.geometry(part * self.bound, &scales, &posed, bare, resolver)?;
        let clips = self.model.clips.len();
        let mut models = None;
        if part > 0.0 && clips > 0 && clips == self.document.list("animations").len() {
            let copy = import_changed(&self.changed(bare, &errors, precision), resolver)?.model;
            let chosen = representatives(&self.model);
            models = Some(Models {
                original: Arc::new(strip(&self.model, Some(&chosen))),
                changed: Arc::new(strip(&copy, Some(&chosen))),
                size: self.extent,
                bound: self.bound,
                encoded: self.compress().is_some(),
            });
        }
        let clips = self.model.clips.iter().map(|_| Clips::Search(1.0)).collect();
        Ok(Attempt {
            errors,
            precision,
            models,
            posed,
            reach: self.reach(&scales),
            clips,
            next: 0,
            part,
            known: Vec::new(),
        })
    }

    /// The channels of a clip that can be changed.
    fn found(&self, clip: usize, reach: &HashMap<usize, Vec<f32>>) -> Vec<Found> {
        tracks::tracks(&self.document, clip, &self.model, &self.model.clips[clip], reach)
    }

    /// Finds the keys of the next clip; `false` if there is none.
    pub(super) fn clip(&self, attempt: &mut Attempt) -> bool {
        let Attempt { models: Some(models), posed, clips, next, reach, .. } = attempt else { return false };
        let Some(state) = clips.get_mut(*next) else { return false };
        if let Clips::Search(share) = *state {
            let tracks: Vec<_> = self.found(*next, reach).into_iter().map(|found| found.track).collect();
            let clip = &self.model.clips[*next];
            *state = Clips::Found(share, search::search(models, &posed[*next], clip, &tracks, share));
        }
        *next += 1;
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
    pub(super) fn write(&self, attempt: &mut Attempt) -> Document {
        let Attempt { errors, precision, clips, reach, .. } = attempt;
        let compress = self.compress();
        let mut document = self.document.clone();
        let (mut streams, mut writer) = (Streams::default(), Writer::default());
        for (animation, state) in clips.iter().enumerate() {
            let Clips::Found(_, Some(plan)) = state else { continue };
            let (found, duration) = (self.found(animation, reach), self.model.clips[animation].duration);
            writer.write(&mut document, &mut streams, animation, &found, plan.clone(), duration);
        }
        streams.finish(&mut document, compress);
        nodes::drop_unused(&mut document);
        // Accessors of replaced keys are gone before the others are encoded.
        document.prune();
        let mut streams = Streams::default();
        geometry::rewrite(&mut document, &mut streams, errors, compress.is_some());
        influences::rewrite(&mut document, &mut streams, *precision, compress.is_some());
        streams.finish(&mut document, compress);
        document.prune();
        report::merge_equal(&mut document);
        document
    }

    /// A document with changed vertices only, not encoded.
    fn changed(&self, document: &Document, errors: &[[f32; 2]], precision: Precision) -> Document {
        let mut document = document.clone();
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
        posed: &[Posed],
        bare: &Document,
        resolver: &mut dyn Resolver,
    ) -> Result<(Vec<[f32; 2]>, Precision), ToolsError> {
        let share = self.share_of_positions() * bound;
        let error = |(mesh, scale): (&Mesh, &f32)| {
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
            let copy = import_changed(&self.changed(bare, &exact, precision), resolver)?.model;
            let copy = Arc::new(strip(&copy, None));
            let far = |posed: &Posed, times: &[f64]| {
                let (mut a, mut b) = (posed.with_vertices(&stripped), posed.with_vertices(&copy));
                let pairs = Pairs::same(&a, &b, [&stripped, &copy]);
                pairs.map_or(f32::INFINITY, |pairs| compare(&mut a, &mut b, &pairs, times).distance)
            };
            let clips = posed.iter().zip(&self.model.clips).map(|(posed, clip)| far(posed, &grid(clip, 12)));
            let ratio = clips.fold(far(&Posed::new(&stripped, None), &[0.0]), f32::max) / (0.3 * bound);
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
    fn mesh_scales(&self, posed: &[Posed], empty: &Arc<Model>) -> Vec<f32> {
        let mut scales = vec![0.0f32; self.model.meshes.len()];
        let mut raise = |posed: &Posed| {
            for drawable in 0..posed.drawables() {
                let mesh = posed.drawable(drawable).0;
                let all = posed.palette(drawable).iter().map(largest_scale);
                scales[mesh] = all.fold(scales[mesh], f32::max);
            }
        };
        raise(&Posed::new(empty, None));
        for (posed, clip) in posed.iter().zip(&self.model.clips) {
            let mut posed = posed.with_vertices(empty);
            for time in grid(clip, 8) {
                posed.at(time);
                raise(&posed);
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

/// A document without the parts that place no vertices at rest: what is imported to try other vertices.
fn bare(document: &Document) -> Document {
    let mut bare = document.clone();
    if let Some(root) = bare.json.as_object_mut() {
        let unused = ["materials", "textures", "images", "samplers", "animations"];
        unused.into_iter().for_each(|name| _ = root.remove(name));
    }
    let places = |name: &str, _: &mut Value| {
        name == "POSITION" || name.starts_with("JOINTS_") || name.starts_with("WEIGHTS_")
    };
    for mesh in bare.json.get_mut("meshes").and_then(Value::as_array_mut).into_iter().flatten() {
        let primitives = mesh.get_mut("primitives").and_then(Value::as_array_mut);
        for primitive in primitives.into_iter().flatten().filter_map(Value::as_object_mut) {
            primitive.remove("material");
            let attributes = primitive.get_mut("attributes").and_then(Value::as_object_mut);
            attributes.into_iter().for_each(|attributes| attributes.retain(places));
            let targets = primitive.get_mut("targets").and_then(Value::as_array_mut);
            let targets = targets.into_iter().flatten().filter_map(Value::as_object_mut);
            targets.for_each(|attributes| attributes.retain(places));
        }
    }
    bare.prune();
    bare
}

/// No vertices of any mesh.
fn none_of(model: &Model) -> Chosen {
    model.meshes.iter().map(|mesh| vec![Vec::new(); mesh.primitives.len()]).collect()
}
