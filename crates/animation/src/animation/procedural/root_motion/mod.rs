//! Root motion: clips that move over the ground are played in place, or their movement is extracted for the actor.

mod contact;
mod extract;
mod ground;
mod in_place;
mod nodes;
mod options;

use crate::animation::player::ClipRoot;
use crate::animation::rig::Rig;
use crate::model::{Clip, Model, NodeId};
use contact::path_by_contact;
use extract::{Parts, extracted};
pub use ground::{GroundContacts, GroundedPoint};
pub use in_place::in_place;
pub use options::{RootMotion, RootOptions, RootRotation};
use std::sync::Arc;

/// Extracts the root motion of a model's clips. Returns the root of each clip, and a rig whose clips have the movement
/// removed.
///
/// The root of a clip is its topmost node with a net movement that is a joint or an ancestor of joints. The ground is
/// the model's XZ plane. Ancestors of the root are in their rest pose. If their scale is 0, the clip counts as one without
/// root motion; if it is not uniform, rotations stay in the clip.
pub fn extract(model: &Model, clips: &[Arc<Clip>], rig: &Rig, options: &RootOptions) -> (Vec<ClipRoot>, Rig) {
    let parts = Parts::new(model, rig);
    let mut baked: Vec<Clip> = Vec::with_capacity(clips.len());
    let mut roots: Vec<ClipRoot> = Vec::with_capacity(clips.len());
    for clip in clips {
        let mut clip = (**clip).clone();
        roots.push(extracted(&parts, &mut clip, options));
        baked.push(clip);
    }
    by_contact(rig, clips, options, &mut roots);
    // Clips on the spot take part in a mix with those that move, if they animate the same joint.
    let nodes: Vec<NodeId> = roots.iter().filter_map(|root| root.node).collect();
    for (root, clip) in roots.iter_mut().zip(clips) {
        root.node =
            root.node.or_else(|| clip.channels.iter().map(|c| c.node).find(|node| nodes.contains(node)));
    }
    (roots, rig.with_clips(&baked))
}

/// The root of one clip, as [`extract()`] returns it.
pub fn root_of(
    model: &Model,
    clips: &[Arc<Clip>],
    rig: &Rig,
    clip: usize,
    options: &RootOptions,
) -> ClipRoot {
    let Some(found) = clips.get(clip) else { return ClipRoot::default() };
    let mut roots = vec![ClipRoot::default(); clips.len()];
    roots[clip] = extracted(&Parts::new(model, rig), &mut (**found).clone(), options);
    if roots[clip].path.is_none() {
        let legs = RootOptions { legs: options.legs.clone(), ..RootOptions::default() };
        by_contact(rig, clips, &legs, &mut roots);
    }
    roots.swap_remove(clip)
}

fn by_contact(rig: &Rig, clips: &[Arc<Clip>], options: &RootOptions, roots: &mut [ClipRoot]) {
    let Some(first) = options.legs.first() else { return };
    for (i, root) in roots.iter_mut().enumerate().filter(|(_, root)| root.path.is_none()) {
        if let Some(path) = path_by_contact(rig, i, clips[i].duration.into(), &options.legs) {
            *root = ClipRoot { node: rig.parent(first.upper).or(Some(first.upper)), path: Some(path) };
        }
    }
}
