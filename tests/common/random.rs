//! Numbers that look random and are the same each time.

pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// `-1.0..=1.0`.
    pub(crate) fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 40) as f32 / (1 << 23) as f32 - 1.0
    }
}
