// What all draws of a frame share; written by src/render/frame.rs.
layout(std140) uniform Frame {
    mat4 u_clip_from_world;
    // xyz: the eye, w = 1; or, for a parallel projection, the direction towards the eye, w = 0.
    vec4 u_eye;
    // x: the size of a point in device pixels, y: how many lights there are, z: whether this is the backdrop of what is
    // seen through, which is light, no picture, w: 1 if alpha says how many samples of a pixel are covered,
    // 2 if the alpha of such samples is drawn.
    vec4 u_raster;
    // Three for each light. xyz: its place, w = 1; or, if its light is parallel, the direction towards it, w = 0.
    // rgb: its strength over π, a: 1 over its range. xyz: the axis and steepness of its cone, w: their offset.
    vec4 u_lights[24];
    // rgb: what a white matt surface sends back of the environment, as harmonics of its normal.
    vec4 u_irradiance[9];
    // x, y: cosine and sine of the environment's rotation, z: what its texels are multiplied by, w: its last level.
    vec4 u_environment;
    // xyz: towards the key light, w: the distance along the normal at which its shadow is looked up.
    vec4 u_key_direction;
    // rgb: its strength over π, a: how dark its shadow is.
    vec4 u_key_color;
    // From the world to the shadow map: 0 … 1 across it and away from the light.
    mat4 u_shadow_from_world;
    // y: exposure, z: the tone curve, w: how many matrices the palette has, if their rotations follow.
    vec4 u_output;
    // Radii of the shadow's penumbra, as parts of the map. x: per unit of depth between what casts it and what it falls on,
    // y: the largest, z: the least. w: what the map's coordinates of a unit normal are multiplied by for the slope of its plane.
    vec4 u_shadow;
};

vec3 towards_eye(vec3 world) {
    return normalize(u_eye.xyz - world * u_eye.w);
}
