//! A model reduced to that which moves its vertices, and its poses.

use gambol::animation::{Affine, Deformed, Pose, Rig, deform};
use gambol::model::{
    Channel, Clip, ClipId, Deltas, Drawable, Influences, Mesh, Model, MorphTarget, Primitive, Property,
    PropertyChannel,
};
use gambol_kernels::{AffineX4, F32x4, PointX4, morph_four, place_four, skin_four, still_four};
use std::sync::Arc;

/// Some vertices of each primitive of each mesh.
pub(crate) type Chosen = Vec<Vec<Vec<u32>>>;

/// The parts of a model that place its vertices: nodes, skins, positions, influences, morph targets. Clips are left out.
///
/// - `chosen`: only these vertices; `None` for all.
pub(crate) fn strip(model: &Model, chosen: Option<&Chosen>) -> Model {
    let mesh = |(m, mesh): (usize, &Mesh)| {
        let primitives = mesh.primitives.iter().enumerate().map(|(p, primitive)| match chosen {
            Some(chosen) => picked(primitive, &chosen[m][p]),
            None => picked(primitive, &(0..own(primitive) as u32).collect::<Vec<_>>()),
        });
        let primitives = primitives.collect();
        Mesh { name: String::new(), primitives, weights: mesh.weights.clone(), target_names: Vec::new() }
    };
    Model {
        nodes: model.nodes.clone(),
        node_of_source: model.node_of_source.clone(),
        scenes: model.scenes.clone(),
        default_scene: model.default_scene,
        meshes: model.meshes.iter().enumerate().map(mesh).collect(),
        skins: model.skins.clone(),
        ..Model::default()
    }
}

/// The number of a primitive's vertices in the file, without the copies that import makes for tangents.
pub(crate) fn own(primitive: &Primitive) -> usize {
    primitive.vertex_count() - primitive.split_vertices
}

/// Some vertices of a primitive, in their order: only what places them.
pub(crate) fn picked(primitive: &Primitive, vertices: &[u32]) -> Primitive {
    let influences = primitive.influences.as_ref().map(|all| {
        let range = |vertex: u32| vertex as usize * all.per_vertex..(vertex as usize + 1) * all.per_vertex;
        Influences {
            per_vertex: all.per_vertex,
            joints: vertices.iter().flat_map(|&vertex| &all.joints[range(vertex)]).copied().collect(),
            weights: vertices.iter().flat_map(|&vertex| &all.weights[range(vertex)]).copied().collect(),
        }
    });
    let target = |target: &MorphTarget| {
        let all = vertices.iter().map(|&vertex| target.positions.get(vertex as usize));
        let moved = all.enumerate().filter(|(_, delta)| *delta != [0.0; 3]);
        let (places, values): (Vec<u32>, Vec<[f32; 3]>) = moved.map(|(i, delta)| (i as u32, delta)).unzip();
        MorphTarget { positions: Deltas::sparse(places, values), ..MorphTarget::default() }
    };
    Primitive {
        positions: vertices.iter().map(|&vertex| primitive.positions[vertex as usize]).collect(),
        influences,
        targets: primitive.targets.iter().map(target).collect(),
        ..Primitive::default()
    }
}

/// The vertices that reach farthest in fourteen directions, for each joint, and in each morph target. The error of any
/// other vertex is nearly always smaller than that of one of these.
pub(crate) fn representatives(model: &Model) -> Chosen {
    // The axes and the diagonals of a cube; both directions of each are used.
    const AXES: [[f32; 3]; 7] = [
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
        [1.0, 1.0, 1.0],
        [-1.0, 1.0, 1.0],
        [1.0, -1.0, 1.0],
        [1.0, 1.0, -1.0],
    ];
    let choose = |primitive: &Primitive| {
        let joints = primitive.influences.as_ref().and_then(|all| all.joints.iter().max());
        let joints = joints.map_or(1, |&most| usize::from(most) + 1);
        let mut extremes = vec![[(f32::NEG_INFINITY, u32::MAX); 14]; joints];
        for (vertex, position) in primitive.positions.iter().enumerate().take(own(primitive)) {
            let reach =
                AXES.map(|axis| axis[0] * position[0] + axis[1] * position[1] + axis[2] * position[2]);
            let mut note = |joint: usize| {
                for (axis, reach) in reach.iter().enumerate() {
                    for (direction, reach) in [(2 * axis, *reach), (2 * axis + 1, -reach)] {
                        let best = &mut extremes[joint][direction];
                        if reach > best.0 {
                            *best = (reach, vertex as u32);
                        }
                    }
                }
            };
            match &primitive.influences {
                None => note(0),
                Some(all) => {
                    let range = vertex * all.per_vertex..(vertex + 1) * all.per_vertex;
                    let pairs = all.joints[range.clone()].iter().zip(&all.weights[range]);
                    pairs.filter(|&(_, &weight)| weight > 0.1).for_each(|(&joint, _)| note(joint.into()));
                }
            }
        }
        let mut chosen: Vec<u32> = extremes.iter().flatten().map(|&(_, vertex)| vertex).collect();
        for target in &primitive.targets {
            let length = |delta: &[f32; 3]| delta.iter().map(|v| v * v).sum::<f32>();
            let farthest = target.positions.iter().max_by(|a, b| length(a.1).total_cmp(&length(b.1)));
            chosen.extend(farthest.map(|(vertex, _)| vertex as u32));
        }
        chosen.retain(|&vertex| (vertex as usize) < own(primitive));
        chosen.sort_unstable();
        chosen.dedup();
        chosen
    };
    model.meshes.iter().map(|mesh| mesh.primitives.iter().map(choose).collect()).collect()
}

/// A primitive of a drawable.
pub(super) struct PartOf {
    pub(super) drawable: usize,
    pub(super) primitive: usize,
    /// The mesh of the drawable.
    pub(super) mesh: usize,
    /// The number of its vertices.
    pub(super) vertices: usize,
}

/// A stripped model with one clip, and its pose at a time.
pub(crate) struct Posed {
    model: Arc<Model>,
    rig: Rig,
    pose: Pose,
    /// `world_from_node` of each node, and further ones up to a multiple of four.
    pub(crate) matrices: Vec<Affine>,
    palette: Vec<Affine>,
    deformed: Deformed,
    four: Four,
}

/// The poses at four times, one per lane.
#[derive(Default)]
struct Four {
    palette: Vec<AffineX4>,
    weights: Vec<F32x4>,
    points: Vec<PointX4>,
}

impl Posed {
    /// - `model`: from [`strip`] or [`representatives`].
    pub(crate) fn new(model: &Arc<Model>, clip: Option<&Clip>) -> Self {
        Self::playing(model, clip.map(|clip| geometric(clip, |_| true)))
    }

    /// As [`Posed::new`], with a clip from [`geometric`].
    pub(crate) fn playing(model: &Arc<Model>, clip: Option<Clip>) -> Self {
        // The rig needs the clip in the model. Other parts are not copied but for the nodes, which are few.
        let rig = {
            let meshes =
                model.meshes.iter().map(|mesh| Mesh { weights: mesh.weights.clone(), ..Mesh::default() });
            let moving = Model {
                nodes: model.nodes.clone(),
                scenes: model.scenes.clone(),
                default_scene: model.default_scene,
                meshes: meshes.collect(),
                skins: model.skins.clone(),
                clips: clip.into_iter().map(Arc::new).collect(),
                ..Model::default()
            };
            Rig::new(&moving)
        };
        Self::with_rig(model, rig)
    }

    /// The same nodes and clip with other vertices of the same meshes; the clip is not compiled again.
    ///
    /// - `model`: from [`strip`], of the same model or of a copy with the same nodes and skins.
    pub(crate) fn with_vertices(&self, model: &Arc<Model>) -> Self {
        Self::with_rig(model, self.rig.clone())
    }

    fn with_rig(model: &Arc<Model>, rig: Rig) -> Self {
        let (pose, palette) = (rig.rest_pose().clone(), vec![Affine::identity(); rig.palette_len()]);
        let mut posed = Self {
            model: Arc::clone(model),
            rig,
            pose,
            matrices: Vec::new(),
            palette,
            deformed: Deformed::default(),
            four: Four::default(),
        };
        posed.update();
        posed
    }

    fn update(&mut self) {
        self.rig.node_matrices(&self.pose, &Affine::identity(), &mut self.matrices);
        self.rig.palette(&self.matrices, &mut self.palette);
    }

    /// Poses the model at a time of its clip, in seconds; at rest if it has none.
    pub(crate) fn at(&mut self, time: f64) {
        if self.rig.clip_count() > 0 {
            self.rig.sample(ClipId::new(0), time, &mut self.pose);
            self.update();
        }
    }

    /// Poses the model at four times of its clip, for [`Posed::four`]. The pose of [`Posed::at`] is that of the last one.
    pub(crate) fn at_four(&mut self, times: [f64; 4]) {
        let poses = times.map(|time| {
            self.at(time);
            (self.pose.weights.clone(), self.palette.clone())
        });
        let [a, b, c, d] = &poses;
        AffineX4::of_palettes([&a.1, &b.1, &c.1, &d.1], &mut self.four.palette);
        let weights = (0..a.0.len()).map(|i| F32x4::new([a.0[i], b.0[i], c.0[i], d.0[i]]));
        self.four.weights.clear();
        self.four.weights.extend(weights);
    }

    /// The positions of a drawable's primitive at the times of [`Posed::at_four`], to the bit those of [`Posed::positions`].
    pub(crate) fn four(&mut self, index: usize, primitive: usize) -> &[PointX4] {
        let drawable = &self.rig.layout.drawables[index];
        let primitive = &self.model.meshes[drawable.mesh.index()].primitives[primitive];
        let Four { palette, weights, points } = &mut self.four;
        deform_four(primitive, drawable, palette, weights, points);
        points
    }

    /// The number of drawables.
    pub(crate) fn drawables(&self) -> usize {
        self.rig.layout.drawables.len()
    }

    /// The number of vertices that are drawn.
    pub(crate) fn vertices(&self) -> usize {
        let meshes =
            self.rig.layout.drawables.iter().map(|drawable| &self.model.meshes[drawable.mesh.index()]);
        meshes.flat_map(|mesh| &mesh.primitives).map(Primitive::vertex_count).sum()
    }

    /// The number of nodes.
    pub(crate) fn nodes(&self) -> usize {
        self.model.nodes.len()
    }

    /// The origin of a node in the world.
    pub(crate) fn origin(&self, node: usize) -> [f32; 3] {
        self.matrices[node].transform_point(glam::Vec3::ZERO).to_array()
    }

    /// The mesh, the node in the file and the number of primitives of a drawable.
    pub(crate) fn drawable(&self, index: usize) -> (usize, usize, usize) {
        let drawable = &self.rig.layout.drawables[index];
        let mesh = drawable.mesh.index();
        (
            mesh,
            self.model.nodes[drawable.node.index()].source as usize,
            self.model.meshes[mesh].primitives.len(),
        )
    }

    /// The primitives of all drawables.
    pub(super) fn parts(&self) -> Vec<PartOf> {
        let of_drawable = |drawable: usize| {
            let (mesh, ..) = self.drawable(drawable);
            let primitives = self.model.meshes[mesh].primitives.iter().enumerate();
            primitives.map(move |(primitive, each)| PartOf {
                drawable,
                primitive,
                mesh,
                vertices: each.vertex_count(),
            })
        };
        (0..self.drawables()).flat_map(of_drawable).collect()
    }

    /// No vertices of any mesh.
    pub(super) fn none(&self) -> Chosen {
        self.model.meshes.iter().map(|mesh| vec![Vec::new(); mesh.primitives.len()]).collect()
    }

    /// The influences of a drawable's primitive, with the node of each joint; `None` for a rigid one.
    pub(crate) fn skinned(&self, index: usize, primitive: usize) -> Option<(&Influences, Vec<usize>)> {
        let drawable = &self.rig.layout.drawables[index];
        let influences = self.model.meshes[drawable.mesh.index()].primitives[primitive].influences.as_ref();
        let slots = &self.rig.layout.slots[drawable.slots.start as usize..drawable.slots.end as usize];
        let nodes = || slots.iter().map(|slot| slot.node.index()).collect();
        influences.filter(|_| drawable.skinned).map(|influences| (influences, nodes()))
    }

    /// The node of a drawable, in the order of the model.
    pub(crate) fn node(&self, index: usize) -> usize {
        self.rig.layout.drawables[index].node.index()
    }

    /// The matrices that place the vertices of a drawable.
    pub(crate) fn palette(&self, index: usize) -> &[Affine] {
        let slots = &self.rig.layout.drawables[index].slots;
        &self.palette[slots.start as usize..slots.end as usize]
    }

    /// The positions of a drawable's primitive in the world, in metres.
    pub(crate) fn positions(&mut self, index: usize, primitive: usize) -> &[[f32; 3]] {
        let drawable = &self.rig.layout.drawables[index];
        let primitive = &self.model.meshes[drawable.mesh.index()].primitives[primitive];
        deform(primitive, drawable, &self.palette, &[], &self.pose.weights, &mut self.deformed);
        &self.deformed.positions
    }
}

/// As [`deform`], of the positions at four times.
fn deform_four(
    primitive: &Primitive,
    drawable: &Drawable,
    palette: &[AffineX4],
    weights: &[F32x4],
    points: &mut Vec<PointX4>,
) {
    still_four(&primitive.positions, points);
    let weights = &weights[drawable.weights.start as usize..drawable.weights.end as usize];
    for (target, &weight) in primitive.targets.iter().zip(weights) {
        if weight != F32x4::zero() {
            morph_four(points, target.positions.vertices(), target.positions.values(), weight);
        }
    }
    let palette = &palette[drawable.slots.start as usize..drawable.slots.end as usize];
    match primitive.influences.as_ref().filter(|_| drawable.skinned) {
        Some(Influences { per_vertex, joints, weights }) => {
            skin_four((joints.as_chunks().0, weights.as_chunks().0, per_vertex / 4), palette, points);
        }
        None => place_four(&palette[0], points),
    }
}

/// The channels of a clip that move vertices.
///
/// - `keep`: `false` for channels of nodes that are left out.
pub(crate) fn geometric(clip: &Clip, keep: impl Fn(&Channel) -> bool) -> Clip {
    let mut out = Clip { duration: clip.duration, ..Clip::default() };
    let mut copies = vec![None; clip.curves.len()];
    let mut copy = |curve: usize| {
        *copies[curve].get_or_insert_with(|| {
            out.curves.push(clip.curves[curve].clone());
            out.curves.len() - 1
        })
    };
    let channels = clip.channels.iter().filter(|channel| keep(channel));
    out.channels = channels.map(|channel| Channel { curve: copy(channel.curve), ..*channel }).collect();
    let moves = |property: &Property| matches!(property, Property::Weight(..));
    let properties = clip.properties.iter().filter(|channel| moves(&channel.property));
    out.properties =
        properties.map(|channel| PropertyChannel { curve: copy(channel.curve), ..*channel }).collect();
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use gambol::import::{NoResolver, import};

    #[test]
    fn poses_at_four_times_have_the_bits_of_one() {
        let mut moved = 0;
        for character in gambol_sample::characters() {
            let model = import(&character.glb(), &mut NoResolver).expect("the sample is valid").model;
            let stripped = Arc::new(strip(&model, None));
            for clip in &model.clips {
                let (mut four, mut one) =
                    (Posed::new(&stripped, Some(clip)), Posed::new(&stripped, Some(clip)));
                let duration = f64::from(clip.duration);
                let times = [0.0, 0.31 * duration, 0.5 * duration, duration];
                four.at_four(times);
                for (lane, time) in times.into_iter().enumerate() {
                    one.at(time);
                    moved += usize::from(one.pose.weights.iter().any(|&weight| weight != 0.0));
                    for drawable in 0..one.drawables() {
                        for primitive in 0..one.drawable(drawable).2 {
                            let points = four.four(drawable, primitive);
                            let got: Vec<[f32; 3]> =
                                points.iter().map(|point| gambol_kernels::at_lane(point, lane)).collect();
                            assert_eq!(got, one.positions(drawable, primitive), "{} {time}", clip.name);
                        }
                    }
                }
            }
        }
        assert!(moved > 0, "no clip moves a morph target");
    }
}
