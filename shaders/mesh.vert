// The vertex shader of meshes: morph targets, placement by one or several palette entries, projection.
#include "frame.glsl"
#include "palette.glsl"
#include "placement.glsl"
#include "morph.glsl"
#include "vector.glsl"
#include "weight.glsl"

layout(location = 0) in vec3 a_position;
#ifdef HAS_NORMALS
layout(location = 1) in vec3 a_normal;
out vec3 v_normal;
#endif
#ifdef HAS_TANGENTS
layout(location = 2) in vec4 a_tangent;
out vec4 v_tangent;
#endif
#ifdef HAS_COLORS
layout(location = 3) in vec4 a_color;
out vec4 v_color;
#endif
#ifdef HAS_UV0
layout(location = 4) in vec2 a_uv0;
out vec2 v_uv0;
#endif
#ifdef HAS_UV1
layout(location = 5) in vec2 a_uv1;
out vec2 v_uv1;
#endif
// The locations are shared with the fifth set of joints.
#ifdef HAS_UV2
layout(location = 14) in vec2 a_uv2;
out vec2 v_uv2;
#endif
#ifdef HAS_UV3
layout(location = 15) in vec2 a_uv3;
out vec2 v_uv3;
#endif
#ifdef VOLUME
// The scale from the mesh to world space, for thicknesses.
out float v_scale;
#endif
#ifdef DEBUG
out float v_weight;
#endif
out vec3 v_position;

void main() {
    vec3 position = a_position;
    vec3 normal = vec3(0.0);
    vec3 tangent = vec3(0.0);
#ifdef HAS_NORMALS
    normal = a_normal;
#endif
#ifdef HAS_TANGENTS
    tangent = a_tangent.xyz;
#endif
#ifdef HAS_COLORS
    v_color = a_color;
#endif
#ifdef HAS_UV0
    v_uv0 = a_uv0;
#endif
#ifdef HAS_UV1
    v_uv1 = a_uv1;
#endif
#ifdef HAS_UV2
    v_uv2 = a_uv2;
#endif
#ifdef HAS_UV3
    v_uv3 = a_uv3;
#endif
#ifdef MORPH
    Morphed vertex = Morphed(position, normal, tangent, vec2(0.0), vec2(0.0), vec4(0.0));
    morph(vertex);
    position = vertex.position;
    normal = vertex.normal;
    tangent = vertex.tangent;
#ifdef MORPH_UV0
    v_uv0 += vertex.uv0;
#endif
#ifdef MORPH_UV1
    v_uv1 += vertex.uv1;
#endif
#ifdef MORPH_COLOR
    v_color = clamp(v_color + vertex.color, 0.0, 1.0);
#endif
#endif

    mat3x4 m = world_from_mesh(position);
    vec3 world = vec4(position, 1.0) * m;

#ifdef HAS_NORMALS
    // The rows, scaled near 1 so that their products neither overflow nor underflow.
    vec3 x = m[0].xyz;
    vec3 y = m[1].xyz;
    vec3 z = m[2].xyz;
    vec3 largest = max(max(abs(x), abs(y)), abs(z));
    float size = max(max(largest.x, largest.y), largest.z);
    float scale = size > 0.0 ? 1.0 / size : 0.0;
    x *= scale;
    y *= scale;
    z *= scale;
    // Normals transform with the cofactor matrix, which unlike the inverse exists for every matrix.
    // It flips normals if the matrix mirrors.
    mat3 cofactor = mat3(cross(y, z), cross(z, x), cross(x, y));
    float side = dot(x, cofactor[0]) < 0.0 ? -1.0 : 1.0;
    v_normal = direction(normal * cofactor) * side;
#ifdef HAS_TANGENTS
    v_tangent = vec4(direction(vec4(tangent, 0.0) * m), a_tangent.w * side);
#endif
#endif

#ifdef VOLUME
#ifdef HAS_NORMALS
    v_scale = length(vec4(direction(normal), 0.0) * m);
#else
    v_scale = pow(abs(dot(m[0].xyz, cross(m[1].xyz, m[2].xyz))), 1.0 / 3.0);
#endif
#endif
    v_position = world;
    gl_Position = u_clip_from_world * vec4(world, 1.0);
#ifdef DEBUG
    v_weight = weight();
    gl_Position.z -= 4e-4 * float(u_debug.w) * gl_Position.w;
#endif
    gl_PointSize = u_raster.x;
#ifdef CROWD
    in_crowd(m);
#endif
}
