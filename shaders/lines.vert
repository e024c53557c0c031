// Lines of constant width in pixels: two triangles each.
#include "frame.glsl"

// Two texels per line, 1024 per row. xyz: an end point; w of the first: the `LineKind`.
uniform sampler2D u_source;
// [0]: x: the first line, y: half the width in pixels, zw: the size of the picture in pixels.
uniform vec4 u_parameters[1];

flat out vec3 v_color;

void main() {
    const vec3 INKS[8] = vec3[8](
        // Bones, bounds of actors, bounds of joints, spheres, normals, tangents, grid, marks.
        vec3(1.0, 0.55, 0.1), vec3(0.95, 0.2, 0.45), vec3(0.62, 0.45, 1.0), vec3(0.2, 0.75, 0.55), vec3(0.3, 0.5, 1.0),
        vec3(1.0, 0.35, 0.3), vec3(0.5), vec3(1.0));
    const int CORNERS[6] = int[6](0, 1, 2, 2, 1, 3);
    int texel = 2 * (gl_VertexID / 6 + int(u_parameters[0].x));
    int corner = CORNERS[gl_VertexID % 6];
    ivec2 at = ivec2(texel & 1023, texel >> 10);
    vec4 from = texelFetch(u_source, at, 0);
    vec4 to = texelFetch(u_source, at + ivec2(1, 0), 0);
    v_color = INKS[int(from.w)];

    vec4 a = u_clip_from_world * vec4(from.xyz, 1.0);
    vec4 b = u_clip_from_world * vec4(to.xyz, 1.0);
    // Clips the line at the near plane, in front of which points have no position on the screen.
    float near_a = a.z + a.w;
    float near_b = b.z + b.w;
    if (near_a < 0.0 && near_b < 0.0) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
        return;
    }
    if (near_a < 0.0) {
        a = mix(a, b, near_a / (near_a - near_b));
    } else if (near_b < 0.0) {
        b = mix(b, a, near_b / (near_b - near_a));
    }
    vec2 pixels = 0.5 * u_parameters[0].zw;
    vec2 along = (b.xy / b.w - a.xy / a.w) * pixels;
    float length2 = dot(along, along);
    along = length2 > 0.0 ? along * inversesqrt(length2) : vec2(1.0, 0.0);
    vec4 end = (corner & 1) == 0 ? a : b;
    vec2 aside = vec2(-along.y, along.x) * ((corner & 2) == 0 ? -1.0 : 1.0);
    end.xy += aside * u_parameters[0].y / pixels * end.w;
    gl_Position = end;
}
