// Dual-quaternion skinning; crates/animation/src/animation/skin/dual_quaternion.rs has the same algorithm.

// The rotation of a palette entry; rotations are stored after all matrices.
vec4 palette_rotation(int entry) {
    return palette_texel(3 * int(u_output.w) + entry);
}

// The rotation matrix of a quaternion of any length but 0.
mat3 turn(vec4 q) {
    vec3 s = q.xyz * (2.0 / dot(q, q));
    vec3 a = s * q.xyz;
    vec3 b = s.xxy * q.yzz;
    vec3 c = s * q.w;
    return mat3(
        1.0 - (a.y + a.z), b.x + c.z, b.y - c.y,
        b.x - c.z, 1.0 - (a.x + a.z), b.z + c.x,
        b.y + c.y, b.z - c.x, 1.0 - (a.x + a.y)
    );
}

struct Motion {
    // The vertex transformed by the joint with the largest weight; the rotation, the weight and the entry of this joint.
    vec3 middle;
    vec4 sign_of;
    float most;
    int heaviest;
    vec4 real;
    vec4 dual;
    // The stretch matrix, transposed like the matrices of the palette.
    mat3 stretch;
};

void weigh(uvec4 joints, vec4 weights, inout Motion motion) {
    for (int i = 0; i < 4; i++) {
        if (weights[i] > motion.most) {
            motion.most = weights[i];
            motion.heaviest = int(joints[i]) + u_palette_base;
        }
    }
}

void add(uvec4 joints, vec4 weights, vec3 position, inout Motion motion) {
    for (int i = 0; i < 4; i++) {
        if (weights[i] > 0.0) {
            int entry = int(joints[i]) + u_palette_base;
            mat3x4 m = palette_entry(entry);
            vec4 rotation = palette_rotation(entry);
            vec3 away = vec4(position, 1.0) * m - motion.middle;
            vec4 q = rotation * (dot(rotation, motion.sign_of) < 0.0 ? -weights[i] : weights[i]);
            motion.real += q;
            motion.dual += vec4(q.w * away + cross(away, q.xyz), -dot(away, q.xyz));
            motion.stretch += weights[i] * (mat3(m[0].xyz, m[1].xyz, m[2].xyz) * turn(rotation));
        }
    }
}

mat3x4 world_from_mesh(vec3 position) {
    Motion motion = Motion(vec3(0.0), vec4(0.0), 0.0, u_palette_base, vec4(0.0), vec4(0.0), mat3(0.0));
    weigh(a_joints0, a_weights0, motion);
#if SKIN_SETS > 1
    weigh(a_joints1, a_weights1, motion);
#endif
#if SKIN_SETS > 2
    weigh(a_joints2, a_weights2, motion);
#endif
#if SKIN_SETS > 3
    weigh(a_joints3, a_weights3, motion);
#endif
#if SKIN_SETS > 4
    weigh(a_joints4, a_weights4, motion);
#endif
    motion.middle = vec4(position, 1.0) * palette_entry(motion.heaviest);
    motion.sign_of = palette_rotation(motion.heaviest);
    add(a_joints0, a_weights0, position, motion);
#if SKIN_SETS > 1
    add(a_joints1, a_weights1, position, motion);
#endif
#if SKIN_SETS > 2
    add(a_joints2, a_weights2, position, motion);
#endif
#if SKIN_SETS > 3
    add(a_joints3, a_weights3, position, motion);
#endif
#if SKIN_SETS > 4
    add(a_joints4, a_weights4, position, motion);
#endif
    vec4 q = motion.real;
    vec4 d = motion.dual;
    vec3 place = motion.middle + (q.w * d.xyz - d.w * q.xyz - cross(d.xyz, q.xyz)) / dot(q, q);
    mat3 m = motion.stretch * transpose(turn(q));
    vec3 moved = place - position * m;
    return mat3x4(vec4(m[0], moved.x), vec4(m[1], moved.y), vec4(m[2], moved.z));
}
