// Every mesh: the material, lit by a key light and a studio, as premultiplied sRGB.
in vec3 v_position;
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

#include "frame.glsl"
#include "material.glsl"
#include "tone.glsl"
#ifndef UNLIT
#include "normal.glsl"
#include "environment.glsl"
#include "brdf.glsl"
#include "punctual.glsl"
#endif

out vec4 o_color;

void main() {
    vec4 base = base_color();

#ifdef UNLIT_MATERIAL
    vec3 color = base.rgb;
#elif defined(UNLIT)
    vec3 color = clamp(base.rgb + emitted(), 0.0, 1.0);
#else
    vec2 rough_metal = metallic_roughness();
    vec3 n = shading_normal(gl_FrontFacing);
    vec3 v = towards_eye(v_position);
    Surface s = surface_of(base.rgb, rough_metal.x, rough_metal.y, n);
    vec3 light = reflect_light(s, n, v, KEY_DIRECTION) * KEY_COLOR;
    light += reflect_environment(s, n, v, occlusion());
#ifdef PUNCTUAL
    light += reflect_punctual(s, n, v, v_position);
#endif
    vec3 color = tone_map(light + emitted());
#endif

    // After all derivatives and lookups, which a discarded neighbour would spoil.
#ifdef ALPHA_MASK
    if (base.a < u_emissive.a) {
        discard;
    }
#endif
#ifdef ALPHA_BLEND
    float alpha = clamp(base.a, 0.0, 1.0);
#else
    const float alpha = 1.0;
#endif
    o_color = vec4(srgb_from_linear(color) * alpha, alpha);
}
