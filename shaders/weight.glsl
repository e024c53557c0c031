// The weight of the chosen joint for a vertex: 0 … 1.
#include "debug.glsl"

#ifdef DEBUG
#if SKIN_SETS > 0
float weight_in(uvec4 joints, vec4 weights) {
    return dot(weights, vec4(equal(ivec4(joints), ivec4(u_debug.y))));
}
#endif

float weight() {
#ifdef MANY_INFLUENCES
    float sum = 0.0;
    for (int i = 0; i < u_influence_shape.x; i++) {
        vec4 pair = influence_pair(i);
        sum += dot(pair.yw, vec2(equal(ivec2(pair.xz), ivec2(u_debug.y))));
    }
    return sum;
#elif SKIN_SETS > 0
    float sum = weight_in(a_joints0, a_weights0);
#if SKIN_SETS > 1
    sum += weight_in(a_joints1, a_weights1);
#endif
#if SKIN_SETS > 2
    sum += weight_in(a_joints2, a_weights2);
#endif
#if SKIN_SETS > 3
    sum += weight_in(a_joints3, a_weights3);
#endif
#if SKIN_SETS > 4
    sum += weight_in(a_joints4, a_weights4);
#endif
    return sum;
#else
    return float(u_debug.z);
#endif
}
#endif
