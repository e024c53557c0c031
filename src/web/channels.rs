//! The channels of clips: keys as gambol plays them.

use super::asset::Asset;
use super::convert::{array, object};
use crate::model::{Clip, Interpolation, NodeId, Path, Property};
use js_sys::Float32Array;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = "
/** A channel of a clip. */
export interface ChannelDescription {
  /** The index of the node in the file; null for a property of a material, light or camera. */
  readonly node: number | null;
  /** The name of the node in the file; null without a node or name. */
  readonly name: string | null;
  readonly path: string;
  readonly interpolation: 'STEP' | 'LINEAR' | 'CUBICSPLINE';
  readonly components: number;
  readonly times: Float32Array<ArrayBuffer>;
  readonly values: Float32Array<ArrayBuffer>;
}
";

#[wasm_bindgen]
impl Asset {
    /// The channels of a clip, by its index: those of nodes, then those of other properties. An index without a clip
    /// has none. The arrays are copies.
    #[wasm_bindgen(unchecked_return_type = "ChannelDescription[]")]
    pub fn channels(&self, clip: usize) -> Result<JsValue, JsValue> {
        let asset = self.compiled()?;
        let (set, model) = (asset.clips(), self.model());
        let none = Clip::default();
        let clip = set.clips.get(clip).map_or(&none, |clip| &**clip);
        let described = |node: Option<NodeId>, path: &str, curve: usize| {
            let node = node.map(|node| &model.nodes[node.index()]);
            let name = node.filter(|node| !node.name.is_empty());
            channel(
                node.map_or(JsValue::NULL, |node| node.source.into()),
                name.map_or(JsValue::NULL, |node| node.name.as_str().into()),
                path,
                clip,
                curve,
            )
        };
        let nodes = clip.channels.iter().map(|channel| {
            let path = match channel.path {
                Path::Translation => "translation",
                Path::Rotation => "rotation",
                Path::Scale => "scale",
                Path::Weights => "weights",
            };
            described(Some(channel.node), path, channel.curve)
        });
        let properties = clip.properties.iter().map(|channel| {
            let node = match channel.property {
                Property::Visible(node) | Property::Weight(node, _) => Some(node),
                _ => None,
            };
            described(node, &channel.property.pointer(model), channel.curve)
        });
        Ok(array(nodes.chain(properties), |channel| channel))
    }
}

fn channel(node: JsValue, name: JsValue, path: &str, clip: &Clip, curve: usize) -> JsValue {
    let curve = &clip.curves[curve];
    let interpolation = match curve.interpolation() {
        Interpolation::Step => "STEP",
        Interpolation::Linear => "LINEAR",
        Interpolation::CubicSpline => "CUBICSPLINE",
    };
    object([
        ("node", node),
        ("name", name),
        ("path", path.into()),
        ("interpolation", interpolation.into()),
        ("components", (curve.width() as u32).into()),
        ("times", Float32Array::from(curve.times()).into()),
        ("values", Float32Array::from(curve.values()).into()),
    ])
}
