//! The cycle of a foot in a gait.

use super::curve;
use super::limb::Foot;
use crate::maths::sin;

/// The foot of a walk or run at `phase` of its cycle. For the first `duty` of the cycle it is on the ground and moves
/// back at constant speed over `stride`; then it swings forward, `lift` high.
pub(crate) fn step(phase: f64, duty: f64, stride: f64, lift: f64, heel: f64, strike: f64) -> Foot {
    let p = phase - phase.floor();
    let mut foot = Foot::default();
    if p < duty {
        let u = p / duty;
        foot.pos.z = stride * (0.5 - u);
        // Land on the heel, roll over, push off from the ball while the toes stay flat.
        foot.pitch = curve(u, &[(0.0, -strike), (0.22, 0.0), (0.55, 0.0), (1.0, heel)]);
        foot.toe = -foot.pitch.max(0.0);
    } else {
        let u = (p - duty) / (1.0 - duty);
        let m = -stride / duty * (1.0 - duty);
        let (u2, u3) = (u * u, u * u * u);
        let (a, b) = (-0.5 * stride, 0.5 * stride);
        foot.pos.z = (2.0 * u3 - 3.0 * u2 + 1.0) * a
            + (u3 - 2.0 * u2 + u) * m
            + (3.0 * u2 - 2.0 * u3) * b
            + (u3 - u2) * m;
        // Higher in the first half. The foot comes down without hovering, so it does not slide before it stands.
        foot.pos.y = lift * sin(std::f64::consts::PI * u * (1.5 - 0.5 * u));
        foot.pitch = curve(u, &[(0.0, heel), (0.25, heel * 1.15), (0.8, -strike * 1.1), (1.0, -strike)]);
        foot.toe = curve(u, &[(0.0, -heel), (0.3, 0.0), (1.0, 0.0)]);
    }
    foot
}
