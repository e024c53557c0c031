//! Colours.

/// A component of a colour as displayed (sRGB), as linear light. Numbers outside 0 to 1 are clamped.
pub(crate) fn linear(value: f32) -> f32 {
    let value = f64::from(value.clamp(0.0, 1.0));
    // libm gives the same bits on every machine.
    let linear = if value <= 0.04045 { value / 12.92 } else { libm::pow((value + 0.055) / 1.055, 2.4) };
    linear as f32
}

#[cfg(test)]
mod tests {
    use super::linear;

    #[test]
    fn colors_follow_the_curve_of_srgb() {
        for (value, expected) in
            [(-1.0, 0.0), (0.0, 0.0), (0.04045, 0.003_130_8), (0.5, 0.214_041), (1.0, 1.0), (9.0, 1.0)]
        {
            assert!((linear(value) - expected).abs() < 1e-6, "{value}");
        }
    }
}
