// Morph targets. The texture of a primitive has the deltas of all targets, ordered by target, then part
// (positions, normals, tangents, texture coordinates, colours; only those that exist), then
// vertex.
#ifdef MORPH
uniform sampler2D u_morph_deltas;
// x: the palette texel of the first active target, y: the number of active targets,
// z: the number of vertices, w: the width of u_morph_deltas, a power of two.
uniform ivec4 u_morph;
#ifdef CROWD
#define u_morph (u_morph + ivec4(gl_InstanceID * u_crowd.z, 0, 0, 0))
#endif

vec4 morph_delta(int index) {
    return texelFetch(u_morph_deltas, ivec2(index & (u_morph.w - 1), index / u_morph.w), 0);
}

struct Morphed {
    vec3 position;
    vec3 normal;
    vec3 tangent;
    vec2 uv0;
    vec2 uv1;
    vec4 color;
};

void morph(inout Morphed vertex) {
    for (int i = 0; i < u_morph.y; i++) {
        // x: the target, y: its weight. Targets with weight 0 are not listed.
        vec4 active_target = palette_texel(u_morph.x + i);
        int first = int(active_target.x) * MORPH_PARTS * u_morph.z + gl_VertexID;
#ifdef MORPH_POSITION
        vertex.position += active_target.y * morph_delta(first + MORPH_POSITION * u_morph.z).xyz;
#endif
#ifdef MORPH_NORMAL
        vertex.normal += active_target.y * morph_delta(first + MORPH_NORMAL * u_morph.z).xyz;
#endif
#ifdef MORPH_TANGENT
        vertex.tangent += active_target.y * morph_delta(first + MORPH_TANGENT * u_morph.z).xyz;
#endif
#ifdef MORPH_UV0
        vertex.uv0 += active_target.y * morph_delta(first + MORPH_UV0 * u_morph.z).xy;
#endif
#ifdef MORPH_UV1
        vertex.uv1 += active_target.y * morph_delta(first + MORPH_UV1 * u_morph.z).xy;
#endif
#ifdef MORPH_COLOR
        vertex.color += active_target.y * morph_delta(first + MORPH_COLOR * u_morph.z);
#endif
    }
}
#endif
