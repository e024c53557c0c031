// Depth only, for shadow maps. Alpha masks discard their holes; blended surfaces discard texels in proportion to 1 - alpha.
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
    float cutoff = m_alpha_cutoff;
#else
    // Evenly distributed noise, which the shadow's filter averages to the alpha. Below 1, so that an alpha of 1 discards nothing.
    float cutoff = noise() + 1e-4;
#endif
    if (base_color().a < cutoff) {
        discard;
    }
}
#else
void main() {}
#endif
