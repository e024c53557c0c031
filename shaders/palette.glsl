// The palette: the affine matrices of all actors, three texels each, one texel per row. For dual-quaternion skinning,
// their rotations follow, one texel each; then the active morph targets. The texture is PALETTE_WIDTH texels wide, a power of
// two. Matrices may wrap to the next row.
uniform sampler2D u_palette;

vec4 palette_texel(int texel) {
    return texelFetch(u_palette, ivec2(texel & (PALETTE_WIDTH - 1), texel / PALETTE_WIDTH), 0);
}

// The rows of a 3×4 matrix are the columns of a mat3x4, so that it is applied as `vec4(p, 1.0) * m`.
mat3x4 palette_entry(int entry) {
    int texel = entry * 3;
    return mat3x4(palette_texel(texel), palette_texel(texel + 1), palette_texel(texel + 2));
}
