// The shadow of the key light.
#include "frame.glsl"
#include "noise.glsl"

uniform highp sampler2DShadow u_shadow_map;

// How much of the key light arrives at a place: 1 all of it. `normal`: of the surface, towards its outside.
float key_light(vec3 position, vec3 normal) {
    if (u_key_color.a == 0.0) {
        return 1.0;
    }
    // A little outside the surface, the more so the steeper the light, so that it does not shade itself.
    float slope = 1.0 - clamp(dot(normal, u_key_direction.xyz), 0.0, 1.0);
    vec3 outside = position + normal * (u_key_direction.w * (0.3 + slope));
    vec3 at = (u_shadow_from_world * vec4(outside, 1.0)).xyz;
    at.z = min(at.z, 1.0);
    // Points on a spiral, turned from pixel to pixel.
    const int COUNT = 12;
    float turn = 6.28318531 * noise();
    float sum = 0.0;
    for (int i = 0; i < COUNT; i++) {
        float angle = float(i) * 2.39996323 + turn;
        vec2 place = at.xy + u_output.x * sqrt((float(i) + 0.5) / float(COUNT)) * vec2(cos(angle), sin(angle));
        // Beyond the map nothing stands in the way.
        sum += place == clamp(place, 0.0, 1.0) ? textureLod(u_shadow_map, vec3(place, at.z), 0.0) : 1.0;
    }
    return 1.0 - u_key_color.a * (1.0 - sum / float(COUNT));
}
