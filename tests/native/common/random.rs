//! Pseudorandom numbers, the same in every run, for the tests of all crates. They include this file, so it depends on nothing.

/// A pseudorandom generator (SplitMix64) with a seed.
#[derive(Clone)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// The next 64 bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `0.0..1.0`.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// An f32 in `least..most`.
    pub(crate) fn float(&mut self, least: f32, most: f32) -> f32 {
        least + (most - least) * self.unit() as f32
    }

    /// A number in `-1.0..1.0`.
    pub(crate) fn signed(&mut self) -> f32 {
        self.float(-1.0, 1.0)
    }

    /// A number in `middle - spread..middle + spread`.
    pub(crate) fn around(&mut self, middle: f64, spread: f64) -> f32 {
        (middle + spread * (2.0 * self.unit() - 1.0)) as f32
    }

    /// `true` with the given probability.
    pub(crate) fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// A number in `0..count`.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }

    /// A point in the cube `-reach..reach`.
    pub(crate) fn point(&mut self, reach: f32) -> [f32; 3] {
        [(); 3].map(|()| self.float(-reach, reach))
    }

    /// A unit quaternion, X first, with an angle of at most `angle` radians.
    pub(crate) fn rotation(&mut self, angle: f32) -> [f32; 4] {
        let axis = loop {
            let [x, y, z] = self.point(1.0);
            let length = (x * x + y * y + z * z).sqrt();
            if (0.1..=1.0).contains(&length) {
                break [x / length, y / length, z / length];
            }
        };
        let (sine, cosine) = (0.5 * self.float(-angle, angle)).sin_cos();
        [axis[0] * sine, axis[1] * sine, axis[2] * sine, cosine]
    }

    /// Shuffles a list.
    pub(crate) fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            list.swap(i, self.below(i + 1));
        }
    }
}
