// Only how far away things are, for shadows. Masks leave out their holes, and what blends as many texels as its alpha says.
#if defined(ALPHA_MASK) || defined(ALPHA_BLEND)
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
#include "material.glsl"
#include "noise.glsl"

void main() {
#ifdef ALPHA_MASK
    float cutoff = u_emissive.a;
#else
    // Spread evenly, so that the shadow's filter finds the share again: less than 1, so an alpha of 1 casts a whole shadow.
    float cutoff = noise() + 1e-4;
#endif
    if (base_color().a < cutoff) {
        discard;
    }
}
#else
void main() {}
#endif
