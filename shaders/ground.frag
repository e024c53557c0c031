// The shadow on the ground, which darkens the background.
#include "environment.glsl"
#include "shadow.glsl"
#include "tone.glsl"

uniform sampler2D u_contact_map;
uniform vec4 u_parameters[3];

in vec3 v_position;
#ifdef UNEVEN
flat in vec3 v_normal;
#endif
out vec4 o_color;

void main() {
#ifdef UNEVEN
    if (u_parameters[1].z > 0.0) {
        o_color = vec4(0.0);
        return;
    }
    vec3 up = normalize(v_normal);
#else
    const vec3 up = vec3(0.0, 1.0, 0.0);
#endif
    const vec3 LUMINANCE = vec3(0.2126, 0.7152, 0.0722);
    // The key light's fraction of all light on the ground.
    float key = dot(u_key_color.rgb, LUMINANCE) * max(dot(u_key_direction.xyz, up), 0.0);
    float share = key / max(key + dot(environment_diffuse(up), LUMINANCE), 1e-6);
    float arrives = key > 0.0 ? 1.0 - share * (1.0 - key_light(v_position, up)) : 1.0;

    vec4 map = u_parameters[2];
    vec2 at = (v_position.xz - map.xy) * map.zw;
    float touched = at == clamp(at, 0.0, 1.0) ? textureLod(u_contact_map, at, 0.0).r : 0.0;
    arrives *= 1.0 - u_parameters[1].y * touched;
    o_color = dithered(vec4(vec3(0.0), 1.0 - arrives));
}
