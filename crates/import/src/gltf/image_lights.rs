//! Image-based lights. Spec: EXT_lights_image_based.
//!
//! A faulty light is left out, with a warning.

use super::extensions::Extensions;
use super::lenient::{index, number, numbers, out_of_range, warn};
use gambol_animation::base::feature;
use gambol_animation::model::{ImageId, ImageLight, ImageLights};
use gambol_gltf::json::Value;
use gambol_gltf::log::Log;
use gambol_gltf::place::{Faults, Place};
use glam::Quat;

/// The name of the extension.
pub(super) const EXTENSION: &str = "EXT_lights_image_based";

feature! {
    list for_light;
    /// The lights of a file with `images` images.
    pub(super) fn image_lights(extensions: &Extensions, images: usize, log: &mut Log) -> Option<Box<ImageLights>> = read;
}

/// The parts of the JSON that are read later: the extension and the scenes.
#[derive(Debug)]
pub(super) struct Sources {
    extension: Value,
    scenes: Value,
}

/// Keeps the parts of a file that may have image-based lights.
pub(super) fn find(root: &Value) -> Option<Box<Sources>> {
    let extension = root.get("extensions")?.get(EXTENSION)?.clone();
    Some(Box::new(Sources { extension, scenes: root.get("scenes")?.clone() }))
}

fn read(extensions: &Extensions, images: usize, log: &mut Log) -> Option<Box<ImageLights>> {
    let Sources { extension, scenes } = &**extensions.image_lights.as_ref()?;
    let faults = Faults::default();
    let at = Place::new(extension, &"/extensions/EXT_lights_image_based", &faults);
    let lights = at.path_or_null("lights");
    let lights: Vec<_> = lights.elements().map(|at| light(&at, images, log)).collect();
    let scenes = Place::new(scenes, &"/scenes", &faults);
    let of_scene = |scene: Place<'_>| {
        let at = scene.path("extensions/EXT_lights_image_based")?;
        let light = index(&at, "light")?;
        if light >= lights.len() {
            out_of_range(log, format_args!("{at}/light"), "light", light, lights.len());
            return None;
        }
        Some(light)
    };
    let scenes = scenes.elements().map(of_scene).collect();
    Some(Box::new(ImageLights { lights, scenes }))
}

fn light(at: &Place<'_>, images: usize, log: &mut Log) -> Option<ImageLight> {
    let size = at.path("specularImageSize").and_then(|at| at.value().as_u32()).unwrap_or(0) as usize;
    if !(size.is_power_of_two() && size <= ImageLight::MAX_SIZE) {
        let most = ImageLight::MAX_SIZE;
        warn(
            log,
            format_args!("{at}/specularImageSize"),
            &ignored(&format!("not a power of two up to {most}")),
        );
        return None;
    }
    let mut levels = Vec::new();
    for (i, level) in at.path_or_null("specularImages").elements().enumerate() {
        let place = format_args!("{at}/specularImages/{i}");
        let faces: Option<Vec<ImageId>> = level.elements().map(|at| image(&at, images, log)).collect();
        let Ok(faces) = <[ImageId; 6]>::try_from(faces?) else {
            warn(log, place, &ignored("not a list of six images"));
            return None;
        };
        if size >> i == 0 {
            warn(log, place, &ignored("a level below the smallest one"));
            return None;
        }
        levels.push(faces);
    }
    let mut irradiance = [[f32::NAN; 3]; 9];
    let coefficients = at.path_or_null("irradianceCoefficients");
    for (out, row) in irradiance.iter_mut().zip(coefficients.elements()) {
        for (out, value) in out.iter_mut().zip(row.value().as_array().unwrap_or_default()) {
            *out = value.as_f64().map_or(f32::NAN, |value| value as f32);
        }
    }
    for (key, is_good) in [
        ("specularImages", !levels.is_empty()),
        ("irradianceCoefficients", irradiance.as_flattened().iter().all(|value| value.is_finite())),
    ] {
        if !is_good {
            warn(log, format_args!("{at}/{key}"), &ignored("missing or incomplete"));
            return None;
        }
    }
    let rotation = Quat::from_array(numbers(log, at, "rotation", Quat::IDENTITY.to_array()));
    let rotation =
        if rotation.length() > 1e-6 && rotation.is_finite() { rotation.normalize() } else { Quat::IDENTITY };
    let intensity = number(log, at, "intensity", 1.0, &|intensity| (0.0..=1e6).contains(&intensity));
    Some(ImageLight { intensity, rotation, irradiance, size, levels })
}

fn ignored(reason: &str) -> String {
    format!("The value is {reason}; the image-based light is ignored")
}

fn image(at: &Place<'_>, count: usize, log: &mut Log) -> Option<ImageId> {
    let index = at.value().as_u32().map_or(usize::MAX, |index| index as usize);
    if index >= count {
        out_of_range(log, at, "image", index, count);
    }
    (index < count).then(|| ImageId::new(index))
}
