// Faces of the environment's cube map: from the panorama (PANORAMA), else what surfaces mirror of that.
#ifdef PANORAMA
#include "panorama.glsl"
const int LAST = 0;
#else
uniform samplerCube u_environment_map;
// As src/render/environment.rs has it.
const int LAST = 48;
#endif

// [0]: x: the face, y: how many samples there are (each way of a texel's grid, in a panorama), z: what their weights add up to, w: the
// greatest light, 0 if texels are floats. The samples follow: where each looks, with its weight as z, and the level that it reads.
uniform vec4 u_parameters[LAST + 1];

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
    vec3 n = normalize(direction_of(at, face));
    vec3 t = normalize(cross(abs(n.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0), n));
    vec3 b = cross(n, t);
    vec3 sum = vec3(0.0);
    for (int i = 1; i <= int(u_parameters[0].y); i++) {
        vec4 at = u_parameters[i];
        vec4 found = textureLod(u_environment_map, t * at.x + b * at.y + n * at.z, at.w);
        sum += found.rgb * ((u_parameters[0].w > 0.0 ? found.a * u_parameters[0].w : 1.0) * at.z);
    }
    return sum / u_parameters[0].z;
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
