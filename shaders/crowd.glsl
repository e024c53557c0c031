// The vertices of a crowd, whose members are one draw: what is read of the palette is that of the member.
#ifdef CROWD
// x: from the matrices of a member to those of the next one, y: the entry with the tint of the first one, z: from the active
// morph targets of a member to those of the next one.
uniform ivec4 u_crowd;
out vec4 v_tint;

#define u_palette_base (u_palette_base + gl_InstanceID * u_crowd.x)

// `m`: what places the vertex.
void in_crowd(mat3x4 m) {
    v_tint = palette_texel(3 * (u_crowd.y + gl_InstanceID * u_crowd.x));
    // Zeros are for what is hidden: not even a point is left of it.
    if (m == mat3x4(0.0)) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    }
}
#endif
