// More influences than attributes have room for: they lie in a texture, vertex by vertex, two a texel: joint, weight, joint, weight.
#ifdef MANY_INFLUENCES
uniform sampler2D u_influences;
// x: the texels of a vertex, y: the width of u_influences, a power of two.
uniform ivec4 u_influence_shape;

vec4 influence_pair(int i) {
    int texel = gl_VertexID * u_influence_shape.x + i;
    return texelFetch(u_influences, ivec2(texel & (u_influence_shape.y - 1), texel / u_influence_shape.y), 0);
}
#endif
