//! Changes of materials: fades, weights, the animation below, what is given back.

use gambol::animation::{MaterialChange, MaterialChanges};
use gambol::model::{
    AlphaMode, Clip, Curve, Interpolation, Layer, Material, MaterialId, MaterialProperty, MaterialState,
    Model, Picture, Property, PropertyChannel, PropertyLayout, ShownTexture, TextureSlot, TransformProperty,
};

fn model() -> Model {
    let plain = Material { metallic: 0.25, ..Material::default() };
    Model { materials: vec![Material::default(), plain], ..Model::default() }
}

fn at(property: MaterialProperty) -> usize {
    property.range().start
}

fn set(
    changes: &mut MaterialChanges,
    model: &Model,
    property: MaterialProperty,
    value: Option<f32>,
    fade: f64,
    now: f64,
) {
    changes.set_numbers((model, MaterialId::new(1)), at(property), [value], (1.0, fade, now));
}

/// The state of the second material after an update without animation.
fn state(changes: &mut MaterialChanges, now: f64) -> Option<MaterialState> {
    changes.update(now, &PropertyLayout::default(), &[]);
    changes.list().first().map(|changed| changed.state.clone())
}

#[test]
fn material_changes_are_invalid_without_effect() {
    let model = model();
    let mut changes = MaterialChanges::default();
    for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        set(&mut changes, &model, MaterialProperty::Metallic, Some(value), 0.0, 0.0);
        assert_eq!(state(&mut changes, 0.0), None, "{value} is no number");
    }
    changes.set_numbers(
        (&model, MaterialId::new(1)),
        MaterialProperty::COUNT + 7,
        [Some(1.0)],
        (1.0, 0.0, 0.0),
    );
    changes.set_numbers((&model, MaterialId::new(1)), 0, [Some(1.0)], (f32::NAN, 0.0, 0.0));
    assert_eq!(state(&mut changes, 0.0), None);
    changes.reset(&model, MaterialId::new(0), 0.0, 0.0);
    assert!(changes.is_empty());
}

#[test]
fn material_changes_fade_from_what_is_shown_and_back_to_the_file() {
    let model = model();
    let mut changes = MaterialChanges::default();
    let metallic = |changes: &mut MaterialChanges, now| {
        state(changes, now).map(|state| state.numbers[at(MaterialProperty::Metallic)])
    };
    set(&mut changes, &model, MaterialProperty::Metallic, Some(1.0), 2.0, 10.0);
    assert!(changes.fade(11.0) && !changes.fade(12.0));
    assert_eq!(metallic(&mut changes, 10.0), Some(0.25));
    assert_eq!(metallic(&mut changes, 11.0), Some(0.625));
    set(&mut changes, &model, MaterialProperty::Metallic, Some(0.125), 1.0, 11.0);
    assert_eq!(metallic(&mut changes, 11.0), Some(0.625), "a fade begins with what is shown");
    assert_eq!(metallic(&mut changes, 11.5), Some(0.375));
    assert_eq!(metallic(&mut changes, 12.0), Some(0.125));
    changes.reset(&model, MaterialId::new(1), 1.0, 12.0);
    assert_eq!(metallic(&mut changes, 12.5), Some(0.1875));
    assert_eq!(metallic(&mut changes, 13.0), None, "nothing is left of a change that has faded");
    assert!(changes.is_empty());
}

#[test]
fn material_changes_meet_the_animation_by_weight() {
    let channel = PropertyChannel {
        property: Property::Material(MaterialId::new(1), MaterialProperty::Roughness),
        curve: 0,
    };
    let curve = Curve::new(Interpolation::Linear, 1, vec![0.0, 1.0], vec![0.0, 1.0]);
    let clip = Clip { properties: vec![channel], curves: curve.into_iter().collect(), ..Clip::default() };
    let model = Model { clips: vec![clip.into()], ..model() };
    let layout = PropertyLayout::new(&model);
    let mut properties = layout.base.clone();
    let mut changes = MaterialChanges::default();
    let id = MaterialId::new(1);
    changes.set_numbers((&model, id), at(MaterialProperty::Roughness), [Some(1.0)], (0.25, 0.0, 0.0));
    let roughness =
        |changes: &MaterialChanges| changes.list()[0].state.numbers[at(MaterialProperty::Roughness)];
    for animated in [0.0_f32, 0.5, 1.0] {
        properties[at(MaterialProperty::Roughness)] = animated;
        changes.update(0.0, &layout, &properties);
        assert_eq!(roughness(&changes), 0.75 * animated + 0.25);
    }
    let version = changes.list()[0].version;
    changes.update(5.0, &layout, &properties);
    assert_eq!(changes.list()[0].version, version, "the same numbers are no change");
}

#[test]
fn material_changes_show_the_layers_that_they_need() {
    let model = model();
    let mut changes = MaterialChanges::default();
    let layers = |changes: &mut MaterialChanges| {
        let state = state(changes, 0.0).expect("a change");
        [Layer::Clearcoat, Layer::Specular, Layer::Sheen].map(|layer| state.layers[layer as usize])
    };
    set(&mut changes, &model, MaterialProperty::Clearcoat, Some(1.0), 0.0, 0.0);
    assert_eq!(layers(&mut changes), [true, false, false]);
    let revision = changes.list()[0].revision;
    set(&mut changes, &model, MaterialProperty::Clearcoat, Some(0.5), 0.0, 0.0);
    assert_eq!(changes.list()[0].revision, revision, "another number needs no other shader");
    set(&mut changes, &model, MaterialProperty::SpecularColor, Some(0.5), 0.0, 0.0);
    assert_eq!(layers(&mut changes), [true, true, false]);
    assert!(changes.list()[0].revision > revision);
    set(&mut changes, &model, MaterialProperty::SheenRoughness, Some(0.5), 0.0, 0.0);
    assert_eq!(layers(&mut changes), [true, true, false], "only its colour shows sheen");
}

#[test]
fn material_changes_of_switches_and_textures_are_given_back() {
    let model = model();
    let mut changes = MaterialChanges::default();
    let id = MaterialId::new(1);
    let own = ShownTexture { picture: Some(Picture::Own(7)), sampler: Default::default(), tex_coord: 1 };
    let slot = TextureSlot::Emissive;
    for (there, back) in [
        (MaterialChange::AlphaMode(Some(AlphaMode::Blend)), MaterialChange::AlphaMode(None)),
        (MaterialChange::DoubleSided(Some(true)), MaterialChange::DoubleSided(None)),
        (MaterialChange::Unlit(Some(true)), MaterialChange::Unlit(None)),
        (MaterialChange::Texture(slot, Some(Some(own))), MaterialChange::Texture(slot, None)),
        (MaterialChange::Texture(slot, Some(None)), MaterialChange::Texture(slot, None)),
    ] {
        changes.set(&model, id, there);
        let file = MaterialState::new(&model, id);
        let shown = state(&mut changes, 0.0).expect("a change");
        let is_none = there == MaterialChange::Texture(slot, Some(None));
        assert_eq!(shown == file, is_none, "{there:?}");
        changes.set(&model, id, back);
        assert_eq!(state(&mut changes, 0.0), None, "{there:?}");
    }
    let moved = MaterialProperty::Transform(slot, TransformProperty::Offset);
    set(&mut changes, &model, moved, Some(0.5), 0.0, 0.0);
    assert!(state(&mut changes, 0.0).expect("a change").transforms[slot as usize]);
}

#[test]
fn material_changes_made_anew_have_another_revision() {
    let model = model();
    let mut changes = MaterialChanges::default();
    let mut seen = Vec::new();
    for property in [MaterialProperty::Clearcoat, MaterialProperty::Specular, MaterialProperty::Clearcoat] {
        set(&mut changes, &model, property, Some(1.0), 0.0, 0.0);
        assert!(state(&mut changes, 0.0).is_some());
        seen.push(changes.list()[0].revision);
        changes.reset(&model, MaterialId::new(1), 0.0, 0.0);
        assert_eq!(state(&mut changes, 0.0), None);
    }
    assert!(seen[0] < seen[1] && seen[1] < seen[2], "{seen:?}");
}
