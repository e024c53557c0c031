//! Materials of actors and crowds in place of those of their files. All but [`OwnMaterials::of`] is in a feature.

use super::Stage;
use crate::animation::{ChangedMaterial, MaterialChanges, Skinning};
use crate::base::feature;
use crate::model::{MaterialId, MaterialState, Model, Picture, TextureCell, TextureSlot};
use crate::render::{
    MaterialUse, MaterialVersion, OwnMaterial, PictureTexture, Pixels, RenderError, Renderer,
};
use crate::viewer::cast::{ActorId, Asset, Cast};
use crate::viewer::error::StageError;
use crate::viewer::models::Shown;
use std::rc::Rc;

/// The materials of actors and crowds on the GPU, and the pictures of the page.
#[derive(Debug, Default)]
pub(super) struct OwnMaterials {
    pictures: Vec<OwnPicture>,
    /// Counts the textures that took the place of others.
    textures: u32,
    owners: Vec<Owner>,
}

/// A picture of the page.
#[derive(Debug, Clone)]
struct OwnPicture {
    /// The number that the page gave it.
    id: u32,
    /// The pixels are kept to restore the textures after a context loss.
    pixels: Rc<Pixels>,
    /// The textures for data and for colours, created on first use.
    textures: [Option<PictureTexture>; 2],
}

/// The materials of an actor or a crowd.
#[derive(Debug)]
struct Owner {
    id: ActorId,
    /// Sorted by the material that each replaces.
    shown: Vec<OwnMaterial>,
    /// Materials whose programs are being built. Meanwhile the ones before are shown.
    next: Vec<OwnMaterial>,
}

feature! {
    list for_materials;
    /// Updates the materials for the next frame; returns `true` if all are complete.
    pub(super) fn prepare_materials(stage: &mut Stage, may_defer: bool) -> Result<bool, RenderError> = Stage::prepare_materials;
}

impl OwnMaterials {
    /// The materials of an actor or a crowd.
    pub(super) fn of(&self, id: ActorId) -> &[OwnMaterial] {
        self.owners.iter().find(|owner| owner.id == id).map_or(&[], |owner| &owner.shown)
    }

    /// Forgets everything in a lost context, or in that of another stage.
    fn forget(&mut self) {
        self.owners.clear();
        self.pictures.iter_mut().for_each(|picture| picture.textures = [None, None]);
    }

    /// Keeps only the pictures that materials of a cast show.
    fn collect(&mut self, cast: &Cast) {
        self.pictures.retain(|picture| {
            let used = Some(Picture::Own(picture.id));
            let shows = |changed: &ChangedMaterial| {
                changed.state.textures.iter().flatten().any(|shown| shown.picture == used)
            };
            cast.materials().any(|(_, _, changes)| changes.list().iter().any(shows))
        });
    }

    /// The textures of a material that show pictures of the page.
    fn textures(
        &mut self,
        renderer: &mut Renderer,
        state: &MaterialState,
    ) -> Result<[Option<PictureTexture>; TextureSlot::COUNT], RenderError> {
        let mut textures = [const { None }; TextureSlot::COUNT];
        for ((slot, shown), texture) in TextureSlot::ALL.into_iter().zip(&state.textures).zip(&mut textures) {
            let Some(Picture::Own(id)) = shown.and_then(|shown| shown.picture) else { continue };
            let Some(picture) = self.pictures.iter_mut().find(|picture| picture.id == id) else { continue };
            let srgb = slot.is_color();
            let known = &mut picture.textures[usize::from(srgb)];
            if known.is_none() {
                *known = Some(renderer.picture(&picture.pixels, srgb)?);
            }
            texture.clone_from(known);
        }
        Ok(textures)
    }

    /// Updates the materials of an actor or a crowd; returns `true` if all are complete.
    fn prepare(
        &mut self,
        renderer: &mut Renderer,
        (id, asset, shown): (ActorId, &Asset, &Shown),
        (changes, cells): (&MaterialChanges, &[TextureCell]),
        wanted: MaterialUse,
        may_defer: bool,
    ) -> Result<bool, RenderError> {
        let mut owner = match self.owners.iter().position(|owner| owner.id == id) {
            Some(at) => self.owners.swap_remove(at),
            None => Owner { id, shown: Vec::new(), next: Vec::new() },
        };
        let result =
            self.prepare_owner(&mut owner, renderer, (asset, shown), (changes, cells), wanted, may_defer);
        self.owners.push(owner);
        result
    }

    fn prepare_owner(
        &mut self,
        owner: &mut Owner,
        renderer: &mut Renderer,
        (asset, shown): (&Asset, &Shown),
        (changes, cells): (&MaterialChanges, &[TextureCell]),
        wanted: MaterialUse,
        may_defer: bool,
    ) -> Result<bool, RenderError> {
        let is_changed = |own: &OwnMaterial| {
            let id = MaterialId::new(own.material());
            changes.list().binary_search_by_key(&id, |changed| changed.state.material).is_ok()
        };
        owner.shown.retain(is_changed);
        owner.next.retain(is_changed);
        let mut complete = true;
        let animated = asset.rig().layout.properties.of_materials().len() as u32;
        for ChangedMaterial { state, revision, version: numbers, .. } in changes.list() {
            let version = MaterialVersion { revision: *revision, textures: self.textures, animated };
            let (index, state_now) = (state.material.index(), (state, *numbers));
            let known = owner.shown.binary_search_by_key(&index, OwnMaterial::material).ok();
            let known = known.map(|at| &mut owner.shown[at]).filter(|own| own.version() == version);
            if let Some(own) = known {
                complete &= renderer.build_material(own, state_now, cells, wanted, may_defer)?;
                continue;
            }
            let made_so = |own: &OwnMaterial| own.material() == index && own.version() == version;
            let at = match owner.next.iter().position(made_so) {
                Some(at) => at,
                None => {
                    let textures = self.textures(renderer, state)?;
                    let source = (&asset.model, &*asset.layout);
                    let made = renderer.own_material(shown.handle, source, (state, version), &textures)?;
                    let Some(made) = made else { return Ok(false) };
                    owner.next.retain(|own| own.material() != made.material());
                    owner.next.push(made);
                    owner.next.len() - 1
                }
            };
            if renderer.build_material(&mut owner.next[at], state_now, cells, wanted, may_defer)? {
                let made = owner.next.swap_remove(at);
                owner.show(made);
            } else {
                complete = false;
            }
        }
        Ok(complete)
    }
}

impl Owner {
    fn show(&mut self, made: OwnMaterial) {
        match self.shown.binary_search_by_key(&made.material(), OwnMaterial::material) {
            Ok(at) => self.shown[at] = made,
            Err(at) => self.shown.insert(at, made),
        }
    }
}

impl Stage {
    /// The changes of materials of an actor or a crowd, and its model; the next tick draws.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn materials_mut(&mut self, id: ActorId) -> Result<(&mut MaterialChanges, &Model, f64), StageError> {
        self.stale = true;
        self.own.get_or_insert_default();
        self.cast.materials_mut(id)
    }

    /// The changed materials of an actor or a crowd as they are shown, with its model.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn changed_materials(&mut self, id: ActorId) -> Result<(&Model, &[ChangedMaterial]), StageError> {
        self.posed();
        self.cast.update_crowd_materials();
        let (model, _) = self.cast.model_of(id)?;
        let changes = self.cast.materials().find(|(known, ..)| *known == id);
        Ok((model, changes.map_or(&[][..], |(.., changes)| changes.list())))
    }

    /// The pixels of a picture of the page.
    pub fn picture(&self, id: u32) -> Option<&Pixels> {
        let picture = self.own.as_ref()?.pictures.iter().find(|picture| picture.id == id)?;
        Some(&picture.pixels)
    }

    /// A material as an actor or a crowd shows it.
    ///
    /// # Errors
    /// `NoActor`, `NoMaterial`.
    pub fn material_now(&mut self, id: ActorId, index: usize) -> Result<MaterialState, StageError> {
        let (model, changes) = self.changed_materials(id)?;
        if index >= model.materials.len() {
            return Err(StageError::NoMaterial);
        }
        let material = MaterialId::new(index);
        if let Some(changed) = changes.iter().find(|changed| changed.state.material == material) {
            return Ok(changed.state.clone());
        }
        let mut state = MaterialState::new(model, material);
        if let Ok(member) = self.cast.get(id) {
            let animated =
                member.asset.layout.properties.materials().find(|(animated, _)| *animated == material);
            let numbers =
                animated.and_then(|(_, at)| member.actor.pose().properties.get(at..)?.first_chunk());
            state.numbers = *numbers.unwrap_or(&state.numbers);
        }
        Ok(state)
    }

    /// Sets a picture of the page, which [`Picture::Own`] names. It is deleted by [`Stage::collect_pictures`] if no material
    /// shows it.
    ///
    /// # Errors
    /// `ImageData`, `OutOfMemory`.
    pub fn set_picture(&mut self, id: u32, pixels: Pixels) -> Result<(), RenderError> {
        self.stale = true;
        let own = self.own.get_or_insert_default();
        let pixels = Rc::new(pixels);
        let Some(picture) = own.pictures.iter_mut().find(|picture| picture.id == id) else {
            own.pictures.push(OwnPicture { id, pixels, textures: [None, None] });
            return Ok(());
        };
        picture.pixels = pixels;
        for texture in &mut picture.textures {
            if let Some(known) = texture
                && !self.context.borrow_mut().renderer.set_picture(known, &picture.pixels)?
            {
                texture.take();
                own.textures += 1;
            }
        }
        Ok(())
    }

    /// `true` for a picture of the page that a material shows.
    pub fn has_picture(&self, id: u32) -> bool {
        self.own.as_ref().is_some_and(|own| own.pictures.iter().any(|picture| picture.id == id))
    }

    /// Deletes the pictures that no material shows.
    pub fn collect_pictures(&mut self) {
        if let Some(own) = &mut self.own {
            own.collect(&self.cast);
        }
    }

    /// Forgets the textures and programs of a lost context.
    pub(super) fn restore_materials(&mut self) {
        if let Some(own) = &mut self.own {
            own.forget();
        }
    }

    /// The pictures of the page, for a stage in the same context.
    pub(super) fn pictures_for_film(&self) -> Option<Box<OwnMaterials>> {
        let own = self.own.as_ref()?;
        Some(Box::new(OwnMaterials { pictures: own.pictures.clone(), ..OwnMaterials::default() }))
    }

    fn prepare_materials(&mut self, may_defer: bool) -> Result<bool, RenderError> {
        let Self { own: Some(own), cast, models, context, light, .. } = self else { return Ok(true) };
        cast.update_crowd_materials();
        let before = own.owners.len();
        own.owners
            .retain(|owner| cast.materials().any(|(id, _, changes)| id == owner.id && !changes.is_empty()));
        if own.owners.len() < before {
            own.collect(cast);
        }
        let renderer = &mut context.borrow_mut().renderer;
        let dual = cast.skinning() == Skinning::DualQuaternion;
        let mut complete = true;
        for (id, asset, changes) in cast.materials().filter(|(.., changes)| !changes.is_empty()) {
            let Some(shown) = models.get(asset) else { continue };
            let member = cast.get(id).ok();
            let wanted = MaterialUse {
                shadows: light.has_shadows(),
                deformed: member.is_some() && !shown.on_cpu.is_empty(),
                crowd: member.is_none(),
                dual,
            };
            let cells = member.map_or(&[][..], |member| member.actor.flipbooks.cells());
            complete &= own.prepare(renderer, (id, asset, shown), (changes, cells), wanted, may_defer)?;
        }
        Ok(complete)
    }
}

impl Cast {
    /// The changes of materials of all actors and crowds.
    fn materials(&self) -> impl Iterator<Item = (ActorId, &Rc<Asset>, &MaterialChanges)> {
        let actors = self.members().iter().map(|member| (member.id, &member.asset, &member.actor.materials));
        actors.chain(self.crowds().iter().map(|crowd| (crowd.id, &crowd.asset, &crowd.materials)))
    }
}
