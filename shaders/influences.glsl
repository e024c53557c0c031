// Influences that exceed the attributes: a texture with two per texel (joint, weight, joint, weight), in the order of vertices.
#ifdef MANY_INFLUENCES
uniform sampler2D u_influences;
// x: texels per vertex, y: the width of u_influences, a power of two.
uniform ivec4 u_influence_shape;

vec4 influence_pair(int i) {
    int texel = gl_VertexID * u_influence_shape.x + i;
    return texelFetch(u_influences, ivec2(texel & (u_influence_shape.y - 1), texel / u_influence_shape.y), 0);
}
#endif
