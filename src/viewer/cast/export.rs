//! Reads an actor for export, on a copy of the cast.

use super::{ActorId, Cast};
use crate::animation::{Snapshot, SnapshotMeshes, local_transforms};
use crate::base::Transform;
use crate::viewer::error::StageError;

/// A frame of a recording.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedFrame {
    /// The local transforms of all nodes, in the order of the file. Those of roots are relative to the placement of the
    /// actor in the first frame.
    pub transforms: Vec<Transform>,
    /// The morph weights of all nodes, in the order of the file.
    pub weights: Vec<f32>,
}

impl Cast {
    /// The snapshot of an actor: now, or with its base at `time`, as by a seek.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn snapshot(
        &self,
        id: ActorId,
        time: Option<f64>,
        meshes: SnapshotMeshes,
    ) -> Result<Snapshot, StageError> {
        let mut cast = self.clone();
        if let Some(time) = time {
            cast.track_mut(id, None)?.seek(time);
        }
        cast.posed = false;
        cast.pose();
        let member = cast.get(id)?;
        Ok(Snapshot::new(&member.actor, &member.asset.model, meshes))
    }

    /// Records an actor while everything on stage acts: layers, inverse kinematics, springs, state machines.
    ///
    /// - `from`: the time of the first frame on the timeline. A later time than now is reached in steps of at most `step`.
    /// - `step`: the seconds between frames, above 0.
    /// - `frames`: the number of frames.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn record(
        &self,
        id: ActorId,
        from: f64,
        step: f64,
        frames: u32,
    ) -> Result<Vec<RecordedFrame>, StageError> {
        let mut cast = self.clone();
        cast.get(id)?;
        let before = ((from - cast.now) / step).ceil() - 1.0;
        let mut skipped = 1.0;
        while skipped <= before {
            let now = self.now + skipped * step;
            cast.show_frame(now);
            skipped += 1.0;
        }
        let mut recorded = Vec::with_capacity(frames as usize);
        let mut first_place = None;
        for frame in 0..frames {
            cast.show_frame(from + f64::from(frame) * step);
            let member = cast.get(id)?;
            let place = first_place.get_or_insert(member.actor.place);
            let transforms = local_transforms(&member.actor, &member.asset.model, place);
            let layout = &member.actor.rig().layout.weights_of_node;
            let nodes = member.asset.model.node_of_source.iter();
            let ranges = nodes.map(|node| &layout[node.index()]);
            let weights = &member.actor.pose().weights;
            let weights = ranges.flat_map(|range| &weights[range.start as usize..range.end as usize]);
            recorded.push(RecordedFrame { transforms, weights: weights.copied().collect() });
        }
        Ok(recorded)
    }

    fn show_frame(&mut self, now: f64) {
        self.set_time(now);
        self.pose_frame();
        self.end_frame();
    }
}
