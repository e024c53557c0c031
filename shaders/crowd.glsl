// Placement and tint of crowd members, which share an instanced draw; each reads its own part of the palette.
#ifdef CROWD
// x: palette entries per member, y: the first member's tint entry, z: the distance between the active morph targets of
// successive members, w: the number of members whose palettes are interleaved: all first entries, then all second ones, etc.
uniform ivec4 u_crowd;
out vec4 v_tint;

#define PALETTE_STEP u_crowd.w
#define u_palette_base in_palettes(u_palette_base)

// Converts an entry of the first member to that of this member.
int in_palettes(int entry) {
    int beside = gl_InstanceID % u_crowd.w;
    return entry + (gl_InstanceID - beside) * u_crowd.x + beside;
}

// `m`: the placement matrix of the vertex.
void in_crowd(mat3x4 m) {
    v_tint = palette_texel(3 * in_palettes(u_crowd.y));
    // Hidden parts have matrices of zeros; their vertices are moved outside the view, so that not even points are drawn.
    if (m == mat3x4(0.0)) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    }
}
#endif
