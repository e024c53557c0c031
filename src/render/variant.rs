//! Which of the many shaders a draw needs.

use std::fmt::Write as _;

/// How many sets of four influences the shaders take; 16 attributes are guaranteed, and six are others.
pub(crate) const MAX_SKIN_SETS: usize = 5;

/// The textures of a material, in the order of their texture units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextureSlot {
    BaseColor,
    MetallicRoughness,
    Normal,
    Occlusion,
    Emissive,
}

impl TextureSlot {
    pub(crate) const COUNT: usize = 5;
    pub(crate) const ALL: [Self; Self::COUNT] =
        [Self::BaseColor, Self::MetallicRoughness, Self::Normal, Self::Occlusion, Self::Emissive];

    /// The name in the shader's defines.
    fn define(self) -> &'static str {
        match self {
            Self::BaseColor => "BASE_COLOR_UV",
            Self::MetallicRoughness => "METALLIC_ROUGHNESS_UV",
            Self::Normal => "NORMAL_UV",
            Self::Occlusion => "OCCLUSION_UV",
            Self::Emissive => "EMISSIVE_UV",
        }
    }

    /// The name of the sampler uniform.
    pub(crate) fn uniform(self) -> &'static str {
        match self {
            Self::BaseColor => "u_base_color_texture",
            Self::MetallicRoughness => "u_metallic_roughness_texture",
            Self::Normal => "u_normal_texture",
            Self::Occlusion => "u_occlusion_texture",
            Self::Emissive => "u_emissive_texture",
        }
    }
}

/// How vertices get into the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) enum Placement {
    /// All by one palette entry.
    #[default]
    Rigid,
    /// By this many sets of four influences.
    Skinned(u8),
    /// They are there already: the CPU deformed them.
    Deformed,
}

/// What alpha does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) enum Alpha {
    #[default]
    Opaque,
    Mask,
    Blend,
}

/// Which attributes the morph targets of a primitive change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct MorphParts {
    pub(crate) positions: bool,
    pub(crate) normals: bool,
    pub(crate) tangents: bool,
}

impl MorphParts {
    /// How many parts there are.
    pub(crate) fn count(self) -> usize {
        usize::from(self.positions) + usize::from(self.normals) + usize::from(self.tangents)
    }
}

/// The key of a program: equal variants share one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Variant {
    pub(crate) placement: Placement,
    pub(crate) morph: MorphParts,
    pub(crate) normals: bool,
    pub(crate) tangents: bool,
    pub(crate) colors: bool,
    /// Which set of texture coordinates, 0 or 1, each texture uses; `None` where there is no texture.
    pub(crate) textures: [Option<u8>; TextureSlot::COUNT],
    pub(crate) alpha: Alpha,
    /// Points and lines without normals are not lit.
    pub(crate) unlit: bool,
}

impl Variant {
    /// The same without what is of no use to it, so that fewer programs are built.
    pub(crate) fn reduced(mut self) -> Self {
        if self.unlit {
            use TextureSlot::{MetallicRoughness, Normal, Occlusion};
            for slot in [MetallicRoughness, Normal, Occlusion] {
                self.textures[slot as usize] = None;
            }
            self.normals = false;
        }
        self.tangents &= self.normals && self.textures[TextureSlot::Normal as usize].is_some();
        self.morph.normals &= self.normals;
        self.morph.tangents &= self.tangents;
        if self.placement == Placement::Deformed {
            self.morph = MorphParts::default();
        }
        self
    }

    /// The lines of `#define` that make the shaders this variant's.
    pub(crate) fn defines(&self, palette_width: usize) -> String {
        let mut out = format!("#define PALETTE_WIDTH {palette_width}\n");
        let mut define = |on: bool, name: &str| {
            if on {
                let _ = writeln!(out, "#define {name}");
            }
        };
        define(self.placement == Placement::Deformed, "DEFORMED");
        define(self.normals, "HAS_NORMALS");
        define(self.tangents, "HAS_TANGENTS");
        define(self.colors, "HAS_COLORS");
        define(self.textures.contains(&Some(0)), "HAS_UV0");
        define(self.textures.contains(&Some(1)), "HAS_UV1");
        define(self.unlit, "UNLIT");
        define(self.alpha == Alpha::Mask, "ALPHA_MASK");
        define(self.alpha == Alpha::Blend, "ALPHA_BLEND");
        define(self.morph.count() > 0, "MORPH");
        let mut value = |name: &str, value: &dyn std::fmt::Display| {
            let _ = writeln!(out, "#define {name} {value}");
        };
        let sets = if let Placement::Skinned(sets) = self.placement { sets } else { 0 };
        value("SKIN_SETS", &sets);
        for slot in TextureSlot::ALL {
            if let Some(set) = self.textures[slot as usize] {
                value(slot.define(), &format_args!("v_uv{set}"));
            }
        }
        let parts = [
            (self.morph.positions, "MORPH_POSITION"),
            (self.morph.normals, "MORPH_NORMAL"),
            (self.morph.tangents, "MORPH_TANGENT"),
        ];
        let present = parts.into_iter().filter(|(on, _)| *on);
        for (i, (_, name)) in present.enumerate() {
            value(name, &i);
        }
        value("MORPH_PARTS", &self.morph.count());
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_used_does_not_split_programs() {
        let all = MorphParts { positions: true, normals: true, tangents: true };
        let flat = Variant { tangents: true, morph: all, ..Variant::default() }.reduced();
        let positions_only = MorphParts { positions: true, ..MorphParts::default() };
        assert_eq!(flat, Variant { morph: positions_only, ..Variant::default() });

        let mut mapped = Variant { normals: true, tangents: true, morph: all, ..Variant::default() };
        mapped.textures[TextureSlot::Normal as usize] = Some(1);
        assert_eq!(mapped.reduced(), mapped);
        let unlit = Variant { unlit: true, ..mapped }.reduced();
        assert_eq!(unlit.textures, [None; TextureSlot::COUNT]);
        assert!(!unlit.normals);
    }

    #[test]
    fn defines_name_what_is_there() {
        let mut variant = Variant {
            placement: Placement::Skinned(2),
            morph: MorphParts { positions: true, normals: false, tangents: true },
            normals: true,
            ..Variant::default()
        };
        variant.textures[TextureSlot::Emissive as usize] = Some(1);
        let defines = variant.defines(1024);
        for line in [
            "#define PALETTE_WIDTH 1024",
            "#define SKIN_SETS 2",
            "#define HAS_UV1",
            "#define EMISSIVE_UV v_uv1",
            "#define MORPH_POSITION 0",
            "#define MORPH_TANGENT 1",
            "#define MORPH_PARTS 2",
        ] {
            assert!(defines.lines().any(|l| l == line), "{line} is missing in\n{defines}");
        }
        assert!(!defines.contains("MORPH_NORMAL") && !defines.contains("HAS_UV0"));
    }
}
