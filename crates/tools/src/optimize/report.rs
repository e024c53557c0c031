//! The parts of a file and their sizes.

use gambol_gltf::document::{Document, Index, visit};
use gambol_gltf::json::Value;

/// Numbers of a file and the bytes of its parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sizes {
    /// The keys of all channels.
    pub keys: usize,
    /// The channels of all animations.
    pub channels: usize,
    /// The accessors.
    pub accessors: usize,
    /// The nodes.
    pub nodes: usize,
    /// The bytes of key times and of their values.
    pub animation: usize,
    /// The bytes of vertices, indices and inverse bind matrices.
    pub geometry: usize,
    /// The bytes of images in the file.
    pub images: usize,
    /// The bytes of the JSON text and of the container.
    pub json: usize,
    /// The bytes of other buffer views, and of gaps between views.
    pub other: usize,
    /// The bytes of the file: as a GLB, if it was not one.
    pub total: usize,
}

impl Sizes {
    /// The sizes of a document, which has `total` bytes as a GLB.
    pub(super) fn of(document: &Document, total: usize) -> Self {
        let mut sizes = Self { accessors: document.list("accessors").len(), total, ..Self::default() };
        sizes.nodes = document.list("nodes").len();
        let mut animated = vec![false; sizes.accessors];
        for animation in document.list("animations") {
            let list = |name: &str| animation.get(name).and_then(Value::as_array).unwrap_or_default();
            sizes.channels += list("channels").len();
            for sampler in list("samplers") {
                for key in ["input", "output"] {
                    if let Some(animated) =
                        sampler.get(key).and_then(Value::as_index).and_then(|i| animated.get_mut(i))
                    {
                        *animated = true;
                    }
                }
            }
            for channel in list("channels") {
                let sampler = channel.index_at("sampler").and_then(|i| list("samplers").get(i));
                let input = sampler.and_then(|sampler| sampler.get("input")).and_then(Value::as_index);
                sizes.keys +=
                    input.and_then(|i| document.accessor(i).ok()).map_or(0, |accessor| accessor.count);
            }
        }
        #[derive(Clone, Copy, PartialEq)]
        enum Part {
            Other,
            Geometry,
            Animation,
            Image,
        }
        let mut parts = vec![Part::Other; document.view_count()];
        let mut note = |value: Option<&Value>, part: Part| {
            if let Some(place) = value.and_then(Value::as_index).and_then(|i| parts.get_mut(i)) {
                *place = part;
            }
        };
        for (accessor, &animated) in document.list("accessors").iter().zip(&animated) {
            let part = if animated { Part::Animation } else { Part::Geometry };
            note(accessor.get("bufferView"), part);
            note(accessor.pointer("/sparse/indices/bufferView"), part);
            note(accessor.pointer("/sparse/values/bufferView"), part);
        }
        for primitive in
            document.list("meshes").iter().flat_map(|mesh| mesh["primitives"].as_array()).flatten()
        {
            note(primitive.pointer("/extensions/KHR_draco_mesh_compression/bufferView"), Part::Geometry);
        }
        document.list("images").iter().for_each(|image| note(image.get("bufferView"), Part::Image));
        for (view, part) in parts.iter().enumerate() {
            let bytes = document.stored_bytes(view);
            match part {
                Part::Other => sizes.other += bytes,
                Part::Geometry => sizes.geometry += bytes,
                Part::Animation => sizes.animation += bytes,
                Part::Image => sizes.images += bytes,
            }
        }
        sizes.json = document.json.to_string().len();
        let known = sizes.animation + sizes.geometry + sizes.images + sizes.json + sizes.other;
        sizes.other += total.saturating_sub(known);
        sizes
    }
}

/// Makes equal accessors one, and then equal buffer views.
pub(super) fn merge_equal(document: &mut Document) {
    let texts: Vec<String> = document.list("accessors").iter().map(Value::to_string).collect();
    merge(document, Index::Accessor, &first_of(&texts));
    let views: Vec<(String, Vec<u8>)> = (0..document.view_count())
        .map(|view| {
            let mut json = document.list("bufferViews")[view].clone();
            if let Some(object) = json.as_object_mut() {
                ["buffer", "byteOffset"].iter().for_each(|key| _ = object.remove(key));
            }
            let encoded = document.stream_of(view).is_some();
            (format!("{json} {encoded}"), document.view_bytes(view).to_vec())
        })
        .collect();
    merge(document, Index::View, &first_of(&views));
    document.prune();
}

/// For each value the index of the first equal one.
fn first_of<T: Eq + std::hash::Hash>(values: &[T]) -> Vec<usize> {
    let mut firsts = std::collections::HashMap::new();
    values.iter().enumerate().map(|(i, value)| *firsts.entry(value).or_insert(i)).collect()
}

fn merge(document: &mut Document, kind: Index, firsts: &[usize]) {
    visit(&mut document.json, &mut |found, value| {
        if found == kind
            && let Some(&first) = value.as_index().and_then(|i| firsts.get(i))
        {
            *value = first.into();
        }
    });
}
