// The placement matrix of a vertex, `world_from_mesh`: one palette entry, or several blended by weights.

#include "influences.glsl"
#if SKIN_SETS > 0
layout(location = 6) in uvec4 a_joints0;
layout(location = 7) in vec4 a_weights0;
#if SKIN_SETS > 1
layout(location = 8) in uvec4 a_joints1;
layout(location = 9) in vec4 a_weights1;
#endif
#if SKIN_SETS > 2
layout(location = 10) in uvec4 a_joints2;
layout(location = 11) in vec4 a_weights2;
#endif
#if SKIN_SETS > 3
layout(location = 12) in uvec4 a_joints3;
layout(location = 13) in vec4 a_weights3;
#endif
#if SKIN_SETS > 4
layout(location = 14) in uvec4 a_joints4;
layout(location = 15) in vec4 a_weights4;
#endif
#endif

#ifdef DEFORMED
// CPU-deformed positions are in world space.
mat3x4 world_from_mesh(vec3 position) {
    return mat3x4(1.0);
}
#else
// The first palette entry of this draw.
uniform int u_palette_base;
#include "crowd.glsl"
#ifndef PALETTE_STEP
// The distance between palette entries.
#define PALETTE_STEP 1
#endif

#ifdef MANY_INFLUENCES
mat3x4 world_from_mesh(vec3 position) {
    int base = u_palette_base;
    mat3x4 m = mat3x4(0.0);
    for (int i = 0; i < u_influence_shape.x; i++) {
        vec4 pair = influence_pair(i);
        ivec2 entries = ivec2(pair.xz) * PALETTE_STEP + base;
        m += pair.y * palette_entry(entries.x) + pair.w * palette_entry(entries.y);
    }
    return m;
}
#elif defined(DUAL)
#include "dual.glsl"
#elif SKIN_SETS > 0
mat3x4 blend(uvec4 joints, vec4 weights) {
    ivec4 entries = ivec4(joints) * PALETTE_STEP + u_palette_base;
    return weights.x * palette_entry(entries.x) + weights.y * palette_entry(entries.y)
        + weights.z * palette_entry(entries.z) + weights.w * palette_entry(entries.w);
}

mat3x4 world_from_mesh(vec3 position) {
    mat3x4 m = blend(a_joints0, a_weights0);
#if SKIN_SETS > 1
    m += blend(a_joints1, a_weights1);
#endif
#if SKIN_SETS > 2
    m += blend(a_joints2, a_weights2);
#endif
#if SKIN_SETS > 3
    m += blend(a_joints3, a_weights3);
#endif
#if SKIN_SETS > 4
    m += blend(a_joints4, a_weights4);
#endif
    return m;
}
#else
mat3x4 world_from_mesh(vec3 position) {
#ifdef CROWD
    return palette_entry(u_palette_base);
#else
    // The entries of a mesh's instances are consecutive.
    return palette_entry(u_palette_base + gl_InstanceID);
#endif
}
#endif
#endif
