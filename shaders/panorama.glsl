// The environment as it came: an equirectangular picture.
uniform sampler2D u_panorama;

vec3 panorama(vec3 direction) {
    vec2 at = vec2(atan(direction.z, direction.x) * 0.159154943 + 0.5, acos(clamp(direction.y, -1.0, 1.0)) * 0.318309886);
    return textureLod(u_panorama, at, 0.0).rgb;
}
