// The skybox.
#include "environment.glsl"
#include "grounded.glsl"
#include "tone.glsl"

// The equirectangular panorama.
uniform sampler2D u_panorama;

// [0] to [3]: the columns of world_from_clip; [4]: x: the level of the environment map, y: the intensity,
// z: the height above the ground in [5].
uniform vec4 u_parameters[6];

in vec2 v_at;
out vec4 o_color;

vec3 panorama(vec3 direction) {
    vec2 at = vec2(atan(direction.z, direction.x) * 0.159154943 + 0.5, acos(clamp(direction.y, -1.0, 1.0)) * 0.318309886);
    return textureLod(u_panorama, at, 0.0).rgb;
}

void main() {
    mat4 world_from_clip = mat4(u_parameters[0], u_parameters[1], u_parameters[2], u_parameters[3]);
    vec4 far = world_from_clip * vec4(v_at, 1.0, 1.0);
    vec3 direction = normalize(far.xyz / far.w * u_eye.w - u_eye.xyz);
#ifdef GROUNDED
    vec4 near = world_from_clip * vec4(v_at, -1.0, 1.0);
    direction = grounded(near.xyz / near.w, direction, u_parameters[5], u_parameters[4].z);
#endif
    direction = in_environment(direction);
    float level = u_parameters[4].x;
    vec3 light = u_parameters[4].y * (level > 0.0 ? textureLod(u_environment_map, direction, level).rgb : panorama(direction));
    o_color = u_raster.z > 0.0 ? vec4(backdrop_from_light(light), 1.0)
        : dithered(vec4(srgb_from_linear(tone_map(light)), 1.0));
}
