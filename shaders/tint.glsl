// The tint of a crowd member.
#ifdef CROWD
in vec4 v_tint;

vec4 tinted(vec4 color) {
#if defined(ALPHA_MASK) || defined(ALPHA_BLEND)
    return color * v_tint;
#else
    // The mask of the tint is alpha from 0.5 on, because decoders that premultiply lose colours of small alpha.
    return vec4(color.rgb * mix(vec3(1.0), v_tint.rgb, clamp(2.0 * color.a - 1.0, 0.0, 1.0)), color.a);
#endif
}
#endif
