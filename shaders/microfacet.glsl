// Microfacet distribution and masking-shadowing. Spec: glTF 2.0 Appendix B.

const float PI = 3.14159265;

float most(vec3 color) {
    return max(color.r, max(color.g, color.b));
}

// Schlick's weight of the reflection at grazing angles.
float edge_weight(float cosine) {
    float x = clamp(1.0 - cosine, 0.0, 1.0);
    float x2 = x * x;
    return x2 * x2 * x;
}

// The GGX (Trowbridge-Reitz) distribution.
float facets(float n_h, float alpha) {
    float a2 = alpha * alpha;
    float d = n_h * n_h * (a2 - 1.0) + 1.0;
    return a2 / (PI * d * d);
}

// The height-correlated Smith masking-shadowing term, over 4 (n·l)(n·v).
float visibility(float n_l, float n_v, float alpha) {
    float a2 = alpha * alpha;
    float in_light = n_v * sqrt(n_l * n_l * (1.0 - a2) + a2);
    float in_sight = n_l * sqrt(n_v * n_v * (1.0 - a2) + a2);
    return 0.5 / max(in_light + in_sight, 1e-5);
}

#ifdef ANISOTROPY
// Anisotropic variants of both terms. Spec: KHR_materials_anisotropy.
float brushed_facets(vec3 h, vec2 alphas) {
    float both = alphas.x * alphas.y;
    vec3 f = vec3(alphas.y * h.x, alphas.x * h.y, both * h.z);
    // Avoids a division by 0.
    float w2 = both / max(dot(f, f), 1e-12);
    return both * w2 * w2 / PI;
}

float brushed_visibility(float n_l, float n_v, vec2 l, vec2 v, vec2 alphas) {
    float in_light = n_l * length(vec3(alphas * v, n_v));
    float in_sight = n_v * length(vec3(alphas * l, n_l));
    return 0.5 / max(in_light + in_sight, 1e-5);
}
#endif
