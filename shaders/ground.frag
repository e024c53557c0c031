// The shadow on the ground, which darkens the background.
#include "environment.glsl"
#include "shadow.glsl"
#include "tone.glsl"

uniform sampler2D u_contact_map;
uniform vec4 u_parameters[3];

in vec3 v_position;
out vec4 o_color;

void main() {
    const vec3 UP = vec3(0.0, 1.0, 0.0);
    const vec3 LUMINANCE = vec3(0.2126, 0.7152, 0.0722);
    // The key light's fraction of all light on the ground.
    float key = dot(u_key_color.rgb, LUMINANCE) * max(u_key_direction.y, 0.0);
    float share = key / max(key + dot(environment_diffuse(UP), LUMINANCE), 1e-6);
    float arrives = key > 0.0 ? 1.0 - share * (1.0 - key_light(v_position, UP)) : 1.0;

    vec4 map = u_parameters[2];
    vec2 at = (v_position.xz - map.xy) * map.zw;
    float touched = at == clamp(at, 0.0, 1.0) ? textureLod(u_contact_map, at, 0.0).r : 0.0;
    arrives *= 1.0 - u_parameters[1].y * touched;
    o_color = dithered(vec4(vec3(0.0), 1.0 - arrives));
}
