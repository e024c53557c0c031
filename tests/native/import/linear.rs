//! Import takes memory and time proportional to the size of the file.
//!
//! The tests count allocated bytes, including freed ones: a quadratic loop over the file's elements also allocates
//! quadratically, and no clock is needed.

use crate::common::allocator::allocated;
use crate::common::builder::{Builder, animated, skinned, triangle};
use gambol::import::{DracoAttribute, DracoMesh, DracoRequest, Limits, Resolver};
use serde_json::json;

/// The number of bytes that the import of a file allocates, and the size of the file.
fn cost(file: &Builder) -> (usize, usize) {
    let glb = file.glb();
    let (allocated, _) = allocated(|| gambol::import::import(&glb, &mut Decoder));
    (allocated.bytes, glb.len())
}

fn vertices(n: usize) -> Builder {
    let mut file = Builder::new();
    let positions = file.floats("VEC3", &vec![0.5; 9 * n]);
    let attributes = json!({"POSITION": positions, "NORMAL": positions});
    file.push(
        "meshes",
        json!({"primitives": [{"attributes": attributes, "targets": [{"POSITION": positions}]}]}),
    );
    file
}

fn chain(n: usize) -> Builder {
    let mut file = skinned();
    let nodes: Vec<_> =
        (0..n).map(|i| if i + 1 < n { json!({"children": [i + 1]}) } else { json!({}) }).collect();
    file.json["nodes"] = json!(nodes);
    file.json["skins"][0]["joints"] = json!((0..n).collect::<Vec<_>>());
    file
}

fn meshes(n: usize) -> Builder {
    let mut file = triangle();
    for _ in 0..n {
        file.push("meshes", json!({"primitives": [{"attributes": {"POSITION": 0}}]}));
    }
    file
}

fn channels(n: usize) -> Builder {
    let mut file = animated();
    file.json["nodes"] = json!(vec![json!({}); n]);
    let channel = |node| json!({"sampler": 0, "target": {"node": node, "path": "translation"}});
    file.json["animations"][0]["channels"] = json!((0..n).map(channel).collect::<Vec<_>>());
    file
}

fn animations(n: usize) -> Builder {
    let mut file = animated();
    for _ in 0..n {
        let clip = file.json["animations"][0].clone();
        file.push("animations", clip);
    }
    file
}

fn accessors(n: usize) -> Builder {
    let mut file = triangle();
    for _ in 0..n {
        // Broken and unused.
        file.push("accessors", json!({"bufferView": 99, "componentType": 5126, "type": "VEC3", "count": 3}));
    }
    file
}

fn faults(n: usize) -> Builder {
    let mut file = animated();
    let channel = json!({"sampler": 0, "target": {"node": 77, "path": "what"}});
    file.json["animations"][0]["channels"] = json!(vec![channel; n]);
    file.json["scenes"] = json!([{"nodes": vec![0; n]}]);
    file
}

fn targets(n: usize) -> Builder {
    let mut file = triangle();
    let names: Vec<String> = (0..n).map(|target| format!("target {target}")).collect();
    file.json["meshes"][0]["primitives"][0]["targets"] = json!(vec![json!({"POSITION": 0}); n]);
    file.json["meshes"][0]["extras"] = json!({"targetNames": names});
    file.json["meshes"][0]["weights"] = json!(vec![0; n]);
    file
}

fn sparse_targets(n: usize) -> Builder {
    let mut file = triangle();
    let (indices, values) = (file.view(&[1; 4]), file.view(&[0; 12]));
    let sparse = json!({
        "count": 1,
        "indices": {"bufferView": indices, "componentType": 5121},
        "values": {"bufferView": values},
    });
    for _ in 0..n {
        file.push("accessors", json!({"componentType": 5126, "type": "VEC3", "count": 3, "sparse": sparse}));
    }
    let targets: Vec<_> = (1..=n).map(|accessor| json!({"POSITION": accessor})).collect();
    file.json["meshes"][0]["primitives"][0]["targets"] = json!(targets);
    file
}

fn influences(n: usize) -> Builder {
    let mut file = skinned();
    let attributes = file.json["meshes"][0]["primitives"][0]["attributes"].clone();
    for set in 1..n {
        file.json["meshes"][0]["primitives"][0]["attributes"][format!("JOINTS_{set}")] =
            attributes["JOINTS_0"].clone();
        file.json["meshes"][0]["primitives"][0]["attributes"][format!("WEIGHTS_{set}")] =
            attributes["WEIGHTS_0"].clone();
    }
    file
}

fn skins(n: usize) -> Builder {
    let mut file = skinned();
    let skin = file.json["skins"][0].clone();
    file.json["skins"] = json!(vec![skin; n]);
    file
}

fn materials(n: usize) -> Builder {
    let mut file = triangle();
    file.push("images", json!({"uri": "a.png"}));
    let scale = json!({"KHR_texture_transform": {"scale": [2, 2]}});
    for texture in 0..n {
        file.push("textures", json!({"source": 0}));
        file.push("materials", json!({"emissiveTexture": {"index": texture, "extensions": scale}}));
    }
    file
}

fn variants(n: usize) -> Builder {
    let mut file = triangle();
    let names: Vec<_> = (0..n).map(|variant| json!({"name": variant.to_string()})).collect();
    let mappings: Vec<_> = (0..n).map(|variant| json!({"material": 0, "variants": [variant]})).collect();
    file.json["extensions"] = json!({"KHR_materials_variants": {"variants": names}});
    file.json["materials"] = json!([{}]);
    file.json["meshes"][0]["primitives"][0]["extensions"] =
        json!({"KHR_materials_variants": {"mappings": mappings}});
    file
}

fn pointers(n: usize) -> Builder {
    let mut file = animated();
    file.json["materials"] = json!(vec![json!({}); n]);
    let channel = |material| {
        let pointer = format!("/materials/{material}/emissiveFactor");
        json!({"sampler": 0, "target": {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}}})
    };
    file.json["animations"][0]["channels"] = json!((0..n).map(channel).collect::<Vec<_>>());
    file
}

fn instances(n: usize) -> Builder {
    let mut file = triangle();
    let places = file.floats("VEC3", &vec![1.0; 3 * n]);
    file.json["nodes"][0]["extensions"] =
        json!({"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": places}}});
    file
}

fn encoded_views(n: usize) -> Builder {
    let mut file = triangle();
    let stream = [&[0xa1, 0xaa, 0xaa, 0xaa][..], &[0; 24]].concat();
    let at = file.view(&stream);
    let mut extension = file.json["bufferViews"][at].clone();
    extension["mode"] = json!("ATTRIBUTES");
    extension["byteStride"] = json!(12);
    extension["count"] = json!(3);
    for _ in 0..n {
        file.push(
            "bufferViews",
            json!({"buffer": 1, "byteLength": 36, "extensions": {"KHR_meshopt_compression": extension}}),
        );
    }
    file.json["buffers"] = json!([{"byteLength": file.bin.len()}, {"byteLength": 36}]);
    file
}

/// The page decodes Draco's bytes; this test only covers the requests.
fn draco_meshes(n: usize) -> Builder {
    let mut file = triangle();
    let view = file.view(&[1, 2, 3, 4]);
    let extension = json!({"bufferView": view, "attributes": {"POSITION": 0}});
    let accessor = file.push("accessors", json!({"componentType": 5126, "type": "VEC3", "count": 3}));
    let mut part = json!({"attributes": {"POSITION": accessor}});
    part["extensions"] = json!({"KHR_draco_mesh_compression": extension});
    file.json["meshes"] = json!([{"primitives": vec![part; n]}]);
    file.json["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]);
    file
}

fn draco_attributes(n: usize) -> Builder {
    let mut file = draco_meshes(1);
    let part = &mut file.json["meshes"][0]["primitives"][0];
    for set in 0..n {
        part["attributes"][format!("TEXCOORD_{set}")] = json!(0);
        part["extensions"]["KHR_draco_mesh_compression"]["attributes"][format!("TEXCOORD_{set}")] =
            json!(set);
    }
    file
}

/// A resolver that decodes every Draco mesh to a triangle.
struct Decoder;

impl Resolver for Decoder {
    fn read(&mut self, uri: &str) -> Result<Vec<u8>, String> {
        Err(uri.to_owned())
    }

    fn decode_draco(&mut self, request: &DracoRequest, _: &[u8]) -> Option<Result<DracoMesh, String>> {
        let bytes =
            |attribute: &DracoAttribute| vec![0; 3 * attribute.components * attribute.component.size()];
        let attributes = request.attributes.iter().map(bytes).collect();
        Some(Ok(DracoMesh { vertices: 3, attributes, indices: vec![0, 1, 2] }))
    }
}

/// Files whose cost could be a product of two lengths are stopped by the memory limit, since each part is small and
/// valid.
#[test]
fn import_memory_budget_limits_products_of_counts() {
    const N: usize = 6000;
    // Each target refers to the last of many sets of texture coordinates.
    let mut sets = triangle();
    let pairs = sets.push("accessors", json!({"componentType": 5126, "type": "VEC2", "count": 3}));
    for set in 0..N {
        sets.json["meshes"][0]["primitives"][0]["attributes"][format!("TEXCOORD_{set}")] = json!(pairs);
    }
    let target = json!({format!("TEXCOORD_{}", N - 1): pairs});
    sets.json["meshes"][0]["primitives"][0]["targets"] = json!(vec![target; N]);

    // Each channel animates a weight of all nodes with the mesh.
    let weights = |pointer: &str| {
        let mut file = animated();
        let output = file.floats("SCALAR", &[0.0, 0.5, 1.0]);
        file.json["meshes"][0]["primitives"][0]["targets"] = json!([{"POSITION": 0}]);
        file.json["nodes"] = json!(vec![json!({"mesh": 0}); N]);
        file.json["animations"][0]["samplers"][0]["output"] = json!(output);
        let target =
            json!({"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}});
        file.json["animations"][0]["channels"] = json!(vec![json!({"sampler": 0, "target": target}); N]);
        file
    };

    for file in [sets, weights("/meshes/0/weights/0"), weights("/meshes/0/weights")] {
        let (bytes, length) = cost(&file);
        // Freed allocations count as well; they are a few times the final size.
        assert!(
            bytes < 5 * (Limits::DEFAULT.floor as usize) + 100 * length,
            "{bytes} for a file of {length}"
        );
    }
}

#[test]
fn import_allocates_in_proportion_to_the_file() {
    type Make = fn(usize) -> Builder;
    let kinds: [(&str, Make); 18] = [
        ("vertices", vertices),
        ("a chain of nodes", chain),
        ("meshes", meshes),
        ("channels", channels),
        ("animations", animations),
        ("broken accessors", accessors),
        ("faults", faults),
        ("morph targets", targets),
        ("sparse morph targets", sparse_targets),
        ("sets of influences", influences),
        ("skins", skins),
        ("materials", materials),
        ("variants", variants),
        ("pointers", pointers),
        ("instances", instances),
        ("encoded views", encoded_views),
        ("Draco meshes", draco_meshes),
        ("Draco attributes", draco_attributes),
    ];
    for (name, make) in kinds {
        let costs: Vec<(usize, usize)> = [500, 1000, 2000, 4000].map(|n| cost(&make(n))).to_vec();
        for pair in costs.windows(2) {
            let ((less, short), (more, long)) = (pair[0], pair[1]);
            let growth = more as f64 / less as f64;
            let longer = long as f64 / short as f64;
            // Growing vectors may have one additional doubling.
            assert!(
                growth < 1.35 * longer,
                "{name}: {growth:.2} times the memory for {longer:.2} times the file"
            );
        }
        let (bytes, length) = costs[3];
        assert!(bytes < 100 * length, "{name}: {bytes} bytes for a file of {length}");
    }
}
