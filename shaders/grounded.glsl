// The ground-projected environment: its lower half is on the ground, as seen from the height of the camera that took it.

// `ground`: xyz: the centre, w: the radius of the dome, which has the other part of the environment.
vec3 grounded(vec3 eye, vec3 direction, vec4 ground, float height) {
    vec3 from = eye - ground.xyz;
    float b = dot(from, direction);
    float far = sqrt(max(b * b - dot(from, from) + ground.w * ground.w, 0.0)) - b;
    // From below the ground, only the dome is visible.
    if (direction.y < 0.0 && from.y > 0.0) far = min(far, -from.y / direction.y);
    return normalize(from + far * direction - vec3(0.0, height, 0.0));
}
