//! Models, and their vertices by the CPU skinning of the crate gambol.

use gambol::animation::{Affine, Deformed, Rig, deform};
use gambol::import::{FolderResolver, NoResolver, import};
use gambol::model::{ClipId, Model};
use gambol_tools::Document;
use std::sync::LazyLock;

/// A file: its name, its document and its model.
pub(crate) struct File {
    pub(crate) name: &'static str,
    pub(crate) document: Document,
    pub(crate) model: Figure,
}

/// A model with its rig.
pub(crate) struct Figure {
    model: Model,
    pub(crate) rig: Rig,
}

impl Figure {
    pub(crate) fn new(model: Model) -> Self {
        Self { rig: Rig::new(&model), model }
    }
}

impl std::ops::Deref for Figure {
    type Target = Model;
    fn deref(&self) -> &Model {
        &self.model
    }
}

/// Pip, and the models of `../shared` if it exists.
pub(crate) fn files() -> Vec<File> {
    let mut all = vec![pip()];
    for name in [
        "gltf/Fox.glb",
        "gltf/CesiumMan.glb",
        "gltf/SimpleSkin.gltf",
        "gltf/AnimatedMorphCube/AnimatedMorphCube.gltf",
        "gltf/MorphStressTest.gltf",
        "gltf/RobotExpressive.glb",
        "gltf/box_animated.gltf",
        "gltf/interpolation_test/interpolation_test.gltf",
        "variants/Fox_meshopt_khr.glb",
        "variants/Fox_sparse.glb",
    ] {
        all.extend(shared(name));
    }
    all
}

pub(crate) fn pip() -> File {
    // It takes seconds to make.
    static BYTES: LazyLock<Vec<u8>> = LazyLock::new(gambol_sample::glb);
    let bytes = &**BYTES;
    let document = Document::parse(bytes, &mut NoResolver).expect("a document");
    File { name: "Pip", document, model: Figure::new(import(bytes, &mut NoResolver).expect("a model").model) }
}

/// A file of `../shared/assets`.
pub(crate) fn shared(name: &'static str) -> Option<File> {
    let path = crate::common::assets()?.join(name);
    let Ok(bytes) = std::fs::read(&path) else {
        crate::common::skipped(&format!("there is no {}", path.display()));
        return None;
    };
    let folder = path.parent().expect("a folder").to_owned();
    let document = Document::parse(&bytes, &mut FolderResolver::new(folder.clone())).expect(name);
    let model = Figure::new(import(&bytes, &mut FolderResolver::new(folder)).expect(name).model);
    Some(File { name, document, model })
}

/// The model of a document, as a reader of its GLB gets it.
pub(crate) fn reread(document: &Document) -> Figure {
    Figure::new(import(&document.to_glb().expect("a GLB"), &mut NoResolver).expect("a model").model)
}

/// The pose of a clip, or the rest pose: the vertices of each primitive of each drawable, as many as the file has.
pub(crate) fn vertices(model: &Figure, clip: Option<usize>, time: f64) -> Vec<Deformed> {
    let rig = &model.rig;
    let mut pose = rig.rest_pose().clone();
    if let Some(clip) = clip {
        rig.sample(ClipId::new(clip), time, &mut pose);
    }
    let (mut matrices, mut palette) = (Vec::new(), vec![Affine::identity(); rig.palette_len()]);
    rig.node_matrices(&pose, &Affine::identity(), &mut matrices);
    rig.palette(&matrices, &mut palette);
    let mut all = Vec::new();
    for drawable in &rig.layout.drawables {
        for primitive in &model.meshes[drawable.mesh.index()].primitives {
            let mut out = Deformed::default();
            deform(primitive, drawable, &palette, &[], &pose.weights, &mut out);
            out.positions.truncate(primitive.vertex_count() - primitive.split_vertices);
            out.normals.truncate(out.positions.len());
            all.push(out);
        }
    }
    all
}

/// The largest distance of two lists of vertices, and the largest coordinate.
pub(crate) fn distance(a: &[Deformed], b: &[Deformed]) -> (f64, f64) {
    assert_eq!(a.len(), b.len());
    let (mut worst, mut size): (f64, f64) = (0.0, 0.0);
    for (a, b) in a.iter().zip(b) {
        assert_eq!(a.positions.len(), b.positions.len());
        for (a, b) in a.positions.iter().zip(&b.positions) {
            let off = |i: usize| f64::from(a[i]) - f64::from(b[i]);
            worst = worst.max((0..3).map(|i| off(i) * off(i)).sum::<f64>().sqrt());
            size = a.iter().fold(size, |size, &value| size.max(f64::from(value).abs()));
        }
    }
    (worst, size)
}
