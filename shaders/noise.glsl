// Interleaved gradient noise (J. Jimenez, 2014): 0 … 1 per pixel, evenly distributed in each small neighbourhood.
float noise() {
    return fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
}
