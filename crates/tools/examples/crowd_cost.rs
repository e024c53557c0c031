//! Prints the time to pose a crowd, with joints and as a morph cache.

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
    // As `push_members` of the renderer counts and lists the active targets.
    let (mut listing, mut active) = (f64::MAX, 0);
    let width = crowd.weight_count();
    let mut list: Vec<f32> = Vec::new();
    for _ in 0..20 {
        let start = Instant::now();
        list.clear();
        let of = |member: usize| &crowd.weights()[member * width..][..width];
        active =
            (0..crowd.visible_len()).map(|m| of(m).iter().filter(|w| **w != 0.0).count()).max().unwrap_or(0);
        for member in 0..crowd.visible_len() {
            for (target, &weight) in of(member).iter().enumerate().filter(|(_, weight)| **weight != 0.0) {
                list.extend([target as f32, weight, 0.0, 0.0]);
            }
        }
        listing = listing.min(start.elapsed().as_secs_f64());
    }
    let upload = crowd.palette().len() * 48 + list.len() * 4;
    println!(
        "{name}: {:.2} ms to pose, {:.2} ms to list {active} active of {width}, {:.1} MB to upload, {} visible, measured in {measured:?}",
        best * 1e3,
        listing * 1e3,
        upload as f64 / 1e6,
        crowd.visible_len()
    );
}
