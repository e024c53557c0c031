// The material with its layers; written by src/render/resources/material.rs.
layout(std140) uniform Material {
    vec4 u_base_color;
    // rgb: emissive colour, a: alpha cutoff.
    vec4 u_emissive;
    // x: metallic, y: roughness, z: scale of the normal map, w: occlusion strength.
    vec4 u_surface;
    // rgb: specular colour (F0), a: specular factor; or, for specular-glossiness, the glossiness.
    vec4 u_specular;
    // x: factor, y: roughness, z: scale of the normal map, w: index of refraction of the base.
    vec4 u_clearcoat;
    // rgb: colour, a: roughness.
    vec4 u_sheen;
    // x: factor, y: thickness, z: dispersion.
    vec4 u_transmission;
    // rgb: attenuation colour, a: attenuation distance.
    vec4 u_attenuation;
    // x: factor, y: index of refraction, zw: minimum and maximum thickness in nanometres.
    vec4 u_iridescence;
    // x: strength, yz: cosine and sine of the rotation.
    vec4 u_anisotropy;
    // Two per texture: the rows of its coordinate transform.
    vec4 u_uv_rows[34];
};
#include "tint.glsl"

vec2 transformed(vec2 uv, int row) {
    vec3 p = vec3(uv, 1.0);
    return vec2(dot(u_uv_rows[row].xyz, p), dot(u_uv_rows[row + 1].xyz, p));
}

// Each *_UV is the texture coordinate expression of a texture: a varying, with its transform unless that is the identity.
#ifdef BASE_COLOR_UV
uniform sampler2D u_base_color_texture;
#endif
#ifdef METALLIC_ROUGHNESS_UV
uniform sampler2D u_metallic_roughness_texture;
#endif
#ifdef NORMAL_UV
uniform sampler2D u_normal_texture;
#endif
#ifdef OCCLUSION_UV
uniform sampler2D u_occlusion_texture;
#endif
#ifdef EMISSIVE_UV
uniform sampler2D u_emissive_texture;
#endif
#ifdef SPECULAR_UV
uniform sampler2D u_specular_texture;
#endif
#ifdef SPECULAR_COLOR_UV
uniform sampler2D u_specular_color_texture;
#endif
#ifdef CLEARCOAT_UV
uniform sampler2D u_clearcoat_texture;
#endif
#ifdef CLEARCOAT_ROUGHNESS_UV
uniform sampler2D u_clearcoat_roughness_texture;
#endif
#ifdef CLEARCOAT_NORMAL_UV
uniform sampler2D u_clearcoat_normal_texture;
#endif
#ifdef SHEEN_COLOR_UV
uniform sampler2D u_sheen_color_texture;
#endif
#ifdef SHEEN_ROUGHNESS_UV
uniform sampler2D u_sheen_roughness_texture;
#endif
#ifdef TRANSMISSION_UV
uniform sampler2D u_transmission_texture;
#endif
#ifdef THICKNESS_UV
uniform sampler2D u_thickness_texture;
#endif
#ifdef IRIDESCENCE_UV
uniform sampler2D u_iridescence_texture;
#endif
#ifdef IRIDESCENCE_THICKNESS_UV
uniform sampler2D u_iridescence_thickness_texture;
#endif
#ifdef ANISOTROPY_UV
uniform sampler2D u_anisotropy_texture;
#endif

vec4 base_color() {
    vec4 color = u_base_color;
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
    vec3 color = u_emissive.rgb;
#ifdef EMISSIVE_UV
    color *= texture(u_emissive_texture, EMISSIVE_UV).rgb;
#endif
    return color;
}

// x: metallic, y: roughness.
vec2 metallic_roughness() {
    vec2 values = u_surface.xy;
#ifdef METALLIC_ROUGHNESS_UV
    values *= texture(u_metallic_roughness_texture, METALLIC_ROUGHNESS_UV).bg;
#endif
    return clamp(values, 0.0, 1.0);
}

// The ambient occlusion factor.
float occlusion() {
#ifdef OCCLUSION_UV
    return 1.0 + u_surface.w * (texture(u_occlusion_texture, OCCLUSION_UV).r - 1.0);
#else
    return 1.0;
#endif
}

// rgb: specular colour (F0), a: specular factor; or, for specular-glossiness, the glossiness.
vec4 specular() {
    vec4 values = u_specular;
#ifdef SPECULAR_GLOSSINESS
#ifdef SPECULAR_COLOR_UV
    values *= texture(u_specular_color_texture, SPECULAR_COLOR_UV);
#endif
#else
#ifdef SPECULAR_UV
    values.a *= texture(u_specular_texture, SPECULAR_UV).a;
#endif
#ifdef SPECULAR_COLOR_UV
    values.rgb *= texture(u_specular_color_texture, SPECULAR_COLOR_UV).rgb;
#endif
#endif
    return values;
}

// x: factor, y: roughness.
vec2 clearcoat() {
    vec2 values = u_clearcoat.xy;
#ifdef CLEARCOAT_UV
    values.x *= texture(u_clearcoat_texture, CLEARCOAT_UV).r;
#endif
#ifdef CLEARCOAT_ROUGHNESS_UV
    values.y *= texture(u_clearcoat_roughness_texture, CLEARCOAT_ROUGHNESS_UV).g;
#endif
    return values;
}

// rgb: colour, a: roughness.
vec4 sheen() {
    vec4 values = u_sheen;
#ifdef SHEEN_COLOR_UV
    values.rgb *= texture(u_sheen_color_texture, SHEEN_COLOR_UV).rgb;
#endif
#ifdef SHEEN_ROUGHNESS_UV
    values.a *= texture(u_sheen_roughness_texture, SHEEN_ROUGHNESS_UV).a;
#endif
    return values;
}

float transmission() {
    float value = u_transmission.x;
#ifdef TRANSMISSION_UV
    value *= texture(u_transmission_texture, TRANSMISSION_UV).r;
#endif
    return value;
}

float thickness() {
    float value = u_transmission.y;
#ifdef THICKNESS_UV
    value *= texture(u_thickness_texture, THICKNESS_UV).g;
#endif
    return value;
}

// x: factor, y: index of refraction, z: thickness in nanometres.
vec3 iridescence() {
    vec3 values = u_iridescence.xyw;
#ifdef IRIDESCENCE_UV
    values.x *= texture(u_iridescence_texture, IRIDESCENCE_UV).r;
#endif
#ifdef IRIDESCENCE_THICKNESS_UV
    float fraction = texture(u_iridescence_thickness_texture, IRIDESCENCE_THICKNESS_UV).g;
    values.z = mix(u_iridescence.z, u_iridescence.w, fraction);
#endif
    return values;
}

// xy: the direction of longer highlights in tangent space, z: strength.
vec3 anisotropy() {
    vec2 direction = vec2(1.0, 0.0);
    float strength = u_anisotropy.x;
#ifdef ANISOTROPY_UV
    vec3 values = texture(u_anisotropy_texture, ANISOTROPY_UV).rgb;
    direction = values.rg * 2.0 - 1.0;
    strength *= values.b;
#endif
    vec2 turn = u_anisotropy.yz;
    return vec3(direction.x * turn.x - direction.y * turn.y, direction.x * turn.y + direction.y * turn.x, strength);
}
