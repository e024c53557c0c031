//! Builds the model from the JSON and its buffers.

use super::accessor::{Budget, Reader};
use super::animation_pointers::Context;
use super::compressed::Decoded;
use super::draco_primitives::PendingMesh;
use super::meshes::{Meshes, meshes, morph_weights};
use super::nodes::{self, Tree};
use super::schema::File;
use super::tangents::Missing;
use super::{
    animations, distance, draco_primitives, image_lights, instances, materials, skins, spring_bones, vrm,
};
use gambol_animation::model::{
    AlphaMode, Camera, CameraId, Clip, Material, Mesh, MeshId, Model, Node, NodeId, Primitive, Skin, SkinId,
};
use gambol_gltf::bytes::Bytes;
use gambol_gltf::error::{ImportError, ImportErrorKind, codes};
use gambol_gltf::limits::Limits;
use gambol_gltf::log::Log;
use std::sync::Arc;

/// Builds the model without the missing tangents. `limit` is the maximum number of decoded bytes. `buffers` include
/// those of `decoded`. `first_missing` is the reason why bytes of a buffer are missing.
#[expect(clippy::too_many_arguments, reason = "called once, with the parts of a document")]
pub(super) fn model(
    file: &mut File,
    buffers: &[Option<Bytes<'_>>],
    decoded: Decoded,
    waiting: &mut [PendingMesh],
    first_missing: Option<ImportError>,
    limit: u64,
    limits: &Limits,
    log: &mut Log,
) -> Result<(Model, Vec<Missing>, Budget), ImportError> {
    let mut image_sources = std::mem::take(&mut file.images);
    let (textures, materials) = (std::mem::take(&mut file.textures), std::mem::take(&mut file.materials));
    let cameras = std::mem::take(&mut file.cameras);
    let lights = std::mem::take(&mut file.extensions.lights);
    let variants = std::mem::take(&mut file.extensions.variants);
    let placed = match waiting {
        [] => Vec::new(),
        waiting => {
            let File { accessors, buffer_views, meshes, .. } = &mut *file;
            draco_primitives::place(accessors, buffer_views, meshes, waiting, buffers.len(), log)?
        }
    };
    let mut buffers = buffers.to_vec();
    buffers.extend(placed.iter().map(|bytes| Some(Bytes::from(&bytes[..]))));
    let bytes = decoded.bytes + placed.iter().map(|bytes| bytes.len() as u64).sum::<u64>();
    let file = &*file;
    let declared = file.buffers.iter().map(|buffer| buffer.byte_length).collect();
    let mut reader = Reader::new(&file.accessors, &file.buffer_views, &buffers, declared, limit);
    reader.record_decoded(bytes, decoded);
    reader.check_views()?;
    within("nodes", file.nodes.len(), limits.nodes).map_err(|kind| kind.at("/nodes"))?;
    let tree = Tree::new(&file.nodes, log)?;
    let (deepest, depth) = tree.depth();
    within("hierarchy levels", depth, limits.depth)
        .map_err(|kind| kind.at(format_args!("/nodes/{deepest}")))?;
    let scenes = nodes::scenes(&file.scenes, &tree, log)?;
    let default_scene = file.scene.filter(|&index| {
        let known = index < scenes.len();
        if !known {
            let kind = ImportErrorKind::IndexOutOfRange { element: "scene", index, count: scenes.len() };
            log.warn_repaired(kind.at("/scene"), "the first scene is shown");
        }
        known
    });
    let mut images = materials::images(&mut image_sources, &reader, log);
    materials::fallbacks(&textures, &file.texture_fallbacks, &mut images);
    let skins = skins::skins(&file.skins, &reader, &tree, log)?;
    let Meshes { meshes, missing, first_missing: lost_part } =
        meshes(file, &materials, &joint_counts(file, &skins)?, &reader, log)?;
    check_vertices(&meshes, &[], limits.vertices)?;

    let mut model_nodes = Vec::with_capacity(file.nodes.len());
    let mut weighted_by_mesh: Vec<Vec<NodeId>> = vec![Vec::new(); meshes.len()];
    let mut shown = Shown::default();
    for &source in &tree.sources {
        shown.check_instances(source, file, &reader, limits.instances)?;
        let node = node(source, file, &tree, (&meshes, &skins, &cameras), &reader, log)?;
        shown.add(&node, (&meshes, &skins, &materials), limits)?;
        if let Some(mesh) = node.mesh
            && file.nodes[source as usize].weights.is_none()
        {
            weighted_by_mesh[mesh.index()].push(NodeId::new(model_nodes.len()));
        }
        model_nodes.push(node);
    }
    check_vertices(&meshes, &model_nodes, limits.vertices)?;
    let context = Context {
        reader: &reader,
        tree: &tree,
        nodes: &model_nodes,
        weighted_by_mesh: &weighted_by_mesh,
        materials: &materials,
        cameras: &cameras,
        lights: &lights,
    };
    let clips = animations::clips(&file.animations, &context, log);
    let context = vrm::Context { tree: &tree, nodes: &model_nodes, reader: &reader };
    let vrm = file.extensions.vrm.as_ref();
    let humanoid = vrm.map(|extension| Box::new(vrm::humanoid(extension, &context, log)));
    let hidden = vrm.map_or_else(Vec::new, |extension| vrm::first_person_only(extension, &context, log));
    let may_swing = spring_bones::exist(&file.extensions);
    let springs = if may_swing { spring_bones::spring_bones(&file.extensions, &context, log) } else { None };
    let has_image_lights = file.extensions.image_lights.is_some();
    let image_lights =
        if has_image_lights { image_lights::image_lights(&file.extensions, images.len(), log) } else { None };
    for node in hidden {
        model_nodes[node.index()].first_person_only = true;
    }
    reader.check_unused(log);
    let model = Model {
        nodes: model_nodes,
        node_of_source: tree.ids,
        scenes,
        default_scene,
        meshes,
        skins,
        materials,
        textures,
        images,
        cameras,
        lights,
        variants,
        clips,
        humanoid,
        springs,
        image_lights,
    };
    distance::warn(&model, log);
    if !shows_something(&model) {
        let plays = |clip: &Arc<Clip>| !clip.channels.is_empty() || !clip.properties.is_empty();
        let idle = file.meshes.is_empty() && !model.clips.is_empty() && !model.clips.iter().any(plays);
        // Parts with missing bytes are skipped, but an empty model is an error.
        if let Some(error) = match lost_part {
            Some(part) => Some(first_missing.unwrap_or(part)),
            None => first_missing.filter(|_| idle),
        } {
            return Err(error);
        }
        log.warn(codes::NOTHING_TO_SHOW, "", "The displayed scene has no mesh, so the picture is empty");
    }
    Ok((model, missing, reader.into_budget()))
}

/// Checks the number of vertices against the limit; each instance of a mesh in `nodes` counts.
pub(super) fn check_vertices(meshes: &[Mesh], nodes: &[Node], limit: u64) -> Result<(), ImportError> {
    let mut instances = vec![0; meshes.len()];
    for node in nodes {
        if let Some(mesh) = node.mesh {
            instances[mesh.index()] += node.instances.len();
        }
    }
    let mut vertices = 0_usize;
    for (m, (mesh, instances)) in meshes.iter().zip(instances).enumerate() {
        let own = mesh.primitives.iter().map(|primitive| primitive.vertex_count()).sum::<usize>();
        vertices = vertices.saturating_add(own.saturating_mul(instances.max(1)));
        let elements = if instances > 1 { "vertices (with those of instances)" } else { "vertices" };
        within(elements, vertices, limit).map_err(|kind| kind.at(format_args!("/meshes/{m}")))?;
    }
    Ok(())
}

/// The counts of draws, instances and joints of all nodes.
#[derive(Default)]
struct Shown {
    draws: usize,
    instances: usize,
    joints: usize,
}

impl Shown {
    /// Checks the number of instances before those of a node are read.
    fn check_instances(
        &mut self,
        source: u32,
        file: &File,
        reader: &Reader<'_>,
        limit: u64,
    ) -> Result<(), ImportError> {
        let instancing = file.extensions.node(source).and_then(|node| node.instancing);
        let count = instancing.and_then(|attributes| instances::count(attributes, reader)).unwrap_or(0);
        self.instances = self.instances.saturating_add(usize::try_from(count).unwrap_or(usize::MAX));
        within("instances", self.instances, limit).map_err(|kind| kind.at(format_args!("/nodes/{source}")))
    }

    /// Adds the draws and joints of a node.
    fn add(
        &mut self,
        node: &Node,
        (meshes, skins, materials): (&[Mesh], &[Skin], &[Material]),
        limits: &Limits,
    ) -> Result<(), ImportError> {
        let Some(mesh) = node.mesh else { return Ok(()) };
        let blends = |primitive: &Primitive| {
            let worn =
                primitive.material.iter().chain(primitive.variants.iter().map(|(_, material)| material));
            worn.into_iter().any(|id| materials[id.index()].alpha_mode == AlphaMode::Blend)
        };
        for primitive in &meshes[mesh.index()].primitives {
            self.draws += if blends(primitive) { node.instances.len().max(1) } else { 1 };
        }
        self.joints += node.skin.map_or(0, |skin| skins[skin.index()].joints.len());
        let draws = within("draws", self.draws, limits.draws);
        let both = draws.and_then(|()| within("joints", self.joints, limits.joints));
        both.map_err(|kind| kind.at(format_args!("/nodes/{}", node.source)))
    }
}

fn shows_something(model: &Model) -> bool {
    let shown = model.shown_nodes();
    let meshes = model.nodes.iter().zip(shown).filter(|&(node, shown)| shown && !node.first_person_only);
    let meshes = meshes.filter_map(|(node, _)| node.mesh);
    let mut primitives = meshes.flat_map(|mesh| &model.meshes[mesh.index()].primitives);
    primitives.any(|primitive| primitive.vertex_count() > 0)
}

fn within(elements: &'static str, count: usize, limit: u64) -> Result<(), ImportErrorKind> {
    let count = count as u64;
    if count > limit { Err(ImportErrorKind::TooMany { elements, count, limit }) } else { Ok(()) }
}

/// For each mesh, the smallest number of joints of the skins that nodes use with it.
fn joint_counts(file: &File, skins: &[Skin]) -> Result<Vec<Option<usize>>, ImportError> {
    let mut counts: Vec<Option<usize>> = vec![None; file.meshes.len()];
    for (i, node) in file.nodes.iter().enumerate() {
        let missing = |element, index, count, key| {
            ImportErrorKind::IndexOutOfRange { element, index, count }.at(format_args!("/nodes/{i}/{key}"))
        };
        let joints = match node.skin.map(|skin| skin.value()) {
            None => None,
            Some(index) => match skins.get(index) {
                None => return Err(missing("skin", index, skins.len(), "skin")),
                Some(skin) => Some(skin.joints.len()).filter(|&count| count > 0),
            },
        };
        if let Some(index) = node.mesh.map(|mesh| mesh.value()) {
            let Some(count) = counts.get_mut(index) else {
                return Err(missing("mesh", index, file.meshes.len(), "mesh"));
            };
            if let Some(joints) = joints {
                *count = Some(count.map_or(joints, |count| count.min(joints)));
            }
        }
    }
    Ok(counts)
}

/// Builds a node; the indices of its mesh and skin have been checked.
fn node(
    source: u32,
    file: &File,
    tree: &Tree,
    (meshes, skins, cameras): (&[Mesh], &[Skin], &[Camera]),
    reader: &Reader<'_>,
    log: &mut Log,
) -> Result<Node, ImportError> {
    let node = &file.nodes[source as usize];
    let pointer = format_args!("/nodes/{source}");
    let (rest, rest_matrix) = nodes::rest(node, pointer, log);
    let mesh = node.mesh.map(|mesh| MeshId::new(mesh.value()));
    let skin = node.skin.map(|skin| SkinId::new(skin.value())).filter(|skin| {
        let skinned = |mesh: MeshId| meshes[mesh.index()].primitives.iter().any(|p| p.influences.is_some());
        let works = mesh.is_some_and(skinned) && !skins[skin.index()].joints.is_empty();
        if !works {
            let message = "The mesh or the skin has no joints; the skin is ignored";
            log.warn(codes::SKIN_IGNORED, format_args!("{pointer}/skin"), message);
        }
        works
    });
    let camera = node.camera.map(|camera| camera as usize).filter(|&index| {
        let count = cameras.len();
        if index >= count {
            let kind = ImportErrorKind::IndexOutOfRange { element: "camera", index, count };
            log.warn_repaired(kind.at(format_args!("{pointer}/camera")), "it is ignored");
        }
        index < count
    });
    let asked = mesh.map_or(&[][..], |mesh| &meshes[mesh.index()].weights);
    // Many nodes may have a mesh with many targets.
    reader.spend(asked.len(), 4).map_err(|kind| kind.at(pointer))?;
    let weights = match &node.weights {
        Some(weights) => morph_weights(weights, asked.len(), format_args!("{pointer}/weights"), log),
        None => asked.to_vec(),
    };
    let extensions = file.extensions.node(source);
    let instances = match extensions.and_then(|extensions| extensions.instancing) {
        Some(instancing) if mesh.is_some() => {
            let pointer = format!("/nodes/{source}/extensions/EXT_mesh_gpu_instancing/attributes");
            instances::instances(instancing, skin.is_some(), reader, &pointer, log)?
        }
        _ => Vec::new(),
    };
    Ok(Node {
        name: node.name.clone(),
        source,
        parent: tree.parents[source as usize].map(|parent| tree.ids[parent as usize]),
        rest,
        rest_matrix,
        mesh,
        first_person_only: false,
        skin,
        camera: camera.map(CameraId::new),
        light: extensions.and_then(|extensions| extensions.light),
        visible: extensions.is_none_or(|extensions| extensions.visible),
        instances,
        weights,
    })
}
