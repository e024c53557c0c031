// From light to pixels.

// Khronos PBR Neutral: base colours come out as they went in, highlights are compressed towards white.
// https://github.com/KhronosGroup/ToneMapping/tree/main/PBR_Neutral
vec3 tone_map(vec3 light) {
    const float START = 0.8 - 0.04;
    const float DESATURATION = 0.15;
    float darkest = min(light.r, min(light.g, light.b));
    float offset = darkest < 0.08 ? darkest - 6.25 * darkest * darkest : 0.04;
    vec3 color = light - offset;
    float peak = max(color.r, max(color.g, color.b));
    if (peak < START) {
        return color;
    }
    const float SPAN = 1.0 - START;
    float compressed = 1.0 - SPAN * SPAN / (peak + SPAN - START);
    color *= compressed / peak;
    float whiten = 1.0 - 1.0 / (DESATURATION * (peak - compressed) + 1.0);
    return mix(color, vec3(compressed), whiten);
}

// IEC 61966-2-1; the canvas does not encode by itself.
vec3 srgb_from_linear(vec3 linear) {
    vec3 c = clamp(linear, 0.0, 1.0);
    vec3 low = 12.92 * c;
    vec3 high = 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055;
    return mix(high, low, lessThanEqual(c, vec3(0.0031308)));
}

// Light in the eight bits of a canvas, up to 4, as src/render/frame.rs has it too; alpha multiplied in before.
vec3 backdrop_from_light(vec3 light) {
    return pow(clamp(light * 0.25, 0.0, 1.0), vec3(1.0 / 3.0));
}

vec3 light_from_backdrop(vec3 stored) {
    return 4.0 * stored * stored * stored;
}
