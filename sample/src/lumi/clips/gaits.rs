//! Walk, trot and gallop in place. Each has the footfalls of a cat.

use super::{BASE, Clip};
use crate::lumi::rig::Controls;
use crate::maths::wave;
use crate::motion::gait::step;
use glam::dvec3;

/// A gait's cycle. Feet land and leave the ground at keys of the clip. The phases of the landings are those of the left and right forefoot, then of the hind feet.
struct Gait {
    duration: f64,
    duty: f64,
    stride: f64,
    lift: f64,
    /// The curl of a paw that leaves the ground.
    curl: f64,
    fore: [f64; 2],
    hind: [f64; 2],
    /// The distance of the feet from their rest towards the middle line.
    narrow: f64,
}

impl Gait {
    const fn speed(&self) -> f64 {
        self.stride / (self.duty * self.duration)
    }

    /// The controls with all feet at a phase.
    fn feet(&self, p: f64) -> Controls {
        let mut c = Controls::default();
        for i in 0..2 {
            let s = if i == 0 { 1.0 } else { -1.0 };
            let foot = |landing: f64| {
                let mut foot = step(p - landing, self.duty, self.stride, self.lift, self.curl, 0.0);
                foot.pos.x = -s * self.narrow;
                foot
            };
            c.fore[i] = foot(self.fore[i]);
            c.hind[i] = foot(self.hind[i]);
        }
        c
    }
}

/// Four beats: left hind, left fore, right hind, right fore.
const WALKING: Gait = Gait {
    duration: 1.0,
    duty: 20.0 / 32.0,
    stride: 0.22,
    lift: 0.045,
    curl: 40.0,
    fore: [0.25, 0.75],
    hind: [0.0, 0.5],
    narrow: 0.025,
};

/// Two beats: the feet of a diagonal land together.
const TROTTING: Gait = Gait {
    duration: 0.54,
    duty: 10.0 / 24.0,
    stride: 0.2,
    lift: 0.055,
    curl: 46.0,
    fore: [0.5, 0.0],
    hind: [0.0, 0.5],
    narrow: 0.03,
};

/// A gallop: the hind feet, then the forefeet, each pair one shortly after the other, and a moment in the air.
const GALLOPING: Gait = Gait {
    duration: 0.46,
    duty: 7.0 / 24.0,
    stride: 0.26,
    lift: 0.085,
    curl: 56.0,
    fore: [11.0 / 24.0, 14.0 / 24.0],
    hind: [0.0, 3.0 / 24.0],
    narrow: 0.025,
};

/// The morph weights of a happy and of an eager face.
const HAPPY: [f64; 4] = [0.0, 0.35, 0.0, 0.0];
const EAGER: [f64; 4] = [0.0, 0.75, 0.0, 0.0];

pub(super) const WALK: Clip = Clip {
    name: "Walk",
    duration: WALKING.duration,
    steps: 32,
    pose: walk,
    face: &[
        (0.0, HAPPY),
        (0.4, HAPPY),
        (0.48, [1.0, 0.35, 0.0, 0.0]),
        (0.6, HAPPY),
        (WALKING.duration, HAPPY),
    ],
    speed: WALKING.speed(),
    markers: &[(0.0, "left hind"), (0.25, "left fore"), (0.5, "right hind"), (0.75, "right fore")],
    wind: dvec3(0.0, 0.0, -2.0),
    ..BASE
};

pub(super) const TROT: Clip = Clip {
    name: "Trot",
    duration: TROTTING.duration,
    steps: 24,
    pose: trot,
    face: &[(0.0, HAPPY), (0.5 * TROTTING.duration, EAGER), (TROTTING.duration, HAPPY)],
    speed: TROTTING.speed(),
    markers: &[(0.0, "left hind"), (0.5 * TROTTING.duration, "right hind")],
    wind: dvec3(0.0, 0.0, -5.0),
    ..BASE
};

pub(super) const RUN: Clip = Clip {
    name: "Run",
    duration: GALLOPING.duration,
    steps: 24,
    pose: run,
    face: &[(0.0, EAGER), (0.5 * GALLOPING.duration, EAGER), (GALLOPING.duration, EAGER)],
    speed: GALLOPING.speed(),
    markers: &[(0.0, "hind"), (GALLOPING.fore[0] * GALLOPING.duration, "fore")],
    wind: dvec3(0.0, 2.0, -14.0),
    ..BASE
};

fn cos(turns: f64) -> f64 {
    wave(turns + 0.25)
}

fn walk(t: f64) -> Controls {
    let g = &WALKING;
    let p = t / g.duration;
    let mut c = g.feet(p);
    // The body is over the hind foot that stands; the shoulders follow a quarter later.
    let mid = 0.5 * g.duty;
    let (back, front) = (cos(p - mid), cos(p - 0.25 - mid));
    c.hips = dvec3(0.012 * back, -0.014 + 0.006 * cos(2.0 * (p - mid)), 0.0);
    c.hips_turn = dvec3(1.2 * cos(2.0 * (p - 0.12)), -5.0 * cos(p), 4.0 * back);
    c.spine = dvec3(0.0, 4.0 * cos(p - 0.06), -2.5 * back);
    c.chest = dvec3(-cos(2.0 * (p - 0.12)), 4.0 * cos(p - 0.2), -2.5 * back + 2.5 * front);
    let bob = cos(2.0 * (p - 0.25 - mid) - 0.12);
    c.neck = dvec3(2.0 + 2.5 * bob, -2.0 * cos(p - 0.1), -front);
    c.head = dvec3(2.0 - 3.0 * bob, -2.0 * cos(p - 0.1), -front);
    c.ears = [dvec3(-3.0 + 2.0 * bob, 0.0, 3.0); 2];
    for i in 0..6 {
        let lag = 0.1 * i as f64;
        c.tail_yaw[i] = (4.0 + 2.0 * i as f64) * cos(p - mid - lag);
        c.tail_lift[i] = 1.0 + 1.5 * cos(2.0 * p - lag);
    }
    c
}

fn trot(t: f64) -> Controls {
    let g = &TROTTING;
    let p = t / g.duration;
    let mut c = g.feet(p);
    let mid = 0.5 * g.duty;
    let bounce = cos(2.0 * (p - mid));
    c.hips = dvec3(0.0, -0.006 - 0.018 * bounce, 0.0);
    c.hips_turn = dvec3(1.5 * wave(2.0 * p), -5.0 * cos(p), 3.0 * cos(p - mid));
    c.spine = dvec3(0.8 * bounce, 5.0 * cos(p - 0.04), -2.0 * cos(p - mid));
    c.chest = dvec3(-0.8 * bounce, 4.0 * cos(p - 0.1), -3.0 * cos(p - mid));
    c.neck = dvec3(-3.0 + 2.5 * cos(2.0 * (p - mid) - 0.15), -2.0 * cos(p), 0.0);
    c.head = dvec3(4.0 - 3.0 * cos(2.0 * (p - mid) - 0.25), -2.0 * cos(p), 2.0 * cos(p - mid - 0.1));
    c.ears = [dvec3(-8.0 + 4.0 * bounce, 0.0, 4.0); 2];
    for i in 0..6 {
        let lag = 0.1 * i as f64;
        c.tail_yaw[i] = (3.0 + 1.5 * i as f64) * cos(p - lag);
        c.tail_lift[i] = 3.0 + 3.0 * cos(2.0 * (p - mid) - lag);
    }
    c
}

fn run(t: f64) -> Controls {
    let g = &GALLOPING;
    let p = t / g.duration;
    let mut c = g.feet(p);
    // The back is rounded when the hind feet land in front of the hips, and stretched in the air after their push.
    let gather = cos(p + 0.04);
    let rock = cos(p - 0.18);
    c.hips = dvec3(0.0, 0.012 - 0.024 * cos(2.0 * (p - 0.12)) - 0.008 * rock, 0.0);
    c.hips_turn = dvec3(-9.0 * gather + 7.0 * cos(p - 0.5), 0.0, 2.0 * wave(p));
    c.spine = dvec3(9.0 * gather, 0.0, -wave(p));
    c.chest = dvec3(8.0 * gather - 5.0 * cos(p - 0.5), 0.0, -wave(p));
    c.neck = dvec3(4.0 + 6.0 * cos(p - 0.62), 0.0, 0.0);
    c.head = dvec3(-2.0 - 8.0 * cos(p - 0.58), 0.0, 2.0 * wave(p - 0.1));
    for i in 0..2 {
        // The hind feet land in front of their rest, the forefeet too: both pairs swing below the body.
        c.hind[i].pos.z += 0.03;
        c.fore[i].pos.z -= 0.01;
        c.ears[i] = dvec3(-24.0 + 6.0 * cos(p - 0.3), 0.0, 6.0);
    }
    for i in 0..6 {
        let lag = 0.1 * i as f64;
        c.tail_yaw[i] = 2.0 * wave(p - lag);
        c.tail_lift[i] = -2.0 + (5.0 + i as f64) * cos(p - 0.25 - lag);
    }
    c
}
