//! Sampler objects, shared by textures with the same parameters.

use crate::model::TextureSampler;
use crate::render::error::RenderError;
use crate::render::gl::{Gl, Sampler};
use std::rc::{Rc, Weak};

/// The samplers in use. There are few combinations, so a linear search is enough.
#[derive(Debug, Default)]
pub(crate) struct Samplers {
    list: Vec<(TextureSampler, Weak<Sampler>)>,
}

impl Samplers {
    /// The sampler with these parameters. It is deleted with its last user.
    pub(crate) fn get(&mut self, gl: &Rc<Gl>, sampling: TextureSampler) -> Result<Rc<Sampler>, RenderError> {
        self.list.retain(|(_, sampler)| sampler.strong_count() > 0);
        let known =
            self.list.iter().find(|(known, _)| *known == sampling).and_then(|(_, sampler)| sampler.upgrade());
        if let Some(sampler) = known {
            return Ok(sampler);
        }
        let sampler = Rc::new(Sampler::new(gl)?);
        gl.set_sampler(&sampler, sampling);
        self.list.push((sampling, Rc::downgrade(&sampler)));
        Ok(sampler)
    }
}
