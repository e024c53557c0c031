// The vertices of a crowd, whose members are one draw: what is read of the palette is that of the member.
#ifdef CROWD
// x: how many entries a member has, y: the entry with the tint of the first one, z: from the active morph targets of a member to
// those of the next one, w: how many members have their palettes side by side: the first entry of each, then the second one of each.
uniform ivec4 u_crowd;
out vec4 v_tint;

#define PALETTE_STEP u_crowd.w
#define u_palette_base in_palettes(u_palette_base)

// From an entry of the first member to the same one of this.
int in_palettes(int entry) {
    int beside = gl_InstanceID % u_crowd.w;
    return entry + (gl_InstanceID - beside) * u_crowd.x + beside;
}

// `m`: what places the vertex.
void in_crowd(mat3x4 m) {
    v_tint = palette_texel(3 * in_palettes(u_crowd.y));
    // Zeros are for what is hidden: not even a point is left of it.
    if (m == mat3x4(0.0)) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    }
}
#endif
