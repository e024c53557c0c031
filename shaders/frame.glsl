// What all draws of a frame share; written by src/render/frame.rs.
layout(std140) uniform Frame {
    mat4 u_clip_from_world;
    // xyz: the eye, w = 1; or, for a parallel projection, the direction towards the eye, w = 0.
    vec4 u_eye;
    // x: the size of a point in device pixels.
    vec4 u_raster;
};

vec3 towards_eye(vec3 world) {
    return normalize(u_eye.xyz - world * u_eye.w);
}
