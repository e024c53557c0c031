// A soft studio without images: a floor, a bright wall behind the horizon, a dimmer ceiling and two soft boxes.
// `roughness` says how far the reflection is blurred; at 1 it serves as the light that a matt surface receives.

const vec3 KEY_DIRECTION = vec3(-0.45, 0.72, 0.53);
// The one light with highlights and shading of its own.
const vec3 KEY_COLOR = vec3(1.02, 0.99, 0.94);
const vec3 RIM_DIRECTION = vec3(0.68, 0.32, -0.66);

// A lamp with soft edges: its light spreads as the surface gets rougher, and gets weaker as it spreads.
float soft_box(vec3 direction, vec3 lamp, float roughness) {
    float sharpness = mix(26.0, 1.6, sqrt(roughness));
    return exp(sharpness * (dot(direction, lamp) - 1.0)) * mix(1.0, 0.16, roughness);
}

vec3 environment(vec3 direction, float roughness) {
    const vec3 CEILING = vec3(0.62, 0.66, 0.72);
    const vec3 WALL = vec3(0.86, 0.87, 0.88);
    const vec3 FLOOR = vec3(0.30, 0.28, 0.26);
    float edge = mix(0.12, 1.0, roughness);
    vec3 above = mix(WALL, CEILING, smoothstep(0.0, 1.0, direction.y));
    vec3 below = mix(WALL * 0.7, FLOOR, smoothstep(0.0, mix(0.35, 1.0, roughness), -direction.y));
    vec3 room = mix(below, above, smoothstep(-edge, edge, direction.y));
    vec3 lamps = vec3(1.0, 0.98, 0.95) * 1.3 * soft_box(direction, KEY_DIRECTION, roughness)
        + vec3(0.92, 0.96, 1.0) * 0.9 * soft_box(direction, RIM_DIRECTION, roughness);
    return room * 0.56 + lamps;
}

vec3 environment_diffuse(vec3 n) {
    return environment(n, 1.0);
}

vec3 environment_specular(vec3 r, float roughness) {
    return environment(r, roughness);
}

// What all light together gives, mirrored: x of F0, y of the edge. Two curves fitted to the integral of
// the microfacet terms over 20 × 20 roughnesses and angles; root mean square errors 0.03 and 0.01.
vec2 environment_brdf(float n_v, float roughness) {
    float r = roughness;
    float edge = pow(max(1.0 - n_v, 0.0), 5.213 + r * (9.524 * r - 8.621)) * (1.094 + r * (1.53 * r - 2.53));
    float lost = 0.503 - 0.424 * r + n_v * (1.022 + 0.306 * r + n_v * (0.819 * r - 1.503));
    float all = clamp(1.0 - r * r * lost, 0.0, 1.0);
    edge = clamp(edge, 0.0, all);
    return vec2(all - edge, edge);
}
