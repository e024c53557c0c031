// Placement and tint of crowd members, which share an instanced draw; each reads its own part of the palette.
#ifdef CROWD
// x: palette entries per member, y: the first member's tint entry, z: the distance between the active morph targets of
// successive members, w: the part of the mesh that members may hide, 255 for none. The palettes of PALETTE_STEP members are
// interleaved: all first entries, then all second ones, etc.
uniform ivec4 u_crowd;
out vec4 v_tint;

#define u_palette_base in_palettes(u_palette_base)

// Converts an entry of the first member to that of this member.
int in_palettes(int entry) {
    int beside = gl_InstanceID % PALETTE_STEP;
    return entry + (gl_InstanceID - beside) * u_crowd.x + beside;
}

// `m`: the placement matrix of the vertex.
void in_crowd(mat3x4 m) {
    int texel = 3 * in_palettes(u_crowd.y);
    v_tint = palette_texel(texel);
    bool hidden = m == mat3x4(0.0);
    if (u_crowd.w < 192) {
        // The hidden parts follow the tint: 24 bits in each number.
        int word = u_crowd.w / 24;
        hidden = hidden || (int(palette_texel(texel + 1 + word / 4)[word % 4]) >> u_crowd.w % 24 & 1) == 1;
    }
    // Vertices of hidden parts are moved outside the view, so that not even points are drawn.
    if (hidden) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    }
}
#endif
