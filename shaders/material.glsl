// The metallic-roughness material; written by src/render/material.rs.
layout(std140) uniform Material {
    vec4 u_base_color;
    // rgb: emitted colour, a: alpha cutoff.
    vec4 u_emissive;
    // x: metallic, y: roughness, z: scale of the normal map, w: strength of occlusion.
    vec4 u_surface;
    // Two for each texture: the rows of the matrix that moves its coordinates.
    vec4 u_uv_rows[10];
};

vec2 transformed(vec2 uv, int row) {
    vec3 p = vec3(uv, 1.0);
    return vec2(dot(u_uv_rows[row].xyz, p), dot(u_uv_rows[row + 1].xyz, p));
}

// Each *_UV says what the texture is looked up with: a varying, transformed where that is not the identity.
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

vec4 base_color() {
    vec4 color = u_base_color;
#ifdef BASE_COLOR_UV
    color *= texture(u_base_color_texture, BASE_COLOR_UV);
#endif
#ifdef HAS_COLORS
    color *= v_color;
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

// How much ambient light arrives.
float occlusion() {
#ifdef OCCLUSION_UV
    return 1.0 + u_surface.w * (texture(u_occlusion_texture, OCCLUSION_UV).r - 1.0);
#else
    return 1.0;
#endif
}
