//! A model for tests; shared by path with `tests/native/formats/`.

use super::document::{CUBIC, Document, LINEAR, NOTHING, element, key};

const IDENTITY: [f64; 16] = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];

/// A character with all that the reader knows: skin, shapes, material, clip.
pub(crate) fn character() -> Document {
    let mut document = Document::default();
    let model = document.model("Body", "Mesh", &[("GeometricTranslation", &[1.0, 0.0, 0.0])], 0);
    let vertices = [[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.5, 2.0, 0.0]];
    let mesh = document.mesh(&vertices, &[&[0, 1, 2, 3], &[3, 2, 4]], vec![], model);
    let hips = document.model(
        "Hips",
        "LimbNode",
        &[("PreRotation", &[10.0, 0.0, 0.0]), ("RotationPivot", &[1.0, 0.0, 0.0])],
        0,
    );
    let spine = document.model(
        "Spine",
        "LimbNode",
        &[("InheritType", &[2.0]), ("Lcl Scaling", &[1.0, 2.0, 1.0])],
        hips,
    );
    document.skin(
        mesh,
        &[(hips, &[0, 1, 2], &[1.0, 1.0, 0.5], IDENTITY), (spine, &[2, 3], &[0.5, 1.0], IDENTITY)],
    );
    let smile = document.blend(
        mesh,
        "Smile",
        10.0,
        &[(50.0, &[4], &[[0.0, 1.0, 0.0]]), (100.0, &[4], &[[0.0, 2.0, 0.0]])],
    );
    let material = document.object("Material", "Skin", "Material", "", vec![], model);
    let texture = document.object(
        "Texture",
        "T",
        "Texture",
        "",
        vec![element("RelativeFilename", ["a.png".into()], vec![])],
        NOTHING,
    );
    document.connect_property(texture, material, "DiffuseColor");
    let layer = document.stack("Walk", 0.0, 1.0);
    let keys = [
        key(0.0, 0.0, CUBIC, [50.0, 10.0]),
        key(0.7, 90.0, LINEAR, [0.0; 2]),
        key(1.0, 0.0, LINEAR, [0.0; 2]),
    ];
    document.curves(layer, spine, "Lcl Rotation", &[Some(&keys), None, Some(&keys)]);
    document.curves(layer, hips, "Lcl Translation", &[Some(&keys), None, None]);
    document.curves(layer, hips, "Lcl Scaling", &[None, Some(&keys[..2]), None]);
    document.curves(layer, smile, "DeformPercent", &[Some(&keys)]);
    document
}
