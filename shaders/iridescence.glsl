// Thin-film interference. Spec: KHR_materials_iridescence; Belcour and Barla, "A Practical Extension to Microfacet Theory for the
// Modeling of Varying Iridescence" (2017).
#ifdef IRIDESCENCE

// Colour-matching functions in Fourier space at a path difference of `path` nanometres, converted to linear sRGB.
vec3 film_colors(float path, vec3 shift) {
    float phase = 2.0 * PI * path * 1e-9;
    const vec3 HEIGHT = vec3(5.4856e-13, 4.4201e-13, 5.2481e-13);
    const vec3 PLACE = vec3(1.6810e+06, 1.7953e+06, 2.2084e+06);
    const vec3 WIDTH = vec3(4.3278e+09, 9.3046e+09, 6.6121e+09);
    vec3 xyz = HEIGHT * sqrt(2.0 * PI * WIDTH) * cos(PLACE * phase + shift) * exp(-phase * phase * WIDTH);
    xyz.x += 9.7470e-14 * sqrt(2.0 * PI * 4.5282e+09) * cos(2.2399e+06 * phase + shift.x)
        * exp(-4.5282e+09 * phase * phase);
    xyz /= 1.0685e-7;
    return mat3(3.2404542, -0.9692660, 0.0556434, -1.5371385, 1.8760108, -0.2040259, -0.4985314, 0.0415560, 1.0572252)
        * xyz;
}

vec3 film_edge(vec3 head_on, float cosine) {
    return mix(head_on, vec3(1.0), edge_weight(cosine));
}

// The reflectance of a film of `thickness` nanometres over a surface whose F0 in air is `head_on`.
vec3 thin_film(float cosine, float ior, float thickness, vec3 head_on) {
    // The film fades out as its thickness approaches 0.
    float film = mix(1.0, ior, smoothstep(0.0, 0.03, thickness));
    float inner2 = 1.0 - (1.0 - cosine * cosine) / (film * film);
    if (inner2 < 0.0) {
        return vec3(1.0);
    }
    float inner = sqrt(inner2);
    // The interface between air and film.
    float r0 = (film - 1.0) / (film + 1.0);
    float outer = film_edge(vec3(r0 * r0), cosine).x;
    float entered = 1.0 - outer;
    float turned = film < 1.0 ? 0.0 : PI;
    // The interface between film and base.
    vec3 root = sqrt(clamp(head_on, 0.0, 0.9999));
    vec3 body = (1.0 + root) / (1.0 - root);
    vec3 r1 = (body - film) / (body + film);
    vec3 below = film_edge(r1 * r1, inner);
    vec3 shift = turned + PI * vec3(lessThan(body, vec3(film)));
    float path = 2.0 * film * thickness * inner;
    // Interference of the reflections between both interfaces, by order.
    vec3 both = clamp(outer * below, 1e-5, 0.9999);
    vec3 amplitude = sqrt(both);
    vec3 all = entered * entered * below / (1.0 - both);
    vec3 sum = outer + all;
    vec3 term = all - entered;
    for (int m = 1; m <= 2; m++) {
        term *= amplitude;
        sum += 2.0 * term * film_colors(float(m) * path, float(m) * shift);
    }
    return clamp(sum, 0.0, 1.0);
}
#endif
