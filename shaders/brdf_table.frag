// What a surface mirrors of light from everywhere, by n·v (across) and roughness (up): x times F0 plus y.
#include "microfacet.glsl"
#include "sampling.glsl"

in vec2 v_at;
out vec4 o_color;

void main() {
    const float SIZE = 64.0;
    const uint COUNT = 128u;
    vec2 at = floor(gl_FragCoord.xy) / (SIZE - 1.0);
    // Edge-on, the terms have no end.
    float n_v = max(at.x, 4e-3);
    float alpha = max(at.y * at.y, 1e-4);
    vec3 v = vec3(sqrt(1.0 - n_v * n_v), 0.0, n_v);
    vec2 sum = vec2(0.0);
    for (uint i = 0u; i < COUNT; i++) {
        vec3 h = half_vector(spread(i, COUNT), alpha);
        float v_h = dot(v, h);
        float n_l = 2.0 * v_h * h.z - n_v;
        if (n_l > 0.0 && v_h > 0.0) {
            float share = 4.0 * n_l * visibility(n_l, n_v, alpha) * v_h / h.z;
            float edge = edge_weight(v_h);
            sum += share * vec2(1.0 - edge, edge);
        }
    }
    o_color = vec4(sum / float(COUNT), 0.0, 1.0);
}
