// The tint of a crowd member.
#ifdef CROWD
in vec4 v_tint;

vec4 tinted(vec4 color) {
#if defined(ALPHA_MASK) || defined(ALPHA_BLEND)
    return color * v_tint;
#else
    // The alpha of an opaque material has no other meaning, so it is the mask of the tint.
    return vec4(color.rgb * mix(vec3(1.0), v_tint.rgb, clamp(color.a, 0.0, 1.0)), color.a);
#endif
}
#endif
