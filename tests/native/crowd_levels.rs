//! Levels of detail of the meshes of crowds.

use crate::common::models::models;
use crate::common::random::Random;
use gambol::animation::{
    Affine, Bounds, ClipSet, Crowd, CrowdError, CrowdView, MAX_MESH_LEVELS, MemberPart, Rig, UpdateRate,
    deform_position,
};
use gambol::model::{MeshLevel, Model, Primitive, Topology};
use glam::{Mat4, Vec2, Vec3};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::LazyLock;

const HEIGHT: u32 = 1000;

static MODELS: LazyLock<Vec<(String, Model)>> =
    LazyLock::new(|| models(&["gltf/Fox.glb", "gltf/CesiumMan.glb", "gltf/RobotExpressive.glb"]));

fn primitives(model: &Model) -> impl Iterator<Item = &Primitive> {
    model.meshes.iter().flat_map(|mesh| &mesh.primitives)
}

/// Triangles whose vertices are moved to the first vertex of their cell in a grid: a simplifier of its own.
fn clustered(model: &Model, cells: f32) -> MeshLevel {
    let indices = primitives(model).map(|primitive| {
        let own = primitive.indices.as_ref().filter(|_| primitive.topology == Topology::Triangles)?;
        let positions = primitive.positions.iter().map(|position| Vec3::from_array(*position));
        let (low, high) =
            positions.clone().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(a, b), p| (a.min(p), b.max(p)));
        let size = (high - low).max_element().max(1e-9);
        let mut first = HashMap::new();
        let moved: Vec<u32> = positions
            .enumerate()
            .map(|(i, p)| {
                *first.entry(((p - low) / size * cells).to_array().map(|x| x as i32)).or_insert(i as u32)
            })
            .collect();
        let corners = own.chunks_exact(3).map(|corners| [0, 1, 2].map(|i| moved[corners[i] as usize]));
        Some(corners.filter(|[a, b, c]| a != b && b != c && c != a).flatten().collect())
    });
    MeshLevel { indices: indices.collect() }
}

/// A crowd with levels, measured, its members scattered around the origin.
fn crowd_of(
    model: &Model,
    levels: Vec<MeshLevel>,
    count: usize,
    random: &mut Random,
) -> (Crowd, Rc<Rig>, f32) {
    let clips = ClipSet::new(model, Rc::new(Rig::new(model)));
    let bounds = Bounds::new(model, &clips.rig.layout);
    let mut crowd = Crowd::new(&clips, false);
    crowd.set_mesh_levels(model, levels).expect("levels of the model");
    while crowd.measure(model, &clips, &bounds) {}
    crowd.resize(1, 0.0);
    let size = crowd.bounds().map_or(1.0, |bounds| bounds.radius());
    crowd.resize(count, 0.0);
    let mut list = |width: usize, scale: f64| -> Vec<f64> {
        (0..width * count).map(|_| scale * f64::from(random.signed())).collect()
    };
    let wide = f64::from(size);
    for (part, numbers) in [
        (MemberPart::Position, list(3, 3.0 * wide)),
        (MemberPart::Rotation, list(4, 1.0)),
        (MemberPart::Scale, list(1, 0.5).into_iter().map(|x| 1.0 + x).collect()),
        (MemberPart::Start, list(1, 5.0)),
    ] {
        crowd.set(part, 0, &numbers, 0.0).expect("members");
    }
    (crowd, clips.rig, size)
}

fn camera(distance: f32) -> (Mat4, CrowdView) {
    let view = Mat4::from_translation(Vec3::new(0.0, 0.0, -distance));
    let projection = glam::camera::rh::proj::opengl::perspective(0.6, 1.5, 0.01, 1e6);
    (projection * view, CrowdView::new(&view, &projection, HEIGHT, true))
}

/// The point of a triangle that is nearest to `p`: the projection if it is inside, else the nearest of the edges.
fn nearest_on(p: Vec3, [a, b, c]: [Vec3; 3]) -> Vec3 {
    let normal = (b - a).cross(c - a);
    let on_plane = p - normal * ((p - a).dot(normal) / normal.length_squared());
    let inside =
        [(a, b), (b, c), (c, a)].iter().all(|(u, v)| (*v - *u).cross(on_plane - *u).dot(normal) >= 0.0);
    if inside && normal.length_squared() > 0.0 {
        return on_plane;
    }
    let on_edge = |u: Vec3, v: Vec3| {
        let t = ((p - u).dot(v - u) / (v - u).length_squared().max(1e-30)).clamp(0.0, 1.0);
        u + (v - u) * t
    };
    let edges = [on_edge(a, b), on_edge(b, c), on_edge(c, a)];
    edges.into_iter().min_by(|u, v| p.distance_squared(*u).total_cmp(&p.distance_squared(*v))).unwrap_or(a)
}

/// The largest distance in pixels of some vertices of a member from the surface of a level.
fn pixels_off(
    model: &Model,
    rig: &Rig,
    level: &MeshLevel,
    clip: &Mat4,
    palette: &[Affine],
    weights: &[f32],
) -> f32 {
    let firsts: Vec<usize> = (0..model.meshes.len())
        .map(|mesh| model.meshes[..mesh].iter().map(|mesh| mesh.primitives.len()).sum())
        .collect();
    let mut most = 0.0_f32;
    for drawable in &rig.layout.drawables {
        let mesh = drawable.mesh.index();
        for (i, primitive) in model.meshes[mesh].primitives.iter().enumerate() {
            let (Some(own), Some(indices)) = (&primitive.indices, &level.indices[firsts[mesh] + i]) else {
                continue;
            };
            let places: Vec<Vec3> = (0..primitive.vertex_count())
                .map(|vertex| deform_position(primitive, vertex, drawable, palette, &[], weights))
                .collect();
            for &vertex in own.iter().step_by(97) {
                let p = places[vertex as usize];
                let corners = indices.chunks_exact(3).map(|t| [0, 1, 2].map(|i| places[t[i] as usize]));
                let near = corners
                    .map(|corners| nearest_on(p, corners))
                    .min_by(|a, b| p.distance_squared(*a).total_cmp(&p.distance_squared(*b)))
                    .expect("a triangle");
                let [a, b] = [p, near].map(|p| clip.project_point3(p).truncate());
                most = most.max(((a - b) * Vec2::new(1.5, 1.0) * 0.5 * HEIGHT as f32).length());
            }
        }
    }
    most
}

#[test]
fn crowd_mesh_levels_are_off_by_less_than_half_a_pixel() {
    for (name, model) in MODELS.iter() {
        let levels: Vec<MeshLevel> = [160.0, 80.0, 40.0, 20.0].map(|cells| clustered(model, cells)).into();
        let (mut crowd, rig, size) = crowd_of(model, levels, 24, &mut Random(5));
        let (mut palette, mut weights) = (Vec::new(), Vec::new());
        let mut coarsest = 0;
        for distance in [4.0, 30.0, 120.0, 500.0] {
            let (clip, view) = camera(distance * size);
            for now in [0.4, 1.3] {
                crowd.update(now, &view);
                let shown: Vec<usize> = crowd.visible().collect();
                let runs: Vec<_> = crowd.level_runs().filter(|(level, _)| *level > 0).collect();
                for (level, run) in runs {
                    coarsest = coarsest.max(level);
                    for &member in shown[run].iter().step_by(5) {
                        crowd.pose_member(member, now, &mut palette, &mut weights);
                        let detail = &crowd.mesh_levels()[level - 1];
                        let off = pixels_off(model, &rig, detail, &clip, &palette, &weights);
                        assert!(off < 0.5, "{name}, level {level} at {distance}: {off} pixels");
                    }
                }
            }
        }
        assert_eq!(coarsest, 4, "{name}: far members have the coarsest level");
    }
}

#[test]
fn crowd_mesh_levels_keep_near_members_and_all_members_of_update_rate_full() {
    let (name, model) = &MODELS[0];
    let (mut crowd, _, size) = crowd_of(model, vec![clustered(model, 20.0)], 24, &mut Random(6));
    let levels = |crowd: &Crowd| crowd.level_runs().map(|(level, _)| level).collect::<Vec<_>>();
    crowd.update(0.5, &camera(4.0 * size).1);
    assert_eq!(levels(&crowd), [0], "{name}: near");
    crowd.update(0.5, &camera(2000.0 * size).1);
    assert_eq!(levels(&crowd), [1], "{name}: far");
    crowd.set_update_rate(UpdateRate::Full);
    crowd.update(0.5, &camera(2000.0 * size).1);
    assert_eq!(levels(&crowd), [0], "{name}: full");
}

/// Palettes of a run begin at a whole group, so a run is filled up by members of coarser levels.
#[test]
fn crowd_mesh_levels_are_runs_of_whole_groups_with_the_palettes_of_their_members() {
    for (name, model) in MODELS.iter() {
        let levels: Vec<MeshLevel> = [120.0, 50.0, 16.0].map(|cells| clustered(model, cells)).into();
        for count in [8, 9, 30, 61] {
            let (mut crowd, _, size) = crowd_of(model, levels.clone(), count, &mut Random(count as u64));
            let (mut plain, ..) = crowd_of(model, Vec::new(), count, &mut Random(count as u64));
            let (_, view) = camera(25.0 * size);
            crowd.update(0.7, &view);
            plain.update(0.7, &view);
            let (shown, all): (Vec<_>, Vec<_>) = (crowd.visible().collect(), plain.visible().collect());
            let mut sorted = shown.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, all, "{name}: each member once");
            let runs: Vec<_> = crowd.level_runs().collect();
            assert!(
                runs.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1.end == pair[1].1.start),
                "{runs:?}"
            );
            assert!(runs.iter().all(|(_, run)| run.start.is_multiple_of(4)), "{runs:?}");
            assert_eq!(runs.last().map(|(_, run)| run.end), Some(shown.len()));
            let bits =
                |crowd: &Crowd, at| Affine::as_floats(&crowd.member_palette(at).collect::<Vec<_>>()).to_vec();
            for (at, member) in shown.iter().enumerate() {
                let other = all.iter().position(|other| other == member).expect("visible");
                assert_eq!(bits(&crowd, at), bits(&plain, other), "{name}: member {member}");
            }
        }
    }
}

#[test]
fn crowd_mesh_levels_that_are_not_of_the_model_are_refused() {
    let (_, model) = &MODELS[0];
    let clips = ClipSet::new(model, Rc::new(Rig::new(model)));
    let good = clustered(model, 20.0);
    let at = good.indices.iter().position(Option::is_some).expect("triangles");
    let with = |change: &dyn Fn(&mut Vec<u32>)| {
        let mut level = good.clone();
        if let Some(indices) = &mut level.indices[at] {
            change(indices);
        }
        level
    };
    let mut crowd = Crowd::new(&clips, false);
    for wrong in [
        vec![MeshLevel::default()],
        vec![with(&|indices| indices[0] = u32::MAX)],
        vec![with(&|indices| indices.truncate(4))],
        vec![good.clone(); MAX_MESH_LEVELS + 1],
    ] {
        assert_eq!(crowd.set_mesh_levels(model, wrong), Err(CrowdError::Range));
        assert!(crowd.mesh_levels().is_empty());
    }
    let bounds = Bounds::new(model, &clips.rig.layout);
    // A primitive without any triangle is never small enough.
    crowd.set_mesh_levels(model, vec![with(&|indices| indices.clear())]).expect("valid");
    while crowd.measure(model, &clips, &bounds) {}
    assert_eq!(crowd.set_mesh_levels(model, vec![good]), Err(CrowdError::Range), "after measuring");
    crowd.resize(8, 0.0);
    crowd.update(0.0, &camera(1e5).1);
    assert_eq!(crowd.level_runs().map(|(level, _)| level).collect::<Vec<_>>(), [0]);
}
