// A rectangle on the ground.
#include "frame.glsl"

// [0]: the least and the greatest x and z; [1]: x: the height, y: how dark, z: how dark where something touches the
// ground; [2]: x and z of a corner of what the contact map shows, and 1 over its size.
uniform vec4 u_parameters[3];

out vec3 v_position;

void main() {
    vec4 ends = u_parameters[0];
    vec2 place = vec2((gl_VertexID & 1) == 0 ? ends.x : ends.z, gl_VertexID < 2 ? ends.w : ends.y);
    v_position = vec3(place.x, u_parameters[1].x, place.y);
    gl_Position = u_clip_from_world * vec4(v_position, 1.0);
}
