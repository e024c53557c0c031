//! The layer: the stage, its meshes and skeletons, and the materials.
//!
//! A mesh that moves or changes its form is bound to a skeleton. Other meshes have a matrix.

use super::bundles::{Bound, Bundles};
use super::images::Images;
use super::materials::Materials;
use super::mesh::{Part, Skinned, extent};
use super::motion::Motion;
use super::names::Names;
use super::skeleton::{Skeleton, rows};
use super::text::{Layer, PathTo};
use super::{UsdzOptions, codes, too_large};
use crate::error::ToolsError;
use gambol::animation::{Affine, Deformed, deform};
use gambol::model::{
    ClipId, Drawable, Model, Primitive, Property, SkinId, TextureId, TextureSlot, Topology, VariantId,
};
use gambol_gltf::log::Log;
use glam::{DMat4, DVec3, Mat4};
use std::collections::HashMap;

/// Poses whose vertices give the box around a skeleton's meshes.
const MEASURED: usize = 5;

/// The textures that the materials of a variant show, each once.
pub(super) fn textures(model: &Model, variant: Option<VariantId>) -> Vec<TextureId> {
    let mut used = vec![false; model.textures.len()];
    let primitives =
        model.meshes.iter().flat_map(|mesh| &mesh.primitives).filter(|primitive| is_solid(primitive));
    for id in primitives.filter_map(|primitive| primitive.material_of(variant)) {
        let material = &model.materials[id.index()];
        let written = [
            TextureSlot::BaseColor,
            TextureSlot::MetallicRoughness,
            TextureSlot::Normal,
            TextureSlot::Occlusion,
            TextureSlot::Emissive,
            TextureSlot::Clearcoat,
            TextureSlot::ClearcoatRoughness,
            TextureSlot::SpecularColor,
        ];
        for slot in written {
            let is_read = slot != TextureSlot::SpecularColor || material.layers.is_glossy();
            if let Some(texture) = material.texture(slot).filter(|_| is_read) {
                used[texture.texture.index()] = true;
            }
        }
    }
    (0..used.len()).filter(|&texture| used[texture]).map(TextureId::new).collect()
}

fn is_solid(primitive: &Primitive) -> bool {
    matches!(primitive.topology, Topology::Triangles | Topology::TriangleStrip | Topology::TriangleFan)
}

/// The text of the layer.
///
/// # Errors
/// If it would be too large.
pub(super) fn layer(
    model: &Model,
    options: &UsdzOptions,
    images: &Images,
    name: &str,
    log: &mut Log,
) -> Result<String, ToolsError> {
    let motion = Motion::new(model, options.clip)?;
    warn_about_model(model, options.clip, log);
    let root_name = Names::default().unique(name, "Model");
    let mut names = Names::default();
    let materials_name = names.unique("Materials", "");
    // Those of each skeleton.
    names.unique("Skeleton", "");
    names.unique("Animation", "");
    let root = format!("/{root_name}");
    let mut scene = Scene {
        motion: &motion,
        moved: motion.moved(options.clip),
        variant: options.variant,
        materials: Materials::new(model, images, format!("{root}/{materials_name}")),
        root,
        names,
        groups: Vec::new(),
        still: Vec::new(),
        log,
    };
    let first = motion.poses.first().unwrap_or_else(|| motion.rig.rest_pose());
    let posed = motion.matrices(first).1;
    scene.collect(&posed)?;
    if scene.groups.is_empty() && scene.still.is_empty() {
        scene.log.warn(codes::EMPTY, "", "The file shows no triangles, so the scene is empty");
    }

    let mut out = Layer::default();
    header(&mut out, &motion, &root_name);
    out.line("");
    out.open("def Xform", &root_name, &["kind = \"component\"".to_owned()]);
    scene.write(&mut out);
    out.open("def Scope", &materials_name, &[]);
    scene.materials.write(&mut out);
    out.close();
    out.close();
    out.finish().ok_or_else(too_large)
}

fn header(out: &mut Layer, motion: &Motion<'_>, root: &str) {
    let end = motion.times.last().copied().unwrap_or(0.0);
    let mut fields = vec![
        ("creator", None),
        ("defaultPrim", Some(format!("\"{root}\""))),
        ("metersPerUnit", Some("1".to_owned())),
        ("upAxis", Some("\"Y\"".to_owned())),
    ];
    if motion.times.len() > 1 {
        let rate = motion.rate.to_string();
        fields.extend([
            ("startTimeCode", Some("0".to_owned())),
            ("endTimeCode", Some(end.to_string())),
            ("timeCodesPerSecond", Some(rate.clone())),
            ("framesPerSecond", Some(rate)),
            // Those of Quick Look.
            ("autoPlay", Some("true".to_owned())),
            ("playbackMode", Some("\"loop\"".to_owned())),
        ]);
    }
    out.line("#usda 1.0");
    out.line("(");
    for (field, value) in fields {
        match value {
            Some(value) => out.line(format_args!("    {field} = {value}")),
            None => out.line(format_args!("    customLayerData = {{ string {field} = \"gambol\" }}")),
        }
    }
    out.line(")");
}

/// Meshes that follow one skeleton.
struct Group<'a> {
    name: String,
    skeleton: Skeleton,
    /// The names of blend shapes, and those by the indices of their weights in a pose.
    names: Names,
    weights: HashMap<usize, String>,
    /// The meshes, with the index of their drawables.
    parts: Vec<(usize, Part<'a>)>,
}

/// Meshes with a matrix.
struct Still<'a> {
    drawable: usize,
    /// `root_from_mesh`.
    matrix: DMat4,
    part: Part<'a>,
}

struct Scene<'a, 'l> {
    motion: &'a Motion<'a>,
    /// For each node, `true` if the clip moves it.
    moved: Vec<bool>,
    variant: Option<VariantId>,
    materials: Materials<'a>,
    root: String,
    names: Names,
    groups: Vec<Group<'a>>,
    still: Vec<Still<'a>>,
    log: &'l mut Log,
}

impl<'a> Scene<'a, '_> {
    /// Sorts the meshes.
    ///
    /// - `posed`: the palette of the first pose.
    fn collect(&mut self, posed: &[Affine]) -> Result<(), ToolsError> {
        let drawables = &self.motion.rig.layout.drawables;
        let bounds = self.bind_all(drawables)?;
        for (index, (drawable, bound)) in drawables.iter().zip(bounds).enumerate() {
            let mesh = &self.motion.model.meshes[drawable.mesh.index()];
            let is_shown = self.is_shown(drawable);
            let skinned = bound.map(|bound| self.skinned(&bound, drawable));
            for (p, primitive) in mesh.primitives.iter().enumerate() {
                let place = format!("/meshes/{}/primitives/{p}", drawable.mesh.index());
                if !is_solid(primitive) {
                    self.log.warn(codes::TOPOLOGY, place, "Points and lines are left out");
                } else if is_shown {
                    self.warn_about_targets(primitive, &place);
                    let mut part = self.part(drawable, primitive, posed);
                    if let (Some(bound), Some(skinned)) = (bound, &skinned) {
                        (part.placed, part.skinned) = (bound.placed, Some(skinned.clone()));
                        self.groups[bound.bundle].parts.push((index, part));
                    } else {
                        let mut matrix = Mat4::from(posed[drawable.slots.start as usize]).as_dmat4();
                        if part.mirrored {
                            // Some players cull the wrong side of meshes with a mirroring matrix, so the vertices are mirrored.
                            part.placed = DMat4::from_scale(DVec3::new(-1.0, 1.0, 1.0));
                            matrix *= part.placed;
                        }
                        self.still.push(Still { drawable: index, matrix, part });
                    }
                }
            }
        }
        Ok(())
    }

    /// Makes the skeletons. Returns that of each drawable; `None` for those that stand still or are never shown.
    fn bind_all(&mut self, drawables: &[Drawable]) -> Result<Vec<Option<Bound>>, ToolsError> {
        let (motion, mut bundles) = (self.motion, Bundles::default());
        let rest = motion.matrices(motion.rig.rest_pose());
        let bounds: Vec<Option<Bound>> = drawables
            .iter()
            .map(|drawable| {
                let is_bound = self.is_shown(drawable) && (drawable.skinned || self.follows_node(drawable));
                let skin = self.skin(drawable);
                is_bound.then(|| bundles.add(motion, drawable, skin, &rest, self.log))
            })
            .collect();
        for bundle in &bundles.list {
            let mut skeleton = Skeleton::new(motion, bundle.binds.keys().copied()).ok_or_else(too_large)?;
            bundle.binds.iter().for_each(|(&joint, &bind)| skeleton.bind(joint, bind));
            let name = bundle.skin.map_or("Nodes", |skin| &motion.model.skins[skin.index()].name);
            let name = self.names.unique(name, "Skin");
            let (names, weights, parts) = Default::default();
            self.groups.push(Group { name, skeleton, names, weights, parts });
        }
        Ok(bounds)
    }

    fn skin(&self, drawable: &Drawable) -> Option<SkinId> {
        self.motion.model.nodes[drawable.node.index()].skin.filter(|_| drawable.skinned)
    }

    /// `true` if the drawable has triangles and is visible in some pose.
    fn is_shown(&self, drawable: &Drawable) -> bool {
        let mesh = &self.motion.model.meshes[drawable.mesh.index()];
        mesh.primitives.iter().any(is_solid)
            && self.motion.visibility(drawable.node).is_none_or(|visible| visible.contains(&true))
    }

    fn part(&mut self, drawable: &Drawable, primitive: &'a Primitive, posed: &[Affine]) -> Part<'a> {
        let model = self.motion.model;
        let node = &model.nodes[drawable.node.index()];
        let mesh = &model.meshes[drawable.mesh.index()];
        let name = if node.name.is_empty() { &mesh.name } else { &node.name };
        let material = self.materials.bind(primitive, primitive.material_of(self.variant), self.log);
        let influences =
            primitive.influences.as_ref().filter(|all| drawable.skinned && !all.joints.is_empty());
        let joint = influences.map_or(0, |all| usize::from(all.joints[all.strongest(0)]));
        let mirrored = is_mirrored(&posed[drawable.slots.start as usize + joint]);
        let name = self.names.unique(name, "Mesh");
        Part { primitive, name, placed: DMat4::IDENTITY, mirrored, material, skinned: None }
    }

    /// `true` for a mesh without a skin that a joint of its own moves.
    fn follows_node(&self, drawable: &Drawable) -> bool {
        let mesh = &self.motion.model.meshes[drawable.mesh.index()];
        let morphs = mesh.primitives.iter().any(|primitive| !primitive.targets.is_empty());
        !drawable.skinned && (self.moved[drawable.node.index()] || morphs)
    }

    /// The joints of a drawable and the weights of its blend shapes.
    fn skinned(&mut self, bound: &Bound, drawable: &Drawable) -> Skinned {
        let model = self.motion.model;
        let mesh = &model.meshes[drawable.mesh.index()];
        let skin = self.skin(drawable);
        let group = &mut self.groups[bound.bundle];
        let skeleton = &mut group.skeleton;
        let joints = match skin {
            Some(skin) => model.skins[skin.index()].joints.iter().map(|&node| skeleton.joint(node)).collect(),
            None => vec![skeleton.joint(drawable.node)],
        };
        let range = drawable.weights.start as usize..drawable.weights.end as usize;
        let weights = range.enumerate().map(|(target, at)| {
            // Instances of a mesh share its weights.
            let name = group.weights.entry(at).or_insert_with(|| {
                let name = mesh.target_names.get(target).map(String::as_str).unwrap_or_default();
                let name = group.names.unique(name, "shape");
                skeleton.weights.push((name.clone(), at));
                name
            });
            name.clone()
        });
        let weights = weights.collect();
        Skinned { skeleton: format!("{}/{}/Skeleton", self.root, group.name), joints, weights }
    }

    fn write(&self, out: &mut Layer) {
        for group in &self.groups {
            let path = format!("{}/{}", self.root, group.name);
            out.open("def SkelRoot", &group.name, &["prepend apiSchemas = [\"SkelBindingAPI\"]".to_owned()]);
            out.set("float3[] extent", &self.extent(group));
            // Some versions of OpenUSD find it here, and others at the skeleton.
            let animation = format!("{path}/Animation");
            out.set("rel skel:animationSource", &PathTo(animation.clone()));
            group.skeleton.write(out, self.motion, &animation);
            for (drawable, part) in &group.parts {
                part.write(out, "def", &path, |out| self.write_visibility(out, *drawable));
            }
            out.close();
        }
        // A mesh that is shown more than once is written once, as a prim that is not shown itself.
        let mut uses: HashMap<_, usize> = HashMap::new();
        let key = |still: &Still<'a>| {
            (std::ptr::from_ref(still.part.primitive), still.part.material.path.clone(), still.part.mirrored)
        };
        self.still.iter().for_each(|still| *uses.entry(key(still)).or_default() += 1);
        let mut shared: HashMap<_, &str> = HashMap::new();
        for still in &self.still {
            let (part, key) = (&still.part, key(still));
            let place = |out: &mut Layer| {
                if still.matrix != DMat4::IDENTITY {
                    out.set("matrix4d xformOp:transform", &rows(still.matrix));
                    out.set("uniform token[] xformOpOrder", &vec!["xformOp:transform".to_owned()]);
                }
                self.write_visibility(out, still.drawable);
            };
            if uses.get(&key).copied() == Some(1) {
                part.write(out, "def", &self.root, place);
                continue;
            }
            if !shared.contains_key(&key) {
                let class = Part { name: format!("_class_{}", part.name), ..part.clone() };
                class.write(out, "class", &self.root, |_| ());
            }
            let class = *shared.entry(key).or_insert(&part.name);
            let reference = format!("prepend references = <{}/_class_{class}>", self.root);
            out.open("def Mesh", &part.name, &[reference]);
            place(out);
            out.close();
        }
    }

    fn write_visibility(&self, out: &mut Layer, drawable: usize) {
        if let Some(visible) = self.motion.visibility(self.motion.rig.layout.drawables[drawable].node) {
            let words =
                visible.iter().map(|&visible| if visible { "inherited" } else { "invisible" }.to_owned());
            out.animate("token visibility", &self.motion.times, &words.collect::<Vec<_>>());
        }
    }

    /// The box around the meshes of a skeleton, in some poses.
    fn extent(&self, group: &Group<'a>) -> Vec<[f32; 3]> {
        let (motion, mut out) = (self.motion, Deformed::default());
        let last = motion.poses.len() - 1;
        let mut indices: Vec<usize> = (0..MEASURED).map(|i| i * last / (MEASURED - 1)).collect();
        indices.dedup();
        let mut corners = Vec::new();
        for pose in indices.into_iter().map(|index| &motion.poses[index]) {
            let palette = motion.matrices(pose).1;
            for (drawable, part) in &group.parts {
                let drawable = &motion.rig.layout.drawables[*drawable];
                deform(part.primitive, drawable, &palette, &[], &pose.weights, &mut out);
                corners.extend(extent(&out.positions));
            }
        }
        extent(&corners)
    }

    fn warn_about_targets(&mut self, primitive: &Primitive, place: &str) {
        if primitive.targets.iter().any(|target| !target.colors.is_empty() || !target.tex_coords.is_empty()) {
            let message =
                "Morph targets change positions and normals only, not texture coordinates or colours";
            self.log.warn(codes::MORPH, format!("{place}/targets"), message);
        }
    }
}

fn warn_about_model(model: &Model, clip: Option<ClipId>, log: &mut Log) {
    let shown = model.shown_nodes();
    let nodes = model.nodes.iter().enumerate().filter(|(i, _)| shown[*i]);
    for node in nodes.map(|(_, node)| node) {
        if node.light.is_some() {
            log.warn(
                codes::LIGHT,
                format_args!("/nodes/{}", node.source),
                "Quick Look has its own light; the light is left out",
            );
        }
        if node.camera.is_some() {
            log.warn(
                codes::CAMERA,
                format_args!("/nodes/{}", node.source),
                "Quick Look has its own camera; the camera is left out",
            );
        }
    }
    if model.springs.is_some() {
        log.warn(codes::SPRINGS, "", "Spring bones do not swing; record them with exportGlb() first");
    }
    let Some(id) = clip else { return };
    let is_written = |property: &Property| matches!(property, Property::Weight(..) | Property::Visible(_));
    let properties = model.clips[id.index()].properties.iter();
    if properties.map(|channel| channel.property).any(|property| !is_written(&property)) {
        let pointer = format!("/animations/{}", id.index());
        log.warn(codes::ANIMATION, pointer, "Animations of materials, lights and cameras are left out");
    }
}

/// `true` for a matrix that turns triangles over.
fn is_mirrored(matrix: &Affine) -> bool {
    Mat4::from(*matrix).as_dmat4().determinant() < 0.0
}
