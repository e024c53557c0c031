// The normal of a fragment, towards the eye, from normals or derivatives and from the normal map.
#include "vector.glsl"

// Perpendicular to the face and on the eye's side, whichever side that is.
vec3 face_normal() {
    // Unit vectors first: a product of the derivatives of a tiny model would vanish.
    vec3 n = direction(cross(direction(dFdx(v_position)), direction(dFdy(v_position))));
    // A face seen edge-on, or smaller than its derivatives can tell.
    return n == vec3(0.0) ? towards_eye(v_position) : n;
}

// `front`: whether the fragment is on the outside of its face.
vec3 shading_normal(bool front) {
    float side = front ? 1.0 : -1.0;
#ifdef HAS_NORMALS
    vec3 n = direction(v_normal);
    if (n == vec3(0.0)) {
        n = face_normal() * side;
    }
#else
    vec3 n = face_normal() * side;
#endif

#ifdef NORMAL_UV
    vec3 mapped = texture(u_normal_texture, NORMAL_UV).xyz * (255.0 / 127.0) - (128.0 / 127.0);
    mapped.xy *= u_surface.z;
#ifdef HAS_TANGENTS
    vec3 t = v_tangent.xyz - n * dot(n, v_tangent.xyz);
    vec3 b = cross(n, t) * v_tangent.w;
#else
    // Where the texture's axes lie on the surface, from how position and coordinates change over the screen;
    // the faced normal makes the two cross products a right-handed frame with the screen. A map's green axis
    // is up, and glTF's V goes down.
    vec3 faced = n * side;
    vec3 along_x = cross(dFdy(v_position), faced);
    vec3 along_y = cross(faced, dFdx(v_position));
    vec2 uv_x = dFdx(NORMAL_UV);
    vec2 uv_y = dFdy(NORMAL_UV);
    vec3 t = along_x * uv_x.x + along_y * uv_y.x;
    vec3 b = -(along_x * uv_x.y + along_y * uv_y.y);
#endif
    float longest = max(dot(t, t), dot(b, b));
    if (longest > 0.0) {
        vec3 bent = (t * mapped.x + b * mapped.y) * inversesqrt(longest) + n * mapped.z;
        float bent2 = dot(bent, bent);
        n = bent2 > 0.0 ? bent * inversesqrt(bent2) : n;
    }
#endif
    return n * side;
}
