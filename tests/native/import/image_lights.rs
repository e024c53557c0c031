//! Image-based lights (EXT_lights_image_based): faults first, then a light of each scene.

use crate::common::builder::{Builder, triangle};
use gambol::model::{ImageLight, ImageLights};
use glam::Quat;
use serde_json::{Value, json};

const EXTENSION: &str = "EXT_lights_image_based";
const LIGHT: &str = "/extensions/EXT_lights_image_based/lights/0";

/// A valid light of two levels, with the images 0 to 11.
fn light() -> Value {
    let coefficients: Vec<_> = (0..9).map(|i| json!([i, 0.5, -1])).collect();
    json!({
        "irradianceCoefficients": coefficients,
        "specularImageSize": 4,
        "specularImages": [[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]],
    })
}

/// A triangle in two scenes, of which the first has the first of the lights.
fn file(lights: Value) -> Builder {
    let mut file = triangle();
    for i in 0..12 {
        file.push("images", json!({"uri": format!("{i}.png")}));
    }
    file.json["extensionsUsed"] = json!([EXTENSION]);
    file.json["extensions"] = json!({EXTENSION: {"lights": lights}});
    let nodes = file.json["scenes"][0]["nodes"].clone();
    file.json["scenes"] =
        json!([{"nodes": nodes, "extensions": {EXTENSION: {"light": 0}}}, {"nodes": nodes}]);
    file
}

fn read(file: &Builder) -> (Option<ImageLights>, Vec<(&'static str, String)>) {
    let imported = file.import().expect("a fault of the extension is no error");
    let warnings = imported.warnings.into_iter().map(|warning| (warning.code, warning.pointer));
    (imported.model.image_lights.map(|lights| *lights), warnings.collect())
}

#[test]
fn image_lights_with_faults_are_left_out() {
    let cases: &[(&str, Value, &str, &str)] = &[
        ("specularImageSize", json!(null), "import/invalid-value", "/specularImageSize"),
        ("specularImageSize", json!(3), "import/invalid-value", "/specularImageSize"),
        ("specularImageSize", json!(4096), "import/invalid-value", "/specularImageSize"),
        ("specularImageSize", json!(-4), "import/invalid-value", "/specularImageSize"),
        ("specularImages", json!(null), "import/invalid-value", "/specularImages"),
        ("specularImages", json!([]), "import/invalid-value", "/specularImages"),
        ("specularImages", json!([[0, 1, 2, 3, 4]]), "import/invalid-value", "/specularImages/0"),
        ("specularImages", json!([0]), "import/invalid-value", "/specularImages/0"),
        ("specularImages", json!([[0, 1, 2, 3, 4, 12]]), "import/index-out-of-range", "/specularImages/0/5"),
        ("specularImages", json!([[0, 1, 2, 3, 4, "x"]]), "import/index-out-of-range", "/specularImages/0/5"),
        ("specularImages", json!(vec![[0; 6]; 4]), "import/invalid-value", "/specularImages/3"),
        ("irradianceCoefficients", json!(null), "import/invalid-value", "/irradianceCoefficients"),
        ("irradianceCoefficients", json!(vec![[0; 3]; 8]), "import/invalid-value", "/irradianceCoefficients"),
        ("irradianceCoefficients", json!(vec![[0; 2]; 9]), "import/invalid-value", "/irradianceCoefficients"),
        (
            "irradianceCoefficients",
            json!(vec![["1"; 3]; 9]),
            "import/invalid-value",
            "/irradianceCoefficients",
        ),
    ];
    for (key, value, code, pointer) in cases {
        let mut faulty = light();
        faulty[key] = value.clone();
        let (lights, warnings) = read(&file(json!([faulty])));
        assert_eq!(warnings, [(*code, format!("{LIGHT}{pointer}"))], "{key}: {value}");
        assert_eq!(lights.map(|lights| lights.lights), Some(vec![None]));
        assert!(file(json!([faulty])).import().expect("a model").model.image_light().is_none());
    }
}

#[test]
fn image_lights_with_faulty_numbers_have_their_defaults() {
    for (key, value) in [
        ("intensity", json!(-1)),
        ("intensity", json!("x")),
        ("rotation", json!([0, 0, 1])),
        ("rotation", json!([0, 0, 0, "x"])),
    ] {
        let mut faulty = light();
        faulty[key] = value;
        let (lights, warnings) = read(&file(json!([faulty])));
        assert_eq!(warnings, [("import/invalid-value", format!("{LIGHT}/{key}"))]);
        let light = lights.and_then(|lights| lights.lights[0].clone()).expect("a light");
        assert_eq!((light.intensity, light.rotation), (1.0, Quat::IDENTITY));
    }
    let mut zero = light();
    zero["rotation"] = json!([0, 0, 0, 0]);
    let (lights, warnings) = read(&file(json!([zero])));
    assert_eq!(warnings, []);
    assert_eq!(
        lights.and_then(|lights| lights.lights[0].clone()).map(|light| light.rotation),
        Some(Quat::IDENTITY)
    );
}

#[test]
fn image_lights_that_a_scene_names_wrongly_are_ignored() {
    let mut file = file(json!([light()]));
    file.json["scenes"][0]["extensions"][EXTENSION]["light"] = json!(1);
    let (lights, warnings) = read(&file);
    assert_eq!(
        warnings,
        [("import/index-out-of-range", "/scenes/0/extensions/EXT_lights_image_based/light".to_owned())]
    );
    assert_eq!(lights.map(|lights| lights.scenes), Some(vec![None, None]));
    file.json["scenes"][0]["extensions"][EXTENSION] = json!({});
    assert_eq!(read(&file).1, []);
    file.json["extensions"] = json!({});
    assert_eq!(read(&file).0, None);
}

#[test]
fn image_lights_belong_to_their_scene() {
    let mut second = light();
    second["intensity"] = json!(2.5);
    second["rotation"] = json!([0, 2, 0, 0]);
    let mut file = file(json!([light(), second]));
    let of = |file: &Builder| file.import().expect("a model").model.image_light().cloned();
    let first = of(&file).expect("the light of the first scene");
    assert_eq!((first.size, first.levels.len(), first.intensity), (4, 2, 1.0));
    assert_eq!(first.levels[1].map(|image| image.index()), [6, 7, 8, 9, 10, 11]);
    assert_eq!(first.irradiance[3], [3.0, 0.5, -1.0]);
    file.json["scene"] = json!(1);
    assert_eq!(of(&file), None::<ImageLight>);
    file.json["scenes"][1]["extensions"] = json!({EXTENSION: {"light": 1}});
    let second = of(&file).expect("the light of the second scene");
    assert_eq!((second.intensity, second.rotation), (2.5, Quat::from_xyzw(0.0, 1.0, 0.0, 0.0)));
}
