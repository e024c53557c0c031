// The fragment shader of meshes: the material lit by environment, key light and punctual lights, as premultiplied sRGB.
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
#ifdef HAS_UV2
in vec2 v_uv2;
#endif
#ifdef HAS_UV3
in vec2 v_uv3;
#endif
#ifdef VOLUME
in float v_scale;
#endif

#include "frame.glsl"
#include "material.glsl"
#include "tone.glsl"
#ifndef UNLIT
#include "normal.glsl"
#include "environment.glsl"
#include "shadow.glsl"
#include "brdf.glsl"
#include "transmission.glsl"
#include "punctual.glsl"
#endif

out vec4 o_color;

void main() {
#ifdef ALPHA_MASK
    if (u_raster.w > 1.0) {
        // Drawn only to samples that are already covered.
        o_color = vec4(1.0);
        return;
    }
#endif
    vec4 base = base_color();
    float alpha = 1.0;

#ifdef UNLIT_MATERIAL
    vec3 color = base.rgb;
#elif defined(UNLIT)
    vec3 color = clamp(base.rgb + emitted(), 0.0, 1.0);
#else
    vec3 v = towards_eye(v_position);
    Surface s = surface_of(base.rgb, gl_FrontFacing, v);
    vec3 shaded = s.normal;
#ifdef DIFFUSE_TRANSMISSION
    // The shadow on the side that the light falls on.
    shaded *= dot(shaded, u_key_direction.xyz) < 0.0 ? -1.0 : 1.0;
#endif
    vec3 light = reflect_light(s, v, u_key_direction.xyz) * u_key_color.rgb * key_light(v_position, shaded);
    vec3 passed;
    light += reflect_environment(s, v, occlusion(), passed);
#ifdef PUNCTUAL
    light += reflect_punctual(s, v, v_position);
#endif
    vec3 glow = emitted();
#ifdef CLEARCOAT
    glow *= 1.0 - coat_share(s, v);
#endif
    vec3 color = light + glow;
#ifdef TRANSMISSION
    Behind behind = seen_through(s, v);
    passed *= behind.tint;
    vec3 all = tone_map(color + behind.light * passed);
#endif
    if (u_raster.z == 0.0) {
        color = tone_map(color);
    }
#endif

    // After all derivatives and texture lookups, which are undefined next to discarded fragments.
#ifdef ALPHA_MASK
    float cutoff = m_alpha_cutoff;
    float covered = step(cutoff, base.a);
    // Sharpens the edge to the width of a pixel. The limit keeps an alpha of 0 uncovered and one of 1 covered beside any change:
    // beyond the edge of a surface, a texture that repeats continues with its other side.
    float width = min(fwidth(base.a), 2.0 * min(cutoff, 1.0 - cutoff));
    if (u_raster.w > 0.0 && width > 1e-4) {
        covered = clamp((base.a - cutoff) / width + 0.5, 0.0, 1.0);
    }
    if (covered == 0.0) {
        discard;
    }
#else
    const float covered = 1.0;
#endif
#ifdef ALPHA_BLEND
    alpha *= clamp(base.a, 0.0, 1.0);
#endif
    if (u_raster.z > 0.0) {
        o_color = vec4(backdrop_from_light(color) * alpha, alpha);
    } else {
#if defined(TRANSMISSION) && !defined(UNLIT)
        o_color = dithered(over_page(color, all, passed, behind.page) * alpha);
#else
        o_color = dithered(vec4(srgb_from_linear(color) * alpha, alpha));
#endif
    }
    o_color.a *= covered;
}
