// Normalizes a vector of any length; zero stays zero, since NaN would spread.
vec3 direction(vec3 v) {
    float longest = max(max(abs(v.x), abs(v.y)), abs(v.z));
    return longest > 0.0 ? normalize(v / longest) : vec3(0.0);
}
