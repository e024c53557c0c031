//! Clips from numbers.

use super::asset::Asset;
use super::convert::error;
use crate::import::{Track, TrackError, TrackTarget, clip_from_tracks, codes};
use crate::model::{Clip, ClipId, Marker, NodeId, Path};
use crate::viewer;
use crate::web::features::feature_methods;
use crate::web::structures::{Floats, structures};
use std::sync::Arc;
use wasm_bindgen::prelude::*;

structures! {
    /// One property over time.
    pub struct TrackSetup: "TrackSetup" {
        /// The index of the node in the file, for a property of a node.
        node: Option<u32>,
        /// The index in [`Asset::morphs`], for a morph.
        morph: Option<u32>,
        /// The property of a node, or a JSON pointer.
        path: String,
        /// `STEP`, `LINEAR` or `CUBICSPLINE`.
        interpolation: String,
        times: Floats,
        values: Floats,
    }

    /// A named time in a new clip.
    pub struct ClipMarker: "ClipMarker" {
        name: String,
        time: f64,
    }

    /// A new clip.
    pub struct ClipSetup: "ClipSetup" {
        name: String,
        tracks: Vec<TrackSetup>,
        markers: Vec<ClipMarker>,
    }
}

feature_methods! {
    list for_clips: Retargeting;
    impl Asset {
        /// Adds a clip from numbers; returns its index. Pointers need the feature `decoding`. Afterwards, call `updateClips` of each
        /// stage with the model.
        #[wasm_bindgen(js_name = createClip)]
        pub fn create_clip(this, setup: &js::ClipSetup) -> Result<usize, JsValue> {
            let asset = this.compiled()?;
            let clip = made(asset, setup.into()).map_err(|fault| thrown(&fault))?;
            asset.change_clips(|clips| clips.add(&asset.model, vec![clip]));
            Ok(asset.clips().clips.len() - 1)
        }

        /// Replaces a clip by one from numbers; an index without a clip has no effect. See `createClip`.
        #[wasm_bindgen(js_name = replaceClip)]
        pub fn replace_clip(this, clip: usize, setup: &js::ClipSetup) -> Result<(), JsValue> {
            let (asset, id) = (this.compiled()?, ClipId::new(clip));
            let clip = made(asset, setup.into()).map_err(|fault| thrown(&fault))?;
            if asset.clips().has(id) {
                asset.change_clips(|clips| clips.replace(&asset.model, id, clip));
            }
            Ok(())
        }
    }
}

fn made(asset: &viewer::Asset, setup: ClipSetup) -> Result<Arc<Clip>, TrackError> {
    let ClipSetup { name, tracks, markers } = setup;
    let tracks: Vec<Track> = tracks.into_iter().map(|setup| track(asset, setup)).collect();
    let marker = |ClipMarker { name, time }| Marker { name, time };
    let markers: Vec<Marker> = markers.into_iter().map(marker).collect();
    let clip = clip_from_tracks(&asset.model, &name, &tracks, &markers)?;
    let rig = asset.rig();
    let fixed = |channel: &&_| {
        let crate::model::Channel { node, path, .. } = channel;
        *path != Path::Weights && rig.is_fixed(*node)
    };
    match clip.channels.iter().find(fixed) {
        Some(channel) => {
            let node = &asset.model.nodes[channel.node.index()];
            let is_of = |track: &Track| matches!(track.target, TrackTarget::Node { node: at, .. } if at == node.source as usize);
            let at = tracks.iter().position(is_of).map_or(String::new(), |at| format!("tracks[{at}].node"));
            let message =
                format!("The matrix of the node “{}” cannot be animated, because it shears", node.name);
            Err(TrackError { code: codes::CHANNEL_IGNORED, place: at, message })
        }
        None => Ok(clip.into()),
    }
}

fn track(asset: &viewer::Asset, setup: TrackSetup) -> Track {
    let TrackSetup { node, morph, path, interpolation, times, values } = setup;
    let target = match (node, morph) {
        (Some(node), _) => TrackTarget::Node { node: node as usize, path },
        (None, Some(morph)) => TrackTarget::Weights(weights_of(asset, morph as usize)),
        (None, None) => TrackTarget::Pointer(path),
    };
    Track { target, interpolation, times, values }
}

/// The weights of a morph: each with its node and its index there.
fn weights_of(asset: &viewer::Asset, morph: usize) -> Vec<(NodeId, u32)> {
    let ranges = &asset.layout.weights_of_node;
    let weights = asset.morphs().get(morph).map_or(&[][..], |morph| &morph.weights);
    let place = |&at: &usize| {
        let node = ranges.iter().position(|range| range.contains(&(at as u32)))?;
        Some((NodeId::new(node), at as u32 - ranges[node].start))
    };
    weights.iter().filter_map(place).collect()
}

fn thrown(fault: &TrackError) -> JsValue {
    error(fault.code, &fault.to_string(), Some(&fault.place))
}
