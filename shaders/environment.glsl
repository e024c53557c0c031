// Environment lighting, prefiltered by src/render/light/prefilter.rs.
#include "frame.glsl"

// Prefiltered reflections; each level has a higher roughness.
uniform samplerCube u_environment_map;
uniform sampler2D u_environment_brdf;

// Rotates a direction from world space to the environment, about Y.
vec3 in_environment(vec3 direction) {
    vec2 turn = u_environment.xy;
    return vec3(turn.x * direction.x - turn.y * direction.z, direction.y, turn.y * direction.x + turn.x * direction.z);
}

// The diffuse reflection of a white surface: 1 in an environment that is 1 everywhere.
vec3 environment_diffuse(vec3 normal) {
    vec3 n = in_environment(normal);
    vec3 light = u_irradiance[0].rgb + u_irradiance[1].rgb * n.y + u_irradiance[2].rgb * n.z + u_irradiance[3].rgb * n.x
        + u_irradiance[4].rgb * (n.x * n.z) + u_irradiance[5].rgb * (n.y * n.z) + u_irradiance[6].rgb * (n.x * n.y)
        + u_irradiance[7].rgb * (3.0 * n.y * n.y - 1.0) + u_irradiance[8].rgb * (n.x * n.x - n.z * n.z);
    // Spherical harmonics have negative lobes opposite a strong light.
    return max(light, 0.0);
}

// The prefiltered reflection in a direction, for a roughness 0 … 1.
vec3 environment_specular(vec3 direction, float roughness) {
    return u_environment.z * textureLod(u_environment_map, in_environment(direction), roughness * u_environment.w).rgb;
}

// The directional albedo of single scattering: F0 * x + y.
vec2 environment_brdf(float n_v, float roughness) {
    // The first and last values are at texel centres.
    const float SIZE = 32.0;
    return textureLod(u_environment_brdf, (vec2(n_v, roughness) * (SIZE - 1.0) + 0.5) / SIZE, 0.0).xy;
}
