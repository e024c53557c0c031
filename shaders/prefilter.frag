// Faces of the environment's cube map: from the panorama (PANORAMA), else what surfaces mirror of that.
#include "sampling.glsl"
#ifdef PANORAMA
#include "panorama.glsl"
#else
uniform samplerCube u_environment_map;
#endif

// [0]: x: the face, y: the roughness, z: the size of the map that is read, w: the greatest light, 0 if texels are floats.
uniform vec4 u_parameters[1];

in vec2 v_at;
out vec4 o_color;

vec3 direction_of(vec2 at, int face) {
    if (face == 0) return vec3(1.0, -at.y, -at.x);
    if (face == 1) return vec3(-1.0, -at.y, at.x);
    if (face == 2) return vec3(at.x, 1.0, at.y);
    if (face == 3) return vec3(at.x, -1.0, -at.y);
    return face == 4 ? vec3(at, 1.0) * vec3(1.0, -1.0, 1.0) : vec3(-at, -1.0);
}

#ifdef PANORAMA
// The mean of a grid within the texel, so that panoramas with more texels are not skipped through.
vec3 light(vec2 at, int face) {
    float grid = u_parameters[0].y;
    vec2 texel = fwidth(at);
    vec3 sum = vec3(0.0);
    for (float y = 0.5; y < grid; y++) {
        for (float x = 0.5; x < grid; x++) {
            sum += panorama(normalize(direction_of(at + texel * (vec2(x, y) / grid - 0.5), face)));
        }
    }
    return sum / (grid * grid);
}
#else
vec3 light(vec2 at, int face) {
    const uint COUNT = 48u;
    vec3 n = normalize(direction_of(at, face));
    vec3 t = normalize(cross(abs(n.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0), n));
    vec3 b = cross(n, t);
    float alpha = u_parameters[0].y * u_parameters[0].y;
    // The solid angle of a texel of the map.
    float texel = 4.0 * TWO_PI / 2.0 / (6.0 * u_parameters[0].z * u_parameters[0].z);
    vec3 sum = vec3(0.0);
    float weight = 0.0;
    for (uint i = 0u; i < COUNT; i++) {
        // Seen from straight above, as everybody who prefilters assumes.
        vec3 h = half_vector(spread(i, COUNT), alpha);
        vec3 l = vec3(2.0 * h.z * h.xy, 2.0 * h.z * h.z - 1.0);
        if (l.z > 0.0) {
            float slope = h.z * h.z * (alpha * alpha - 1.0) + 1.0;
            float density = alpha * alpha / (2.0 * TWO_PI * slope * slope);
            // A sample stands for all directions that are nearer to it than to others: a smaller level, a little smoother.
            float level = max(0.5 * log2(1.0 / (float(COUNT) * density * texel)) + 1.0, 0.0);
            vec4 found = textureLod(u_environment_map, t * l.x + b * l.y + n * l.z, level);
            sum += found.rgb * ((u_parameters[0].w > 0.0 ? found.a * u_parameters[0].w : 1.0) * l.z);
            weight += l.z;
        }
    }
    return sum / weight;
}
#endif

void main() {
    vec3 color = light(v_at, int(u_parameters[0].x));
    float most = u_parameters[0].w;
    if (most == 0.0) {
        o_color = vec4(min(color, 65000.0), 1.0);
    } else {
        color = min(color / most, 1.0);
        float factor = ceil(max(max(color.r, color.g), max(color.b, 0.004)) * 255.0) / 255.0;
        o_color = vec4(color / factor, factor);
    }
}
