// What is seen through a surface: the opaque part of the frame, bent, blurred and coloured.
// Spec: KHR_materials_transmission, KHR_materials_volume, KHR_materials_dispersion.
#ifdef TRANSMISSION

// Encoded light (tone.glsl), alpha multiplied in after that, with a mipmap.
uniform sampler2D u_backdrop;

struct Behind {
    // Light of what was drawn there.
    vec3 light;
    // Share of the light that the volume lets through.
    vec3 tint;
    // Share of the place where nothing was drawn, so that the page is seen.
    float page;
};

vec4 backdrop(vec3 leaves, float blur) {
    vec4 clip = u_clip_from_world * vec4(leaves, 1.0);
    vec2 size = vec2(textureSize(u_backdrop, 0));
    vec4 texel = textureLod(u_backdrop, clip.xy / clip.w * 0.5 + 0.5, log2(max(size.x, size.y)) * blur);
    // Without alpha before it is decoded: pixels without colour that a filter mixes in do not darken the others.
    return vec4(light_from_backdrop(texel.rgb / max(texel.a, 1e-3)), texel.a);
}

Behind seen_through(Surface s, vec3 v) {
    float ior = max(u_clearcoat.w, 1.0);
    // What bends nothing blurs nothing.
    float blur = s.sharp * clamp(2.0 * ior - 2.0, 0.0, 1.0);
#ifdef VOLUME
    float way = thickness() * v_scale;
#ifdef DISPERSION
    // From red to blue the index goes as Abbe's number says.
    float spread = (ior - 1.0) * 0.025 * u_transmission.z;
    vec4 green = backdrop(v_position + refract(-v, s.normal, 1.0 / ior) * way, blur);
    float red = backdrop(v_position + refract(-v, s.normal, 1.0 / max(ior - spread, 1.0)) * way, blur).r;
    float blue = backdrop(v_position + refract(-v, s.normal, 1.0 / (ior + spread)) * way, blur).b;
    vec4 behind = vec4(red, green.g, blue, green.a);
#else
    vec4 behind = backdrop(v_position + refract(-v, s.normal, 1.0 / ior) * way, blur);
#endif
    // Beer's law.
    vec3 tint = pow(max(u_attenuation.rgb, 1e-6), vec3(way / u_attenuation.a));
#else
    vec4 behind = backdrop(v_position, blur);
    const vec3 tint = vec3(1.0);
#endif
    return Behind(behind.rgb, tint, 1.0 - behind.a);
}

// The encoded colour, alpha multiplied in, of a surface that mirrors `mirrored`, shows `all` where something was drawn behind it, and
// lets `passed` of a white page's light through where nothing was; `page`: the share of that. A grey glass comes out right over a black
// and over a white page; a coloured one keeps its colour over white.
vec4 over_page(vec3 mirrored, vec3 all, vec3 passed, float page) {
    vec3 black = srgb_from_linear(mirrored);
    vec3 hidden = 1.0 - srgb_from_linear(mirrored + passed) + black;
    float alpha = dot(hidden, vec3(1.0 / 3.0));
    vec4 clear = vec4(clamp(black + alpha - hidden, 0.0, alpha), alpha);
    return mix(vec4(srgb_from_linear(all), 1.0), clear, page);
}
#endif
