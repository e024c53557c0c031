// The environment as a place to stand in: its lower half lies on the ground, seen from the height it was taken at.

// `ground`: xyz: its middle, w: the radius of the sphere above it, on which the rest is.
vec3 grounded(vec3 eye, vec3 direction, vec4 ground, float height) {
    vec3 from = eye - ground.xyz;
    float b = dot(from, direction);
    float far = sqrt(max(b * b - dot(from, from) + ground.w * ground.w, 0.0)) - b;
    // From below the ground there is the sphere alone.
    if (direction.y < 0.0 && from.y > 0.0) far = min(far, -from.y / direction.y);
    return normalize(from + far * direction - vec3(0.0, height, 0.0));
}
