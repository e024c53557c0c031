// What debug views ask of a draw.
#ifdef DEBUG
// x: what is shown (src/render/passes/debug.rs), y: the joint whose weights count, as the skin counts them, or -1, z: whether it
// is the one that a rigid mesh follows, w: whether these are wires, which lie a little in front of faces.
uniform ivec4 u_debug;
#endif
