//! Files of motion alone: names for their clips, and a mesh of their bones.

use super::asset::Asset;
use crate::import::codes;
use crate::viewer::AssetBuilder;
use crate::web::features::feature_methods;
use std::sync::Arc;
use wasm_bindgen::prelude::*;

feature_methods! {
    list for_retargeting: Retargeting;
    impl mut Asset {
        /// Prepares a file of motion alone before [`Asset::compile`]; other files stay as they are. Clips without a name get that of
        /// the file. With `figure`, the model gets a mesh of its bones, and the warning that nothing is shown is dropped.
        #[wasm_bindgen(js_name = prepareMotion)]
        pub fn prepare_motion(this, name: &str, figure: bool) -> Result<(), JsValue> {
            let Some(builder) = this.builder_mut() else { return Ok(()) };
            let mut model = std::mem::take(&mut builder.model);
            let shown = figure && model.is_motion();
            if model.is_motion() {
                for clip in model.clips.iter_mut().filter(|clip| clip.name.is_empty()) {
                    name.clone_into(&mut Arc::make_mut(clip).name);
                }
                if figure {
                    model.add_figure();
                }
            }
            *builder = AssetBuilder::new(model);
            if shown {
                // The bones are seen.
                this.warnings.retain(|warning| warning.code != codes::NOTHING_TO_SHOW);
            }
            Ok(())
        }
    }
}
