//! Changes of materials by the page, applied after animation.

use super::morphs::{MorphOverride, MorphOverrides};
use crate::base::feature;
use crate::model::{
    AlphaMode, LAYERS, MaterialId, MaterialProperty, MaterialState, Model, PropertyLayout, Shown,
    ShownTexture, TextureSlot,
};
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};

/// The last number that was given to a state of a material. No two states have the same one, so that a material whose changes have
/// ended is not taken for one that is changed anew, nor a state for one of a copy of its actor.
static LAST: AtomicU32 = AtomicU32::new(0);

fn next_number() -> u32 {
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}

/// The changes of materials of an actor or a crowd.
///
/// They are behind a counted pointer, so that few bytes of the first WebAssembly module copy and drop them. See
/// docs/design/size.md.
#[derive(Debug, Clone, Default)]
pub struct MaterialChanges(Option<Rc<Changed>>);

#[derive(Debug, Clone, Default)]
pub(crate) struct Changed {
    /// Sorted by material.
    list: Vec<ChangedMaterial>,
}

/// A material with changes.
#[derive(Debug, Clone)]
pub struct ChangedMaterial {
    /// The material as it is shown, since the last update.
    pub state: MaterialState,
    /// The revision of everything but numbers; no two are the same.
    pub revision: u32,
    /// The version of the numbers; no two are the same.
    pub version: u32,
    /// The material of the file.
    file: Box<MaterialState>,
    /// The changes of numbers, by the indices of [`MaterialState::numbers`].
    numbers: MorphOverrides,
    /// The use of alpha, if the page has changed it.
    pub alpha_mode: Option<AlphaMode>,
    /// The visibility of back faces, if the page has changed it.
    pub double_sided: Option<bool>,
    /// The display without light, if the page has changed it.
    pub unlit: Option<bool>,
    /// The changed textures; the inner `None` is for no texture.
    textures: [Option<Option<ShownTexture>>; TextureSlot::COUNT],
    /// `true` if the numbers may differ from those of the last update.
    stale: bool,
}

/// A change of a material; `None` gives back what the file has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MaterialChange {
    /// The use of alpha; the cutoff has no effect, as it is a number.
    AlphaMode(Option<AlphaMode>),
    /// The visibility of back faces.
    DoubleSided(Option<bool>),
    /// `true` to display it without lighting.
    Unlit(Option<bool>),
    /// A texture; the inner `None` is for no texture.
    Texture(TextureSlot, Option<Option<ShownTexture>>),
}

feature! {
    list for_materials;
    fn update_materials(changed: &mut Rc<Changed>, now: f64, layout: &PropertyLayout, properties: &[f32]) =
        |changed, now, layout, properties| Rc::make_mut(changed).update(now, layout, properties);
    fn end_fades(changed: &mut Rc<Changed>) = |changed| Rc::make_mut(changed).end_fades();
    fn materials_fade(changed: &Changed, now: f64) -> bool =
        |changed: &Changed, now: f64| changed.list.iter().any(|material| material.numbers.is_fading(now));
}

impl MaterialChanges {
    /// `true` without changes.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The changed materials, sorted, as of the last update.
    pub fn list(&self) -> &[ChangedMaterial] {
        self.0.as_ref().map_or(&[], |changed| &changed.list)
    }

    /// Changes numbers of a material, from those that are shown on; each number `None` gives back that of the animation or the
    /// file. Numbers that are not finite have no effect.
    ///
    /// - `at`: the index of the first number in [`MaterialState::numbers`].
    /// - `weight`: the blend weight from the animated numbers to these, `0.0..=1.0`.
    /// - `fade`: the duration of the change in seconds; 0 for an immediate change.
    ///
    /// # Panics
    /// If the model has no such material.
    pub fn set_numbers(
        &mut self,
        (model, id): (&Model, MaterialId),
        at: usize,
        values: impl IntoIterator<Item = Option<f32>>,
        (weight, fade, now): (f32, f64, f64),
    ) {
        self.change(model, id, |material| {
            let mut others = false;
            for (at, value) in (at..MaterialProperty::COUNT).zip(values) {
                let to = value.map(|value| MorphOverride { value, weight });
                others |= material.numbers.set(at, to, fade, now);
            }
            material.stale = true;
            others
        });
    }

    /// Makes another change of a material.
    ///
    /// # Panics
    /// If the model has no such material.
    pub fn set(&mut self, model: &Model, id: MaterialId, change: MaterialChange) {
        self.change(model, id, |material| {
            match change {
                MaterialChange::AlphaMode(mode) => material.alpha_mode = mode,
                MaterialChange::DoubleSided(on) => material.double_sided = on,
                MaterialChange::Unlit(on) => material.unlit = on,
                MaterialChange::Texture(slot, texture) => material.textures[slot as usize] = texture,
            }
            true
        });
    }

    /// Gives back a material of the file, at once if `fade` is 0; everything but numbers at once.
    pub fn reset(&mut self, model: &Model, id: MaterialId, fade: f64, now: f64) {
        if self.0.is_none() {
            return;
        }
        self.change(model, id, |material| {
            for at in 0..MaterialProperty::COUNT {
                material.numbers.set(at, None, fade, now);
            }
            (material.alpha_mode, material.double_sided, material.unlit) = (None, None, None);
            material.textures = Default::default();
            material.stale = true;
            true
        });
    }

    /// Makes a change, which returns `true` if anything but the values of numbers may differ from before.
    fn change(&mut self, model: &Model, id: MaterialId, change: impl FnOnce(&mut ChangedMaterial) -> bool) {
        let changed = Rc::make_mut(self.0.get_or_insert_default());
        let at = match changed.list.binary_search_by_key(&id, |material| material.state.material) {
            Ok(at) => at,
            Err(at) => {
                changed.list.insert(at, ChangedMaterial::new(model, id));
                at
            }
        };
        let material = &mut changed.list[at];
        let resolves = change(material) || material.revision == 0;
        if resolves && material.resolve() {
            material.revision = next_number();
        }
    }

    /// `true` if time alone changes a material, apart from its animation.
    pub fn fade(&self, now: f64) -> bool {
        self.0.as_ref().is_some_and(|changed| materials_fade(changed, now))
    }

    /// Completes all fades; returns `true` if there was one.
    pub fn end_fades(&mut self, now: f64) -> bool {
        let fades = self.fade(now);
        if let Some(changed) = self.0.as_mut().filter(|_| fades) {
            end_fades(changed);
        }
        fades
    }

    /// Computes the numbers from the animated properties of a pose. Materials without a change left are removed.
    #[inline]
    pub fn update(&mut self, now: f64, layout: &PropertyLayout, properties: &[f32]) {
        if let Some(changed) = &mut self.0 {
            update_materials(changed, now, layout, properties);
            if changed.list.is_empty() {
                self.0 = None;
            }
        }
    }
}

impl Changed {
    fn end_fades(&mut self) {
        for material in &mut self.list {
            material.numbers.end_fades();
            material.stale = true;
        }
    }

    fn update(&mut self, now: f64, layout: &PropertyLayout, properties: &[f32]) {
        let mut animated = layout.materials().peekable();
        for material in &mut self.list {
            let id = material.state.material;
            while animated.next_if(|&(other, _)| other < id).is_some() {}
            let begin = animated.peek().filter(|&&(other, _)| other == id).map(|&(_, begin)| begin);
            let own = begin.and_then(|begin| properties.get(begin..)?.first_chunk());
            material.update(now, own);
        }
        self.list.retain(|material| material.has_effect(now));
    }
}

impl ChangedMaterial {
    fn new(model: &Model, id: MaterialId) -> Self {
        let file = MaterialState::new(model, id);
        Self {
            state: file.clone(),
            revision: 0,
            version: 0,
            file: Box::new(file),
            numbers: MorphOverrides::default(),
            alpha_mode: None,
            double_sided: None,
            unlit: None,
            textures: Default::default(),
            stale: true,
        }
    }

    /// The numbers that the page has changed, without the transforms of textures, in order.
    pub fn changed_numbers(&self) -> Vec<MaterialProperty> {
        let mut list: Vec<_> = self.numbers.changed().filter_map(MaterialProperty::at).collect();
        list.retain(|property| property.index().is_some());
        list.sort_unstable();
        list.dedup();
        list
    }

    /// `true` for each texture that the page has changed, or whose transform it has changed.
    pub fn changed_textures(&self) -> [bool; TextureSlot::COUNT] {
        let mut list = self.textures.map(|change| change.is_some());
        for property in self.numbers.changed().filter_map(MaterialProperty::at) {
            if let MaterialProperty::Transform(slot, _) = property {
                list[slot as usize] |= self.state.textures[slot as usize].is_some();
            }
        }
        list
    }

    fn has_effect(&self, now: f64) -> bool {
        self.numbers.applies(now)
            || self.alpha_mode.is_some()
            || self.double_sided.is_some()
            || self.unlit.is_some()
            || self.textures.iter().any(Option::is_some)
    }

    /// Sets everything but the numbers; returns `true` if anything differs from before, or for a new material.
    fn resolve(&mut self) -> bool {
        let mut state = MaterialState {
            alpha_mode: self.alpha_mode.unwrap_or(self.file.alpha_mode),
            double_sided: self.double_sided.unwrap_or(self.file.double_sided),
            unlit: self.unlit.unwrap_or(self.file.unlit),
            numbers: self.state.numbers,
            ..(*self.file).clone()
        };
        for (shown, change) in state.textures.iter_mut().zip(&self.textures) {
            *shown = change.unwrap_or(*shown);
        }
        for at in self.numbers.changed() {
            match MaterialProperty::at(at) {
                Some(MaterialProperty::Transform(slot, _)) => state.transforms[slot as usize] = true,
                Some(property) => {
                    for row in LAYERS {
                        state.layers[row.layer as usize] |= match row.shown {
                            Shown::Always => false,
                            Shown::IfPresent => property.is_of(row.layer),
                            Shown::IfNot0(switch) => property == switch,
                        };
                    }
                }
                None => {}
            }
        }
        for (slot, change) in TextureSlot::ALL.into_iter().zip(&self.textures) {
            let layer = slot.row(false).layer;
            state.layers[layer as usize] |= change.is_some() && layer.row().shown == Shown::IfPresent;
        }
        let differs = self.revision == 0 || state != self.state;
        self.state = state;
        differs
    }

    fn update(&mut self, now: f64, animated: Option<&[f32; MaterialProperty::COUNT]>) {
        let fades = self.numbers.is_fading(now);
        if !self.stale && !fades && animated.is_none() {
            return;
        }
        // The last numbers of a fade are those after it.
        self.stale = fades;
        let mut numbers = *animated.unwrap_or(&self.file.numbers);
        self.numbers.apply_to(now, &mut numbers);
        if numbers != self.state.numbers {
            self.state.numbers = numbers;
            self.version = next_number();
        }
    }
}
