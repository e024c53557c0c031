// What all draws of a frame share; written by src/render/frame.rs.
layout(std140) uniform Frame {
    mat4 u_clip_from_world;
    // xyz: the eye, w = 1; or, for a parallel projection, the direction towards the eye, w = 0.
    vec4 u_eye;
    // x: the size of a point in device pixels, y: how many lights there are, z: whether this is the backdrop of what is
    // seen through, which is light, no picture, w: whether alpha says how many samples of a pixel are covered.
    vec4 u_raster;
    // Three for each light. xyz: its place, w = 1; or, if its light is parallel, the direction towards it, w = 0.
    // rgb: its strength over π, a: 1 over its range. xyz: the axis and steepness of its cone, w: their offset.
    vec4 u_lights[24];
};

vec3 towards_eye(vec3 world) {
    return normalize(u_eye.xyz - world * u_eye.w);
}
