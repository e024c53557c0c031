//! The layout of animated properties in a pose.

use super::clip::Clip;
use super::ids::{CameraId, LightId, MaterialId, NodeId};
use super::material_table::MaterialProperty;
use super::properties::{CameraProperty, LightProperty, Property};
use super::root::Model;
use crate::base::sort_by;
use std::ops::Range;

/// The indices in a pose of all properties that any clip of a model animates.
///
/// If one number of a material, light or camera is animated, all its numbers are included, in the order of
/// its `properties()`. The layout is empty if no clip animates properties.
#[derive(Debug, Clone, Default)]
pub struct PropertyLayout {
    /// The values without animation.
    pub base: Vec<f32>,
    /// The owners, sorted, and the first index of each.
    begins: Vec<(Owner, usize)>,
    /// The animated properties of materials, sorted.
    of_materials: Vec<(MaterialId, MaterialProperty)>,
}

/// The owner of properties.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Owner {
    Node(NodeId),
    Material(MaterialId),
    Light(LightId),
    Camera(CameraId),
}

impl PropertyLayout {
    /// The layout for all clips of `model`.
    pub fn new(model: &Model) -> Self {
        let mut layout = Self::default();
        let channels = model.clips.iter().flat_map(|clip| &clip.properties);
        // Owners in their order, so that the layout does not depend on that of the clips.
        let mut properties: Vec<_> = channels.map(|channel| channel.property).collect();
        sort_by(&mut properties, |a, b| {
            place(*a).map(|(owner, _)| owner).cmp(&place(*b).map(|(owner, _)| owner))
        });
        for property in properties {
            layout.add(model, property);
        }
        layout
    }

    /// The layout with the properties of one more clip of `model`, which come after those of this layout. `None` if it has
    /// them already.
    pub(crate) fn widened(&self, model: &Model, clip: &Clip) -> Option<Self> {
        let mut wider = self.clone();
        let mut differs = false;
        for channel in &clip.properties {
            differs |= wider.add(model, channel.property);
        }
        differs.then_some(wider)
    }

    /// Adds a property; returns `false` if it is there already.
    fn add(&mut self, model: &Model, property: Property) -> bool {
        let Some((owner, _)) = place(property) else { return false };
        let at = self.begins.binary_search_by_key(&owner, |&(owner, _)| owner);
        if let Err(at) = at {
            self.begins.insert(at, (owner, self.base.len()));
            match owner {
                Owner::Node(id) => self.base.push(f32::from(u8::from(model.nodes[id.index()].visible))),
                Owner::Material(id) => self.base.extend(model.materials[id.index()].properties()),
                Owner::Light(id) => self.base.extend(model.lights[id.index()].properties()),
                Owner::Camera(id) => self.base.extend(model.cameras[id.index()].properties()),
            }
        }
        match property {
            Property::Material(id, property) => match self.of_materials.binary_search(&(id, property)) {
                Ok(_) => false,
                Err(at) => {
                    self.of_materials.insert(at, (id, property));
                    true
                }
            },
            _ => at.is_err(),
        }
    }

    /// The animated properties of materials, sorted.
    pub fn of_materials(&self) -> &[(MaterialId, MaterialProperty)] {
        &self.of_materials
    }

    /// The indices of a property; `None` if no clip animates its owner, or if it is a morph weight.
    pub fn range(&self, property: Property) -> Option<Range<usize>> {
        let (owner, within) = place(property)?;
        let begin = self.begin(owner)?;
        Some(begin + within.start..begin + within.end)
    }

    fn begin(&self, owner: Owner) -> Option<usize> {
        let at = self.begins.binary_search_by_key(&owner, |&(owner, _)| owner).ok()?;
        Some(self.begins[at].1)
    }

    /// The animated materials, and the first index of each.
    pub fn materials(&self) -> impl Iterator<Item = (MaterialId, usize)> {
        self.begins.iter().filter_map(|&(owner, begin)| match owner {
            Owner::Material(id) => Some((id, begin)),
            _ => None,
        })
    }

    /// The nodes with animated visibility, and the index of each.
    pub fn visible(&self) -> impl Iterator<Item = (NodeId, usize)> {
        self.begins.iter().filter_map(|&(owner, begin)| match owner {
            Owner::Node(id) => Some((id, begin)),
            _ => None,
        })
    }

    /// The numbers of a light in a pose's properties; `None` if no clip animates them.
    pub fn light<'a>(&self, id: LightId, properties: &'a [f32]) -> Option<&'a [f32; LightProperty::COUNT]> {
        let begin = self.begin(Owner::Light(id))?;
        properties.get(begin..)?.first_chunk()
    }

    /// The numbers of a camera in a pose's properties; `None` if no clip animates them.
    pub fn camera<'a>(
        &self,
        id: CameraId,
        properties: &'a [f32],
    ) -> Option<&'a [f32; CameraProperty::COUNT]> {
        let begin = self.begin(Owner::Camera(id))?;
        properties.get(begin..)?.first_chunk()
    }
}

/// The owner of a property, and its indices within the owner's properties.
fn place(property: Property) -> Option<(Owner, Range<usize>)> {
    match property {
        Property::Visible(id) => Some((Owner::Node(id), 0..1)),
        Property::Weight(..) => None,
        Property::Material(id, property) => Some((Owner::Material(id), property.range())),
        Property::Light(id, property) => Some((Owner::Light(id), property.range())),
        Property::Camera(id, property) => {
            let at = property as usize;
            Some((Owner::Camera(id), at..at + 1))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Clip, PropertyChannel};
    use crate::model::{Material, TextureSlot, TransformProperty};

    #[test]
    fn property_layout_is_empty_without_property_channels() {
        let model = Model { materials: vec![Material::default()], ..Model::default() };
        let layout = PropertyLayout::new(&model);
        let property = Property::Material(MaterialId::new(0), MaterialProperty::Metallic);
        assert!(layout.base.is_empty() && layout.range(property).is_none());
    }

    #[test]
    fn property_layout_holds_all_numbers_of_each_animated_object_once() {
        let material = |id, property| Property::Material(MaterialId::new(id), property);
        let roughness = material(1, MaterialProperty::Roughness);
        let offset = MaterialProperty::Transform(TextureSlot::Anisotropy, TransformProperty::Scale);
        let all = [
            roughness,
            Property::Weight(NodeId::new(0), 3),
            material(1, offset),
            Property::Visible(NodeId::new(0)),
        ];
        let channel = |property| PropertyChannel { property, curve: 0 };
        let clip = Clip { properties: all.map(channel).to_vec(), ..Clip::default() };
        let model = Model {
            materials: vec![Material::default(), Material { roughness: 0.25, ..Material::default() }],
            nodes: vec![Default::default()],
            clips: vec![clip.into()],
            ..Model::default()
        };
        let layout = PropertyLayout::new(&model);
        assert_eq!(layout.base.len(), MaterialProperty::COUNT + 1);
        let range = layout.range(roughness).unwrap_or_default();
        assert_eq!(layout.base[range], [0.25]);
        let within = offset.range();
        assert_eq!(layout.range(material(1, offset)), Some(within.start + 1..within.end + 1));
        assert_eq!(layout.range(material(0, offset)), None, "nothing animates it");
        assert_eq!(layout.range(all[1]), None, "weights have their own place");
        assert_eq!(layout.visible().collect::<Vec<_>>(), [(NodeId::new(0), 0)]);
        assert_eq!(layout.base[0], 1.0, "nodes are visible");
    }

    #[test]
    fn property_layout_widens_after_the_properties_that_it_has() {
        let material = |id, property| Property::Material(MaterialId::new(id), property);
        let (metallic, roughness) = (MaterialProperty::Metallic, MaterialProperty::Roughness);
        let clip = |properties: &[Property]| Clip {
            properties: properties.iter().map(|&property| PropertyChannel { property, curve: 0 }).collect(),
            ..Clip::default()
        };
        let model = Model {
            materials: vec![Material { metallic: 0.5, ..Material::default() }, Material::default()],
            nodes: vec![Default::default()],
            clips: vec![clip(&[material(1, roughness)]).into()],
            ..Model::default()
        };
        let layout = PropertyLayout::new(&model);
        let weight = Property::Weight(NodeId::new(0), 0);
        assert!(layout.widened(&model, &clip(&[material(1, roughness), weight])).is_none());
        // Another property of the same material needs no more numbers.
        let other =
            layout.widened(&model, &clip(&[material(1, metallic), weight])).expect("one more property");
        assert_eq!(other.base, layout.base);
        assert_eq!(layout.of_materials(), [(MaterialId::new(1), roughness)]);
        assert_eq!(other.of_materials().len(), 2);
        let hidden = Property::Visible(NodeId::new(0));
        let more = clip(&[hidden, material(0, metallic), hidden]);
        let wider = layout.widened(&model, &more).expect("two more objects");
        assert_eq!(wider.base.len(), 2 * MaterialProperty::COUNT + 1);
        assert_eq!(wider.range(material(1, roughness)), layout.range(material(1, roughness)));
        let end = layout.base.len();
        assert_eq!(wider.range(hidden), Some(end..end + 1));
        let range = wider.range(material(0, metallic)).expect("it is animated");
        assert_eq!(wider.base[range], [0.5]);
        assert!(wider.widened(&model, &more).is_none());
    }
}
