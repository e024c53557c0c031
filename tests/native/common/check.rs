//! Import in tests, and the invariants of every imported model.

use super::outside::check_outside;
use gambol::import::{Document, ImportError, Imported, Limits};
use gambol::model::{
    Model, NodeId, SpringBones, SpringCenter, SpringChain, SpringCollider, SpringJoint, TextureSlot,
};

/// Imports bytes without external resources. Most tests build incomplete files, so the warning that nothing is visible
/// is ignored. The result is the same if the file is read range by range.
pub(crate) fn import(bytes: &[u8]) -> Result<Imported, ImportError> {
    let finished = Document::parse(bytes).and_then(Document::finish);
    check_outside(bytes, Limits::default(), &finished);
    if let Err(error) = &finished {
        check_words(&error.to_string());
        assert!(error.to_string().ends_with('.'), "{error}");
    }
    let mut imported = finished?;
    imported.warnings.iter().for_each(|warning| check_words(&warning.message));
    imported.warnings.retain(|warning| warning.code != "import/nothing-to-show");
    Ok(imported)
}

/// Asserts that a message begins with a capital letter.
pub(crate) fn check_words(message: &str) {
    assert!(message.starts_with(char::is_uppercase), "no capital letter: {message}");
}

fn finite(values: &[f32]) -> bool {
    values.iter().all(|value| value.is_finite())
}

/// Asserts the documented invariants of [`Model`].
pub(crate) fn check(model: &Model) {
    let below = |id: NodeId| assert!(id.index() < model.nodes.len());
    assert_eq!(model.node_of_source.len(), model.nodes.len());
    for (i, node) in model.nodes.iter().enumerate() {
        assert_eq!(model.node_of_source[node.source as usize], NodeId::new(i));
        assert!(node.parent.is_none_or(|parent| parent.index() < i), "parents come first");
        let rest = node.rest;
        assert!(rest.translation.is_finite() && rest.scale.is_finite());
        assert!(rest.rotation.is_normalized());
        assert!(node.rest_matrix.is_none_or(|matrix| matrix.is_finite()));
        assert!(node.camera.is_none_or(|camera| camera.index() < model.cameras.len()));
        assert!(node.light.is_none_or(|light| light.index() < model.lights.len()));
        assert!(node.instances.iter().all(|matrix| matrix.is_finite()));
        assert!(node.instances.is_empty() || (node.mesh.is_some() && node.skin.is_none()));
        let targets = node.mesh.map_or(0, |mesh| model.meshes[mesh.index()].weights.len());
        assert_eq!(node.weights.len(), targets);
        assert!(finite(&node.weights));
        if let Some(skin) = node.skin {
            let joints = model.skins[skin.index()].joints.len();
            let mesh = &model.meshes[node.mesh.expect("only meshes have skins").index()];
            for primitive in &mesh.primitives {
                let influences =
                    primitive.influences.as_ref().expect("all parts of a skinned mesh have joints");
                assert!(influences.joints.iter().all(|&joint| usize::from(joint) < joints));
            }
        }
    }
    assert!(model.default_scene.is_none_or(|scene| scene < model.scenes.len()));
    model.scenes.iter().flat_map(|scene| &scene.roots).for_each(|&root| below(root));
    for skin in &model.skins {
        skin.joints.iter().for_each(|&joint| below(joint));
        assert_eq!(skin.inverse_bind.len(), skin.joints.len());
        assert!(skin.inverse_bind.iter().all(|matrix| matrix.is_finite()));
    }
    model.meshes.iter().for_each(|mesh| check_mesh(mesh, model));
    for material in &model.materials {
        for texture in TextureSlot::ALL.into_iter().filter_map(|slot| material.texture(slot)) {
            assert!(texture.texture.index() < model.textures.len());
        }
        assert!(finite(&material.base_color) && finite(&material.emissive));
        assert!(finite(&material.properties()));
    }
    model.lights.iter().for_each(|light| assert!(finite(&light.properties())));
    for texture in &model.textures {
        assert!(texture.image.is_none_or(|image| image.index() < model.images.len()));
    }
    model.clips.iter().for_each(|clip| check_clip(clip, model));
    model.springs.iter().for_each(|springs| check_springs(springs, model));
}

fn check_springs(springs: &SpringBones, model: &Model) {
    let below = |id: NodeId| assert!(id.index() < model.nodes.len());
    assert!(!springs.chains.is_empty());
    for SpringCollider { node, offset, tail, radius } in &springs.colliders {
        below(*node);
        assert!(offset.is_finite() && tail.is_finite() && radius.is_finite() && *radius >= 0.0);
    }
    assert!(springs.groups.iter().flatten().all(|&collider| collider < springs.colliders.len()));
    let mut swings = std::collections::HashSet::new();
    for chain in &springs.chains {
        let SpringChain { joints, tail, groups, center } = chain;
        assert!(groups.iter().all(|&group| group < springs.groups.len()));
        if let SpringCenter::Node(node) = center {
            below(*node);
        }
        assert!(chain.bones() > 0 && joints[..chain.bones()].iter().all(|bone| swings.insert(bone.node)));
        assert!(tail.is_none_or(|tail| tail.is_finite() && tail.length() < 0.0701));
        for joint in joints {
            below(joint.node);
            let SpringJoint { stiffness, gravity_power, drag_force, hit_radius, .. } = *joint;
            assert!(joint.gravity_dir.is_finite() && gravity_power.is_finite());
            assert!(finite(&[stiffness, drag_force, hit_radius]));
            assert!([stiffness, drag_force, hit_radius].iter().all(|&value| value >= 0.0));
        }
    }
}

fn check_mesh(mesh: &gambol::model::Mesh, model: &Model) {
    assert!(finite(&mesh.weights));
    assert_eq!(mesh.target_names.len(), mesh.weights.len());
    for primitive in &mesh.primitives {
        let count = primitive.vertex_count();
        let empty_or_full = |length: usize| assert!(length == 0 || length == count);
        assert!(finite(primitive.positions.as_flattened()));
        empty_or_full(primitive.normals.len());
        empty_or_full(primitive.tangents.len());
        empty_or_full(primitive.colors.len());
        let unit = |v: &[f32]| (v.iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-5;
        assert!(primitive.normals.iter().all(|normal| unit(normal)));
        assert!(primitive.tangents.iter().all(|tangent| unit(&tangent[..3]) && tangent[3].abs() == 1.0));
        assert!(primitive.colors.as_flattened().iter().all(|value| (0.0..=1.0).contains(value)));
        for set in &primitive.tex_coords {
            assert_eq!(set.len(), count);
            assert!(finite(set.as_flattened()));
        }
        assert!(primitive.indices.iter().flatten().all(|&index| (index as usize) < count));
        assert!(primitive.material.is_none_or(|material| material.index() < model.materials.len()));
        assert!(primitive.variants.is_sorted_by(|a, b| a.0 < b.0));
        for (variant, material) in &primitive.variants {
            assert!(variant.index() < model.variants.len() && material.index() < model.materials.len());
        }
        assert_eq!(primitive.targets.len(), mesh.weights.len());
        for target in &primitive.targets {
            for list in [&target.positions, &target.normals, &target.tangents] {
                check_deltas(list, count);
            }
            assert!(target.tex_coords.len() <= primitive.tex_coords.len());
            target.tex_coords.iter().for_each(|list| check_deltas(list, count));
            assert!(target.colors.is_empty() || !primitive.colors.is_empty());
            check_deltas(&target.colors, count);
        }
        if let Some(influences) = &primitive.influences {
            assert!(influences.per_vertex >= 4 && influences.per_vertex.is_multiple_of(4));
            assert_eq!(influences.joints.len(), count * influences.per_vertex);
            assert_eq!(influences.weights.len(), influences.joints.len());
            for weights in influences.weights.chunks(influences.per_vertex) {
                assert!(weights.iter().all(|&weight| weight >= 0.0));
                assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            }
        }
    }
}

fn check_deltas<const N: usize>(deltas: &gambol::model::Deltas<N>, count: usize) {
    assert!(finite(deltas.values().as_flattened()));
    match deltas.vertices() {
        None => assert!(deltas.is_empty() || deltas.values().len() == count),
        Some(vertices) => {
            assert!(vertices.is_sorted_by(|a, b| a < b));
            assert!(vertices.iter().all(|&vertex| (vertex as usize) < count));
            assert_eq!(vertices.len(), deltas.values().len());
        }
    }
}

fn check_clip(clip: &gambol::model::Clip, model: &Model) {
    assert!(clip.duration.is_finite() && clip.duration >= 0.0);
    let mut seen = std::collections::HashSet::new();
    for channel in &clip.channels {
        use gambol::model::Path;
        assert!(seen.insert((channel.node, channel.path)));
        let curve = &clip.curves[channel.curve];
        let width = match channel.path {
            Path::Translation | Path::Scale => 3,
            Path::Rotation => 4,
            Path::Weights => model.nodes[channel.node.index()].weights.len(),
        };
        assert_eq!(curve.width(), width);
        assert!(width > 0);
        assert!(*curve.times().last().expect("a key") <= clip.duration.max(0.0) || clip.duration == 0.0);
    }
    let mut seen = std::collections::HashSet::new();
    for channel in &clip.properties {
        assert!(seen.insert(channel.property));
        assert_eq!(clip.curves[channel.curve].width(), channel.property.width());
    }
}
