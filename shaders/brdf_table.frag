// What a surface mirrors of light from everywhere, by n·v (across) and roughness (up): x times F0 plus y.
#include "sampling.glsl"

in vec2 v_at;
out vec4 o_color;

// As in brdf.glsl.
float visibility(float n_l, float n_v, float alpha) {
    float a2 = alpha * alpha;
    return 0.5 / (n_v * sqrt(n_l * n_l * (1.0 - a2) + a2) + n_l * sqrt(n_v * n_v * (1.0 - a2) + a2));
}

void main() {
    const float SIZE = 64.0;
    const uint COUNT = 128u;
    vec2 at = floor(gl_FragCoord.xy) / (SIZE - 1.0);
    float n_v = max(at.x, 1e-3);
    float alpha = max(at.y * at.y, 1e-4);
    vec3 v = vec3(sqrt(1.0 - n_v * n_v), 0.0, n_v);
    vec2 sum = vec2(0.0);
    for (uint i = 0u; i < COUNT; i++) {
        vec3 h = half_vector(spread(i, COUNT), alpha);
        float v_h = dot(v, h);
        float n_l = 2.0 * v_h * h.z - n_v;
        if (n_l > 0.0 && v_h > 0.0) {
            float share = 4.0 * n_l * visibility(n_l, n_v, alpha) * v_h / h.z;
            float edge = pow(1.0 - v_h, 5.0);
            sum += share * vec2(1.0 - edge, edge);
        }
    }
    o_color = vec4(sum / float(COUNT), 0.0, 1.0);
}
