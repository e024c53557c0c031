//! A whole [`Crowd`], posed in each frame as the stage does.

use super::{CLIPS, FRAME, model};
use gambol::animation::{Affine, Bounds, ClipSet, Crowd, CrowdView, MemberPart, Rig, UpdateRate};
use glam::{Mat4, Vec3};
use std::rc::Rc;

/// The ways to pose a crowd.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// Computes all poses in each frame.
    Full,
    /// Interpolates small members between cached poses.
    Auto,
    /// Interpolates all members between cached poses.
    Baked,
}

impl Way {
    pub(crate) const ALL: [(Self, &str); 3] =
        [(Self::Full, "full"), (Self::Auto, "auto"), (Self::Baked, "baked")];
}

/// Characters in a square, all in view, each in its own clip at its own time.
pub(crate) struct Members {
    crowd: Crowd,
    view: CrowdView,
    now: f64,
}

impl Members {
    pub(crate) fn new(count: usize) -> Self {
        let model = model(false);
        let clips = ClipSet::new(&model, Rc::new(Rig::new(&model)));
        let bounds = Bounds::new(&model, &clips.rig.layout);
        let mut crowd = Crowd::new(&clips, false);
        while crowd.measure(&model, &clips, &bounds) {}
        crowd.resize(count, 0.0);
        let side = (count as f64).sqrt().ceil();
        let mut set = |part, number: &dyn Fn(usize) -> Vec<f64>| {
            let numbers: Vec<f64> = (0..count).flat_map(number).collect();
            crowd.set(part, 0, &numbers, 0.0).expect("good numbers");
        };
        let place = |i: usize| vec![2.0 * (i as f64 % side), 0.0, -2.0 * (i as f64 / side).floor()];
        set(MemberPart::Position, &place);
        set(MemberPart::Clip, &|i| vec![(i % CLIPS) as f64]);
        set(MemberPart::Start, &|i| vec![-0.37 * i as f64]);
        let middle = Vec3::new(side as f32, 0.0, -side as f32);
        let view = Mat4::from_translation(-middle - Vec3::new(0.0, 0.0, 4.0 * side as f32));
        let projection = glam::camera::rh::proj::opengl::perspective(0.8, 1.5, 0.1, 1e4);
        let view = CrowdView::new(&view, &projection, 720, true);
        Self { crowd, view, now: 0.0 }
    }

    /// Poses the members for one frame.
    pub(crate) fn pose(&mut self, way: Way) -> f32 {
        let rate = if way == Way::Auto { UpdateRate::Auto } else { UpdateRate::Full };
        if self.crowd.update_rate() != rate {
            self.crowd.set_update_rate(rate);
        }
        if self.crowd.is_baked() != (way == Way::Baked) {
            self.crowd.set_baked(way == Way::Baked);
        }
        self.now += FRAME;
        self.crowd.update(self.now, &self.view);
        assert_eq!(self.crowd.visible_len(), self.crowd.len(), "a member is outside the view frustum");
        Affine::as_floats(self.crowd.palette())[3]
    }
}
