// The shadow of the key light: percentage-closer soft shadows (R. Fernando, 2005), sharp where caster and receiver
// touch.
#include "frame.glsl"
#include "noise.glsl"

uniform highp sampler2DShadow u_shadow_map;
// The same map, sampled without comparison.
uniform highp sampler2D u_shadow_depth;

// Points evenly distributed in the unit disc (H. Vogel, 1979), rotated by an angle.
vec2 on_disc(int i, int count, float turn) {
    float angle = float(i) * 2.39996323 + turn;
    return sqrt((float(i) + 0.5) / float(count)) * vec2(cos(angle), sin(angle));
}

// The visibility of the key light at a position: 1 without shadow. `normal`: the surface normal, on the outside.
float key_light(vec3 position, vec3 normal) {
    if (u_key_color.a == 0.0) {
        return 1.0;
    }
    // A normal offset, larger at grazing angles, prevents self-shadowing.
    float facing = clamp(dot(normal, u_key_direction.xyz), 0.0, 1.0);
    vec3 outside = position + normal * (u_key_direction.w * (1.3 - facing));
    vec3 at = (u_shadow_from_world * vec4(outside, 1.0)).xyz;
    // Receiver plane depth bias: distant taps compare with the plane of the surface.
    vec2 slope = (mat3(u_shadow_from_world) * normal).xy * u_shadow.w / max(facing, 0.25);
    float turn = 6.28318531 * noise();

    // The mean depth of blockers.
    const int SEARCHED = 16;
    float reach = clamp(u_shadow.x * at.z, u_shadow.z, u_shadow.y);
    float found = 0.0;
    float depth = 0.0;
    for (int i = 0; i < SEARCHED; i++) {
        vec2 tap = reach * on_disc(i, SEARCHED, turn);
        vec2 place = at.xy + tap;
        float there = textureLod(u_shadow_depth, place, 0.0).r;
        // There are no blockers outside the map.
        if (place == clamp(place, 0.0, 1.0) && there < min(at.z + dot(slope, tap), 1.0)) {
            found += 1.0;
            depth += there;
        }
    }
    if (found == 0.0) {
        return 1.0;
    }
    if (found == float(SEARCHED)) {
        return 1.0 - u_key_color.a;
    }

    const int COUNT = 24;
    float radius = clamp(u_shadow.x * (at.z - depth / found), u_shadow.z, reach);
    float sum = 0.0;
    for (int i = 0; i < COUNT; i++) {
        vec2 tap = radius * on_disc(i, COUNT, turn);
        vec2 place = at.xy + tap;
        float limit = min(at.z + dot(slope, tap), 1.0);
        sum += place == clamp(place, 0.0, 1.0) ? textureLod(u_shadow_map, vec3(place, limit), 0.0) : 1.0;
    }
    return 1.0 - u_key_color.a * (1.0 - sum / float(COUNT));
}
