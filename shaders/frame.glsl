// The uniforms shared by all draws of a frame; written by src/render/frame.rs.
layout(std140) uniform Frame {
    mat4 u_clip_from_world;
    // xyz: the eye position, w = 1; or, for an orthographic projection, the direction towards the eye, w = 0.
    vec4 u_eye;
    // x: the size of points in device pixels, y: the number of punctual lights, z: 1 while the transmission backdrop is drawn,
    // which stores light without tone mapping, w: the mode of alpha masks: 1 for alpha to coverage,
    // 2 to write the alpha of samples drawn with it.
    vec4 u_raster;
    // Three per light. xyz: the position, w = 1; or, for a directional light, the direction towards it, w = 0.
    // rgb: the intensity over π, a: 1 over the range. xyz: the axis times the steepness of the cone, w: the offset of the cone.
    vec4 u_lights[24];
    // rgb: the diffuse reflection of a white surface, as spherical harmonics of its normal.
    vec4 u_irradiance[9];
    // x, y: cosine and sine of the environment's rotation, z: the intensity, w: the index of the last level.
    vec4 u_environment;
    // xyz: the direction towards the key light, w: the normal offset of lookups in its shadow map.
    vec4 u_key_direction;
    // rgb: the intensity over π, a: the darkness of its shadow.
    vec4 u_key_color;
    // From world space to the shadow map: 0 … 1 across it, and in depth away from the light.
    mat4 u_shadow_from_world;
    // y: exposure, z: the tone mapping operator, w: the number of palette matrices that have rotations.
    vec4 u_output;
    // Radii of the penumbra relative to the map. x: per unit of depth between caster and receiver, y: the maximum,
    // z: the minimum. w: the scale of a normal in map coordinates for the slope of its plane.
    vec4 u_shadow;
};

vec3 towards_eye(vec3 world) {
    return normalize(u_eye.xyz - world * u_eye.w);
}
