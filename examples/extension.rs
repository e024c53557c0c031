//! Imports a file with an extension that gambol does not know: nodes that spin become a clip.
//!
//! ```text
//! cargo run --example extension
//! ```

use gambol::animation::Rig;
use gambol::import::{ExtensionHandler, ImportError, NoResolver, import_with};
use gambol::model::{ClipId, Model, NodeId};
use gambol_gltf::document::Document;
use gambol_gltf::element::{ComponentType, Kind};
use gambol_gltf::json;
use gambol_gltf::place;
use std::error::Error;
use std::io::{Write, stdout};

const NAME: &str = "ACME_spin";

/// `"ACME_spin": { "seconds": 2 }` of a node: a turn about its Y axis takes two seconds.
struct Spin;

impl ExtensionHandler for Spin {
    fn name(&self) -> &str {
        NAME
    }

    fn read(&mut self, document: &mut Document) -> Result<(), ImportError> {
        let mut spinning = Vec::new();
        for (node, json) in document.list("nodes").iter().enumerate() {
            let Some(spin) = json.get("extensions").and_then(|all| all.get(NAME)) else { continue };
            let pointer = format_args!("/nodes/{node}/extensions/{NAME}");
            let seconds: f32 = place::read_with(spin, pointer, |at| {
                let seconds = at.required("seconds");
                if seconds <= 0.0 {
                    at.fault_at("seconds", "a turn takes time");
                }
                seconds
            })?;
            spinning.push((node, seconds));
        }
        // Rotations of less than half a turn between the keys.
        let turns = [0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0];
        let (mut samplers, mut channels) = (Vec::new(), Vec::new());
        for (node, seconds) in spinning {
            let times = turns.map(|turn| turn * seconds);
            let rotations =
                turns.map(|turn| std::f32::consts::PI * turn).map(|half| [0.0, half.sin(), 0.0, half.cos()]);
            let input = document.add_elements(bytes(&times), None, ComponentType::F32, Kind::Scalar);
            let output =
                document.add_elements(bytes(rotations.as_flattened()), None, ComponentType::F32, Kind::Vec4);
            channels
                .push(json!({ "sampler": samplers.len(), "target": { "node": node, "path": "rotation" } }));
            samplers.push(json!({ "input": input, "output": output }));
        }
        document.push("animations", json!({ "name": "spin", "samplers": samplers, "channels": channels }));
        Ok(())
    }
}

fn bytes(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// A triangle that spins.
///
/// - `seconds`: of a turn.
pub(crate) fn file(seconds: f32) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut document = Document::default();
    let corners = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let positions =
        document.add_elements(bytes(corners.as_flattened()), None, ComponentType::F32, Kind::Vec3);
    document.push("meshes", json!({ "primitives": [{ "attributes": { "POSITION": positions } }] }));
    document.push("nodes", json!({ "mesh": 0, "extensions": { NAME: { "seconds": seconds } } }));
    document.declare(NAME, true);
    Ok(document.to_glb()?)
}

/// The model of a file whose nodes may spin.
pub(crate) fn model(file: &[u8]) -> Result<Model, ImportError> {
    Ok(import_with(file, &mut NoResolver, &mut [&mut Spin])?.model)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let model = model(&file(2.0)?)?;
    let rig = Rig::new(&model);
    let mut pose = rig.rest_pose().clone();
    for time in [0.0, 0.5, 1.0] {
        rig.sample(ClipId::new(0), time, &mut pose);
        writeln!(stdout(), "{time} s: {:?}", pose.get(NodeId::new(0)).rotation)?;
    }
    Ok(())
}
