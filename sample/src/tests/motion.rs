use super::file::{Channel, Clip, File};
use super::{Expected, FILES};
use glam::{DQuat, DVec3, DVec4};

fn each_clip(check: impl Fn(&File, &Expected, &Clip)) {
    for (file, expected) in FILES.iter() {
        for clip in &file.clips {
            check(file, expected, clip);
        }
    }
}

fn joints(channels: &[Channel]) -> impl Iterator<Item = &Channel> {
    channels.iter().filter(|channel| channel.path != "weights")
}

/// Two values of a channel as the change from one to the other: an angle, a length or a factor.
fn change(channel: &Channel, a: &[f64], b: &[f64]) -> DVec3 {
    if channel.path == "rotation" {
        let q = |v: &[f64]| DQuat::from_vec4(DVec4::new(v[0], v[1], v[2], v[3])).normalize();
        (q(a).conjugate() * q(b)).to_scaled_axis()
    } else {
        DVec3::new(b[0] - a[0], b[1] - a[1], b[2] - a[2])
    }
}

#[test]
fn all_clips_exist() {
    for (file, expected) in FILES.iter() {
        let names: Vec<&str> = file.clips.iter().map(|clip| clip.name.as_str()).collect();
        assert_eq!(names, expected.clips);
    }
}

#[test]
fn loops_have_no_seam() {
    each_clip(|file, expected, clip| {
        if expected.once.contains(&clip.name.as_str()) {
            return;
        }
        for channel in joints(&clip.channels) {
            let (keys, times) = (&channel.values, &channel.times);
            let n = keys.len() - 1;
            let name =
                format!("{} {} {} {}", expected.file, clip.name, file.node_name(channel.node), channel.path);
            assert!(times[0] == 0.0 && times[n] == clip.duration, "{name}");
            assert!(change(channel, &keys[0], &keys[n]).length() < 1e-4, "{name}");
            // The change of velocity across the seam is no larger than at the clip's other keys.
            let velocity = |i: usize| change(channel, &keys[i], &keys[i + 1]) / (times[i + 1] - times[i]);
            let usual = (1..n).map(|i| (velocity(i) - velocity(i - 1)).length()).fold(0.0, f64::max);
            let seam = (velocity(0) - velocity(n - 1)).length();
            assert!(seam < 1.1 * usual + 0.05, "{name}: {seam} {usual}");
        }
        let weights = clip.channels.iter().find(|channel| channel.path == "weights").expect("a face");
        assert_eq!(weights.values[0], weights.values[weights.values.len() - 1]);
    });
}

#[test]
fn one_shots_begin_and_end_in_the_idle_pose() {
    each_clip(|file, expected, clip| {
        if !expected.once.contains(&clip.name.as_str()) {
            return;
        }
        let idle = file.named("Idle");
        let turn = clip.extras["turn"].as_f64().unwrap_or(0.0).to_radians();
        for joint in file.root["skins"][0]["joints"].as_array().expect("joints") {
            let line = file.line(joint.as_u64().unwrap_or(0) as usize);
            let goal = file.place(idle, 0.0, &line);
            let start = file.place(clip, 0.0, &line);
            let end = file.place(clip, clip.duration, &line);
            let end = glam::DAffine3::from_rotation_y(-turn) * end;
            for pose in [start, end] {
                let off = pose.translation.distance(goal.translation);
                let turned = (pose.matrix3 * goal.matrix3.inverse() - glam::DMat3::IDENTITY).to_cols_array();
                let turned = turned.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
                let name = file.node_name(line[0]);
                assert!(off < 2e-3 && turned < 0.02, "{} {name}: {off} m, {turned}", clip.name);
            }
        }
    });
}

/// The positions of the points of all soles at a time.
fn soles(file: &File, expected: &Expected, clip: &Clip, time: f64) -> Vec<DVec3> {
    let sole = |&(foot, at): &(&str, [f64; 3])| {
        let node = file.node(foot);
        let offset = DVec3::from_array(at) - file.at(node);
        file.place(clip, time, &file.line(node)).transform_point3(offset)
    };
    expected.soles.iter().map(sole).collect()
}

#[test]
fn feet_stay_above_the_ground() {
    each_clip(|file, expected, clip| {
        for i in 0..60 {
            let time = clip.duration * f64::from(i) / 60.0;
            for p in soles(file, expected, clip, time) {
                assert!(p.y > -0.03, "{} {} {time} {p}", expected.file, clip.name);
            }
        }
    });
}

#[test]
fn idle_feet_do_not_move() {
    for (file, expected) in FILES.iter() {
        let idle = file.named("Idle");
        let first = soles(file, expected, idle, 0.0);
        for i in 0..60 {
            let now = soles(file, expected, idle, idle.duration * f64::from(i) / 60.0);
            for (a, b) in first.iter().zip(&now) {
                assert!(a.distance(*b) < 4e-3, "{} {a} {b}", expected.file);
            }
        }
    }
}

/// While a point of a sole is on the ground, it moves back at the speed of the clip: in the world it stays in its place.
#[test]
fn planted_feet_do_not_slide() {
    const STEPS: u32 = 240;
    for (file, expected) in FILES.iter() {
        let mut gaits = 0;
        for clip in file.clips.iter().filter(|clip| clip.extras["speed"].as_f64().is_some()) {
            gaits += 1;
            let speed = clip.extras["speed"].as_f64().unwrap_or(0.0);
            let frame = |i: u32| soles(file, expected, clip, clip.duration * f64::from(i) / f64::from(STEPS));
            let dt = clip.duration / f64::from(STEPS);
            let frames: Vec<Vec<DVec3>> = (0..=STEPS).map(frame).collect();
            for point in 0..expected.soles.len() {
                // The stretch of time on the ground, in the world.
                let mut planted: Vec<DVec3> = Vec::new();
                let mut longest = 0;
                for (i, frame) in frames.iter().enumerate() {
                    let p = frame[point];
                    if p.y.abs() > 3e-3 {
                        planted.clear();
                        continue;
                    }
                    planted.push(p + DVec3::Z * (speed * dt * i as f64));
                    longest = longest.max(planted.len());
                    let slid = planted[0].distance(p + DVec3::Z * (speed * dt * i as f64));
                    assert!(slid < 8e-3, "{} {} {i}: {slid} m", expected.file, clip.name);
                }
                assert!(longest > 10, "{} {} {point}: {longest}", expected.file, clip.name);
            }
        }
        assert!(gaits >= 2, "{}", expected.file);
    }
}

/// Feet that turn on the spot stay where they stand.
#[test]
fn turns_do_not_slide() {
    let (file, expected) = &FILES[0];
    for name in ["TurnLeft", "TurnRight"] {
        let clip = file.named(name);
        assert_eq!(clip.extras["turn"].as_f64().map(f64::abs), Some(90.0));
        let mut before = soles(file, expected, clip, 0.0);
        for i in 1..=120 {
            let now = soles(file, expected, clip, clip.duration * f64::from(i) / 120.0);
            for (a, b) in before.iter().zip(&now) {
                let slid = DVec3::new(b.x - a.x, 0.0, b.z - a.z).length();
                assert!(a.y.max(b.y) > 4e-3 || slid < 1.5e-3, "{name} {i}: {slid} m");
            }
            before = now;
        }
    }
}

/// Between its markers `down` and `up`, a seated clip can be repeated.
#[test]
fn seated_parts_loop() {
    for (file, name) in FILES[..2].iter().flat_map(|(file, _)| ["Sit", "Sleep"].map(|name| (file, name))) {
        let clip = file.named(name);
        let time = |name: &str| {
            let all = clip.extras["markers"].as_array().expect("markers");
            let marker = all.iter().find(|marker| marker["name"] == name).expect("the marker");
            marker["time"].as_f64().unwrap_or(0.0)
        };
        for joint in file.root["skins"][0]["joints"].as_array().expect("joints") {
            let line = file.line(joint.as_u64().unwrap_or(0) as usize);
            let [a, b] = ["down", "up"].map(|at| file.place(clip, time(at), &line).translation);
            assert!(a.distance(b) < 0.03, "{name} {}: {}", file.node_name(line[0]), a.distance(b));
        }
    }
}

/// Walking on four legs, the feet land one after the other, at equal times: a hind foot, then the forefoot of its side.
#[test]
fn lumi_walks_in_four_beats() {
    let (file, expected) = &FILES[1];
    let clip = file.named("Walk");
    const STEPS: u32 = 200;
    let frames: Vec<Vec<DVec3>> = (0..=STEPS)
        .map(|i| soles(file, expected, clip, clip.duration * f64::from(i) / f64::from(STEPS)))
        .collect();
    // The landing of each foot: the frame at which it comes down to the ground.
    let landing = |foot: usize| {
        let down = |i: usize| frames[i % STEPS as usize][foot].y < 2e-3;
        let at = (0..STEPS as usize).find(|&i| !down(i) && down(i + 1)).expect("a landing");
        at as f64 / f64::from(STEPS)
    };
    let [fore_left, fore_right, hind_left, hind_right] = [0, 1, 2, 3].map(landing);
    let after = |a: f64, b: f64| (b - a).rem_euclid(1.0);
    for (a, b) in
        [(hind_left, fore_left), (fore_left, hind_right), (hind_right, fore_right), (fore_right, hind_left)]
    {
        assert!((after(a, b) - 0.25).abs() < 0.03, "{a} {b}");
    }
}
