// The parameters of debug views.
#ifdef DEBUG
// x: the channel (src/render/passes/debug.rs), y: the index of the chosen joint in the skin, or -1, z: 1 if a rigid mesh
// follows the chosen joint, w: 1 for wireframes, which are drawn slightly in front of faces.
uniform ivec4 u_debug;
#endif
