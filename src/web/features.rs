//! Features: parts of gambol that a page loads when it needs them. See `base/feature.rs`.

use super::structures::words;
use std::sync::atomic::{AtomicU32, Ordering};
use wasm_bindgen::prelude::*;

words! {
    /// A feature, which runs as a whole or not at all.
    pub enum Feature {
        // Springs, feet, chains, the gaze of several joints, root motion.
        Body = "body",
        // Crowds.
        Crowds = "crowds",
        // Decoders and rare extensions of model files.
        Decoding = "decoding",
        // Debug views, stills and films, flip-books and billboards, skinning by the CPU or by dual quaternions.
        Extras = "extras",
        // Expressions, blinks and glances.
        Faces = "faces",
        // Environments from files, skies, shadows.
        Light = "light",
        // Changes of materials by the page.
        Materials = "materials",
        // Picking, surface points, occlusion.
        Picking = "picking",
        // Clips of other files.
        Retargeting = "retargeting",
        // State machines.
        States = "states",
    }
}

/// The features that run, a bit each.
static RUNNING: AtomicU32 = AtomicU32::new(0);

impl Feature {
    fn bit(self) -> u32 {
        1 << self as u32
    }
}

#[wasm_bindgen]
extern "C" {
    /// Returns the error for a call of a feature that the page has not used.
    #[wasm_bindgen(js_name = notUsed)]
    fn not_used(feature: Feature) -> JsValue;
}

/// Checks that a feature runs. Each function of the first module that needs one must call it before it borrows or
/// changes anything. Then the call fails with `feature/not-used` without side effects; later in the call it would panic.
/// # Errors
/// `feature/not-used`.
pub(super) fn need(feature: Feature) -> Result<(), JsValue> {
    if RUNNING.load(Ordering::Relaxed) & feature.bit() == 0 { Err(not_used(feature)) } else { Ok(()) }
}

/// Defines methods of a class whose bodies are in a feature: after its list, `impl CLASS {…}`, or `impl mut CLASS {…}`
/// for methods with `&mut self`. Each throws the errors of its body, or `feature/not-used`.
macro_rules! feature_methods {
    (list $list:ident: $feature:ident; impl $class:ident {$(
        $(#[$meta:meta])*
        pub fn $name:ident($this:ident $(, $arg:ident: $ty:ty)* $(,)?) -> Result<$ok:ty, $err:ty> $body:tt
    )+}) => {
        #[wasm_bindgen]
        impl $class {$(
            $(#[$meta])*
            #[doc = "\n`feature/not-used`, as long as the feature does not run."]
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
            #[doc = "\n`feature/not-used`, as long as the feature does not run."]
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

/// Makes a feature available, after its module is instantiated.
#[wasm_bindgen(js_name = startFeature)]
pub fn start_feature(feature: Feature) {
    #[cfg(feature = "split")]
    split::start(feature);
    RUNNING.fetch_or(feature.bit(), Ordering::Relaxed);
}

#[cfg(feature = "split")]
mod split {
    use super::Feature;
    use crate::base::feature::List;
    use crate::{animation, import, render, viewer, web};
    use std::future::Future;
    use std::pin::{Pin, pin};
    use std::task::{Context, Poll, Waker};
    use wasm_split_helpers::wasm_split;

    /// The lists of a feature.
    type Lists = &'static [&'static dyn List];

    /// Defines `start` from the lists of each feature.
    macro_rules! features {
        ($($feature:ident: [$($($list:ident)::+,)+],)+) => {
            /// Starts the lists of a feature.
            pub(super) fn start(feature: Feature) {
                match feature {
                    $(Feature::$feature => {
                        /// The function that `wasm_split` moves to the module of the feature. The lists, and all
                        /// functions that only they reference, move with it.
                        #[wasm_split($feature)]
                        fn lists() -> Lists {
                            static LISTS: Lists = &[$(&$($list)::+::FUNCTIONS),+];
                            LISTS
                        }
                        start_lists(pin!(lists()));
                    })+
                    _ => {}
                }
            }
        };
    }

    fn start_lists(mut lists: Pin<&mut dyn Future<Output = Lists>>) {
        // The first poll requests the module from JavaScript, which has it already and reports that
        // synchronously. The second poll returns the lists.
        for _ in 0..2 {
            if let Poll::Ready(lists) = lists.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                lists.iter().for_each(|list| list.start());
                return;
            }
        }
        unreachable!("JavaScript must resolve the request of a module synchronously");
    }

    features! {
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
            render::renderer::render::for_views,
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
            web::stage::joints::for_sprites,
            web::stage::query::for_pictures,
            web::stage::query::for_sprites,
            web::stage::view::for_debug,
            web::stage::view::for_skinning,
            web::stage::view::for_pictures,
            web::stage::view::for_views,
            web::stage::worker::for_pictures,
        ],
        Faces: [
            animation::procedural::expressions::for_faces,
            web::asset::for_faces,
            web::stage::joints::for_faces,
            web::stage::query::for_faces,
        ],
        Light: [
            import::gltf::image_lights::for_light,
            render::light::prefilter::for_light,
            render::programs::source::for_light,
            render::renderer::render::for_light,
            viewer::stage::lighting::for_light,
            web::asset::for_light,
            web::hdr::for_light,
            web::stage::joints::for_light,
            web::stage::lighting::for_light,
            web::stage::query::for_light,
        ],
        Materials: [
            animation::procedural::materials::for_materials,
            viewer::stage::materials::for_materials,
            web::stage::materials::for_materials,
            web::stage::materials::for_material_queries,
        ],
        Picking: [
            web::stage::picking::for_picking,
        ],
        Retargeting: [
            animation::crowd::update_clips::for_retargeting,
            animation::player::for_retargeting,
            viewer::cast::for_retargeting,
            viewer::models::for_retargeting,
            web::clips::for_clips,
            web::motion::for_retargeting,
            web::retarget::for_retargeting,
            web::stage::models::for_retargeting,
        ],
        States: [
            web::stage::query::for_states,
            web::stage::states::for_states,
        ],
    }
}
