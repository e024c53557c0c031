//! Flip-books of materials and billboards.

use super::joints::Joints;
use crate::animation::{Billboard, Flipbook, FlipbookClock};
use crate::model::MaterialId;
use crate::viewer::{ActorId, StageError};
use crate::web::rest::deferred_methods;
use crate::web::words::LoopMode;
use wasm_bindgen::prelude::*;

deferred_methods! {
    impl Joints {
        /// Animates the textures of a material by cells, from the present time of the timeline on. Has no effect for
        /// a material that does not exist.
        ///
        /// - `columns`, `rows`: the cells of the textures; 0 ends the flip-book.
        /// - `first`, `frames`: the index of the first cell, and the number of cells.
        /// - `fps`: cells per second.
        /// - `by_clip`: `true` to follow the playhead, `false` for the timeline.
        #[wasm_bindgen(js_name = setFlipbook)]
        pub fn set_flipbook(
            this,
            actor: u32,
            material: u32,
            columns: u32,
            rows: u32,
            first: u32,
            frames: u32,
            fps: f64,
            loop_mode: LoopMode,
            by_clip: bool,
        ) -> Result<(), StageError> {
            let mut stage = this.shared().stage_mut();
            let now = stage.cast().now();
            if material as usize >= stage.cast().get(ActorId::new(actor))?.asset.model.materials.len() {
                return Ok(());
            }
            let clock = if by_clip { FlipbookClock::Clip } else { FlipbookClock::Timeline };
            let flipbook =
                Flipbook { columns, rows, first, frames, fps, loop_mode: loop_mode.into(), clock };
            let (flipbooks, _) = stage.sprites_mut(ActorId::new(actor))?;
            flipbooks.set(MaterialId::new(material as usize), Some(flipbook), now);
            Ok(())
        }

        /// Makes a joint a billboard, with all nodes below it; nothing ends it.
        ///
        /// - `by_axis`: `true` to turn it about its Y axis, `false` for parallel to the picture.
        ///
        /// # Errors
        /// `joint/not-found`.
        #[wasm_bindgen(js_name = setBillboard)]
        pub fn set_billboard(this, actor: u32, joint: u32, by_axis: Option<bool>) -> Result<(), StageError> {
            let node = this.shared().node(actor, joint)?;
            let mut stage = this.shared().stage_mut();
            let (_, billboards) = stage.sprites_mut(ActorId::new(actor))?;
            let kind = by_axis.map(|by_axis| if by_axis { Billboard::Axis } else { Billboard::Full });
            billboards.set(node, kind);
            Ok(())
        }
    }
}
