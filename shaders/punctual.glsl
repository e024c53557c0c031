// Punctual lights. Spec: KHR_lights_punctual.
#ifdef PUNCTUAL

// The reflected light of all punctual lights.
vec3 reflect_punctual(Surface s, vec3 v, vec3 position) {
    vec3 sum = vec3(0.0);
    int count = int(u_raster.y);
    for (int i = 0; i < count; i++) {
        vec4 place = u_lights[3 * i];
        vec4 color = u_lights[3 * i + 1];
        vec4 cone = u_lights[3 * i + 2];
        vec3 towards = place.xyz - position * place.w;
        vec3 l = direction(towards);
        float strength = 1.0;
        if (place.w > 0.0) {
            float distance2 = max(dot(towards, towards), 1e-8);
            float reach = distance2 * color.a * color.a;
            strength = clamp(1.0 - reach * reach, 0.0, 1.0) / distance2;
        }
        float fade = clamp(cone.w - dot(cone.xyz, l), 0.0, 1.0);
        sum += reflect_light(s, v, l) * color.rgb * (strength * fade * fade);
    }
    return sum;
}
#endif
