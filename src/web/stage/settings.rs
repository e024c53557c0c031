//! What a stage has and what can be done to it, by numbers: its clock, its camera, its light, its size.

use super::super::numbered::{number, numbered, word};
use super::super::rest::need_rest;
use super::Stage;
use crate::animation::{Framing, MAX_STEP, Skinning};
use crate::render::{Lighting, ToneMapping};
use crate::viewer::Environs;
use wasm_bindgen::prelude::*;

/// The numbers of what is framed, as in `core.ts`.
const FRAMINGS: [Framing; 4] = [Framing::Clip, Framing::AllClips, Framing::Pose, Framing::Rest];

/// The numbers of tone curves, as in `core.ts`.
const TONE_MAPPINGS: [ToneMapping; 4] =
    [ToneMapping::None, ToneMapping::Neutral, ToneMapping::AgX, ToneMapping::Aces];

/// The numbers of how joints are blended, as in `core.ts`.
const SKINNINGS: [Skinning; 2] = [Skinning::Linear, Skinning::DualQuaternion];

numbered! {
    /// What there is to know about a stage.
    enum StageValue {
        /// The timeline's time in seconds.
        Time,
        /// How many frames were drawn.
        Frames,
        /// What is framed, one of `FRAMINGS`.
        Framing,
        /// Whether events wait, 0 or 1.
        Events,
    }
}

numbered! {
    /// What can be done to a stage with two numbers at most; yes is any number but 0.
    enum StageChange {
        /// Sets the timeline to any number of seconds, forwards or backwards.
        Time,
        /// Calls the present time of the timeline so many seconds; nothing moves.
        Clock,
        /// Whether only `Time` moves the timeline, not the page's clock.
        Manual,
        /// Whether a tick advances by as much as the page's clock did, however much that is; 0.1 s at most otherwise.
        CatchingUp,
        /// The next tick advances by 0.
        ResetClock,
        /// Sets what everybody plays to a fraction of its segment.
        Scrub,
        /// Turns the camera around its target: azimuth and polar angle in radians.
        Orbit,
        /// Moves what is seen right and down, in fractions of the canvas's height.
        Pan,
        /// Multiplies the camera's distance.
        Zoom,
        /// Turns the camera back and frames everybody.
        ResetCamera,
        /// Frames everybody without turning the camera.
        Frame,
        /// Sets what is framed, one of `FRAMINGS`, and frames it unless the camera was moved.
        Framing,
        /// Takes the light of the studio, or none but that of the files.
        Studio,
        /// Takes the studio for the sky, or what the light comes from.
        Sky,
        /// Sets how the joints of everybody are blended, one of `SKINNINGS`.
        Skinning,
    }
}

numbered! {
    /// What a stage has of more numbers; lists of other lengths change nothing.
    enum StageList {
        /// Width and height of the canvas in device pixels, and how many of them a CSS pixel has.
        Size,
        /// Red, green, blue and alpha 0 … 1, sRGB; empty is transparent.
        Background,
        /// Rotation of the environment (radians), its intensity, exposure, tone curve (one of `TONE_MAPPINGS`), sky (0 or 1),
        /// its blur and height, intensity and softness of shadows.
        Lighting,
    }
}

#[wasm_bindgen]
impl Stage {
    /// A [`StageValue`].
    #[wasm_bindgen(js_name = stageValue)]
    pub fn stage_value(&self, which: u32) -> f64 {
        match StageValue::of(which) {
            Some(StageValue::Time) => self.stage.cast().now(),
            Some(StageValue::Frames) => self.stage.stats().frames as f64,
            Some(StageValue::Framing) => number(&FRAMINGS, &self.stage.framing()),
            Some(StageValue::Events) => f64::from(u8::from(self.stage.has_events())),
            None => f64::NAN,
        }
    }

    /// Makes a [`StageChange`] with the numbers that it needs; those that are left out are NaN.
    #[wasm_bindgen(js_name = changeStage)]
    pub fn change_stage(&mut self, which: u32, a: f64, b: f64) -> Result<(), JsValue> {
        let yes = a != 0.0;
        let Some(which) = StageChange::of(which) else { return Ok(()) };
        if matches!(which, StageChange::Sky | StageChange::Skinning) {
            need_rest()?;
        }
        let stage = &mut self.stage;
        match which {
            StageChange::Time => stage.set_time(a),
            StageChange::Clock => stage.set_clock(a),
            StageChange::Manual => stage.set_manual(yes),
            StageChange::CatchingUp => stage.set_max_step(if yes { f64::INFINITY } else { MAX_STEP }),
            StageChange::ResetClock => stage.reset_clock(),
            StageChange::Scrub => stage.scrub(a),
            StageChange::Orbit => stage.camera_mut().orbit(a, b),
            StageChange::Pan => stage.camera_mut().pan(a, b),
            StageChange::Zoom => stage.camera_mut().zoom(a),
            StageChange::ResetCamera => stage.reset_camera(),
            StageChange::Frame => stage.frame(),
            StageChange::Framing => {
                if let Some(framing) = word(&FRAMINGS, a) {
                    stage.set_framing(framing);
                }
            }
            StageChange::Studio => {
                stage.set_environment(if yes { Environs::Studio } else { Environs::Dark });
            }
            StageChange::Sky => stage.set_sky(yes.then_some(Environs::Studio)),
            StageChange::Skinning => stage.set_skinning(word(&SKINNINGS, a).unwrap_or_default()),
        }
        Ok(())
    }

    /// Moves the timeline by so many seconds. Returns whether there are events to take.
    pub fn elapse(&mut self, seconds: f64) -> bool {
        self.stage.set_time(self.stage.cast().now() + seconds);
        self.stage.has_events()
    }

    /// Sets whether the automatic camera glides out for a larger clip, or cuts.
    #[wasm_bindgen(js_name = setCameraGlides)]
    pub fn set_camera_glides(&mut self, glides: bool) {
        self.stage.set_camera_glides(glides);
    }

    /// Puts the stage's own camera somewhere: angles in radians, lengths in metres, each within its range. Numbers that are not finite
    /// change nothing.
    #[wasm_bindgen(js_name = setCamera)]
    #[expect(clippy::too_many_arguments, reason = "numbers make no garbage, a list would")]
    pub fn set_camera(
        &mut self,
        azimuth: f64,
        polar: f64,
        distance: f64,
        x: f64,
        y: f64,
        z: f64,
        fov_y: f64,
    ) {
        self.stage.camera_mut().set([azimuth, polar, distance, x, y, z, fov_y]);
    }

    /// Sets a [`StageList`].
    #[wasm_bindgen(js_name = setList)]
    pub fn set_list(&mut self, which: u32, numbers: &[f32]) -> Result<(), JsValue> {
        if let (Some(StageList::Lighting), &[.., sky, _, _, _, _]) = (StageList::of(which), numbers)
            && sky != 0.0
        {
            need_rest()?;
        }
        let stage = &mut self.stage;
        match (StageList::of(which), numbers) {
            (Some(StageList::Size), &[width, height, ratio]) => {
                stage.resize(width as u32, height as u32, ratio)
            }
            (Some(StageList::Background), rgba) => stage.set_background(rgba.try_into().ok()),
            (
                Some(StageList::Lighting),
                &[
                    rotation,
                    intensity,
                    exposure,
                    tone,
                    sky,
                    skybox_blur,
                    skybox_height,
                    shadow_intensity,
                    shadow_softness,
                ],
            ) => {
                *stage.lighting_mut() = Lighting {
                    rotation,
                    intensity,
                    exposure,
                    tone_mapping: word(&TONE_MAPPINGS, tone.into()).unwrap_or(ToneMapping::Neutral),
                    skybox: sky != 0.0,
                    skybox_blur,
                    skybox_height,
                    shadow_intensity,
                    shadow_softness,
                };
            }
            _ => {}
        }
        Ok(())
    }
}
