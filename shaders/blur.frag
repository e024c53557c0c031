// Blurs the contact map: horizontally from depth (DEPTH), then vertically.
uniform sampler2D u_source;

// [0]: xy: the step between samples.
uniform vec4 u_parameters[1];

in vec2 v_at;
out vec4 o_color;

float nearness(vec2 at) {
#ifdef DEPTH
    // Falls with the height above the ground; 0 where nothing was drawn.
    float height = textureLod(u_source, at, 0.0).r;
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
