//! Materials as UsdPreviewSurface.
//!
//! Transforms of textures are part of the texture coordinates, as Quick Look does not place UsdTransform2d as the specification says.
//!
//! Spec: OpenUSD, UsdPreviewSurface Specification.

use super::codes;
use super::images::Images;
use super::mesh::primvar;
use super::names::Names;
use super::text::{AssetPath, Layer, PathTo, Put};
use gambol::model::{
    AlphaMode, Encoding, Filter, Layer as MaterialLayer, LayerRow, Material, MaterialId,
    MaterialProperty as P, Model, Primitive, TEXTURES, TextureRef, TextureSlot, TextureTransform, Wrap,
};
use gambol_gltf::log::Log;
use std::collections::HashMap;

/// The lowest opacity of glass.
const CLEAREST: f32 = 0.1;

/// The material of a mesh.
#[derive(Debug, Clone)]
pub(super) struct Bound {
    pub(super) path: String,
    pub(super) double_sided: bool,
    /// The texture coordinates that the material reads: the set of the file, and its transform.
    pub(super) tex_coords: Vec<(u32, TextureTransform)>,
    /// The factor of the colours of vertices, if the material shows them.
    pub(super) vertex_colors: Option<[f32; 4]>,
}

/// The materials of a layer; one that is used with and without colours of vertices is written twice.
pub(super) struct Materials<'a> {
    model: &'a Model,
    images: &'a Images,
    /// The path of the prim with all materials.
    root: String,
    names: Names,
    index_of: HashMap<(Option<MaterialId>, bool), usize>,
    list: Vec<Surface>,
}

impl<'a> Materials<'a> {
    pub(super) fn new(model: &'a Model, images: &'a Images, root: String) -> Self {
        let (names, index_of, list) = Default::default();
        Self { model, images, root, names, index_of, list }
    }

    /// The material of a primitive.
    pub(super) fn bind(&mut self, primitive: &Primitive, id: Option<MaterialId>, log: &mut Log) -> Bound {
        let default = Material::default();
        let material = id.map_or(&default, |id| &self.model.materials[id.index()]);
        let pointer = id.map_or_else(String::new, |id| format!("/materials/{}", id.index()));
        let colored = primitive.colors.iter().any(|color| *color != [1.0; 4]);
        // The surface has one source of its colour, a texture or the vertices.
        let textured =
            material.base_color_texture.and_then(|used| self.images.path(self.model, used.texture));
        if colored && textured.is_some() {
            log.warn(
                codes::VERTEX_COLORS,
                &pointer,
                "USD shows either a texture or the colours of vertices; these are left out",
            );
        }
        let key = (id, colored && textured.is_none());
        let index = *self.index_of.entry(key).or_insert_with(|| {
            let name = self.names.unique(&material.name, "Material");
            let surface = Surface::new(self.model, self.images, material, key.1, name, &pointer, log);
            self.list.push(surface);
            self.list.len() - 1
        });
        let surface = &self.list[index];
        Bound {
            path: format!("{}/{}", self.root, surface.name),
            double_sided: material.double_sided,
            tex_coords: surface.tex_coords(),
            vertex_colors: key.1.then_some(material.base_color),
        }
    }

    /// Writes all materials.
    pub(super) fn write(&self, layer: &mut Layer) {
        self.list.iter().for_each(|surface| surface.write(layer, &self.root));
    }
}

/// The source of an input.
enum Input {
    Number(f32),
    Color([f32; 3]),
    Word(&'static str),
    /// An output of the shader with this name, such as `BaseColor.outputs:rgb`.
    Output(String),
}

/// A texture of a surface.
struct Texture {
    name: &'static str,
    file: String,
    used: TextureRef,
    wrap: [Wrap; 2],
    encoding: Encoding,
    scale: [f32; 4],
    bias: [f32; 4],
}

/// A material.
struct Surface {
    name: String,
    textures: Vec<Texture>,
    inputs: Vec<(&'static str, Input)>,
    vertex_colors: bool,
}

/// A factor of one channel of a texture.
struct Factor {
    slot: TextureSlot,
    channel: usize,
    value: f32,
}

impl Surface {
    fn new(
        model: &Model,
        images: &Images,
        material: &Material,
        vertex_colors: bool,
        name: String,
        pointer: &str,
        log: &mut Log,
    ) -> Self {
        let mut surface = Self { name, textures: Vec::new(), inputs: Vec::new(), vertex_colors };
        let mut source = Source { model, images, material, pointer, log };
        surface.base(&mut source);
        surface.reflection(&mut source);
        surface.details(&mut source);
        source.warn_about_layers();
        surface
    }

    /// Colour and opacity.
    fn base(&mut self, source: &mut Source<'_>) {
        let material = source.material;
        let [r, g, b, a] = material.base_color;
        let (color, alpha) = if self.vertex_colors {
            (
                Input::Output("Colors.outputs:result".to_owned()),
                Input::Output("Opacities.outputs:result".to_owned()),
            )
        } else if let Some(mut texture) = source.texture(TextureSlot::BaseColor, "BaseColor") {
            texture.scale = material.base_color;
            self.textures.push(texture);
            (
                Input::Output("BaseColor.outputs:rgb".to_owned()),
                Input::Output("BaseColor.outputs:a".to_owned()),
            )
        } else {
            (Input::Color([r, g, b]), Input::Number(a))
        };
        if material.unlit {
            // Emitted light needs no other, and nothing is reflected.
            self.inputs.push(("color3f inputs:diffuseColor", Input::Color([0.0; 3])));
            self.inputs.push(("color3f inputs:emissiveColor", color));
            let message = "USD has no materials without lighting; the colour is emitted";
            source.log.warn(codes::UNLIT, source.pointer, message);
        } else {
            self.inputs.push(("color3f inputs:diffuseColor", color));
        }
        match material.alpha_mode {
            AlphaMode::Opaque => {
                // Clear glass would be a solid body without it, and nothing of it would be seen with an opacity of 0.
                let transmitted = source.number(P::Transmission);
                if transmitted > 0.0 {
                    let opacity = (1.0 - transmitted).max(CLEAREST);
                    self.inputs.push(("float inputs:opacity", Input::Number(opacity)));
                }
            }
            AlphaMode::Mask { cutoff } => {
                self.inputs.push(("float inputs:opacity", alpha));
                // A threshold of 0 would blend.
                self.inputs.push(("float inputs:opacityThreshold", Input::Number(cutoff.max(1e-4))));
            }
            AlphaMode::Blend => {
                self.inputs.push(("float inputs:opacity", alpha));
                self.inputs.push(("token inputs:opacityMode", Input::Word("presence")));
            }
        }
    }

    /// Metal, roughness and the clear coat.
    fn reflection(&mut self, source: &mut Source<'_>) {
        let material = source.material;
        if material.unlit {
            self.inputs.push(("float inputs:metallic", Input::Number(0.0)));
            self.inputs.push(("float inputs:roughness", Input::Number(1.0)));
            self.inputs.push(("float inputs:ior", Input::Number(1.0)));
            return;
        }
        if material.layers.is_glossy() {
            let [r, g, b] = [0, 1, 2].map(|i| source.numbers(P::SpecularColor)[i]);
            let gloss = source.number(P::Glossiness);
            self.inputs.push(("int inputs:useSpecularWorkflow", Input::Number(1.0)));
            if let Some(color) = source.texture(TextureSlot::SpecularColor, "Specular") {
                // Roughness is 1 − glossiness, and sRGB does not change alpha.
                let roughness = source.texture(TextureSlot::SpecularColor, "Roughness");
                self.textures.push(Texture { scale: [r, g, b, 1.0], ..color });
                let (scale, bias) = ([1.0, 1.0, 1.0, -gloss], [0.0, 0.0, 0.0, 1.0]);
                self.textures.extend(roughness.map(|texture| Texture { scale, bias, ..texture }));
                self.inputs
                    .push(("color3f inputs:specularColor", Input::Output("Specular.outputs:rgb".to_owned())));
                self.inputs.push(("float inputs:roughness", Input::Output("Roughness.outputs:a".to_owned())));
            } else {
                self.inputs.push(("color3f inputs:specularColor", Input::Color([r, g, b])));
                self.inputs.push(("float inputs:roughness", Input::Number(1.0 - gloss)));
            }
        } else {
            let (rough, metal) = (material.roughness, material.metallic);
            if let Some(texture) = source.texture(TextureSlot::MetallicRoughness, "MetallicRoughness") {
                self.textures.push(Texture { scale: [1.0, rough, metal, 1.0], ..texture });
                self.inputs
                    .push(("float inputs:metallic", Input::Output("MetallicRoughness.outputs:b".to_owned())));
                self.inputs.push((
                    "float inputs:roughness",
                    Input::Output("MetallicRoughness.outputs:g".to_owned()),
                ));
            } else {
                self.inputs.push(("float inputs:metallic", Input::Number(metal)));
                self.inputs.push(("float inputs:roughness", Input::Number(rough)));
            }
            let ior = source.number(P::Ior);
            if material.layers.has(MaterialLayer::Ior) && ior >= 1.0 {
                self.inputs.push(("float inputs:ior", Input::Number(ior)));
            }
        }
        if source.number(P::Clearcoat) > 0.0 {
            let coat =
                Factor { slot: TextureSlot::Clearcoat, channel: 0, value: source.number(P::Clearcoat) };
            self.factor("float inputs:clearcoat", "Clearcoat", &coat, source);
            let slot = TextureSlot::ClearcoatRoughness;
            let rough = Factor { slot, channel: 1, value: source.number(P::ClearcoatRoughness) };
            self.factor("float inputs:clearcoatRoughness", "ClearcoatRoughness", &rough, source);
        }
    }

    /// A number that a texture multiplies.
    fn factor(&mut self, input: &'static str, name: &'static str, factor: &Factor, source: &mut Source<'_>) {
        let value = match source.texture(factor.slot, name) {
            Some(mut texture) => {
                texture.scale[factor.channel] = factor.value;
                self.textures.push(texture);
                Input::Output(format!("{name}.outputs:{}", ["r", "g", "b", "a"][factor.channel]))
            }
            None => Input::Number(factor.value),
        };
        self.inputs.push((input, value));
    }

    /// Normals, occlusion and emission.
    fn details(&mut self, source: &mut Source<'_>) {
        let material = source.material;
        if material.unlit {
            return;
        }
        if let Some(used) = material.normal_texture
            && let Some(texture) = source.texture(TextureSlot::Normal, "Normal")
        {
            let s = used.scale;
            let (scale, bias) = ([2.0 * s, 2.0 * s, 2.0, 1.0], [-s, -s, -1.0, 0.0]);
            self.textures.push(Texture { scale, bias, ..texture });
            self.inputs.push(("normal3f inputs:normal", Input::Output("Normal.outputs:rgb".to_owned())));
        }
        if let Some(used) = material.occlusion_texture
            && let Some(texture) = source.texture(TextureSlot::Occlusion, "Occlusion")
        {
            // 1 + strength · (texel − 1)
            let (scale, bias) = (used.strength, 1.0 - used.strength);
            self.textures.push(Texture { scale: [scale; 4], bias: [bias; 4], ..texture });
            self.inputs.push(("float inputs:occlusion", Input::Output("Occlusion.outputs:r".to_owned())));
        }
        let strength = source.number(P::EmissiveStrength);
        let [r, g, b] = material.emissive.map(|value| value * strength);
        if [r, g, b] != [0.0; 3] {
            let color = match source.texture(TextureSlot::Emissive, "Emissive") {
                Some(texture) => {
                    self.textures.push(Texture { scale: [r, g, b, 1.0], ..texture });
                    Input::Output("Emissive.outputs:rgb".to_owned())
                }
                None => Input::Color([r, g, b]),
            };
            self.inputs.push(("color3f inputs:emissiveColor", color));
        }
    }

    /// The texture coordinates, each once.
    fn tex_coords(&self) -> Vec<(u32, TextureTransform)> {
        let mut all = Vec::new();
        for used in self.textures.iter().map(|texture| (texture.used.tex_coord, texture.used.transform)) {
            if !all.contains(&used) {
                all.push(used);
            }
        }
        all
    }

    fn write(&self, layer: &mut Layer, root: &str) {
        let own = format!("{root}/{}", self.name);
        layer.open("def Material", &self.name, &[]);
        connect(layer, "token outputs:surface", &own, "Surface.outputs:surface");
        shader(layer, "Surface", "UsdPreviewSurface", |layer| {
            for (declared, input) in &self.inputs {
                match input {
                    Input::Number(value) => layer.set(declared, value),
                    Input::Color(value) => layer.set(declared, value),
                    Input::Word(value) => layer.set(declared, &(*value).to_owned()),
                    Input::Output(output) => connect(layer, declared, &own, output),
                }
            }
            layer.line("token outputs:surface");
        });
        if self.vertex_colors {
            reader(layer, "Colors", "UsdPrimvarReader_float3", "displayColor", "float3 outputs:result");
            reader(layer, "Opacities", "UsdPrimvarReader_float", "displayOpacity", "float outputs:result");
        }
        let all = self.tex_coords();
        for index in 0..all.len() {
            let name = format!("Coordinates{index}");
            reader(layer, &name, "UsdPrimvarReader_float2", &primvar(index), "float2 outputs:result");
        }
        for texture in &self.textures {
            let used = (texture.used.tex_coord, texture.used.transform);
            let index = all.iter().position(|known| *known == used).unwrap_or(0);
            texture.write(layer, &own, &format!("Coordinates{index}.outputs:result"));
        }
        layer.close();
    }
}

impl Texture {
    fn write(&self, layer: &mut Layer, own: &str, coordinates: &str) {
        shader(layer, self.name, "UsdUVTexture", |layer| {
            layer.set("asset inputs:file", &AssetPath(self.file.clone()));
            connect(layer, "float2 inputs:st", own, coordinates);
            for (input, wrap) in ["token inputs:wrapS", "token inputs:wrapT"].into_iter().zip(self.wrap) {
                let word = match wrap {
                    Wrap::ClampToEdge => "clamp",
                    Wrap::MirroredRepeat => "mirror",
                    Wrap::Repeat => "repeat",
                };
                layer.set(input, &word.to_owned());
            }
            let space = if self.encoding == Encoding::Srgb { "sRGB" } else { "raw" };
            layer.set("token inputs:sourceColorSpace", &space.to_owned());
            if self.scale != [1.0; 4] {
                layer.set("float4 inputs:scale", &self.scale);
            }
            if self.bias != [0.0; 4] {
                layer.set("float4 inputs:bias", &self.bias);
            }
            for output in [
                "float3 outputs:rgb",
                "float outputs:r",
                "float outputs:g",
                "float outputs:b",
                "float outputs:a",
            ] {
                layer.line(output);
            }
        });
    }
}

fn shader(layer: &mut Layer, name: &str, id: &str, inputs: impl FnOnce(&mut Layer)) {
    layer.open("def Shader", name, &[]);
    layer.set("uniform token info:id", &id.to_owned());
    inputs(layer);
    layer.close();
}

fn reader(layer: &mut Layer, name: &str, id: &str, primvar: &str, output: &str) {
    shader(layer, name, id, |layer| {
        layer.set("string inputs:varname", &primvar.to_owned());
        layer.line(output);
    });
}

fn connect(layer: &mut Layer, declared: &str, own: &str, output: &str) {
    let mut to = String::new();
    PathTo(format!("{own}/{output}")).put(&mut to);
    layer.line(format_args!("{declared}.connect = {to}"));
}

/// The material of the file.
struct Source<'a> {
    model: &'a Model,
    images: &'a Images,
    material: &'a Material,
    pointer: &'a str,
    log: &'a mut Log,
}

impl Source<'_> {
    fn numbers(&self, property: P) -> &[f32] {
        &self.material.layers.numbers[property.range()]
    }

    fn number(&self, property: P) -> f32 {
        self.numbers(property).first().copied().unwrap_or_default()
    }

    /// The texture of a slot, if it has an image.
    fn texture(&mut self, slot: TextureSlot, name: &'static str) -> Option<Texture> {
        let used = self.material.texture(slot)?;
        let texture = &self.model.textures[used.texture.index()];
        let image = texture.image?;
        let Some(file) = self.images.path(self.model, used.texture) else {
            let message = "The image is missing, or neither PNG nor JPEG; it is left out";
            self.log.warn(codes::IMAGE, format_args!("/images/{}", image.index()), message);
            return None;
        };
        let sampler = texture.sampler;
        if sampler.mag == Filter::Nearest {
            let pointer = format!("/textures/{}/sampler", used.texture.index());
            self.log.warn(
                codes::SAMPLER,
                pointer,
                "USD filters all textures; texels are not shown as squares",
            );
        }
        Some(Texture {
            name,
            file,
            used,
            wrap: [sampler.wrap_s, sampler.wrap_t],
            encoding: TEXTURES[slot as usize].encoding,
            scale: [1.0; 4],
            bias: [0.0; 4],
        })
    }

    fn warn_about_layers(&mut self) {
        use MaterialLayer as L;
        let written = [L::Core, L::EmissiveStrength, L::Ior, L::Clearcoat, L::SpecularGlossiness];
        for row in LayerRow::extensions() {
            let is_left_out = self.material.layers.has(row.layer) && !written.contains(&row.layer);
            if !is_left_out || self.has_no_effect(row.layer) {
                continue;
            }
            let kept = if row.layer == L::Transmission { "becomes opacity" } else { "is left out" };
            let message = format!("{} {kept}: UsdPreviewSurface has no such layer", row.extension);
            self.log.warn(
                codes::LAYER,
                format_args!("{}/extensions/{}", self.pointer, row.extension),
                message,
            );
        }
        if self.number(P::Clearcoat) > 0.0 && self.material.texture(TextureSlot::ClearcoatNormal).is_some() {
            let pointer =
                format!("{}/extensions/KHR_materials_clearcoat/clearcoatNormalTexture", self.pointer);
            self.log.warn(codes::LAYER, pointer, "The normal map of the clear coat is left out");
        }
    }

    /// `true` for a layer whose strength is 0.
    fn has_no_effect(&self, layer: MaterialLayer) -> bool {
        let of = |property: P| self.numbers(property).iter().all(|&value| value == 0.0);
        match layer {
            MaterialLayer::Sheen => of(P::SheenColor),
            MaterialLayer::Transmission => of(P::Transmission),
            MaterialLayer::Volume => of(P::Thickness),
            MaterialLayer::Iridescence => of(P::Iridescence),
            MaterialLayer::Anisotropy => of(P::AnisotropyStrength),
            MaterialLayer::Dispersion => of(P::Dispersion),
            MaterialLayer::DiffuseTransmission => of(P::DiffuseTransmission),
            _ => false,
        }
    }
}
