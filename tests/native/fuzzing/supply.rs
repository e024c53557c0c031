//! Numbers from arbitrary bytes.

/// A source of numbers from bytes; zeros when they are used up.
pub(crate) struct Supply<'a>(pub(crate) &'a [u8]);

impl Supply<'_> {
    pub(crate) fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::from(self.byte()) % end
    }

    pub(crate) fn word(&mut self) -> u32 {
        u32::from_le_bytes([self.byte(), self.byte(), self.byte(), self.byte()])
    }

    /// Mostly plain numbers, sometimes arbitrary bits.
    pub(crate) fn float(&mut self) -> f32 {
        match self.byte() {
            kind @ 0..=199 => (f32::from(kind) - 100.0) / 16.0,
            200..=219 => f32::from(self.byte().cast_signed()) * 1e9,
            _ => f32::from_bits(self.word()),
        }
    }

    pub(crate) fn floats(&mut self, count: usize) -> Vec<f32> {
        (0..count).map(|_| self.float()).collect()
    }

    /// Finite numbers, as JSON requires.
    pub(crate) fn finite(&mut self, count: usize) -> Vec<f32> {
        self.floats(count).into_iter().map(|value| if value.is_finite() { value } else { 1.0 }).collect()
    }

    pub(crate) fn double(&mut self) -> f64 {
        match self.byte() {
            kind @ 0..=99 => f64::from(kind) / 32.0 - 0.5,
            _ => f64::from_bits(u64::from(self.word()) << 32 | u64::from(self.word())),
        }
    }
}
