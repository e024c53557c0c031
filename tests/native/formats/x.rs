//! DirectX .x files, played by gambol.

use super::samples::arms;
use super::{Moment, converted};
use gambol::animation::Rig;
use glam::{DMat4, DVec3};

/// A turn about an axis and a translation, in a mirror of Z.
fn mirrored(axis: DVec3, degrees: f64, translation: [f64; 3]) -> DMat4 {
    let mirror = DMat4::from_scale(DVec3::new(1.0, 1.0, -1.0));
    let matrix = DMat4::from_axis_angle(axis, degrees.to_radians());
    mirror * DMat4::from_translation(translation.into()) * matrix * mirror
}

/// The arm of `samples/arm.rs`: the hand after its three bones, by formula.
#[test]
fn x_bones_are_where_their_keys_put_them() {
    for (name, file) in arms() {
        let model = converted(&file, name, None);
        let rig = Rig::new(&model);
        assert_eq!(model.clips[0].name, "Wave");
        for time in [0, 160, 320, 640, 960] {
            let t = f64::from(time) / 960.0;
            let moment = Moment::new(&model, &rig, 0, f64::from(time) / 4800.0);
            let root = mirrored(DVec3::Y, 30.0, [1.0, 2.0, 3.0]);
            let upper = mirrored(DVec3::Z, 300.0 * t - 40.0, [0.0, 1.0, 0.0]);
            let lower = mirrored(DVec3::Y, 100.0 * t, [2.0, 0.5 * t, -0.3 * t])
                * DMat4::from_scale(DVec3::new(1.0 + t, 1.0 + 0.5 * t, 1.0));
            let hand = mirrored(DVec3::X, 80.0 * t, [2.0, t, 0.0]);
            let found = moment.matrix("Hand");
            let expected = root * upper * lower * hand;
            assert!(found.abs_diff_eq(expected, 2e-5), "{name} at {t}: {found} instead of {expected}");
            let stand = root * mirrored(DVec3::Y, -170.0 * t, [0.0, 0.0, 4.0 * t]);
            assert!(moment.matrix("Stand").abs_diff_eq(stand, 2e-5), "{name} at {t}");
            assert!(moment.position("Body").abs_diff_eq(root.w_axis.truncate(), 1e-6));
        }
    }
}
