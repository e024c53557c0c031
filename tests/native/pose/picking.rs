//! Picking finds the same triangle as a test of every triangle after deforming every vertex.

use crate::common::models::models;
use crate::common::random::Random;
use gambol::animation::{
    Aabb, Affine, F32x4, Hit, PosedModel, Ray, Rig, Triangles, deform_position, rotations,
};
use gambol::model::{
    ClipId, Deltas, Influences, Mesh, MeshId, Model, MorphTarget, Node, NodeId, Primitive, Skin, SkinId,
    Topology, Transform,
};
use glam::{Mat4, Quat, Vec3};

/// A pose of a model, with the positions of all its vertices.
struct Posed {
    palette: Vec<Affine>,
    rotations: Vec<F32x4>,
    weights: Vec<f32>,
    visible: Vec<bool>,
    /// All visible triangles: drawable, primitive, vertices, positions.
    triangles: Vec<(usize, usize, [usize; 3], [Vec3; 3])>,
    bounds: Aabb,
}

impl Posed {
    fn new(model: &Model, rig: &Rig, palette: Vec<Affine>, weights: Vec<f32>, dual: bool) -> Self {
        let (mut turned, mut bounds, mut triangles) = (Vec::new(), Aabb::EMPTY, Vec::new());
        if dual {
            rotations(&palette, &mut turned);
        }
        let visible = Vec::new();
        for (index, drawable) in rig.layout.drawables.iter().enumerate() {
            for (at, primitive) in model.meshes[drawable.mesh.index()].primitives.iter().enumerate() {
                let places: Vec<Vec3> = (0..primitive.vertex_count())
                    .map(|vertex| deform_position(primitive, vertex, drawable, &palette, &turned, &weights))
                    .collect();
                places.iter().for_each(|&place| bounds.add(place));
                let all = corners(primitive).into_iter();
                triangles
                    .extend(all.map(|vertices| (index, at, vertices, vertices.map(|vertex| places[vertex]))));
            }
        }
        Self { palette, rotations: turned, weights, visible, triangles, bounds }
    }

    /// Compares rays; returns the number of hits.
    fn compare(
        &self,
        name: &str,
        model: &Model,
        rig: &Rig,
        found: &Triangles,
        random: &mut Random,
        rays: usize,
    ) -> usize {
        let Self { palette, rotations, weights, visible, .. } = self;
        let posed = PosedModel { model, layout: &rig.layout, palette, rotations, weights, visible };
        let mut hits = 0;
        for i in 0..rays {
            let ray = self.ray(random, i);
            let nearest = found.nearest(&posed, &ray, f32::INFINITY);
            let wanted = self.by_brute_force(&ray);
            assert_eq!(nearest.map(|hit| hit.t), wanted, "{name}, ray {i}: {ray:?}");
            let Some(hit) = nearest else { continue };
            hits += 1;
            self.check(name, &ray, &hit);
            assert_eq!(found.nearest(&posed, &ray, hit.t), None, "{name}: nothing is before the first");
        }
        hits
    }

    /// A random ray through the model or past it, from outside, from inside, and along an axis.
    fn ray(&self, random: &mut Random, i: usize) -> Ray {
        let (center, half) = (self.bounds.center(), 0.5 * (self.bounds.max - self.bounds.min));
        let through = center + half * random.vector();
        let far = if i.is_multiple_of(4) { 0.5 } else { 3.0 };
        let mut origin = center + far * half.max_element() * random.vector();
        if i % 8 == 1 {
            origin = through.with_z(center.z + 3.0 * half.max_element());
        }
        Ray { origin, direction: (through - origin) * if i.is_multiple_of(3) { 1.0 } else { 37.0 } }
    }

    fn by_brute_force(&self, ray: &Ray) -> Option<f32> {
        let all = self.triangles.iter().filter_map(|(.., corners)| ray.meets(*corners));
        all.map(|[t, ..]| t).reduce(f32::min)
    }

    /// Checks that the hit is one of the nearest triangles.
    fn check(&self, name: &str, ray: &Ray, hit: &Hit) {
        let known = self.triangles.iter().find(|(drawable, primitive, vertices, _)| {
            (*drawable, *primitive, *vertices) == (hit.drawable, hit.primitive, hit.vertices)
        });
        let (.., corners) = known.unwrap_or_else(|| panic!("{name}: no such triangle: {hit:?}"));
        let Some([t, u, v]) = ray.meets(*corners) else { panic!("{name}: another triangle") };
        assert_eq!((t, [1.0 - u - v, u, v]), (hit.t, hit.weights), "{name}");
    }
}

fn corners(primitive: &Primitive) -> Vec<[usize; 3]> {
    let indices: Vec<usize> = match &primitive.indices {
        Some(indices) => indices.iter().map(|&index| index as usize).collect(),
        None => (0..primitive.vertex_count()).collect(),
    };
    match primitive.topology {
        Topology::Triangles => indices.as_chunks::<3>().0.to_vec(),
        Topology::TriangleStrip => indices.windows(3).map(|w| [w[0], w[1], w[2]]).collect(),
        Topology::TriangleFan => indices.windows(2).skip(1).map(|w| [indices[0], w[0], w[1]]).collect(),
        _ => Vec::new(),
    }
}

/// A model in poses of its clips, and in some other poses.
fn poses(model: &Model, rig: &Rig, random: &mut Random) -> Vec<Posed> {
    let mut pose = rig.rest_pose().clone();
    let (mut matrices, mut palette) = (Vec::new(), vec![Affine::identity(); rig.palette_len()]);
    let mut found = Vec::new();
    for i in 0..6 {
        if i > 0 && !model.clips.is_empty() {
            let clip = ClipId::new(i % model.clips.len());
            rig.sample(
                clip,
                f64::from(model.clips[clip.index()].duration) * 0.37 * i as f64 % 1.0,
                &mut pose,
            );
        }
        if i > 2 {
            pose.weights.iter_mut().for_each(|weight| *weight = 1.5 * random.signed());
        }
        let place = Mat4::from_rotation_translation(random.euler(3.0), 5.0 * random.vector());
        rig.node_matrices(&pose, &Affine::from(place), &mut matrices);
        rig.palette(&matrices, &mut palette);
        if i == 5 {
            // Every joint is moved, rotated and stretched.
            for matrix in &mut palette {
                let size =
                    0.3 * (matrix.transform_point(Vec3::ONE) - matrix.transform_point(Vec3::ZERO)).length();
                let apart = Mat4::from_scale_rotation_translation(
                    Vec3::ONE + 0.5 * random.vector(),
                    random.euler(1.0),
                    size * random.vector(),
                );
                *matrix = Affine::from(Mat4::from(*matrix) * apart);
            }
        }
        found.push(Posed::new(model, rig, palette.clone(), pose.weights.clone(), i % 2 == 1));
    }
    found
}

fn compare(name: &str, model: &Model, rays: usize) {
    let rig = Rig::new(model);
    let triangles = Triangles::new(model, &rig.layout);
    let mut random = Random(7);
    let (mut hits, mut tried) = (0, 0);
    for posed in poses(model, &rig, &mut random) {
        if posed.triangles.is_empty() {
            continue;
        }
        hits += posed.compare(name, model, &rig, &triangles, &mut random, rays);
        tried += rays;
    }
    assert!(tried == 0 || hits > tried / 20, "{name}: {hits} of {tried} rays met it");
}

#[test]
fn picking_equals_brute_force_on_models_of_all_kinds() {
    let models = models(&[
        "gltf/Fox.glb",
        "gltf/CesiumMan.glb",
        "gltf/RobotExpressive.glb",
        "gltf/MorphStressTest.gltf",
        "synthetic/eight_influences.glb",
        "synthetic/matrices_and_instances.glb",
        "synthetic/skeleton_outside.glb",
        "variants/MorphStressTest_sparse.glb",
        "variants/Fox_quantized.glb",
    ]);
    for (name, model) in models {
        compare(&name, &model, 60);
    }
}

/// A bent tube of `triangles` triangles, with twenty joints, eight influences per vertex and two morph targets, one of
/// them sparse.
fn tube(triangles: usize, topology: Topology) -> Model {
    const JOINTS: usize = 20;
    let around = 50;
    let rings = triangles / (2 * around);
    let vertex = |i: usize| {
        let (ring, angle) = (i / around, (i % around) as f32 / around as f32 * std::f32::consts::TAU);
        [angle.cos(), 20.0 * ring as f32 / rings as f32, angle.sin()]
    };
    let count = (rings + 1) * around;
    let positions: Vec<[f32; 3]> = (0..count).map(vertex).collect();
    let mut indices = Vec::new();
    for i in 0..rings * around {
        let (right, up) = (i / around * around + (i + 1) % around, around);
        indices.extend([i, right, i + up, right, right + up, i + up].map(|index| index as u32));
    }
    let (mut joints, mut weights) = (Vec::new(), Vec::new());
    for [_, height, _] in &positions {
        for k in 0..8 {
            joints.push((*height as usize + k).saturating_sub(4).min(JOINTS - 1) as u16);
            weights.push([0.3, 0.25, 0.2, 0.1, 0.1, 0.05, 0.0, 0.0][k]);
        }
    }
    let wave =
        positions.iter().map(|[x, y, z]| [0.3 * x * y.sin(), 0.0, 0.3 * z * y.sin()]).collect::<Vec<_>>();
    let bump: Vec<u32> = (0..count as u32).step_by(7).take(count / 20).collect();
    let bumps = bump.iter().map(|_| [0.5, 0.2, -0.4]).collect();
    let primitive = Primitive {
        positions,
        indices: Some(indices),
        topology,
        influences: Some(Influences { per_vertex: 8, joints, weights }),
        targets: vec![
            MorphTarget { positions: wave.into(), ..MorphTarget::default() },
            MorphTarget { positions: Deltas::sparse(bump, bumps), ..MorphTarget::default() },
        ],
        ..Primitive::default()
    };
    let joint = |i: usize| Node {
        parent: (i > 0).then(|| NodeId::new(i - 1)),
        rest: Transform {
            translation: if i > 0 { Vec3::Y } else { Vec3::ZERO },
            rotation: Quat::from_rotation_z(0.12),
            scale: Vec3::ONE,
        },
        ..Node::default()
    };
    let mut nodes: Vec<Node> = (0..JOINTS).map(joint).collect();
    let shown = Node { mesh: Some(MeshId::new(0)), weights: vec![0.0; 2], ..Node::default() };
    nodes.push(Node { skin: Some(SkinId::new(0)), ..shown.clone() });
    // The same mesh without a skin, with two instances.
    let instances = vec![Mat4::from_translation(5.0 * Vec3::X), Mat4::from_translation(-5.0 * Vec3::X)];
    nodes.push(Node { instances, ..shown });
    let inverse_bind = (0..JOINTS).map(|i| Mat4::from_translation(-(i as f32) * Vec3::Y)).collect();
    Model {
        nodes,
        meshes: vec![Mesh { primitives: vec![primitive], ..Mesh::default() }],
        skins: vec![Skin { joints: (0..JOINTS).map(NodeId::new).collect(), inverse_bind, ..Skin::default() }],
        ..Model::default()
    }
}

#[test]
#[ignore = "takes seconds: cargo xtask test --all"]
fn picking_equals_brute_force_on_ten_thousand_rays() {
    for topology in [Topology::Triangles, Topology::TriangleStrip, Topology::TriangleFan, Topology::Lines] {
        let rays = if topology == Topology::Triangles { 2000 } else { 100 };
        compare(&format!("{topology:?}"), &tube(1500, topology), rays);
    }
}

#[test]
fn picking_ignores_hidden_meshes() {
    let model = tube(400, Topology::Triangles);
    let rig = Rig::new(&model);
    let triangles = Triangles::new(&model, &rig.layout);
    let (mut matrices, mut palette) = (Vec::new(), vec![Affine::identity(); rig.palette_len()]);
    rig.node_matrices(rig.rest_pose(), &Affine::identity(), &mut matrices);
    rig.palette(&matrices, &mut palette);
    let weights = &rig.rest_pose().weights;
    let nearest = |visible: &[bool]| {
        let posed = PosedModel {
            model: &model,
            layout: &rig.layout,
            palette: &palette,
            rotations: &[],
            weights,
            visible,
        };
        let ray = Ray { origin: Vec3::new(5.0, 10.0, 50.0), direction: Vec3::NEG_Z };
        triangles.nearest(&posed, &ray, f32::INFINITY).map(|hit| hit.drawable)
    };
    assert_eq!(nearest(&[]), Some(1));
    assert_eq!(nearest(&vec![true; model.nodes.len()]), Some(1));
    let mut visible = vec![true; model.nodes.len()];
    visible[model.nodes.len() - 1] = false;
    assert_eq!(nearest(&visible), None);
}

#[test]
fn picking_accepts_rays_that_are_not_finite() {
    let model = tube(1500, Topology::Triangles);
    let rig = Rig::new(&model);
    let triangles = Triangles::new(&model, &rig.layout);
    let mut random = Random(3);
    for bad in [f32::NAN, f32::INFINITY, 1e38] {
        let mut posed = poses(&model, &rig, &mut random).remove(0);
        let broken = Affine::from(Mat4::from_scale(Vec3::splat(bad)));
        let slot = random.below(posed.palette.len());
        posed.palette[slot] = broken;
        let bounds = posed.bounds;
        posed = Posed::new(&model, &rig, posed.palette, posed.weights, false);
        posed.bounds = bounds;
        posed.compare("not finite", &model, &rig, &triangles, &mut random, 300);
    }
}
