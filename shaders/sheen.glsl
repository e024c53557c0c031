// Sheen of upright fibres. Spec: KHR_materials_sheen; Estevez and Kulla, "Production Friendly Microfacet Sheen" (2017).
#ifdef SHEEN

float sheen_shadow_curve(float x, float alpha) {
    float rest = (1.0 - alpha) * (1.0 - alpha);
    float a = mix(21.5473, 25.3245, rest);
    float b = mix(3.82987, 3.32435, rest);
    float c = mix(0.19823, 0.16801, rest);
    float d = mix(-1.97760, -1.27393, rest);
    float e = mix(-4.32054, -4.85967, rest);
    return a / (1.0 + b * pow(x, c)) + d * x + e;
}

float sheen_shadow(float cosine, float alpha) {
    return exp(
        cosine < 0.5
            ? sheen_shadow_curve(cosine, alpha)
            : 2.0 * sheen_shadow_curve(0.5, alpha) - sheen_shadow_curve(1.0 - cosine, alpha)
    );
}

// The distribution of fibres, with masking-shadowing.
float sheen_lobe(float n_l, float n_v, float n_h, float roughness) {
    float alpha = max(roughness * roughness, 1e-3);
    float sine = sqrt(max(1.0 - n_h * n_h, 0.0));
    float fibres = (2.0 + 1.0 / alpha) * pow(sine, 1.0 / alpha) / (2.0 * PI);
    float shadows = (1.0 + sheen_shadow(n_v, alpha) + sheen_shadow(n_l, alpha)) * 4.0 * n_v * n_l;
    return fibres * clamp(1.0 / max(shadows, 1e-5), 0.0, 1.0);
}

// The directional albedo of white sheen: a curve fitted to the integral of the terms above. Fitted to 19
// roughnesses from 0.1 and 25 angles; root mean square error 0.01.
float sheen_share(float cosine, float roughness) {
    float r = max(roughness, 0.1);
    vec4 powers = vec4(1.0 / r, 1.0, r, r * r);
    float constant = dot(powers, vec4(0.0855, -0.3640, -0.5436, 0.6342));
    float linear = dot(powers, vec4(-0.7474, -3.0198, 6.0219, -3.9674));
    float square = dot(powers, vec4(-1.1714, 3.8063, -5.3714, 2.8437));
    return clamp(exp(constant + cosine * (linear + cosine * square)), 0.0, 1.0);
}
#endif
