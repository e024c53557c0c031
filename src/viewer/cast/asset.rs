//! A model, compiled for the stage.

use super::debug_lines::Bone;
use crate::animation::{Bounds, Dop, Framing, Outline, Rig, RigBuilder, Sharing, Triangles};
use crate::base::Aabb;
use crate::model::{CameraId, ClipId, Model, NodeId};
use crate::viewer::camera::cameras;
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

/// A model, and all that is computed from it once; shared by all actors that show it.
#[derive(Debug)]
pub struct Asset {
    /// The model.
    pub model: Model,
    /// What its animation compiles to.
    pub rig: Rc<Rig>,
    /// The boxes that follow its joints.
    pub bounds: Bounds,
    /// The cameras of the shown scene with their nodes, in the order of the nodes in the file.
    pub cameras: Vec<(NodeId, CameraId)>,
    /// Extents that [`Asset::framing`] was asked for.
    framings: RefCell<Vec<(FramingKey, Option<Dop>)>>,
    /// The vertices that extents are measured with, once one was asked for.
    outline: OnceCell<Outline>,
    /// Its bones, once a debug view has asked for them.
    pub(super) bones: OnceCell<Vec<Bone>>,
    /// Which joints share vertices, once dual quaternions are blended.
    sharing: OnceCell<Sharing>,
    /// Its triangles as rays find them, once one asks.
    triangles: OnceCell<Triangles>,
}

/// The question that an extent answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FramingKey {
    framing: Framing,
    /// With [`Framing::Clip`] alone.
    clip: Option<ClipId>,
    dual: bool,
    /// `true` if the rig is that of an actor that walks on the spot.
    in_place: bool,
}

/// A model that is compiled for the stage a little at a time, so that no step holds up a page.
#[derive(Debug)]
pub struct AssetBuilder {
    /// The model.
    pub model: Model,
    rig: RigBuilder,
    bounds: Bounds,
    /// The number of shown meshes that are measured.
    measured: usize,
}

impl AssetBuilder {
    /// Begins to compile a model.
    pub fn new(model: Model) -> Self {
        let rig = RigBuilder::new(&model);
        Self { model, rig, bounds: Bounds::default(), measured: 0 }
    }

    /// Goes on until about `budget` numbers were looked at; returns whether there is more to do.
    pub fn advance(&mut self, budget: usize) -> bool {
        let Self { model, rig, bounds, measured } = self;
        let mut left = budget;
        while let Some(drawable) = rig.layout().drawables.get(*measured) {
            if left == 0 {
                return true;
            }
            *measured += 1;
            left = left.saturating_sub(3 * bounds.add(model, drawable) + 1);
        }
        rig.advance(model, left.max(1))
    }

    /// The model as the stage wants it, with whatever is left to do for it.
    pub fn finish(mut self) -> Asset {
        while self.advance(usize::MAX) {}
        let Self { model, rig, bounds, .. } = self;
        let rig = Rc::new(rig.finish(&model));
        let cameras = cameras(&model);
        let (framings, outline, bones, sharing, triangles) = Default::default();
        Asset { model, rig, bounds, cameras, framings, outline, bones, sharing, triangles }
    }
}

impl Asset {
    /// Compiles a model for the stage.
    pub fn new(model: Model) -> Self {
        AssetBuilder::new(model).finish()
    }

    /// The extent that a camera is pointed at, in model space, when `clip` is the current one; see [`Outline::of_clips`]. Computed when it is
    /// first asked for.
    pub fn framing(&self, framing: Framing, clip: Option<ClipId>) -> Option<Dop> {
        self.framing_with(&self.rig, framing, clip, false)
    }

    /// The same with the rig of an actor, which may walk on the spot, and with joints that are blended as dual quaternions if `dual`.
    pub(crate) fn framing_with(
        &self,
        rig: &Rig,
        framing: Framing,
        clip: Option<ClipId>,
        dual: bool,
    ) -> Option<Dop> {
        let clip = clip.filter(|_| framing == Framing::Clip);
        let key = FramingKey { framing, clip, dual, in_place: !std::ptr::eq(rig, &raw const *self.rig) };
        if let Some((_, around)) = self.framings.borrow().iter().find(|(known, _)| *known == key) {
            return around.clone();
        }
        let first = (!self.model.clips.is_empty()).then(|| ClipId::new(0));
        let around = self.outline().of_clips(&self.model, rig, framing, clip.or(first), dual);
        self.framings.borrow_mut().push((key, around.clone()));
        around
    }

    /// The box of the rest pose, in model space.
    pub(crate) fn rest_box(&self) -> Option<Aabb> {
        Some(self.framing(Framing::Rest, None)?.bounds())
    }

    /// The vertices that may be farthest out in a pose. Computed when they are first asked for.
    pub(crate) fn outline(&self) -> &Outline {
        self.outline.get_or_init(|| Outline::new(&self.model, &self.rig.layout))
    }

    /// Which joints share vertices. Found out when it is first asked for.
    pub fn sharing(&self) -> &Sharing {
        self.sharing.get_or_init(|| Sharing::new(&self.model, &self.rig.layout))
    }

    /// Its triangles as rays find them. Sorted when they are first asked for.
    pub fn triangles(&self) -> &Triangles {
        self.triangles.get_or_init(|| Triangles::new(&self.model, &self.rig.layout))
    }
}
