// A triangle that covers the whole render target.
out vec2 v_at;

void main() {
    v_at = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    // At the far plane.
    gl_Position = vec4(v_at, 1.0, 1.0);
}
