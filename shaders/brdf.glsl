// The metallic-roughness model. Spec: glTF 2.0 Appendix B.

const float PI = 3.14159265;

struct Surface {
    vec3 diffuse;   // reflected by the body of a dielectric
    vec3 specular;  // mirrored when seen head-on (F0)
    float roughness;
    float alpha;    // roughness², what the microfacet terms want
};

Surface surface_of(vec3 base, float metallic, float roughness, vec3 normal) {
    // Where a normal turns faster than pixels follow, a smooth highlight would flicker: roughen instead.
    vec3 turn_x = dFdx(normal);
    vec3 turn_y = dFdy(normal);
    float turn = min(0.5 * (dot(turn_x, turn_x) + dot(turn_y, turn_y)), 0.18);
    float alpha = roughness * roughness;
    alpha = clamp(sqrt(alpha * alpha + turn), 0.0064, 1.0);
    return Surface(base * (1.0 - metallic), mix(vec3(0.04), base, metallic), sqrt(alpha), alpha);
}

// Trowbridge–Reitz.
float facets(float n_h, float alpha) {
    float a2 = alpha * alpha;
    float d = n_h * n_h * (a2 - 1.0) + 1.0;
    return a2 / (PI * d * d);
}

// Smith's shadowing of both directions together, over 4 (n·l)(n·v).
float visibility(float n_l, float n_v, float alpha) {
    float a2 = alpha * alpha;
    float in_light = n_v * sqrt(n_l * n_l * (1.0 - a2) + a2);
    float in_sight = n_l * sqrt(n_v * n_v * (1.0 - a2) + a2);
    return 0.5 / max(in_light + in_sight, 1e-5);
}

// Schlick's weight of the edge reflection.
float edge_weight(float cosine) {
    float x = clamp(1.0 - cosine, 0.0, 1.0);
    float x2 = x * x;
    return x2 * x2 * x;
}

// What comes back of a light of strength π from direction `l`.
vec3 reflect_light(Surface s, vec3 n, vec3 v, vec3 l) {
    float n_l = clamp(dot(n, l), 0.0, 1.0);
    float n_v = clamp(abs(dot(n, v)), 1e-4, 1.0);
    vec3 h = normalize(l + v);
    float n_h = clamp(dot(n, h), 0.0, 1.0);
    vec3 fresnel = mix(s.specular, vec3(1.0), edge_weight(dot(v, h)));
    vec3 mirrored = fresnel * (PI * facets(n_h, s.alpha) * visibility(n_l, n_v, s.alpha));
    return n_l * (s.diffuse * (1.0 - fresnel) + mirrored);
}

// What all light together gives, mirrored: x of F0, y of the edge. Two curves fitted to the integral of
// the terms above over 20 × 20 roughnesses and angles; root mean square errors 0.03 and 0.01.
vec2 mirrored_share(float roughness, float n_v) {
    float r = roughness;
    float edge = pow(max(1.0 - n_v, 0.0), 5.213 + r * (9.524 * r - 8.621)) * (1.094 + r * (1.53 * r - 2.53));
    float lost = 0.503 - 0.424 * r + n_v * (1.022 + 0.306 * r + n_v * (0.819 * r - 1.503));
    float all = clamp(1.0 - r * r * lost, 0.0, 1.0);
    edge = clamp(edge, 0.0, all);
    return vec2(all - edge, edge);
}

// What comes back of the environment.
vec3 reflect_environment(Surface s, vec3 n, vec3 v, float ambient) {
    float n_v = clamp(abs(dot(n, v)), 1e-4, 1.0);
    vec2 share = mirrored_share(s.roughness, n_v);
    vec3 once = s.specular * share.x + share.y;
    // Light that facets throw at each other is not lost (it keeps rough metals from going dark).
    vec3 mirrored = once * (1.0 + s.specular * (1.0 / max(share.x + share.y, 0.1) - 1.0));
    vec3 direction = reflect(-v, n);
    // A rough surface mirrors more from around its normal than from the mirror direction.
    direction = normalize(mix(direction, n, s.alpha * s.alpha));
    return ambient * (s.diffuse * (1.0 - once) * environment(n, 1.0) + mirrored * environment(direction, s.roughness));
}
