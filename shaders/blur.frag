// Blurs the contact map: horizontally from depth (DEPTH), then vertically.
uniform sampler2D u_source;

#ifdef UNEVEN
// The depth of the ground.
uniform highp sampler2D u_shadow_depth;
#endif
// [0]: xy: the step between samples, z: the depth range of the map, relative to the height that counts.
uniform vec4 u_parameters[1];

in vec2 v_at;
out vec4 o_color;

float nearness(vec2 at) {
#ifdef DEPTH
    // Falls with the height above the ground; 0 where nothing was drawn.
    float height = textureLod(u_source, at, 0.0).r;
#ifdef UNEVEN
    float ground = textureLod(u_shadow_depth, at, 0.0).r;
    if (max(height, ground) == 1.0) {
        return 0.0;
    }
    // As the plane, the ground is a little above the bottom of the map.
    height = clamp(0.1 + (height - ground) * u_parameters[0].z, 0.0, 1.0);
#endif
    return (1.0 - height) * (1.0 - height);
#else
    return textureLod(u_source, at, 0.0).r;
#endif
}

void main() {
    vec2 at = 0.5 + 0.5 * v_at;
    float sum = 0.0;
    float all = 0.0;
    for (float i = -8.0; i <= 8.0; i++) {
        // 8 samples are 2.5 standard deviations.
        float weight = exp(-0.05 * i * i);
        sum += weight * nearness(at + i * u_parameters[0].xy);
        all += weight;
    }
    o_color = vec4(sum / all);
}
