//! Materials of actors and crowds. All of it is in the feature `materials`.

use super::joints::Joints;
use super::query::Query;
use crate::animation::{ChangedMaterial, MaterialChange};
use crate::model::{
    AlphaMode as Alpha, Filter as ModelFilter, Limit, MaterialId, MaterialProperty, MaterialState,
    MipFilter as ModelMipFilter, Model, NUMBERS, Picture, ShownTexture, TEXTURES, TextureSampler,
    TextureSlot, TransformProperty, VariantId, Wrap as ModelWrap,
};
use crate::render::Pixels;
use crate::viewer::{ActorId, StageError};
use crate::web::convert::{array, object};
use crate::web::features::feature_methods;
use crate::web::structures::structures;
use crate::web::words::{AlphaMode, Filter, MaterialFlag, MipFilter, Wrap};
use js_sys::{Float32Array, Uint32Array};
use wasm_bindgen::prelude::*;
use web_sys::ImageBitmap;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = "
/** The result of {@link Query.materialTable}. */
export interface MaterialTable {
  /** The numbers of a material, by their names: the index of the first one, how many they are, and `true` for a colour. */
  readonly numbers: readonly { readonly name: string; readonly at: number; readonly width: number; readonly color: boolean }[];
  /** The textures, and `true` for those that hold colours. The transform of a texture is five numbers: offset, rotation, scale. */
  readonly textures: readonly { readonly name: string; readonly at: number; readonly color: boolean }[];
}

/** A changed material as a file has it: see `exportMaterials` of the tools. */
export interface ChangedMaterial {
  readonly material: number;
  readonly numbers: { readonly path: string; readonly values: Float32Array }[];
  readonly alphaMode: string | undefined;
  readonly doubleSided: boolean | undefined;
  readonly unlit: boolean | undefined;
  readonly textures: { readonly path: string; readonly image: number | undefined; readonly picture: number | undefined; readonly texCoord: number; readonly sampler: Uint32Array; readonly transform: Float32Array }[];
}

/** The result of {@link Query.materialNow}. */
export interface MaterialNow {
  readonly numbers: Float32Array;
  readonly alphaMode: AlphaMode;
  readonly doubleSided: boolean;
  readonly unlit: boolean;
  /** For each texture, its image in the file, or its picture; -1 for a texture without an image; null without a texture. */
  readonly textures: readonly ({ readonly image: number; readonly picture: number; readonly texCoord: number; readonly wrapS: Wrap; readonly wrapT: Wrap; readonly mag: Filter; readonly min: Filter; readonly mip: MipFilter } | null)[];
}
";

structures! {
    /// A texture of a material, in place of that of the file.
    pub struct TextureOptions: "TextureOptions" {
        /// The number of the picture, which {@link Joints.setPicture} has set.
        picture: Option<u32>,
        /// A material whose texture in a slot is shown, in place of a picture.
        material: Option<u32>,
        /// The index of that slot.
        slot: u32,
        /// `true` for no texture.
        none: bool,
        /// The set of texture coordinates.
        tex_coord as texCoord: Option<u32>,
        wrap_s as wrapS: Option<Wrap>,
        wrap_t as wrapT: Option<Wrap>,
        mag: Option<Filter>,
        min: Option<Filter>,
        mip: Option<MipFilter>,
    }
}

/// The material with an index in a model.
fn material_of(model: &Model, index: u32) -> Result<MaterialId, StageError> {
    let index = index as usize;
    if index < model.materials.len() { Ok(MaterialId::new(index)) } else { Err(StageError::NoMaterial) }
}

/// The slot with an index.
fn slot_of(index: u32) -> Option<TextureSlot> {
    TextureSlot::ALL.get(index as usize).copied()
}

/// The texture of a slot that a page has chosen; `None` for no texture.
fn chosen(
    model: &Model,
    file: &MaterialState,
    slot: TextureSlot,
    options: TextureOptions,
) -> Option<ShownTexture> {
    if options.none {
        return None;
    }
    let other = options.material.zip(slot_of(options.slot)).and_then(|(other, slot)| {
        let other = material_of(model, other).ok()?;
        MaterialState::new(model, other).textures[slot as usize]
    });
    let own = file.textures[slot as usize];
    let like =
        other.or(own).unwrap_or(ShownTexture { picture: None, sampler: Default::default(), tex_coord: 0 });
    let mut sampler = like.sampler;
    sampler.wrap_s = options.wrap_s.map_or(sampler.wrap_s, Into::into);
    sampler.wrap_t = options.wrap_t.map_or(sampler.wrap_t, Into::into);
    sampler.mag = options.mag.map_or(sampler.mag, ModelFilter::from);
    sampler.min = options.min.map_or(sampler.min, ModelFilter::from);
    sampler.mip = options.mip.map_or(sampler.mip, ModelMipFilter::from);
    let picture = options.picture.map(Picture::Own).or(like.picture);
    Some(ShownTexture { picture, sampler, tex_coord: options.tex_coord.unwrap_or(like.tex_coord) })
}

fn camel(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_ascii_lowercase()).into_iter().chain(letters).collect()
}

feature_methods! {
    list for_materials: Materials;
    impl Joints {
        /// Changes numbers of a material, from those that are shown on; NaN gives back those of the animation or the file.
        ///
        /// - `at`: the index of the first one, see [`Query::material_table`].
        /// - `weight`: the blend weight, from the animated numbers (0) to these (1).
        /// - `fade`: the duration of the change in seconds.
        ///
        /// # Errors
        /// `material/not-found`.
        #[wasm_bindgen(js_name = setMaterialNumbers)]
        pub fn set_material_numbers(
            this,
            actor: u32,
            material: u32,
            at: u32,
            values: &[f32],
            weight: f32,
            fade: f64,
        ) -> Result<(), StageError> {
            let mut stage = this.shared().stage_mut();
            let (changes, model, now) = stage.materials_mut(ActorId::new(actor))?;
            let id = material_of(model, material)?;
            let values = values.iter().map(|value| value.is_finite().then_some(*value));
            changes.set_numbers((model, id), at as usize, values, (weight, fade, now));
            Ok(())
        }

        /// Changes the use of alpha of a material; nothing gives back that of the file.
        ///
        /// # Errors
        /// `material/not-found`.
        #[wasm_bindgen(js_name = setAlphaMode)]
        pub fn set_alpha_mode(this, actor: u32, material: u32, mode: Option<AlphaMode>) -> Result<(), StageError> {
            let mode = mode.map(|mode| match mode {
                AlphaMode::Mask => Alpha::Mask { cutoff: 0.5 },
                AlphaMode::Blend => Alpha::Blend,
                _ => Alpha::Opaque,
            });
            change(this, actor, material, |_, _| MaterialChange::AlphaMode(mode))
        }

        /// Changes whether a material is double-sided or unlit; nothing gives back what the file has.
        ///
        /// # Errors
        /// `material/not-found`.
        #[wasm_bindgen(js_name = setMaterialFlag)]
        pub fn set_material_flag(
            this,
            actor: u32,
            material: u32,
            flag: MaterialFlag,
            on: Option<bool>,
        ) -> Result<(), StageError> {
            change(this, actor, material, |_, _| match flag {
                MaterialFlag::Unlit => MaterialChange::Unlit(on),
                _ => MaterialChange::DoubleSided(on),
            })
        }

        /// Changes a texture of a material; nothing gives back that of the file.
        ///
        /// # Errors
        /// `material/not-found`.
        #[wasm_bindgen(js_name = setTexture)]
        pub fn set_texture(
            this,
            actor: u32,
            material: u32,
            slot: u32,
            options: Option<js::TextureOptions>,
        ) -> Result<(), StageError> {
            let Some(slot) = slot_of(slot) else { return Ok(()) };
            change(this, actor, material, |model, id| {
                let of_file = || MaterialState::new(model, id);
                let texture = options.as_ref().map(|given| chosen(model, &of_file(), slot, given.into()));
                MaterialChange::Texture(slot, texture)
            })?;
            this.shared().stage_mut().collect_pictures();
            Ok(())
        }

        /// Sets a picture for textures of materials, decoded without premultiplied alpha and without colour conversion. A call of
        /// `setTexture` must follow that shows it.
        #[wasm_bindgen(js_name = setPicture)]
        pub fn set_picture(this, picture: u32, bitmap: ImageBitmap) -> Result<(), StageError> {
            Ok(this.shared().stage_mut().set_picture(picture, Pixels::Bitmap(bitmap.into()))?)
        }

        /// Gives back a material of the file.
        ///
        /// # Errors
        /// `material/not-found`.
        #[wasm_bindgen(js_name = resetMaterial)]
        pub fn reset_material(this, actor: u32, material: u32, fade: f64) -> Result<(), StageError> {
            let mut stage = this.shared().stage_mut();
            let (changes, model, now) = stage.materials_mut(ActorId::new(actor))?;
            let id = material_of(model, material)?;
            changes.reset(model, id, fade, now);
            stage.collect_pictures();
            Ok(())
        }
    }
}

feature_methods! {
    list for_material_queries: Materials;
    impl Query {
        /// The names of all numbers and textures of materials.
        #[wasm_bindgen(js_name = materialTable, unchecked_return_type = "MaterialTable")]
        pub fn material_table(_this) -> Result<JsValue, StageError> {
            let numbers = array(NUMBERS, |row| {
                let width = row.default.len();
                object([
                    ("name", camel(row.name).into()),
                    ("at", (row.property.range().start as u32).into()),
                    ("width", (width as u32).into()),
                    ("color", (width > 1 && row.limit != Limit::Angle).into()),
                ])
            });
            let textures = array(TEXTURES, |row| {
                let transform = MaterialProperty::Transform(row.slot, TransformProperty::Offset);
                object([
                    ("name", (camel(row.name) + "Texture").into()),
                    ("at", (transform.range().start as u32).into()),
                    ("color", row.slot.is_color().into()),
                ])
            });
            Ok(object([("numbers", numbers), ("textures", textures)]))
        }

        /// A material as it is shown.
        ///
        /// # Errors
        /// `material/not-found`.
        #[wasm_bindgen(js_name = materialNow, unchecked_return_type = "MaterialNow")]
        pub fn material_now(this, actor: u32, material: u32) -> Result<JsValue, StageError> {
            let mut stage = this.shared().stage_mut();
            let state = stage.material_now(ActorId::new(actor), material as usize)?;
            let mode = match state.alpha_mode {
                Alpha::Opaque => AlphaMode::Opaque,
                Alpha::Mask { .. } => AlphaMode::Mask,
                Alpha::Blend => AlphaMode::Blend,
            };
            Ok(object([
                ("numbers", Float32Array::from(&state.numbers[..]).into()),
                ("alphaMode", mode.into()),
                ("doubleSided", state.double_sided.into()),
                ("unlit", state.unlit.into()),
                ("textures", array(&state.textures, |shown| shown.map_or(JsValue::NULL, described))),
            ]))
        }

        /// The materials that the page has changed, as a file has them.
        #[wasm_bindgen(js_name = changedMaterials, unchecked_return_type = "ChangedMaterial[]")]
        pub fn changed_materials(this, actor: u32) -> Result<JsValue, StageError> {
            let mut stage = this.shared().stage_mut();
            let (model, changed) = stage.changed_materials(ActorId::new(actor))?;
            Ok(array(changed, |changed| written(model, changed)))
        }

        /// The materials that the meshes of an actor have with a variant, by its index; nothing for the variant that is shown.
        #[wasm_bindgen(js_name = shownMaterials)]
        pub fn shown_materials(this, actor: u32, variant: Option<u32>) -> Result<Vec<u32>, StageError> {
            let stage = this.shared().stage();
            let (model, now) = stage.cast().model_of(ActorId::new(actor))?;
            let variant = variant.map(|index| VariantId::new(index as usize)).or(now);
            let primitives = model.meshes.iter().flat_map(|mesh| &mesh.primitives);
            let mut list: Vec<_> =
                primitives.filter_map(|primitive| Some(primitive.material_of(variant)?.index() as u32)).collect();
            list.sort_unstable();
            list.dedup();
            Ok(list)
        }

        /// The pixels of a picture that a material of the stage shows.
        pub fn picture(this, number: u32) -> Result<Option<ImageBitmap>, StageError> {
            let stage = this.shared().stage();
            Ok(match stage.picture(number) {
                Some(Pixels::Bitmap(bitmap)) => Some(bitmap.get().clone()),
                _ => None,
            })
        }

        /// The index of the material of a primitive of an actor; nothing for the default material.
        #[wasm_bindgen(js_name = materialOf)]
        pub fn material_of_primitive(this, actor: u32, mesh: u32, primitive: u32) -> Result<Option<u32>, StageError> {
            let stage = this.shared().stage();
            let (model, variant) = stage.cast().model_of(ActorId::new(actor))?;
            let found = model.meshes.get(mesh as usize).and_then(|mesh| mesh.primitives.get(primitive as usize));
            let material = found.and_then(|primitive| primitive.material_of(variant));
            Ok(material.map(|id| id.index() as u32))
        }

        /// `true` for a picture that a material of the stage shows.
        #[wasm_bindgen(js_name = hasPicture)]
        pub fn has_picture(this, picture: u32) -> Result<bool, StageError> {
            Ok(this.shared().stage().has_picture(picture))
        }
    }
}

/// Makes a change of a material.
fn change(
    joints: &Joints,
    actor: u32,
    material: u32,
    make: impl FnOnce(&Model, MaterialId) -> MaterialChange,
) -> Result<(), StageError> {
    let mut stage = joints.shared().stage_mut();
    let (changes, model, _) = stage.materials_mut(ActorId::new(actor))?;
    let id = material_of(model, material)?;
    changes.set(model, id, make(model, id));
    Ok(())
}

/// A changed material as a file has it.
fn written(model: &Model, changed: &ChangedMaterial) -> JsValue {
    let state = &changed.state;
    let material = &model.materials[state.material.index()];
    let glossy = material.layers.is_glossy();
    let numbers = changed.changed_numbers().into_iter().filter_map(|property| {
        let row = property.row(glossy)?;
        // As they are drawn: a page may set values beyond the ranges of glTF.
        let values: Vec<f32> =
            state.numbers[property.range()].iter().map(|&value| row.limit.clamp(value)).collect();
        Some(object([("path", row.path().into()), ("values", Float32Array::from(&values[..]).into())]))
    });
    let mode = |mode: Alpha| match mode {
        Alpha::Opaque => "OPAQUE",
        Alpha::Mask { .. } => "MASK",
        Alpha::Blend => "BLEND",
    };
    let textures =
        TextureSlot::ALL.into_iter().zip(changed.changed_textures()).filter(|(_, changed)| *changed);
    let textures = textures.map(|(slot, _)| {
        let (path, shown) = (slot.row(glossy).path(), state.textures[slot as usize]);
        let (image, picture) = match shown.and_then(|shown| shown.picture) {
            Some(Picture::Model(id)) => ((id.index() as u32).into(), JsValue::UNDEFINED),
            Some(Picture::Own(id)) => (JsValue::UNDEFINED, id.into()),
            None => (JsValue::UNDEFINED, JsValue::UNDEFINED),
        };
        let transform = MaterialProperty::Transform(slot, TransformProperty::Offset).range().start;
        let sampler = shown.map_or([0; 4], |shown| sampler_codes(shown.sampler));
        object([
            ("path", path.into()),
            ("image", image),
            ("picture", picture),
            ("texCoord", shown.map_or(0, |shown| shown.tex_coord).into()),
            ("sampler", Uint32Array::from(&sampler[..]).into()),
            ("transform", Float32Array::from(&state.numbers[transform..transform + 5]).into()),
        ])
    });
    object([
        ("material", (state.material.index() as u32).into()),
        ("numbers", array(numbers, |entry| entry)),
        ("alphaMode", changed.alpha_mode.map_or(JsValue::UNDEFINED, |alpha| mode(alpha).into())),
        ("doubleSided", changed.double_sided.map_or(JsValue::UNDEFINED, JsValue::from)),
        ("unlit", changed.unlit.map_or(JsValue::UNDEFINED, JsValue::from)),
        ("textures", array(textures, |entry| entry)),
    ])
}

/// `magFilter`, `minFilter`, `wrapS` and `wrapT` by the numbers of glTF.
fn sampler_codes(sampler: TextureSampler) -> [u32; 4] {
    let filter = |filter: ModelFilter| 9728 + u32::from(filter == ModelFilter::Linear);
    let mip = match sampler.mip {
        ModelMipFilter::None => 0,
        ModelMipFilter::Nearest => 256,
        ModelMipFilter::Linear => 258,
    };
    let wrap = |wrap: ModelWrap| match wrap {
        ModelWrap::ClampToEdge => 33071,
        ModelWrap::MirroredRepeat => 33648,
        ModelWrap::Repeat => 10497,
    };
    [filter(sampler.mag), filter(sampler.min) + mip, wrap(sampler.wrap_s), wrap(sampler.wrap_t)]
}

fn described(shown: ShownTexture) -> JsValue {
    let (image, picture) = match shown.picture {
        Some(Picture::Model(id)) => (id.index() as f64, -1.0),
        Some(Picture::Own(id)) => (-1.0, f64::from(id)),
        None => (-1.0, -1.0),
    };
    let sampler = shown.sampler;
    object([
        ("image", image.into()),
        ("picture", picture.into()),
        ("texCoord", shown.tex_coord.into()),
        ("wrapS", Wrap::from(sampler.wrap_s).into()),
        ("wrapT", Wrap::from(sampler.wrap_t).into()),
        ("mag", Filter::from(sampler.mag).into()),
        ("min", Filter::from(sampler.min).into()),
        ("mip", MipFilter::from(sampler.mip).into()),
    ])
}
