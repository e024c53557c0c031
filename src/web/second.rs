//! The start of the second module.

use crate::base::deferred::second_module_started;
use wasm_bindgen::prelude::*;

/// Makes the functions of the second module available, after it is instantiated: see `base/deferred.rs`.
#[wasm_bindgen(js_name = startRest)]
pub fn start_rest() {
    #[cfg(feature = "split")]
    split::start();
    second_module_started();
}

#[cfg(feature = "split")]
mod split {
    use crate::base::DeferredList;
    use crate::{animation, import, model, render, viewer, web};
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};
    use wasm_split_helpers::wasm_split;

    type Lists = [&'static dyn DeferredList; 6];

    static LISTS: Lists = [
        &animation::DEFERRED_LISTS,
        &import::DEFERRED_LISTS,
        &model::DEFERRED_LISTS,
        &render::DEFERRED_LISTS,
        &viewer::DEFERRED_LISTS,
        &web::DEFERRED_LISTS,
    ];

    /// The only function that `wasm_split` moves to the second module. The lists, and all functions that only
    /// they reference, move with it.
    #[wasm_split(rest)]
    fn lists() -> &'static Lists {
        &LISTS
    }

    pub(super) fn start() {
        let mut lists = pin!(lists());
        // The first poll requests the module from JavaScript, which has it already and reports that
        // synchronously. The second poll returns the lists.
        for _ in 0..2 {
            if let Poll::Ready(lists) = lists.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                return lists.start();
            }
        }
        unreachable!("JavaScript must resolve the request of the second module synchronously");
    }
}
