// Differs from pixel to pixel, evenly over each small neighbourhood: 0 … 1 (interleaved gradient noise, J. Jimenez, 2014).
float noise() {
    return fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
}
