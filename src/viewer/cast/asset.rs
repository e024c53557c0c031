//! A model with its precomputed data.

use super::debug_lines::Bone;
use crate::animation::{Actor, Bounds, ClipSet, Dop, Framing, Outline, Rig, RigBuilder, Sharing, Triangles};
use crate::base::Aabb;
use crate::model::{CameraId, ClipId, FaceExpression, Model, Morph, NodeId, PaletteLayout};
use crate::viewer::camera::cameras;
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

/// A model with all data that is computed from it once; shared by all its actors.
#[derive(Debug)]
pub struct Asset {
    /// The model.
    pub model: Model,
    /// The indices of the meshes' matrices and weights. Its properties are those of the clips of the file; the rig has those of
    /// clips that were added, too.
    pub layout: Rc<PaletteLayout>,
    /// Replaced as a whole when clips are added, removed or replaced.
    clips: RefCell<Rc<ClipSet>>,
    /// The bounding boxes of its joints.
    pub bounds: Bounds,
    /// The cameras of the active scene with their nodes, in the order of the nodes in the file.
    pub cameras: Vec<(NodeId, CameraId)>,
    /// The cache of [`Asset::framing`].
    framings: RefCell<Vec<(FramingKey, Option<Dop>)>>,
    /// The vertices for measuring extents, computed on first use.
    outline: OnceCell<Outline>,
    /// The bones of the debug view, computed on first use.
    pub(super) bones: OnceCell<Vec<Bone>>,
    /// The joints that share vertices, computed on first use with dual-quaternion skinning.
    sharing: OnceCell<Sharing>,
    /// The triangles for ray casts, computed on first use.
    triangles: OnceCell<Triangles>,
    /// The morph targets by their names, computed on first use.
    morphs: OnceCell<Vec<Morph>>,
    /// The expressions, found on first use, and those that were added.
    expressions: RefCell<Option<Rc<[FaceExpression]>>>,
}

/// The cache key of an extent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FramingKey {
    framing: Framing,
    /// `None` unless the framing is [`Framing::Clip`].
    clip: Option<ClipId>,
    dual: bool,
    /// `true` if the rig is that of an actor with root motion removed.
    in_place: bool,
}

/// The incremental builder of an [`Asset`], whose steps do not block a page.
#[derive(Debug)]
pub struct AssetBuilder {
    /// The model.
    pub model: Model,
    rig: RigBuilder,
    bounds: Bounds,
    /// The number of drawables whose bounds are computed.
    measured: usize,
}

impl AssetBuilder {
    /// Starts building an asset.
    pub fn new(model: Model) -> Self {
        let rig = RigBuilder::new(&model);
        Self { model, rig, bounds: Bounds::default(), measured: 0 }
    }

    /// Continues until about `budget` numbers are processed; returns `true` if there is more to do.
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

    /// Completes all remaining steps and returns the asset.
    pub fn finish(mut self) -> Asset {
        while self.advance(usize::MAX) {}
        let Self { model, rig, bounds, .. } = self;
        let rig = Rc::new(rig.finish(&model));
        let layout = Rc::clone(&rig.layout);
        let clips = RefCell::new(Rc::new(ClipSet::new(&model, rig)));
        let cameras = cameras(&model);
        let (framings, outline, bones, sharing, triangles, morphs, expressions) = Default::default();
        Asset {
            model,
            layout,
            clips,
            bounds,
            cameras,
            framings,
            outline,
            bones,
            sharing,
            triangles,
            morphs,
            expressions,
        }
    }
}

impl Asset {
    /// Builds an asset synchronously.
    pub fn new(model: Model) -> Self {
        AssetBuilder::new(model).finish()
    }

    /// The clips of the file and those that were added, without those that were removed.
    pub fn clips(&self) -> Rc<ClipSet> {
        Rc::clone(&self.clips.borrow())
    }

    /// The compiled clips.
    pub fn rig(&self) -> Rc<Rig> {
        Rc::clone(&self.clips.borrow().rig)
    }

    /// Adds, removes or replaces clips. Call [`Cast::update_clips`](super::Cast::update_clips) for each cast with the model.
    pub fn change_clips(&self, change: impl FnOnce(&mut ClipSet)) {
        let mut clips = (*self.clips()).clone();
        change(&mut clips);
        *self.clips.borrow_mut() = Rc::new(clips);
        self.framings.borrow_mut().clear();
    }

    /// `true` if clips were added, removed or replaced.
    pub(crate) fn has_other_clips(&self) -> bool {
        !self.clips.borrow().is_of_file(&self.model)
    }

    /// Gives a new actor the clips that were added, and the opening clip of those that were not removed.
    pub(super) fn begin_with_other_clips(actor: &mut Actor, asset: &Self) {
        let clips = asset.clips();
        actor.update_clips(&asset.model, &clips);
        actor.player.choose(clips.opening());
    }

    /// The extent for framing in model space, with `clip` as the current clip; see [`Outline::of_clips`]. Cached
    /// after the first call.
    pub fn framing(&self, framing: Framing, clip: Option<ClipId>) -> Option<Dop> {
        self.framing_with(&self.rig(), framing, clip, false)
    }

    /// As [`Asset::framing`], with the rig of an actor, and with dual-quaternion skinning if `dual`.
    pub(crate) fn framing_with(
        &self,
        rig: &Rig,
        framing: Framing,
        clip: Option<ClipId>,
        dual: bool,
    ) -> Option<Dop> {
        let clip = clip.filter(|_| framing == Framing::Clip);
        let key = FramingKey { framing, clip, dual, in_place: !std::ptr::eq(rig, &raw const *self.rig()) };
        if let Some((_, around)) = self.framings.borrow().iter().find(|(known, _)| *known == key) {
            return around.clone();
        }
        let first = self.clips().opening();
        let around = self.outline().of_clips(&self.model, rig, framing, clip.or(first), dual);
        self.framings.borrow_mut().push((key, around.clone()));
        around
    }

    /// The bounding box of the rest pose in model space.
    pub(crate) fn rest_box(&self) -> Option<Aabb> {
        Some(self.framing(Framing::Rest, None)?.bounds())
    }

    /// The vertices that can be outermost in a pose. Cached after the first call.
    pub(crate) fn outline(&self) -> &Outline {
        self.outline.get_or_init(|| Outline::new(&self.model, &self.layout))
    }

    /// The joints that share vertices. Cached after the first call.
    pub fn sharing(&self) -> &Sharing {
        self.sharing.get_or_init(|| Sharing::new(&self.model, &self.layout))
    }

    /// The morph targets by their names. Cached after the first call.
    pub fn morphs(&self) -> &[Morph] {
        self.morphs.get_or_init(|| Morph::list(&self.model, &self.layout))
    }

    /// The expressions. Cached after the first call.
    pub fn expressions(&self) -> Rc<[FaceExpression]> {
        let mut cached = self.expressions.borrow_mut();
        Rc::clone(
            cached
                .get_or_insert_with(|| FaceExpression::list(&self.model, &self.layout, self.morphs()).into()),
        )
    }

    /// Adds an expression, or replaces the one of its name. The others keep their places.
    pub fn set_expression(&self, expression: FaceExpression) {
        let mut list = self.expressions().to_vec();
        match list.iter_mut().find(|known| known.name == expression.name) {
            Some(known) => *known = expression,
            None => list.push(expression),
        }
        *self.expressions.borrow_mut() = Some(list.into());
    }

    /// The triangles for ray casts. Cached after the first call.
    pub fn triangles(&self) -> &Triangles {
        self.triangles.get_or_init(|| Triangles::new(&self.model, &self.layout))
    }
}
