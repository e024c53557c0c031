// Tone mapping and output encoding.
#include "frame.glsl"
#include "noise.glsl"

// Khronos PBR Neutral: preserves base colours, and compresses highlights towards white.
// https://github.com/KhronosGroup/ToneMapping/tree/main/PBR_Neutral
vec3 neutral(vec3 light) {
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

// AgX with its default look, by T. Sobotka; the curve is B. Wrensch's polynomial of sixth degree.
vec3 agx(vec3 light) {
    // To AgX's primaries via those of BT.2020, and back.
    const mat3 INSET = mat3(0.544812080, 0.140419345, 0.088817138, 0.373797444, 0.754107783, 0.178859755, 0.081380964, 0.105396747, 0.732315427);
    const mat3 OUTSET = mat3(
        1.1271005818, -0.1413297635, -0.1413297635,
        -0.1106066431, 1.1578237022, -0.1106066431,
        -0.0164939387, -0.0164939387, 1.2519364066);
    const mat3 SRGB_FROM_2020 = mat3(1.6605, -0.1246, -0.0182, -0.5876, 1.1329, -0.1006, -0.0728, -0.0083, 1.1187);
    const float LEAST = -12.47393;
    const float MOST = 4.026069;
    vec3 x = clamp((log2(max(INSET * light, 1e-10)) - LEAST) / (MOST - LEAST), 0.0, 1.0);
    vec3 x2 = x * x;
    vec3 x4 = x2 * x2;
    x = 15.5 * x4 * x2 - 40.14 * x4 * x + 31.96 * x4 - 6.868 * x2 * x + 0.4298 * x2 + 0.1191 * x - 0.00232;
    return SRGB_FROM_2020 * pow(max(OUTSET * x, 0.0), vec3(2.2));
}

// ACES: S. Hill's fit of its reference and output transforms, scaled to the mid-tones of the other operators.
vec3 aces(vec3 light) {
    const mat3 IN = mat3(0.59719, 0.07600, 0.02840, 0.35458, 0.90834, 0.13383, 0.04823, 0.01566, 0.83777);
    const mat3 OUT = mat3(1.60475, -0.10208, -0.00327, -0.53108, 1.10813, -0.07276, -0.07367, -0.00605, 1.07602);
    vec3 x = IN * (light / 0.6);
    return OUT * ((x * (x + 0.0245786) - 0.000090537) / (x * (0.983729 * x + 0.4329510) + 0.238081));
}

// Applies the exposure and the selected operator.
vec3 tone_map(vec3 light) {
    vec3 exposed = light * u_output.y;
    int curve = int(u_output.z);
    if (curve == 1) return neutral(exposed);
    if (curve == 2) return agx(exposed);
    return curve == 3 ? aces(exposed) : exposed;
}

// IEC 61966-2-1; the canvas does not encode.
vec3 srgb_from_linear(vec3 linear) {
    vec3 c = clamp(linear, 0.0, 1.0);
    vec3 low = 12.92 * c;
    vec3 high = 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055;
    return mix(high, low, lessThanEqual(c, vec3(0.0031308)));
}

// Encodes light of up to 4 in eight bits, as src/render/frame.rs does; alpha is multiplied afterwards.
vec3 backdrop_from_light(vec3 light) {
    return pow(clamp(light * 0.25, 0.0, 1.0), vec3(1.0 / 3.0));
}

vec3 light_from_backdrop(vec3 stored) {
    return 4.0 * stored * stored * stored;
}

// Dithers an encoded, premultiplied colour by up to half a step of eight bits, so that gradients have no
// banding.
vec4 dithered(vec4 color) {
    // Slightly less than half a step, so that exact values are unchanged.
    float part = 0.98 * (noise() - 0.5) / 255.0;
    float covered = color.a < 1.0 ? clamp(color.a + part, 0.0, 1.0) : 1.0;
    return vec4(clamp(color.rgb + part, 0.0, covered), covered);
}
