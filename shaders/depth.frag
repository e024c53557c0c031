// Only how far away things are, for shadows; holes are left out, and what is hardly there.
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

void main() {
#ifdef ALPHA_MASK
    float cutoff = u_emissive.a;
#else
    const float cutoff = 0.5;
#endif
    if (base_color().a < cutoff) {
        discard;
    }
}
#else
void main() {}
#endif
