// Shows a surface property as a colour: directions map -1 … 1 to 0 … 1, colours are sRGB-encoded, other
// numbers are unchanged. The first cases are listed in src/render/debug_view.rs.
in vec3 v_position;
in float v_weight;
#ifdef HAS_NORMALS
in vec3 v_normal;
#endif
#ifdef HAS_TANGENTS
in vec4 v_tangent;
#endif
#ifdef HAS_COLORS
in vec4 v_color;
#endif
#ifdef HAS_UV0
in vec2 v_uv0;
#endif
#ifdef HAS_UV1
in vec2 v_uv1;
#endif
#ifdef HAS_UV2
in vec2 v_uv2;
#endif
#ifdef HAS_UV3
in vec2 v_uv3;
#endif

#include "debug.glsl"
#include "frame.glsl"
#include "material.glsl"
#include "normal.glsl"
#include "tone.glsl"

out vec4 o_color;

// The weight as blue, cyan, green, yellow, red; grey for 0.
vec3 heat(float weight) {
    return weight > 0.0 ? clamp(vec3(4.0 * weight - 2.0, 2.0 - abs(4.0 * weight - 2.0), 2.0 - 4.0 * weight), 0.0, 1.0)
        : vec3(0.3);
}

void main() {
    vec4 base = base_color();
    float side = gl_FrontFacing ? 1.0 : -1.0;
    vec3 n = mesh_normal(side);
    mat2x3 frame = tangents(n, side, FRAME_UV);
    vec2 metal_rough = metallic_roughness();
#ifdef SPECULAR_GLOSSINESS
    metal_rough = vec2(0.0, 1.0 - m_glossiness);
#endif
    vec3 shown = vec3(1.0);
    switch (u_debug.x) {
    case 0:
        shown = n * 0.5 + 0.5;
        break;
    case 1:
        shown = frame[0] * 0.5 + 0.5;
        break;
    case 2:
#ifdef DEBUG_UV
        shown = vec3(fract(DEBUG_UV), 0.0);
#else
        shown = vec3(0.0);
#endif
        break;
    case 3:
        // With some shading, so that the parts of the body are recognizable.
        shown = heat(v_weight) * mix(0.45, 1.0, abs(dot(n, towards_eye(v_position))));
        break;
    case 4:
        shown = srgb_from_linear(base.rgb);
        break;
    case 5:
        shown = vec3(metal_rough.x);
        break;
    case 6:
        shown = vec3(metal_rough.y);
        break;
    case 7:
#ifdef NORMAL_UV
        n = bent(n, frame, texture(u_normal_texture, NORMAL_UV).xyz, m_normal_scale);
#endif
        shown = n * 0.5 + 0.5;
        break;
    case 8:
        shown = vec3(occlusion());
        break;
    case 9:
        shown = srgb_from_linear(emitted());
        break;
    case 10:
        shown = vec3(base.a);
        break;
    case 11:
#ifdef HAS_COLORS
        shown = srgb_from_linear(v_color.rgb);
#endif
        break;
    MATERIAL_VIEWS
    default:
        shown = vec3(0.1, 0.6, 1.0);
    }
#ifdef ALPHA_MASK
    if (base.a < m_alpha_cutoff) {
        discard;
    }
#endif
    o_color = vec4(clamp(shown, 0.0, 1.0), 1.0);
}
