//! Prints the time to pose a crowd, with joints and as a morph cache.
#![expect(clippy::print_stdout, reason = "it prints figures")]

use gambol::animation::{Bounds, ClipSet, Crowd, CrowdView, MemberPart, Rig, UpdateRate};
use gambol::import::{NoResolver, import};
use gambol::model::{ClipId, Model};
use gambol_tools::{BakeOptions, Document, bake_morphs};
use glam::{Mat4, Vec3};
use std::rc::Rc;
use std::time::Instant;

fn main() {
    let bytes = gambol_sample::glb();
    let document = Document::parse(&bytes, &mut NoResolver).expect("a document");
    let model = import(&bytes, &mut NoResolver).expect("a model").model;
    let walk = model.clips.iter().position(|clip| clip.name == "Walk").expect("Walk");
    run("joints", &model, walk, UpdateRate::Full, false);
    run("joints auto", &model, walk, UpdateRate::Auto, false);
    run("joints baked", &model, walk, UpdateRate::Full, true);
    for (name, clips) in [("cache of Walk", vec![walk]), ("cache of all", (0..model.clips.len()).collect())] {
        let first = clips.iter().position(|&clip| clip == walk).expect("Walk");
        let clips = clips.into_iter().map(ClipId::new).collect();
        let now = Instant::now();
        let options = BakeOptions { clips, fps: 30.0, steps: false };
        let (cache, report) = bake_morphs(document.clone(), &model, &options).expect("a cache");
        let glb = cache.to_glb().expect("a GLB");
        println!("{name}: {report:?}, {} bytes, {:?}", glb.len(), now.elapsed());
        let baked = import(&glb, &mut NoResolver).expect("a model").model;
        run(name, &baked, first, UpdateRate::Full, false);
        run(&format!("{name}, baked"), &baked, first, UpdateRate::Full, true);
    }
}

fn run(name: &str, model: &Model, clip: usize, rate: UpdateRate, is_baked: bool) {
    let count = 10_000;
    let clips = ClipSet::new(model, Rc::new(Rig::new(model)));
    let bounds = Bounds::new(model, &clips.rig.layout);
    let mut crowd = Crowd::new(&clips, false);
    let now = Instant::now();
    while crowd.measure(model, &clips, &bounds) {}
    let measured = now.elapsed();
    crowd.resize(count, 0.0);
    crowd.set_update_rate(rate);
    crowd.set_baked(is_baked);
    let side = (count as f64).sqrt().ceil();
    let mut set = |part, number: &dyn Fn(usize) -> Vec<f64>| {
        let numbers: Vec<f64> = (0..count).flat_map(number).collect();
        crowd.set(part, 0, &numbers, 0.0).expect("good numbers");
    };
    set(MemberPart::Position, &|i| vec![2.0 * (i as f64 % side), 0.0, -2.0 * (i as f64 / side).floor()]);
    set(MemberPart::Clip, &|_| vec![clip as f64]);
    set(MemberPart::Start, &|i| vec![-0.37 * i as f64]);
    let middle = Vec3::new(side as f32, 0.0, -side as f32);
    let view = Mat4::from_translation(-middle - Vec3::new(0.0, 0.0, 4.0 * side as f32));
    let projection = glam::camera::rh::proj::opengl::perspective(0.8, 1.5, 0.1, 1e4);
    let view = CrowdView::new(&view, &projection, 720, true);
    let mut best = f64::MAX;
    for frame in 0..40 {
        let start = Instant::now();
        crowd.update(f64::from(frame) / 60.0, &view);
        best = best.min(start.elapsed().as_secs_f64());
    }
    let active = match crowd.active_targets() {
        [] => crowd.weights().len(),
        targets => targets.len(),
    };
    let upload = crowd.palette().len() * 48 + crowd.active_targets().len() * 4;
    println!(
        "{name}: {:.2} ms to pose, {active} active weights, {:.1} MB to upload, {} visible, measured in {measured:?}",
        best * 1e3,
        upload as f64 / 1e6,
        crowd.visible_len()
    );
}
