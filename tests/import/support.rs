//! Tiny files made in code, and what every imported model must keep.

use gambol::import::{Document, ImportError, Imported};
use gambol::model::{Model, NodeId, TextureSlot};
use serde_json::{Value, json};

/// A file in the making: JSON, and one buffer that grows.
pub(crate) struct Builder {
    pub(crate) json: Value,
    pub(crate) bin: Vec<u8>,
}

impl Builder {
    /// A file that says nothing but its version.
    pub(crate) fn new() -> Self {
        Self { json: json!({"asset": {"version": "2.0"}}), bin: Vec::new() }
    }

    /// Adds an element to a top-level array; its index.
    pub(crate) fn push(&mut self, key: &str, element: Value) -> usize {
        let root = self.json.as_object_mut().expect("the root is an object");
        let array = root.entry(key).or_insert_with(|| json!([])).as_array_mut().expect("an array");
        array.push(element);
        array.len() - 1
    }

    /// Adds a buffer view with these bytes; its index.
    pub(crate) fn view(&mut self, bytes: &[u8]) -> usize {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        let view = json!({"buffer": 0, "byteOffset": self.bin.len(), "byteLength": bytes.len()});
        self.bin.extend(bytes);
        self.push("bufferViews", view)
    }

    /// Adds an accessor of floats; its index.
    pub(crate) fn floats(&mut self, kind: &str, values: &[f32]) -> usize {
        let width = match kind {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let view = self.view(&bytes);
        let count = values.len() / width;
        self.push(
            "accessors",
            json!({"bufferView": view, "componentType": 5126, "type": kind, "count": count}),
        )
    }

    /// Adds an accessor of bytes; its index.
    pub(crate) fn bytes(&mut self, kind: &str, width: usize, values: &[u8]) -> usize {
        let view = self.view(values);
        let count = values.len() / width;
        self.push(
            "accessors",
            json!({"bufferView": view, "componentType": 5121, "type": kind, "count": count}),
        )
    }

    /// The file as a GLB.
    pub(crate) fn glb(&self) -> Vec<u8> {
        let mut root = self.json.clone();
        if !self.bin.is_empty() && root.get("buffers").is_none() {
            root["buffers"] = json!([{"byteLength": self.bin.len()}]);
        }
        let mut json = root.to_string().into_bytes();
        json.resize(json.len().next_multiple_of(4), b' ');
        let mut chunks = vec![(*b"JSON", json)];
        if !self.bin.is_empty() {
            chunks.push((*b"BIN\0", self.bin.clone()));
        }
        glb(&chunks)
    }

    /// Imports the file.
    pub(crate) fn import(&self) -> Result<Imported, ImportError> {
        import(&self.glb())
    }

    /// Imports the file, which must be right.
    pub(crate) fn clean(&self) -> Model {
        let Imported { model, warnings } = self.import().expect("the file is right");
        assert_eq!(warnings, []);
        check(&model);
        model
    }

    /// Imports the file, which must be wrong beyond repair: code and pointer.
    pub(crate) fn error(&self) -> (&'static str, String) {
        let error = self.import().expect_err("the file is wrong");
        assert!(!error.to_string().is_empty());
        (error.code(), error.pointer.clone())
    }

    /// Imports the file, which must need one repair: the model, code and pointer.
    pub(crate) fn repaired(&self) -> (Model, &'static str, String) {
        let Imported { model, mut warnings } = self.import().expect("the file can be repaired");
        check(&model);
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        let warning = warnings.remove(0);
        (model, warning.code, warning.pointer)
    }
}

/// A triangle on a node, with its mesh at index 0.
pub(crate) fn triangle() -> Builder {
    let mut file = Builder::new();
    let positions = file.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    file.push("meshes", json!({"primitives": [{"attributes": {"POSITION": positions}}]}));
    file.push("nodes", json!({"mesh": 0}));
    file
}

/// The triangle on two joints (nodes 1 and 2), which it follows half each.
pub(crate) fn skinned() -> Builder {
    let mut file = triangle();
    let joints = file.bytes("VEC4", 4, &[0, 1, 0, 0].repeat(3));
    let weights = file.floats("VEC4", &[0.5, 0.5, 0.0, 0.0].repeat(3));
    file.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] = json!(joints);
    file.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = json!(weights);
    file.json["nodes"] = json!([{"mesh": 0, "skin": 0}, {"children": [2]}, {}]);
    file.push("skins", json!({"joints": [1, 2]}));
    file
}

/// The triangle with a clip that moves its node: samplers and channels can be changed.
pub(crate) fn animated() -> Builder {
    let mut file = triangle();
    let input = file.floats("SCALAR", &[0.0, 1.0, 2.5]);
    let output = file.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0]);
    file.push(
        "animations",
        json!({
            "name": "move",
            "samplers": [{"input": input, "output": output}],
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
        }),
    );
    file
}

/// A GLB of chunks.
pub(crate) fn glb(chunks: &[([u8; 4], Vec<u8>)]) -> Vec<u8> {
    let length: usize = 12 + chunks.iter().map(|(_, bytes)| 8 + bytes.len()).sum::<usize>();
    let mut glb = b"glTF\x02\0\0\0".to_vec();
    glb.extend((length as u32).to_le_bytes());
    for (kind, bytes) in chunks {
        glb.extend((bytes.len() as u32).to_le_bytes());
        glb.extend(kind);
        glb.extend(bytes);
    }
    glb
}

/// Imports bytes that need nothing else. Most tests make parts of files, so it does not count that there is
/// nothing to show.
pub(crate) fn import(bytes: &[u8]) -> Result<Imported, ImportError> {
    let finished = Document::parse(bytes).and_then(Document::finish);
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

/// Numbers at random, the same in every run (xorshift64*).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % end
    }
}

fn finite(values: &[f32]) -> bool {
    values.iter().all(|value| value.is_finite())
}

/// Asserts all that the documentation of [`Model`] promises.
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
