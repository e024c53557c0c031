// The material with its layers; written by src/render/resources/material.rs.
//
// The macros come from the table of materials (crates/animation/src/model/material_table.rs): for `ClearcoatRoughness` there,
// `m_clearcoat_roughness` is the number of the material, multiplied by its texture if there is one. A texture has the sampler
// `u_NAME_texture` and the macro `NAME_UV`: a varying, with its transform unless that is the identity.
layout(std140) uniform Material {
    vec4 u_numbers[MATERIAL_NUMBERS];
    // Two per texture: the rows of its coordinate transform.
    vec4 u_uv_rows[MATERIAL_UV_ROWS];
};
#include "tint.glsl"
MATERIAL_SAMPLERS

vec2 transformed(vec2 uv, int row) {
    vec3 p = vec3(uv, 1.0);
    return vec2(dot(u_uv_rows[row].xyz, p), dot(u_uv_rows[row + 1].xyz, p));
}

vec4 base_color() {
    vec4 color = m_base_color;
#ifdef BASE_COLOR_UV
    color *= texture(u_base_color_texture, BASE_COLOR_UV);
#endif
#ifdef HAS_COLORS
    color *= v_color;
#endif
#ifdef CROWD
    color = tinted(color);
#endif
    return color;
}

vec3 emitted() {
    // The maximum of half floats, so that no driver overflows to infinity.
    vec3 color = min(m_emissive * m_emissive_strength, 65504.0);
#ifdef EMISSIVE_UV
    color *= texture(u_emissive_texture, EMISSIVE_UV).rgb;
#endif
    return color;
}

// x: metallic, y: roughness.
vec2 metallic_roughness() {
    vec2 values = vec2(m_metallic, m_roughness);
#ifdef METALLIC_ROUGHNESS_UV
    values *= texture(u_metallic_roughness_texture, METALLIC_ROUGHNESS_UV).bg;
#endif
    return clamp(values, 0.0, 1.0);
}

// The ambient occlusion factor.
float occlusion() {
#ifdef OCCLUSION_UV
    return 1.0 + m_occlusion_strength * (texture(u_occlusion_texture, OCCLUSION_UV).r - 1.0);
#else
    return 1.0;
#endif
}

// The thickness of the thin film in nanometres.
float film_thickness() {
#ifdef IRIDESCENCE_THICKNESS_UV
    float fraction = texture(u_iridescence_thickness_texture, IRIDESCENCE_THICKNESS_UV).g;
    return mix(m_iridescence_thickness_minimum, m_iridescence_thickness_maximum, fraction);
#else
    return m_iridescence_thickness_maximum;
#endif
}

// The direction of longer highlights in tangent space.
vec2 brush_direction() {
    vec2 direction = vec2(1.0, 0.0);
#ifdef ANISOTROPY_UV
    direction = texture(u_anisotropy_texture, ANISOTROPY_UV).rg * 2.0 - 1.0;
#endif
    vec2 turn = m_anisotropy_rotation;
    return vec2(direction.x * turn.x - direction.y * turn.y, direction.x * turn.y + direction.y * turn.x);
}
