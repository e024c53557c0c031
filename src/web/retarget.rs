//! Clips of other files for a model, and its human bones.

use super::asset::Asset;
use super::convert::{array, error, object};
use super::features::feature_methods;
use super::retarget_options::{self, RetargetOptions};
use crate::animation::retarget::{HumanoidMap, MappedBone, Report, RetargetError, retarget};
use crate::model::{ClipId, HumanBone, Model, NodeId};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = "
/** The result of {@link Asset.addClips}. Joints are indices in the files. */
export interface RetargetDescription {
  /** The indices of the new clips. */
  readonly clips: readonly number[];
  /** The naming conventions of both files; undefined if the joints were paired by names. */
  readonly conventions?: readonly [source: string, target: string];
  readonly mapped: readonly { readonly bone: string; readonly source: number; readonly target: number }[];
  /** The number of other joints that were paired by name. */
  readonly named: number;
  readonly missing: string[];
  readonly ambiguous: string[];
  readonly scale: number;
  /** The number of channels without effect. */
  readonly skipped: number;
  readonly warnings: string[];
}

/** The human bones of a model. Joints are indices in the file. */
export interface HumanoidDescription {
  readonly convention: string;
  readonly bones: readonly { readonly bone: string; readonly joint: number }[];
  readonly spine: readonly number[];
  readonly twists: readonly number[];
  readonly ambiguous: string[];
}
";

fn thrown(fault: RetargetError) -> JsValue {
    error(fault.code(), &fault.to_string(), None)
}

feature_methods! {
    list for_retargeting: Retargeting;
    impl Asset {
        /// Adds a clip of another file, or all of them, retargeted. The model must be compiled. Afterwards, call
        /// `updateClips` of each stage with the model.
        #[wasm_bindgen(js_name = addClips, unchecked_return_type = "RetargetDescription")]
        pub fn add_clips(
            this,
            source: &Asset,
            clip: Option<usize>,
            options: &retarget_options::js::RetargetOptions,
        ) -> Result<JsValue, JsValue> {
            let (options, asset) = (RetargetOptions::from(options).into(), this.compiled()?);
            let (from, to) = (source.model(), &asset.model);
            let mut made = retarget(from, clip.map(ClipId::new), to, &options).map_err(thrown)?;
            let rig = asset.rig();
            let channels = made.clips.iter().flat_map(|clip| &clip.channels);
            made.report.skipped += channels.filter(|channel| rig.is_fixed(channel.node)).count();
            let first = asset.clips().clips.len();
            let added = first..first + made.clips.len();
            asset.change_clips(|clips| clips.add(to, made.clips));
            Ok(described(&made.report, added, from, to))
        }

        /// Removes a clip; an index without a clip has no effect. Actors that play it show the rest pose. Afterwards, call
        /// `updateClips` of each stage with the model.
        #[wasm_bindgen(js_name = removeClip)]
        pub fn remove_clip(this, clip: usize) -> Result<(), JsValue> {
            let (asset, clip) = (this.compiled()?, ClipId::new(clip));
            if asset.clips().has(clip) {
                asset.change_clips(|clips| clips.remove(clip));
            }
            Ok(())
        }

        /// The human bones that are found in the model; nothing if it is no humanoid.
        #[wasm_bindgen(unchecked_return_type = "HumanoidDescription | undefined")]
        pub fn humanoid(this) -> Result<JsValue, JsValue> {
            let model = this.model();
            Ok(HumanoidMap::find(model).map_or(JsValue::UNDEFINED, |map| humanoid_description(&map, model)))
        }
    }
}

fn described(report: &Report, added: impl Iterator<Item = usize>, source: &Model, target: &Model) -> JsValue {
    let conventions = report.conventions.map(|both| array(both, |convention| convention.name().into()));
    object([
        ("clips", array(added, |clip| (clip as u32).into())),
        ("conventions", conventions.unwrap_or(JsValue::UNDEFINED)),
        (
            "mapped",
            array(&report.mapped, |MappedBone { bone, source: from, target: to }| {
                object([
                    ("bone", bone.name().into()),
                    ("source", joint(source, *from)),
                    ("target", joint(target, *to)),
                ])
            }),
        ),
        ("named", (report.named as u32).into()),
        ("missing", names(&report.missing)),
        ("ambiguous", names(&report.ambiguous)),
        ("scale", report.scale.into()),
        ("skipped", (report.skipped as u32).into()),
        ("warnings", array(&report.warnings, |warning| warning.as_str().into())),
    ])
}

fn humanoid_description(map: &HumanoidMap, model: &Model) -> JsValue {
    let joints = |nodes: &[NodeId]| array(nodes, |node| joint(model, *node));
    let bones =
        map.bones().map(|(bone, node)| object([("bone", bone.name().into()), ("joint", joint(model, node))]));
    object([
        ("convention", map.convention.name().into()),
        ("bones", array(bones, |bone| bone)),
        ("spine", joints(map.spine())),
        ("twists", joints(&map.twists)),
        ("ambiguous", names(&map.ambiguous)),
    ])
}

fn names(bones: &[HumanBone]) -> JsValue {
    array(bones, |bone| bone.name().into())
}

/// The index of a node in its file.
fn joint(model: &Model, node: NodeId) -> JsValue {
    model.nodes[node.index()].source.into()
}
