//! The shader variant of a draw.

use crate::model::{
    LAYERS, Layer, MaterialProperty, NUMBERS, SIDE_BY_SIDE, Shown, TextureSlot, remove_unseen,
};
use std::fmt::{self, Write as _};

/// The maximum number of sets of four influences as attributes. WebGL2 guarantees 16 attributes, six of which have other uses.
pub(crate) const MAX_SKIN_SETS: usize = 5;

/// The value of `Placement::Skinned` for more sets, whose influences are read from a texture.
pub(crate) const MANY_SKIN_SETS: usize = MAX_SKIN_SETS + 1;

/// The maximum number of texture coordinate sets as attributes: two with five sets of influences, else four.
pub(crate) fn max_uv_sets(skin_sets: usize) -> usize {
    if skin_sets == MAX_SKIN_SETS { 2 } else { 4 }
}

/// The maximum number of textures of a material. WebGL2 guarantees 16 for fragments; lighting and shadows use some.
pub(crate) const MAX_TEXTURES: usize = 11;

/// The number of debug views of meshes and of the core of materials (`shaders/debug.frag`). The number of the view of a
/// layer's property follows from its index in [`NUMBERS`].
pub(crate) const MESH_VIEWS: usize = 12;

/// A name of the table of materials as in shaders: `clearcoat_roughness` for `ClearcoatRoughness`.
fn shader_name(name: &str) -> String {
    let mut out = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.push(letter.to_ascii_lowercase());
    }
    out
}

/// The name of a texture's sampler uniform.
pub(crate) fn uniform(slot: TextureSlot) -> String {
    format!("u_{}_texture", shader_name(slot.row(false).name))
}

/// The macro with the texture coordinates of a slot.
fn coordinates(slot: TextureSlot) -> String {
    shader_name(slot.row(false).name).to_ascii_uppercase() + "_UV"
}

/// The varying of a set of texture coordinates.
fn varying(set: u8) -> String {
    format!("v_uv{set}")
}

/// The transform of vertices to world space.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) enum Placement {
    /// All vertices use one palette entry.
    #[default]
    Rigid,
    /// Skinned by this number of sets of four influences, or by [`MANY_SKIN_SETS`].
    Skinned(u8),
    /// The CPU deformed the vertices, which are in world space.
    Deformed,
}

/// The alpha mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) enum Alpha {
    #[default]
    Opaque,
    Mask,
    Blend,
}

/// The attributes that the morph targets of a primitive change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct MorphParts {
    pub(crate) positions: bool,
    pub(crate) normals: bool,
    pub(crate) tangents: bool,
    /// The first two texture coordinate sets of the shader.
    pub(crate) uvs: [bool; 2],
    pub(crate) colors: bool,
}

impl MorphParts {
    /// The parts in the order of the morph texture, with their macros.
    pub(crate) fn list(self) -> [(bool, &'static str); 6] {
        [
            (self.positions, "MORPH_POSITION"),
            (self.normals, "MORPH_NORMAL"),
            (self.tangents, "MORPH_TANGENT"),
            (self.uvs[0], "MORPH_UV0"),
            (self.uvs[1], "MORPH_UV1"),
            (self.colors, "MORPH_COLOR"),
        ]
    }

    /// The parts that either has.
    pub(crate) fn union(self, other: Self) -> Self {
        Self {
            positions: self.positions || other.positions,
            normals: self.normals || other.normals,
            tangents: self.tangents || other.tangents,
            uvs: [self.uvs[0] || other.uvs[0], self.uvs[1] || other.uvs[1]],
            colors: self.colors || other.colors,
        }
    }

    /// The number of parts.
    pub(crate) fn count(self) -> usize {
        self.list().iter().filter(|(on, _)| *on).count()
    }
}

/// The key of a program; draws with equal variants share a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Variant {
    pub(crate) placement: Placement,
    pub(crate) morph: MorphParts,
    /// The parts in the morph texture; `morph` is a subset.
    pub(crate) stored: MorphParts,
    pub(crate) normals: bool,
    pub(crate) tangents: bool,
    pub(crate) colors: bool,
    /// `true` for each [`Layer`] of the material.
    pub(crate) layers: [bool; Layer::COUNT],
    /// For each texture slot, the index of the shader's texture coordinate set; `None` without a texture.
    pub(crate) textures: [Option<u8>; TextureSlot::COUNT],
    /// For each texture slot, `true` if the texture has a transform other than the identity, or an animated one.
    pub(crate) transforms: [bool; TextureSlot::COUNT],
    pub(crate) alpha: Alpha,
    /// The reason why the draw is unlit, if it is.
    pub(crate) unlit: Option<Unlit>,
    /// `true` if the file's punctual lights illuminate it.
    pub(crate) lights: bool,
    /// `true` for dual-quaternion skinning.
    pub(crate) dual: bool,
    /// `true` if all members of a crowd are one instanced draw.
    pub(crate) crowd: bool,
    /// `true` for a depth-only variant, for shadows.
    pub(crate) depth: bool,
    /// Set for a debug view.
    pub(crate) debug: Option<DebugParts>,
}

/// The additional inputs of a debug view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct DebugParts {
    /// The number of influence sets to show, also for CPU-deformed primitives.
    pub(crate) skin_sets: u8,
    /// The index of the shader's texture coordinate set to show.
    pub(crate) uv: Option<u8>,
}

/// The reason why a draw is unlit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Unlit {
    /// The material is unlit; only the base colour is shown.
    Material,
    /// Points or lines without normals, which cannot be derived from faces.
    Shape,
}

impl Variant {
    /// The variant for shadow maps of the same draw.
    pub(crate) fn shadow(self) -> Self {
        Self { depth: true, ..self }.reduced()
    }

    /// The variant with dual-quaternion or linear skinning; `dual` has no effect on a draw without skinning.
    pub(crate) fn skinned(self, dual: bool) -> Self {
        Self { dual: dual && matches!(self.placement, Placement::Skinned(_)), ..self }
    }

    /// The variant for crowds, with linear skinning.
    pub(crate) fn in_crowd(self) -> Self {
        Self { crowd: true, dual: false, ..self }
    }

    /// The name of the fragment shader.
    pub(crate) fn fragment_source(&self) -> &'static str {
        match (self.depth, self.debug) {
            (true, _) => "depth.frag",
            (false, Some(_)) => "debug.frag",
            (false, None) => "mesh.frag",
        }
    }

    /// Removes features without effect, so that fewer programs are built.
    pub(crate) fn reduced(mut self) -> Self {
        if self.depth {
            self.unlit = Some(Unlit::Material);
            if self.alpha == Alpha::Opaque {
                self.textures[TextureSlot::BaseColor as usize] = None;
                self.colors = false;
            }
        }
        if let Some(unlit) = self.unlit {
            for slot in TextureSlot::ALL {
                let shown = match slot {
                    TextureSlot::BaseColor => true,
                    TextureSlot::Emissive => unlit == Unlit::Shape,
                    _ => false,
                };
                if !shown {
                    self.textures[slot as usize] = None;
                }
            }
            self.layers = Default::default();
            self.normals = false;
            self.lights = false;
        }
        remove_unseen(&mut self.layers);
        if self.layers[Layer::SpecularGlossiness as usize] {
            self.textures[TextureSlot::MetallicRoughness as usize] = None;
        }
        let mut left = MAX_TEXTURES;
        for (slot, texture) in TextureSlot::ALL.into_iter().zip(&mut self.textures) {
            let used = [false, true].map(|glossy| slot.row(glossy).layer);
            let used = used.into_iter().any(|layer| layer == Layer::Core || self.layers[layer as usize]);
            if !used || left == 0 {
                *texture = None;
            }
            left -= usize::from(texture.is_some());
        }
        for (transform, texture) in self.transforms.iter_mut().zip(&self.textures) {
            *transform &= texture.is_some();
        }
        let bent = TextureSlot::directions().any(|slot| self.textures[slot as usize].is_some());
        let bent = bent || self.layers[Layer::Anisotropy as usize] || self.debug.is_some();
        self.tangents &= self.normals && bent;
        self.morph.normals &= self.normals;
        self.morph.tangents &= self.tangents;
        self.morph.colors &= self.colors;
        for (set, on) in (0..).zip(&mut self.morph.uvs) {
            *on &= self.textures.contains(&Some(set));
        }
        if self.placement == Placement::Deformed {
            self.morph = MorphParts::default();
        }
        if self.morph.count() == 0 {
            self.stored = MorphParts::default();
        }
        self
    }

    /// The lines of `#define` for the shaders of this variant.
    pub(crate) fn defines(&self, palette_width: usize) -> String {
        let mut out = String::new();
        let mut define = |definition: fmt::Arguments<'_>| {
            // Writing to a string does not fail.
            let _ = writeln!(out, "#define {definition}");
        };
        define(format_args!("PALETTE_WIDTH {palette_width}"));
        if self.crowd {
            define(format_args!("PALETTE_STEP {SIDE_BY_SIDE}"));
        }
        let mut flag = |on: bool, name: &str| {
            if on {
                define(format_args!("{name}"));
            }
        };
        flag(self.placement == Placement::Deformed, "DEFORMED");
        flag(self.dual, "DUAL");
        flag(self.crowd, "CROWD");
        flag(self.normals, "HAS_NORMALS");
        flag(self.tangents, "HAS_TANGENTS");
        flag(self.colors, "HAS_COLORS");
        for (set, name) in (0..).zip(["HAS_UV0", "HAS_UV1", "HAS_UV2", "HAS_UV3"]) {
            let shown = self.debug.is_some_and(|debug| debug.uv == Some(set));
            flag(shown || self.textures.contains(&Some(set)), name);
        }
        for row in LAYERS.iter().filter(|row| row.shown != Shown::Always) {
            flag(self.layers[row.layer as usize], &shader_name(row.name).to_ascii_uppercase());
        }
        flag(self.unlit.is_some(), "UNLIT");
        flag(self.unlit == Some(Unlit::Material), "UNLIT_MATERIAL");
        flag(self.lights, "PUNCTUAL");
        flag(self.alpha == Alpha::Mask, "ALPHA_MASK");
        flag(self.alpha == Alpha::Blend, "ALPHA_BLEND");
        flag(self.morph.count() > 0, "MORPH");
        flag(self.debug.is_some(), "DEBUG");
        let sets = match (self.placement, self.debug) {
            (Placement::Skinned(sets), _) | (_, Some(DebugParts { skin_sets: sets, .. })) => sets,
            _ => 0,
        };
        let many = sets as usize == MANY_SKIN_SETS;
        define(format_args!("SKIN_SETS {}", if many { 0 } else { sets }));
        if many {
            define(format_args!("MANY_INFLUENCES"));
        }
        let mut frame = "vec2(0.0)".to_owned();
        if let Some(set) = self.debug.and_then(|debug| debug.uv) {
            frame = varying(set);
            define(format_args!("DEBUG_UV {frame}"));
        }
        for slot in TextureSlot::ALL.into_iter().rev() {
            let Some(set) = self.textures[slot as usize] else { continue };
            let name = coordinates(slot);
            let mut place = varying(set);
            if self.transforms[slot as usize] {
                place = format!("transformed({place}, {})", 2 * slot as usize);
            }
            define(format_args!("{name} {place}"));
            if TextureSlot::directions().any(|directed| directed == slot) {
                frame = name;
            }
        }
        // The texture coordinates from which the shader derives missing tangents.
        define(format_args!("FRAME_UV {frame}"));
        let stored = self.stored.list().into_iter().zip(self.morph.list()).filter(|((on, _), _)| *on);
        for (i, (_, (on, name))) in stored.enumerate() {
            if on {
                define(format_args!("{name} {i}"));
            }
        }
        define(format_args!("MORPH_PARTS {}", self.stored.count()));
        self.define_material(&mut out);
        out
    }

    /// Adds the macros of `shaders/material.glsl`: `m_NAME` for each number of the material, multiplied by its texture,
    /// the samplers, and the cases of debug views.
    fn define_material(&self, out: &mut String) {
        let (mut samplers, mut views) = (String::new(), String::new());
        for slot in used_slots(self) {
            samplers += &format!("uniform sampler2D {};", uniform(slot));
        }
        for (i, row) in NUMBERS.iter().enumerate() {
            let (name, width) = (shader_name(row.name), row.shader_width());
            let Some(place) = row.property.place() else { continue };
            let parts = &"xyzw"[place % 4..place % 4 + width];
            let mut value = format!("u_numbers[{}].{parts}", place / 4);
            if let Some((slot, channels)) = row.texture.filter(|(slot, _)| self.has(*slot)) {
                value = format!("({value}*texture({},{}).{channels})", uniform(slot), coordinates(slot));
            }
            *out += &format!("#define m_{name} {value}\n");
            if self.debug.is_some() && row.view.is_some() {
                let color = if width == 3 { "srgb_from_linear" } else { "vec3" };
                views += &format!("case {}: shown = {color}(m_{name}); break;", MESH_VIEWS + i);
            }
        }
        let (numbers, rows) = (MaterialProperty::SHADER_FLOATS / 4, 2 * TextureSlot::COUNT);
        *out += &format!("#define MATERIAL_NUMBERS {numbers}\n#define MATERIAL_UV_ROWS {rows}\n");
        *out += &format!("#define MATERIAL_SAMPLERS {samplers}\n#define MATERIAL_VIEWS {views}\n");
    }

    /// `true` if it samples the texture of a slot.
    fn has(&self, slot: TextureSlot) -> bool {
        self.textures[slot as usize].is_some()
    }
}

/// The variant for CPU-deformed vertices.
pub(crate) fn deformed_variant(variant: Variant) -> Variant {
    Variant { placement: Placement::Deformed, dual: false, ..variant }.reduced()
}

/// The texture slots that a variant samples.
pub(crate) fn used_slots(variant: &Variant) -> impl Iterator<Item = TextureSlot> + use<> {
    let textures = variant.textures;
    TextureSlot::ALL.into_iter().filter(move |&slot| textures[slot as usize].is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variant_reduction_drops_unused_features() {
        let all = MorphParts {
            positions: true,
            normals: true,
            tangents: true,
            uvs: [true; 2],
            ..Default::default()
        };
        let flat = Variant { tangents: true, morph: all, stored: all, ..Variant::default() }.reduced();
        let positions_only = MorphParts { positions: true, ..MorphParts::default() };
        assert_eq!(flat, Variant { morph: positions_only, stored: all, ..Variant::default() });

        let mut mapped = Variant { normals: true, tangents: true, lights: true, ..Variant::default() };
        mapped.textures[TextureSlot::Normal as usize] = Some(1);
        mapped.transforms = [true; TextureSlot::COUNT];
        let reduced = mapped.reduced();
        let mut normal_only = [false; TextureSlot::COUNT];
        normal_only[TextureSlot::Normal as usize] = true;
        assert_eq!(reduced.transforms, normal_only, "only textures have transforms");
        assert_eq!(Variant { transforms: mapped.transforms, ..reduced }, mapped);
        let unlit = Variant { unlit: Some(Unlit::Shape), ..mapped }.reduced();
        assert_eq!(unlit.textures, [None; TextureSlot::COUNT]);
        assert!(!unlit.normals && !unlit.lights);
    }

    #[test]
    fn unlit_material_variant_has_no_emissive_texture() {
        let textures = [Some(0); TextureSlot::COUNT];
        let shape = Variant { textures, unlit: Some(Unlit::Shape), ..Variant::default() }.reduced();
        let used = |variant: Variant| {
            TextureSlot::ALL
                .into_iter()
                .filter(|&slot| variant.textures[slot as usize].is_some())
                .collect::<Vec<_>>()
        };
        assert_eq!(used(shape), [TextureSlot::BaseColor, TextureSlot::Emissive]);
        let material = Variant { textures, unlit: Some(Unlit::Material), ..Variant::default() }.reduced();
        assert_eq!(used(material), [TextureSlot::BaseColor]);
    }

    #[test]
    fn variant_reduction_drops_layers_and_textures_without_effect() {
        let textures = [Some(0); TextureSlot::COUNT];
        let of = |layers: &[Layer]| {
            let mut variant = Variant { textures, normals: true, ..Variant::default() };
            layers.iter().for_each(|&layer| variant.layers[layer as usize] = true);
            variant.reduced()
        };
        let has = |variant: Variant, slot: TextureSlot| variant.textures[slot as usize].is_some();
        let deep = of(&[Layer::Volume, Layer::Dispersion]);
        assert!(!deep.layers.contains(&true) && !has(deep, TextureSlot::Thickness), "nothing goes through");
        let glossy = of(&[Layer::SpecularGlossiness, Layer::Specular]);
        assert!(!has(glossy, TextureSlot::MetallicRoughness) && !has(glossy, TextureSlot::Specular));
        assert!(has(glossy, TextureSlot::SpecularColor));
        let all = Layer::COUNT - 1;
        let everything = Variant { textures, layers: [true; Layer::COUNT], ..Variant::default() }.reduced();
        assert!(everything.layers.iter().filter(|on| **on).count() == all, "but for the one of glossiness");
        assert_eq!(everything.textures.iter().flatten().count(), MAX_TEXTURES, "there are not more units");
    }

    #[test]
    fn variant_defines_list_its_features() {
        let stored = MorphParts { positions: true, normals: true, tangents: true, ..MorphParts::default() };
        let mut variant = Variant {
            placement: Placement::Skinned(2),
            morph: MorphParts { normals: false, ..stored },
            stored,
            normals: true,
            ..Variant::default()
        };
        variant.textures[TextureSlot::Emissive as usize] = Some(1);
        variant.textures[TextureSlot::Normal as usize] = Some(1);
        variant.transforms[TextureSlot::Normal as usize] = true;
        let defines = variant.defines(1024);
        for line in [
            "#define PALETTE_WIDTH 1024",
            "#define SKIN_SETS 2",
            "#define HAS_UV1",
            "#define EMISSIVE_UV v_uv1",
            "#define NORMAL_UV transformed(v_uv1, 4)",
            "#define MORPH_POSITION 0",
            "#define MORPH_TANGENT 2",
            "#define MORPH_PARTS 3",
        ] {
            assert!(defines.lines().any(|l| l == line), "{line} is missing in\n{defines}");
        }
        assert!(!defines.contains("MORPH_NORMAL") && !defines.contains("HAS_UV0"));
    }

    #[test]
    fn variant_defines_name_the_numbers_and_textures_of_materials() {
        let mut variant = Variant { normals: true, ..Variant::default() };
        variant.layers[Layer::Clearcoat as usize] = true;
        variant.textures[TextureSlot::ClearcoatRoughness as usize] = Some(0);
        let place = MaterialProperty::Clearcoat.place().unwrap_or(usize::MAX);
        let plain = format!("u_numbers[{}].{}", place / 4, ["x", "y", "z", "w"][place % 4]);
        let defines = variant.defines(1024);
        for line in [
            "#define CLEARCOAT",
            "#define CLEARCOAT_ROUGHNESS_UV v_uv0",
            "#define m_base_color u_numbers[0].xyzw",
            &format!("#define m_clearcoat {plain}"),
            "#define MATERIAL_SAMPLERS uniform sampler2D u_clearcoat_roughness_texture;",
            "#define MATERIAL_VIEWS ",
        ] {
            assert!(defines.lines().any(|l| l == line), "{line} is missing in\n{defines}");
        }
        let rough = defines.lines().find(|line| line.starts_with("#define m_clearcoat_roughness "));
        let texture = "*texture(u_clearcoat_roughness_texture,CLEARCOAT_ROUGHNESS_UV).g)";
        assert!(rough.is_some_and(|line| line.ends_with(texture)), "{rough:?}");
        assert!(!defines.contains("#define SHEEN\n"));
        let debug = Variant { debug: Some(DebugParts { skin_sets: 0, uv: None }), ..variant }.defines(1024);
        assert!(debug.contains("shown = srgb_from_linear(m_sheen_color); break;"), "{debug}");
        assert!(debug.contains("shown = vec3(m_clearcoat_roughness); break;"), "{debug}");
    }
}
