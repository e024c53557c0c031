// Normals of a fragment: from vertex normals or derivatives, and from normal maps.
#include "vector.glsl"

// The geometric normal, on the side of the eye.
vec3 face_normal() {
    // Normalized first: the product of the derivatives of a tiny model would underflow.
    vec3 n = direction(cross(direction(dFdx(v_position)), direction(dFdy(v_position))));
    // The face is edge-on, or too small for derivatives.
    return n == vec3(0.0) ? towards_eye(v_position) : n;
}

// The normal on the outside of the face; `side`: 1 for front faces, else -1.
vec3 mesh_normal(float side) {
#ifdef HAS_NORMALS
    vec3 n = direction(v_normal);
    return n == vec3(0.0) ? face_normal() * side : n;
#else
    return face_normal() * side;
#endif
}

// The tangent and the bitangent for the texture's red and green axes. The longer one is a unit vector, or both are zero.
mat2x3 tangents(vec3 n, float side, vec2 uv) {
#ifdef HAS_TANGENTS
    vec3 t = v_tangent.xyz - n * dot(n, v_tangent.xyz);
    vec3 b = cross(n, t) * v_tangent.w;
#else
    // Derived from screen-space derivatives of position and coordinates; the faced normal makes the two cross products a
    // right-handed frame with the screen. The green axis of normal maps points up, and glTF's V points down.
    vec3 faced = n * side;
    vec3 along_x = cross(dFdy(v_position), faced);
    vec3 along_y = cross(faced, dFdx(v_position));
    vec2 uv_x = dFdx(uv);
    vec2 uv_y = dFdy(uv);
    vec3 t = along_x * uv_x.x + along_y * uv_y.x;
    vec3 b = -(along_x * uv_x.y + along_y * uv_y.y);
#endif
    float longest = max(dot(t, t), dot(b, b));
    float scale = longest > 0.0 ? inversesqrt(longest) : 0.0;
    return mat2x3(t * scale, b * scale);
}

// The normal `n`, perturbed by a texel of a normal map.
vec3 bent(vec3 n, mat2x3 frame, vec3 texel, float scale) {
    vec3 mapped = texel * (255.0 / 127.0) - (128.0 / 127.0);
    vec3 sum = frame * (mapped.xy * scale) + n * mapped.z;
    float sum2 = dot(sum, sum);
    return frame == mat2x3(0.0) || sum2 == 0.0 ? n : sum * inversesqrt(sum2);
}
