// A rectangle on the ground for the shadow.
#include "frame.glsl"

// [0]: minimum x and z, maximum x and z; [1]: x: the height, y: the darkness of contact shadows;
// [2]: xy: x and z of a corner of the contact map, zw: the reciprocals of its size.
uniform vec4 u_parameters[3];

out vec3 v_position;

void main() {
    vec4 ends = u_parameters[0];
    vec2 place = vec2((gl_VertexID & 1) == 0 ? ends.x : ends.z, gl_VertexID < 2 ? ends.w : ends.y);
    v_position = vec3(place.x, u_parameters[1].x, place.y);
    gl_Position = u_clip_from_world * vec4(v_position, 1.0);
}
