//! Features: parts of gambol that a page loads when it needs them. See `base/feature.rs`.

use crate::base::feature::core_started;
use std::sync::atomic::{AtomicU32, Ordering};
use wasm_bindgen::prelude::*;

/// A feature, which runs as a whole or not at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Feature {
    /// The calls that decide where a character is, and getters that a page may call at any time: to move to the first module.
    Core,
    /// Springs, feet, chains, the gaze of several joints, root motion.
    Body,
    /// Crowds.
    Crowds,
    /// Decoders and rare extensions of model files.
    Decoding,
    /// Debug views, stills and films, flip-books and billboards, skinning by the CPU or by dual quaternions.
    Extras,
    /// Expressions, blinks and glances.
    Faces,
    /// Environments from files, skies, shadows.
    Light,
    /// Picking, surface points, occlusion.
    Picking,
    /// Clips of other files.
    Retargeting,
    /// State machines.
    States,
}

/// The features that run, a bit each; all in builds with one module.
static RUNNING: AtomicU32 = AtomicU32::new(if cfg!(feature = "split") { 0 } else { u32::MAX });

impl Feature {
    fn bit(self) -> u32 {
        1 << self as u32
    }
}

#[wasm_bindgen]
extern "C" {
    /// Returns the error for a call that needs the second module too early, and requests the module again.
    #[wasm_bindgen(js_name = notYet)]
    fn not_yet() -> JsValue;
}

/// Checks that a feature runs. Each function of the first module that needs one must call it before it borrows or
/// changes anything. Then the call fails with `load/chunk` without side effects; later in the call it would panic.
/// # Errors
/// `load/chunk`.
pub(super) fn need(feature: Feature) -> Result<(), JsValue> {
    if RUNNING.load(Ordering::Relaxed) & feature.bit() == 0 { Err(not_yet()) } else { Ok(()) }
}

/// Defines methods of a class whose bodies are in a feature: after its list, `impl CLASS {…}`, or `impl mut CLASS {…}`
/// for methods with `&mut self`. Each throws the errors of its body, or `load/chunk`.
macro_rules! feature_methods {
    (list $list:ident: $feature:ident; impl $class:ident {$(
        $(#[$meta:meta])*
        pub fn $name:ident($this:ident $(, $arg:ident: $ty:ty)* $(,)?) -> Result<$ok:ty, $err:ty> $body:tt
    )+}) => {
        #[wasm_bindgen]
        impl $class {$(
            $(#[$meta])*
            #[doc = "\n`load/chunk`, as long as the second module has not started."]
            pub fn $name(&self $(, $arg: $ty)*) -> Result<$ok, JsValue> {
                crate::web::features::need(crate::web::features::Feature::$feature)?;
                $name(self $(, $arg)*).map_err(JsValue::from)
            }
        )+}

        crate::base::feature! {
            list $list;
            $(fn $name(this: &$class $(, $arg: $ty)*) -> Result<$ok, $err> =
                |$this: &$class $(, $arg: $ty)*| -> Result<$ok, $err> $body;)+
        }
    };
    (list $list:ident: $feature:ident; impl mut $class:ident {$(
        $(#[$meta:meta])*
        pub fn $name:ident($this:ident $(, $arg:ident: $ty:ty)* $(,)?) -> Result<$ok:ty, $err:ty> $body:tt
    )+}) => {
        #[wasm_bindgen]
        impl $class {$(
            $(#[$meta])*
            #[doc = "\n`load/chunk`, as long as the second module has not started."]
            pub fn $name(&mut self $(, $arg: $ty)*) -> Result<$ok, JsValue> {
                crate::web::features::need(crate::web::features::Feature::$feature)?;
                $name(self $(, $arg)*).map_err(JsValue::from)
            }
        )+}

        crate::base::feature! {
            list $list;
            $(fn $name(this: &mut $class $(, $arg: $ty)*) -> Result<$ok, $err> =
                |$this: &mut $class $(, $arg: $ty)*| -> Result<$ok, $err> $body;)+
        }
    };
}

pub(super) use feature_methods;

/// Makes all features available, after the second module is instantiated.
#[wasm_bindgen(js_name = startRest)]
pub fn start_rest() {
    #[cfg(feature = "split")]
    split::start();
    core_started();
}

#[cfg(feature = "split")]
mod split {
    use super::{Feature, RUNNING};
    use crate::base::feature::List;
    use crate::{animation, import, render, viewer, web};
    use std::pin::pin;
    use std::sync::atomic::Ordering;
    use std::task::{Context, Poll, Waker};
    use wasm_split_helpers::wasm_split;

    /// The lists of each feature.
    macro_rules! features {
        ($($feature:ident: [$($($list:ident)::+,)+],)+) => {
            static FEATURES: &[(Feature, &[&dyn List])] =
                &[$((Feature::$feature, &[$(&$($list)::+::FUNCTIONS),+])),+];
        };
    }

    features! {
        Core: [
            animation::actor::for_core,
            animation::mixing::inertia::for_core,
            animation::mixing::mixer::for_core,
            animation::player::action::for_core,
            animation::player::blend_space::for_core,
            animation::player::for_core,
            animation::player::transition::for_core,
            animation::procedural::morphs::for_core,
            animation::procedural::overrides::for_core,
            viewer::cast::for_core,
            web::asset::for_core,
            web::channels::for_core,
            web::stage::actors::for_core,
            web::stage::joints::for_core,
            web::stage::layers::for_core,
            web::stage::for_core,
            web::stage::models::for_core,
            web::stage::playback::for_core,
            web::stage::query::for_core,
        ],
        Body: [
            animation::actor::for_root_motion,
            animation::player::for_root_motion,
            animation::procedural::chain_ik::for_body,
            animation::procedural::gaze::for_body,
            animation::procedural::overrides::for_body,
            animation::procedural::springs::for_body,
            import::gltf::spring_bones::for_body,
            web::stage::actors::for_root_motion,
            web::stage::joints::for_body,
            web::stage::query::for_root_motion,
            web::stage::query::for_body,
        ],
        Crowds: [
            render::passes::draw::for_crowds,
            render::programs::source::for_crowds,
            render::renderer::render::for_crowds,
            viewer::cast::for_crowds,
            viewer::stage::crowds::for_crowds,
            viewer::stage::frame::for_crowds,
            viewer::stage::picking::for_crowds,
            web::stage::crowds::for_crowds,
            web::stage::query::for_crowds,
        ],
        Decoding: [
            import::gltf::animations::for_decoding,
            import::gltf::document::for_decoding,
            import::gltf::draco_primitives::for_decoding,
            import::gltf::instances::for_decoding,
            import::gltf::meshes::for_decoding,
            import::gltf::unfinished::for_decoding,
            import::gltf::vrm::for_decoding,
            web::import::for_decoding,
        ],
        Extras: [
            animation::flipbook::for_sprites,
            animation::skin::dual_quaternion::for_skinning,
            animation::skin::triangles::for_skinning,
            render::passes::lines::for_debug,
            render::programs::source::for_debug,
            render::programs::source::for_skinning,
            render::renderer::render::for_debug,
            render::renderer::render::for_skinning,
            render::resources::geometry::for_skinning,
            render::resources::material::for_sprites,
            viewer::cast::debug_lines::for_debug,
            viewer::cast::for_sprites,
            viewer::cast::for_debug,
            viewer::cast::for_skinning,
            viewer::models::for_skinning,
            viewer::stage::frame::for_sprites,
            viewer::stage::frame::for_debug,
            viewer::stage::frame::for_skinning,
            web::sampler::for_pictures,
            web::stage::joints::for_sprites,
            web::stage::query::for_pictures,
            web::stage::query::for_sprites,
            web::stage::view::for_debug,
            web::stage::view::for_skinning,
            web::stage::view::for_pictures,
            web::stage::worker::for_pictures,
        ],
        Faces: [
            animation::procedural::expressions::for_faces,
            web::asset::for_faces,
            web::stage::joints::for_faces,
            web::stage::query::for_faces,
        ],
        Light: [
            render::light::prefilter::for_light,
            render::programs::source::for_light,
            render::renderer::render::for_light,
            viewer::stage::lighting::for_light,
            web::hdr::for_light,
            web::stage::joints::for_light,
            web::stage::lighting::for_light,
            web::stage::query::for_light,
        ],
        Picking: [
            web::stage::query::for_picking,
        ],
        Retargeting: [
            viewer::cast::for_retargeting,
            web::motion::for_retargeting,
            web::retarget::for_retargeting,
            web::stage::models::for_retargeting,
        ],
        States: [
            web::stage::query::for_states,
            web::stage::states::for_states,
        ],
    }

    /// The only function that `wasm_split` moves to the second module. The lists, and all functions that only
    /// they reference, move with it.
    #[wasm_split(rest)]
    fn lists() -> &'static [(Feature, &'static [&'static dyn List])] {
        FEATURES
    }

    pub(super) fn start() {
        let mut lists = pin!(lists());
        // The first poll requests the module from JavaScript, which has it already and reports that
        // synchronously. The second poll returns the lists.
        for _ in 0..2 {
            if let Poll::Ready(features) = lists.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                for (feature, lists) in features {
                    lists.iter().for_each(|list| list.start());
                    RUNNING.fetch_or(feature.bit(), Ordering::Relaxed);
                }
                return;
            }
        }
        unreachable!("JavaScript must resolve the request of the second module synchronously");
    }
}
