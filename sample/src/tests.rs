use crate::mesher::{edges, remesh, surface_nets};
use crate::motion::{Track, tracks};
use crate::shape;
use crate::skeleton::{ANKLE, BALL, COUNT, J, JOINTS, local, mirrored};
use glam::{DAffine3, DQuat, DVec3, dvec3};
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::LazyLock;

static GLB: LazyLock<Vec<u8>> = LazyLock::new(crate::glb);
static TRACKS: LazyLock<Vec<Track>> = LazyLock::new(tracks);

fn word(at: usize) -> usize {
    (0..4).map(|i| usize::from(GLB[at + i]) << (8 * i)).sum()
}

static ROOT: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_slice(&GLB[20..20 + word(12)]).expect("the JSON chunk parses"));

fn number(v: &Value) -> usize {
    v.as_u64().unwrap_or(0) as usize
}

/// The bytes of an accessor.
fn bytes(accessor: &Value, size: usize) -> &'static [u8] {
    let a = &ROOT["accessors"][number(accessor)];
    let view = &ROOT["bufferViews"][number(&a["bufferView"])];
    let start = 28 + word(12) + number(&view["byteOffset"]) + number(&a["byteOffset"]);
    &GLB[start..start + size * number(&a["count"])]
}

#[test]
fn same_bytes_every_time_and_small() {
    assert_eq!(*GLB, crate::glb());
    assert_eq!(word(8), GLB.len());
    assert!(GLB.len() < 400_000, "{} bytes", GLB.len());
}

#[test]
fn joints_have_distinct_names() {
    let joints = ROOT["skins"][0]["joints"].as_array().expect("a skin");
    let names: BTreeSet<_> =
        joints.iter().filter_map(|j| ROOT["nodes"][number(j)]["name"].as_str()).collect();
    assert!(names.len() >= 25);
    assert_eq!(names.len(), COUNT);
}

#[test]
fn weights_sum_to_one() {
    for primitive in ROOT["meshes"][0]["primitives"].as_array().expect("primitives") {
        let weights = bytes(&primitive["attributes"]["WEIGHTS_0"], 4);
        let joints = bytes(&primitive["attributes"]["JOINTS_0"], 4);
        for (w, j) in weights.chunks_exact(4).zip(joints.chunks_exact(4)) {
            assert_eq!(w.iter().map(|&w| u32::from(w)).sum::<u32>(), 255);
            for (w, &j) in w.iter().zip(j) {
                assert!(usize::from(j) < COUNT && (*w > 0 || j == 0));
            }
        }
    }
}

#[test]
fn face_has_targets() {
    let mesh = &ROOT["meshes"][0];
    assert_eq!(mesh["extras"]["targetNames"], serde_json::json!(crate::face::TARGETS));
    for primitive in mesh["primitives"].as_array().expect("primitives") {
        for target in primitive["targets"].as_array().expect("targets") {
            for name in ["POSITION", "NORMAL"] {
                let a = &ROOT["accessors"][number(&target[name])];
                assert!(number(&a["sparse"]["count"]) > 20);
            }
        }
    }
}

#[test]
fn all_clips_exist_and_close() {
    let names: Vec<_> = TRACKS.iter().map(|t| t.name).collect();
    assert_eq!(names, ["Idle", "Walk", "Run", "Jump", "Wave", "Dance"]);
    for track in TRACKS.iter() {
        let n = track.times.len() - 1;
        for (j, keys) in track.rotations.iter().enumerate() {
            let Some(keys) = keys else { continue };
            assert_eq!(keys[0], keys[n], "{} {}", track.name, JOINTS[j].name);
            // The step across the seam is no larger than the clip's other steps.
            let step = |i: usize, k: usize| keys[i].dot(keys[k]).abs().min(1.0);
            let usual = (0..n).map(|i| step(i, i + 1)).fold(1.0, f64::min);
            assert!(step(n - 1, 0) >= usual - 1e-3);
            // The velocity is continuous too: the seam has no larger change than the rest of the clip.
            let jolt = |a: usize, b: usize, c: usize| (keys[c] - keys[b] - (keys[b] - keys[a])).length();
            let usual = (1..n).map(|i| jolt(i - 1, i, i + 1)).fold(0.0, f64::max);
            let seam = (keys[1] - keys[0] - (keys[n] - keys[n - 1])).length();
            assert!(seam < 1.05 * usual + 1e-3, "{} {} {seam} {usual}", track.name, JOINTS[j].name);
        }
        let (first, last) = (track.face[0], track.face[track.face.len() - 1]);
        assert_eq!(first.1, last.1);
        assert!((last.0 - track.times[n]).abs() < 1e-9);
    }
}

/// The position at a key of a point that is fixed to a joint.
fn place(track: &Track, key: usize, joint: J, point: DVec3) -> DVec3 {
    let mut chain = vec![joint as usize];
    while chain[chain.len() - 1] != 0 {
        chain.push(JOINTS[chain[chain.len() - 1]].parent as usize);
    }
    let mut p = point - JOINTS[joint as usize].at;
    for j in chain {
        let r = track.rotations[j].as_ref().map_or(DQuat::IDENTITY, |k| k[key]);
        let t = track.translations[j].as_ref().map_or(local(j), |k| k[key]);
        let s = track.scales[j].as_ref().map_or(DVec3::ONE, |k| k[key]);
        p = DAffine3::from_scale_rotation_translation(s, r, t).transform_point3(p);
    }
    p
}

/// The positions of the heel and the ball on the sole, at a key.
fn sole(track: &Track, key: usize, left: bool) -> [DVec3; 2] {
    let side = |p: DVec3| if left { p } else { mirrored(p) };
    let foot = if left { J::FootL } else { J::FootR };
    [dvec3(ANKLE.x, 0.0, ANKLE.z - 0.04), dvec3(BALL.x, 0.0, BALL.z)]
        .map(|p| place(track, key, foot, side(p)))
}

#[test]
fn feet_stay_on_the_ground() {
    for track in TRACKS.iter() {
        for key in 0..track.times.len() {
            for left in [true, false] {
                for p in sole(track, key, left) {
                    assert!(p.y > -0.03, "{} {key} {p}", track.name);
                }
            }
            if track.name == "Idle" {
                for left in [true, false] {
                    assert!(sole(track, key, left).iter().all(|p| p.y.abs() < 2e-3));
                    assert!(sole(track, key, left)[0].distance(sole(track, 0, left)[0]) < 2e-3);
                }
            }
        }
    }
}

#[test]
fn planted_feet_do_not_slide() {
    for track in TRACKS.iter().filter(|t| t.speed > 0.0) {
        let mut planted = 0;
        for key in 0..track.times.len() - 1 {
            let dt = track.times[key + 1] - track.times[key];
            for left in [true, false] {
                let (now, next) = (sole(track, key, left), sole(track, key + 1, left));
                // A foot that is flat on the ground at both keys must move back exactly at the clip's speed.
                if now.iter().chain(&next).all(|p| p.y.abs() < 1.5e-3) {
                    planted += 1;
                    for (a, b) in now.iter().zip(&next) {
                        let slip = (*b - *a) / dt + DVec3::Z * track.speed;
                        assert!(slip.length() < 0.08 * track.speed, "{} {key} {slip}", track.name);
                    }
                }
            }
        }
        assert!(planted >= 2, "{}", track.name);
    }
}

#[test]
fn surfaces_have_no_cracks() {
    let (lo, hi) = (dvec3(-0.19, 0.24, -0.19), dvec3(0.19, 0.55, 0.24));
    let mut scarf = surface_nets(&shape::scarf, lo, hi, 0.0115, false);
    remesh(&mut scarf, &shape::scarf, &shape::scarf_size, false, &[]);
    assert!(edges(&scarf).values().all(|t| t.len() == 2));

    let (lo, hi) = (dvec3(0.0, -0.03, -0.53), dvec3(0.37, 1.16, 0.34));
    let mut half = surface_nets(&shape::body, lo, hi, 0.0145, true);
    remesh(&mut half, &shape::body, &shape::body_size, true, &shape::TIPS);
    for ((a, b), tris) in edges(&half) {
        let border = [a, b].iter().all(|&v| half.pos[v as usize].x == 0.0);
        let at = half.pos[a as usize];
        assert!(tris.len() == 2 || tris.len() == 1 && border, "{} triangles at {at}", tris.len());
    }
}
