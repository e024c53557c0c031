// What is seen through a surface: the opaque part of the frame, bent, blurred and coloured.
// Spec: KHR_materials_transmission, KHR_materials_volume, KHR_materials_dispersion.
#ifdef TRANSMISSION

// Light (tone.glsl), alpha multiplied in, with a mipmap.
uniform sampler2D u_backdrop;

vec4 backdrop(vec3 leaves, float blur) {
    vec4 clip = u_clip_from_world * vec4(leaves, 1.0);
    vec2 size = vec2(textureSize(u_backdrop, 0));
    vec4 texel = textureLod(u_backdrop, clip.xy / clip.w * 0.5 + 0.5, log2(max(size.x, size.y)) * blur);
    return vec4(light_from_backdrop(texel.rgb), texel.a);
}

vec4 seen_through(Surface s, vec3 v) {
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
    behind.rgb *= pow(max(u_attenuation.rgb, 1e-6), vec3(way / u_attenuation.a));
    return behind;
#else
    return backdrop(v_position, blur);
#endif
}
#endif
