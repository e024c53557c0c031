// Directions around a normal, as a microfacet surface prefers them.

const float TWO_PI = 6.28318531;

// The i-th of `count` points that fill the unit square evenly (Hammersley).
vec2 spread(uint i, uint count) {
    uint bits = (i << 16) | (i >> 16);
    bits = ((bits & 0x55555555u) << 1) | ((bits & 0xAAAAAAAAu) >> 1);
    bits = ((bits & 0x33333333u) << 2) | ((bits & 0xCCCCCCCCu) >> 2);
    bits = ((bits & 0x0F0F0F0Fu) << 4) | ((bits & 0xF0F0F0F0u) >> 4);
    bits = ((bits & 0x00FF00FFu) << 8) | ((bits & 0xFF00FF00u) >> 8);
    return vec2((float(i) + 0.5) / float(count), float(bits) * 2.3283064e-10);
}

// The half vector of a point of the square, around Z; its density is D(h) (n·h), with D of Trowbridge and Reitz.
vec3 half_vector(vec2 at, float alpha) {
    float cosine2 = (1.0 - at.y) / (1.0 + (alpha * alpha - 1.0) * at.y);
    float sine = sqrt(1.0 - cosine2);
    return vec3(sine * cos(TWO_PI * at.x), sine * sin(TWO_PI * at.x), sqrt(cosine2));
}
