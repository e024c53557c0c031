//! Native benchmarks: sample → pose → palette of 1, 100 and 1,000 independent characters of 20 joints. Further ones
//! measure mixing, and skinning and picking on the CPU.

mod workload;

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use workload::{Crowd, Feature, JOINTS, Members, Pickable, Procedural, Retargeting, Skinned, Steered, Way};

fn palettes(criterion: &mut Criterion) {
    for count in [1, 100, 1000] {
        let mut crowd = Crowd::new(count, false);
        let name = format!("palette.{count}x{JOINTS}");
        criterion.bench_function(&format!("{name}.forward"), |b| b.iter(|| black_box(crowd.forward())));
        criterion.bench_function(&format!("{name}.seek"), |b| b.iter(|| black_box(crowd.seek())));
        if count == 1000 {
            criterion
                .bench_function(&format!("{name}.crowd"), |b| b.iter(|| black_box(crowd.quartets(false))));
            criterion.bench_function(&format!("{name}.crowd_seek"), |b| {
                b.iter(|| black_box(crowd.quartets_seek()))
            });
            criterion.bench_function(&format!("{name}.crowd_blend2"), |b| {
                b.iter(|| black_box(crowd.quartets_blended()))
            });
            criterion.bench_function(&format!("{name}.floor"), |b| b.iter(|| black_box(crowd.floor())));
        }
        for (feature, what) in Feature::ALL.into_iter().filter(|_| count == 1000) {
            criterion
                .bench_function(&format!("{name}.{what}"), |b| b.iter(|| black_box(crowd.mixed(feature))));
        }
    }
}

/// Whole crowds, and a mesh that is skinned on the CPU.
fn members_and_skins(criterion: &mut Criterion) {
    let mut members = Members::new(1000);
    for (way, name) in Way::ALL {
        criterion.bench_function(&format!("palette.1000x{JOINTS}.crowd_{name}"), |b| {
            b.iter(|| black_box(members.pose(way)))
        });
    }
    for (normals, name) in [(false, "positions"), (true, "normals")] {
        let mut skinned = Skinned::new(normals);
        let name = format!("skin.{name}.{}", skinned.vertices());
        criterion.bench_function(&name, |b| b.iter(|| black_box(skinned.deform())));
    }
}

/// The nearest of 100,000 triangles on each ray.
fn rays(criterion: &mut Criterion) {
    let mut pickable = Pickable::new();
    let name = format!("pick.100k.{}", pickable.rays());
    criterion.bench_function(&name, |b| b.iter(|| black_box(pickable.pick())));
}

/// A clip of 1,000 keys for a body of 65 joints.
fn clips(criterion: &mut Criterion) {
    let retargeting = Retargeting::new();
    criterion.bench_function("retarget.1000x65", |b| b.iter(|| black_box(retargeting.run())));
}

/// A state machine of 20 states in 3 layers, and its player without it.
fn machines(criterion: &mut Criterion) {
    let mut steered = Steered::new();
    criterion.bench_function("states.20x3", |b| b.iter(|| black_box(steered.update())));
    criterion.bench_function("states.20x3.without", |b| b.iter(|| black_box(steered.without())));
}

/// A chain of ten bones, as spring bones and with inverse kinematics; two feet on the ground.
fn chains(criterion: &mut Criterion) {
    let mut procedural = Procedural::new();
    criterion.bench_function("springs.10", |b| b.iter(|| black_box(procedural.springs())));
    criterion.bench_function("springs.10.without", |b| b.iter(|| black_box(procedural.without_springs())));
    criterion.bench_function("chain_ik.10", |b| b.iter(|| black_box(procedural.chain())));
    criterion.bench_function("feet", |b| b.iter(|| black_box(procedural.feet())));
}

criterion_group!(benches, palettes, members_and_skins, rays, clips, machines, chains);
criterion_main!(benches);
