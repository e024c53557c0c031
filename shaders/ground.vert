// The ground for the shadow: a rectangle, or the triangles of an uneven ground (UNEVEN).
#include "frame.glsl"

// [0]: minimum x and z, maximum x and z; [1]: x: the height, or the depth below the points, y: the darkness of contact
// shadows, z: 1 to draw only the depth;
// [2]: xy: x and z of a corner of the contact map, zw: the reciprocals of its size.
uniform vec4 u_parameters[3];

out vec3 v_position;

#ifdef UNEVEN
// 65 × 65 points, 1024 per row. xyz: the place, w: 1, or 0 for a hole.
uniform highp sampler2D u_palette;
flat out vec3 v_normal;

vec4 point(ivec2 at) {
    int i = 65 * at.y + at.x;
    return texelFetch(u_palette, ivec2(i & 1023, i >> 10), 0);
}

void main() {
    const ivec2 CORNERS[6] = ivec2[6](ivec2(0, 0), ivec2(0, 1), ivec2(1, 0), ivec2(1, 0), ivec2(0, 1), ivec2(1, 1));
    int cell = gl_VertexID / 6;
    int corner = gl_VertexID % 6;
    int first = corner < 3 ? 0 : 3;
    ivec2 at = ivec2(cell & 63, cell >> 6);
    vec4 a = point(at + CORNERS[first]);
    vec4 b = point(at + CORNERS[first + 1]);
    vec4 c = point(at + CORNERS[first + 2]);
    v_normal = cross(b.xyz - a.xyz, c.xyz - a.xyz);
    v_position = point(at + CORNERS[corner]).xyz - vec3(0.0, u_parameters[1].x, 0.0);
    // A triangle at a hole is outside the picture.
    bool exists = a.w * b.w * c.w > 0.0;
    gl_Position = exists ? u_clip_from_world * vec4(v_position, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}
#else
void main() {
    vec4 ends = u_parameters[0];
    vec2 place = vec2((gl_VertexID & 1) == 0 ? ends.x : ends.z, gl_VertexID < 2 ? ends.w : ends.y);
    v_position = vec3(place.x, u_parameters[1].x, place.y);
    gl_Position = u_clip_from_world * vec4(v_position, 1.0);
}
#endif
