//! The rules. Each is a function from the context to findings.

mod binds;
mod feet;
mod frames;
mod importer;
mod keys;
mod leftovers;
mod loops;
mod names;
mod rotations;
mod scales;
mod skins;
mod tangents;
mod textures;

use super::context::Context;
use super::finding::Finding;
use super::motion::Motion;
use gambol::import::{ImportError, Warning};

/// The frames of all clips together, times nodes, after which motions are no longer measured.
const WORK: usize = 1 << 25;

/// The findings of all rules but the importer's.
pub(super) fn all(context: &Context<'_>, out: &mut Vec<Finding>) {
    rotations::nodes(context, out);
    scales::nodes(context, out);
    skins::meshes(context, out);
    skins::joints(context, out);
    skins::transforms(context, out);
    binds::poses(context, out);
    binds::bones(context, out);
    tangents::check(context, out);
    names::check(context, out);
    names::morphs(context, out);
    leftovers::pivots(context, out);
    leftovers::meshes(context, out);
    textures::check(context, out);
    keys::rates(context, out);
    for clip in 0..context.clips.len() {
        keys::check(context, clip, out);
        rotations::channels(context, clip, out);
        scales::channels(context, clip, out);
    }
    motions(context, out);
}

/// The rules that sample the clips.
fn motions(context: &Context<'_>, out: &mut Vec<Finding>) {
    let Some(body) = &context.body else { return };
    let legs = feet::legs(body);
    let mut work = 0;
    for (clip, raw) in context.clips.iter().enumerate() {
        if clip >= body.rig.clip_count() || work > WORK {
            break;
        }
        let Some(motion) = Motion::new(body, clip, raw) else { continue };
        work += motion.times.len() * body.model.nodes.len().max(1);
        loops::check(context, clip, body, &motion, out);
        feet::check(context, clip, body, &legs, &motion, out);
        let at_rest = frames::rest_frames(context, clip, &motion, out);
        frames::jumps(context, clip, body, &at_rest, out);
    }
}

/// The finding for a file that the importer refuses.
pub(super) fn of_error(error: &ImportError) -> Finding {
    importer::error(error)
}

/// The findings for the importer's repairs.
pub(super) fn of_warnings<'a>(warnings: impl Iterator<Item = &'a Warning>, out: &mut Vec<Finding>) {
    importer::warnings(warnings, out);
}
