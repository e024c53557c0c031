// Transmission: the opaque part of the frame seen through a surface, refracted, blurred and tinted.
// Spec: KHR_materials_transmission, KHR_materials_volume, KHR_materials_dispersion.
#ifdef TRANSMISSION

// Encoded light (tone.glsl), premultiplied after encoding, with a mipmap.
uniform sampler2D u_backdrop;

struct Behind {
    // The light behind the surface.
    vec3 light;
    // The fraction of light that the volume transmits.
    vec3 tint;
    // The fraction without any drawing behind, where the page is visible.
    float page;
};

vec4 backdrop(vec3 leaves, float blur) {
    vec4 clip = u_clip_from_world * vec4(leaves, 1.0);
    vec2 size = vec2(textureSize(u_backdrop, 0));
    vec4 texel = textureLod(u_backdrop, clip.xy / clip.w * 0.5 + 0.5, log2(max(size.x, size.y)) * blur);
    // Divides by alpha before decoding, so that transparent pixels in the filter do not darken others.
    return vec4(light_from_backdrop(texel.rgb / max(texel.a, 1e-3)), texel.a);
}

Behind seen_through(Surface s, vec3 v) {
    float ior = max(m_ior, 1.0);
    // Without refraction there is no blur.
    float blur = s.sharp * clamp(2.0 * ior - 2.0, 0.0, 1.0);
#ifdef VOLUME
    float way = way_through();
#ifdef DISPERSION
    // The index varies from red to blue according to the Abbe number.
    float spread = (ior - 1.0) * 0.025 * m_dispersion;
    vec4 green = backdrop(v_position + refract(-v, s.normal, 1.0 / ior) * way, blur);
    float red = backdrop(v_position + refract(-v, s.normal, 1.0 / max(ior - spread, 1.0)) * way, blur).r;
    float blue = backdrop(v_position + refract(-v, s.normal, 1.0 / (ior + spread)) * way, blur).b;
    vec4 behind = vec4(red, green.g, blue, green.a);
#else
    vec4 behind = backdrop(v_position + refract(-v, s.normal, 1.0 / ior) * way, blur);
#endif
    vec3 tint = volume_tint(way);
#else
    vec4 behind = backdrop(v_position, blur);
    const vec3 tint = vec3(1.0);
#endif
    return Behind(behind.rgb, tint, 1.0 - behind.a);
}

// The encoded, premultiplied colour of a surface that reflects `mirrored`. `all`: its colour over drawn pixels. `passed`: the
// light of a white page that it transmits where nothing is drawn. `page`: the fraction of the latter. Grey glass is correct over
// black and white pages; coloured glass keeps its colour over white.
vec4 over_page(vec3 mirrored, vec3 all, vec3 passed, float page) {
    vec3 black = srgb_from_linear(mirrored);
    vec3 hidden = 1.0 - srgb_from_linear(mirrored + passed) + black;
    float alpha = dot(hidden, vec3(1.0 / 3.0));
    vec4 clear = vec4(clamp(black + alpha - hidden, 0.0, alpha), alpha);
    return mix(vec4(srgb_from_linear(all), 1.0), clear, page);
}
#endif
