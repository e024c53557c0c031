//! SIMD with four f32 lanes and the same bits everywhere.
//!
//! It has only operations that IEEE 754 rounds exactly once: no fused multiply-add, no estimates. So SSE2,
//! WebAssembly SIMD and the plain array give identical results, in every browser. The `unsafe` code is
//! intrinsics and views of lanes as floats.

use std::ops::{Add, Div, Mul, Sub};

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod lanes {
    pub(super) use std::arch::wasm32::{
        f32x4, f32x4_add as add, f32x4_div as div, f32x4_gt as gt, f32x4_mul as mul, f32x4_pmax,
        f32x4_splat as splat, f32x4_sqrt as sqrt, f32x4_sub as sub, i32x4_bitmask as signs, i32x4_shuffle,
        u32x4, v128 as Lanes, v128_and as and, v128_bitselect, v128_xor as xor,
    };

    #[inline(always)]
    pub(super) fn new(lanes: [f32; 4]) -> Lanes {
        f32x4(lanes[0], lanes[1], lanes[2], lanes[3])
    }

    /// Same as SSE: the second operand if either is NaN.
    #[inline(always)]
    pub(super) fn max(a: Lanes, b: Lanes) -> Lanes {
        f32x4_pmax(b, a)
    }

    #[inline(always)]
    pub(super) fn bits(lanes: [u32; 4]) -> Lanes {
        u32x4(lanes[0], lanes[1], lanes[2], lanes[3])
    }

    #[inline(always)]
    pub(super) fn select(mask: Lanes, on: Lanes, off: Lanes) -> Lanes {
        v128_bitselect(on, off, mask)
    }

    #[inline(always)]
    pub(super) fn spread<const LANE: usize>(v: Lanes) -> Lanes {
        match LANE {
            0 => i32x4_shuffle::<0, 0, 0, 0>(v, v),
            1 => i32x4_shuffle::<1, 1, 1, 1>(v, v),
            2 => i32x4_shuffle::<2, 2, 2, 2>(v, v),
            _ => i32x4_shuffle::<3, 3, 3, 3>(v, v),
        }
    }

    #[inline(always)]
    pub(super) fn cycled(v: Lanes) -> Lanes {
        i32x4_shuffle::<1, 2, 0, 3>(v, v)
    }

    /// One instruction; a selection takes three.
    #[inline(always)]
    pub(super) fn last_of(v: Lanes, others: Lanes) -> Lanes {
        i32x4_shuffle::<4, 5, 6, 3>(v, others)
    }

    #[inline(always)]
    pub(super) fn transpose([a, b, c, d]: [Lanes; 4]) -> [Lanes; 4] {
        let ab_low = i32x4_shuffle::<0, 4, 1, 5>(a, b);
        let ab_high = i32x4_shuffle::<2, 6, 3, 7>(a, b);
        let cd_low = i32x4_shuffle::<0, 4, 1, 5>(c, d);
        let cd_high = i32x4_shuffle::<2, 6, 3, 7>(c, d);
        [
            i32x4_shuffle::<0, 1, 4, 5>(ab_low, cd_low),
            i32x4_shuffle::<2, 3, 6, 7>(ab_low, cd_low),
            i32x4_shuffle::<0, 1, 4, 5>(ab_high, cd_high),
            i32x4_shuffle::<2, 3, 6, 7>(ab_high, cd_high),
        ]
    }
}

// Miri uses the plain array, because it supports few intrinsics.
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod lanes {
    use std::arch::x86_64 as sse;
    pub(super) use std::arch::x86_64::__m128 as Lanes;

    macro_rules! sse {
        ($(fn $name:ident($($arg:ident: $type:ty),*) -> $result:ty { $value:expr })*) => {$(
            #[inline(always)]
            pub(super) fn $name($($arg: $type),*) -> $result {
                // SAFETY: these intrinsics require only SSE2, which every x86-64 has.
                unsafe { $value }
            }
        )*};
    }

    sse! {
        fn add(a: Lanes, b: Lanes) -> Lanes { sse::_mm_add_ps(a, b) }
        fn sub(a: Lanes, b: Lanes) -> Lanes { sse::_mm_sub_ps(a, b) }
        fn mul(a: Lanes, b: Lanes) -> Lanes { sse::_mm_mul_ps(a, b) }
        fn div(a: Lanes, b: Lanes) -> Lanes { sse::_mm_div_ps(a, b) }
        fn max(a: Lanes, b: Lanes) -> Lanes { sse::_mm_max_ps(a, b) }
        fn gt(a: Lanes, b: Lanes) -> Lanes { sse::_mm_cmpgt_ps(a, b) }
        fn and(a: Lanes, b: Lanes) -> Lanes { sse::_mm_and_ps(a, b) }
        fn xor(a: Lanes, b: Lanes) -> Lanes { sse::_mm_xor_ps(a, b) }
        fn sqrt(v: Lanes) -> Lanes { sse::_mm_sqrt_ps(v) }
        fn splat(value: f32) -> Lanes { sse::_mm_set1_ps(value) }
        fn new(lanes: [f32; 4]) -> Lanes { sse::_mm_setr_ps(lanes[0], lanes[1], lanes[2], lanes[3]) }
        fn bits(lanes: [u32; 4]) -> Lanes {{
            let [a, b, c, d] = lanes;
            let four = sse::_mm_setr_epi32(a.cast_signed(), b.cast_signed(), c.cast_signed(), d.cast_signed());
            sse::_mm_castsi128_ps(four)
        }}
        fn select(mask: Lanes, on: Lanes, off: Lanes) -> Lanes {
            sse::_mm_or_ps(sse::_mm_and_ps(mask, on), sse::_mm_andnot_ps(mask, off))
        }
        fn signs(v: Lanes) -> u8 { sse::_mm_movemask_ps(v) as u8 }
        fn spread_0(v: Lanes) -> Lanes { sse::_mm_shuffle_ps::<0b00_00_00_00>(v, v) }
        fn spread_1(v: Lanes) -> Lanes { sse::_mm_shuffle_ps::<0b01_01_01_01>(v, v) }
        fn spread_2(v: Lanes) -> Lanes { sse::_mm_shuffle_ps::<0b10_10_10_10>(v, v) }
        fn spread_3(v: Lanes) -> Lanes { sse::_mm_shuffle_ps::<0b11_11_11_11>(v, v) }
        fn cycled(v: Lanes) -> Lanes { sse::_mm_shuffle_ps::<0b11_00_10_01>(v, v) }
        fn transpose(rows: [Lanes; 4]) -> [Lanes; 4] {{
            let [a, b, c, d] = rows;
            let (ab_low, ab_high) = (sse::_mm_unpacklo_ps(a, b), sse::_mm_unpackhi_ps(a, b));
            let (cd_low, cd_high) = (sse::_mm_unpacklo_ps(c, d), sse::_mm_unpackhi_ps(c, d));
            [
                sse::_mm_movelh_ps(ab_low, cd_low),
                sse::_mm_movehl_ps(cd_low, ab_low),
                sse::_mm_movelh_ps(ab_high, cd_high),
                sse::_mm_movehl_ps(cd_high, ab_high),
            ]
        }}
    }

    #[inline(always)]
    pub(super) fn last_of(v: Lanes, others: Lanes) -> Lanes {
        select(bits([0, 0, 0, u32::MAX]), v, others)
    }

    #[inline(always)]
    pub(super) fn spread<const LANE: usize>(v: Lanes) -> Lanes {
        match LANE {
            0 => spread_0(v),
            1 => spread_1(v),
            2 => spread_2(v),
            _ => spread_3(v),
        }
    }
}

#[cfg(not(any(
    all(target_arch = "x86_64", not(miri)),
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
mod lanes {
    #[derive(Clone, Copy)]
    #[repr(C, align(16))]
    pub(super) struct Lanes([f32; 4]);

    macro_rules! lanewise {
        ($($name:ident: |$a:ident, $b:ident| $value:expr;)*) => {$(
            #[inline(always)]
            pub(super) fn $name(a: Lanes, b: Lanes) -> Lanes {
                Lanes(std::array::from_fn(|i| {
                    let ($a, $b) = (a.0[i], b.0[i]);
                    $value
                }))
            }
        )*};
    }

    lanewise! {
        add: |a, b| a + b;
        sub: |a, b| a - b;
        mul: |a, b| a * b;
        div: |a, b| a / b;
        max: |a, b| if a > b { a } else { b };
        gt: |a, b| f32::from_bits(if a > b { u32::MAX } else { 0 });
        and: |a, b| f32::from_bits(a.to_bits() & b.to_bits());
        xor: |a, b| f32::from_bits(a.to_bits() ^ b.to_bits());
    }

    #[inline(always)]
    pub(super) fn signs(v: Lanes) -> u8 {
        v.0.iter().rev().fold(0, |bits, lane| bits << 1 | u8::from(lane.is_sign_negative()))
    }

    #[inline(always)]
    pub(super) fn sqrt(v: Lanes) -> Lanes {
        Lanes(v.0.map(f32::sqrt))
    }

    #[inline(always)]
    pub(super) fn new(lanes: [f32; 4]) -> Lanes {
        Lanes(lanes)
    }

    #[inline(always)]
    pub(super) fn bits(lanes: [u32; 4]) -> Lanes {
        Lanes(lanes.map(f32::from_bits))
    }

    #[inline(always)]
    pub(super) fn splat(value: f32) -> Lanes {
        Lanes([value; 4])
    }

    #[inline(always)]
    pub(super) fn select(mask: Lanes, on: Lanes, off: Lanes) -> Lanes {
        Lanes(std::array::from_fn(|i| if mask.0[i].to_bits() == 0 { off.0[i] } else { on.0[i] }))
    }

    #[inline(always)]
    pub(super) fn spread<const LANE: usize>(v: Lanes) -> Lanes {
        Lanes([v.0[LANE]; 4])
    }

    #[inline(always)]
    pub(super) fn cycled(v: Lanes) -> Lanes {
        Lanes([v.0[1], v.0[2], v.0[0], v.0[3]])
    }

    #[inline(always)]
    pub(super) fn last_of(v: Lanes, others: Lanes) -> Lanes {
        Lanes([others.0[0], others.0[1], others.0[2], v.0[3]])
    }

    #[inline(always)]
    pub(super) fn transpose(rows: [Lanes; 4]) -> [Lanes; 4] {
        std::array::from_fn(|i| Lanes(std::array::from_fn(|j| rows[j].0[i])))
    }
}

/// Four f32 lanes.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct F32x4(lanes::Lanes);

impl F32x4 {
    /// All lanes 0.
    #[inline(always)]
    pub fn zero() -> Self {
        Self::splat(0.0)
    }

    /// The lanes, first to last.
    #[inline(always)]
    pub fn new(lanes: [f32; 4]) -> Self {
        Self(lanes::new(lanes))
    }

    /// The same value in all lanes.
    #[inline(always)]
    pub fn splat(value: f32) -> Self {
        Self(lanes::splat(value))
    }

    /// The lanes, first to last.
    #[inline(always)]
    pub fn to_array(self) -> [f32; 4] {
        // SAFETY: both are 16 bytes of four f32, first lane first, and any bits are valid.
        unsafe { std::mem::transmute(self) }
    }

    /// Lane `LANE` in all lanes.
    #[inline(always)]
    pub fn spread<const LANE: usize>(self) -> Self {
        Self(lanes::spread::<LANE>(self.0))
    }

    /// Lane `LANE` in all lanes, loaded from memory.
    #[inline(always)]
    pub fn spread_as_read<const LANE: usize>(&self) -> Self {
        Self::splat(Self::as_floats(std::slice::from_ref(self))[LANE])
    }

    /// The maximum per lane; the second operand's lane if they are equal or either is NaN.
    #[inline(always)]
    pub fn max(self, other: Self) -> Self {
        Self(lanes::max(self.0, other.0))
    }

    /// The square root of each lane.
    #[inline(always)]
    pub fn sqrt(self) -> Self {
        Self(lanes::sqrt(self.0))
    }

    /// Negates the lanes in which `other` is negative.
    #[inline(always)]
    pub fn with_signs_of(self, other: Self) -> Self {
        let sign = lanes::and(other.0, lanes::splat(-0.0));
        Self(lanes::xor(self.0, sign))
    }

    /// The absolute value of each lane.
    #[inline(always)]
    pub fn abs(self) -> Self {
        self.with_signs_of(self)
    }

    /// The lanes that are greater than the other's; `false` where either is NaN.
    #[inline(always)]
    pub fn gt(self, other: Self) -> Mask4 {
        Mask4(Self(lanes::gt(self.0, other.0)))
    }

    /// Lane 3, and −0 in the others. Adding −0 does not change any number, not even the sign of a zero.
    #[inline(always)]
    pub fn only_last(self) -> Self {
        Self(lanes::last_of(self.0, lanes::splat(-0.0)))
    }

    /// The cross product of the first three lanes.
    #[inline(always)]
    pub fn cross(self, other: Self) -> Self {
        let (a, b) = (Self(lanes::cycled(self.0)), Self(lanes::cycled(other.0)));
        Self(lanes::cycled((self * b - a * other).0))
    }

    /// Transposes rows to columns.
    #[inline(always)]
    pub fn transpose(rows: [Self; 4]) -> [Self; 4] {
        let [a, b, c, d] = rows;
        let [a, b, c, d] = lanes::transpose([a.0, b.0, c.0, d.0]);
        [Self(a), Self(b), Self(c), Self(d)]
    }

    /// The floats of a slice of lanes, in order.
    #[inline]
    pub fn as_floats(lanes: &[Self]) -> &[f32] {
        // SAFETY: `F32x4` is 16 bytes of four f32 without padding; the length counts those floats.
        unsafe { std::slice::from_raw_parts(lanes.as_ptr().cast(), lanes.len() * 4) }
    }

    /// The floats of a slice of lanes, in order.
    #[inline]
    pub fn as_floats_mut(lanes: &mut [Self]) -> &mut [f32] {
        // SAFETY: as in `as_floats`; the borrow is unique, and any bits are a valid `F32x4`.
        unsafe { std::slice::from_raw_parts_mut(lanes.as_mut_ptr().cast(), lanes.len() * 4) }
    }
}

impl Add for F32x4 {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(lanes::add(self.0, other.0))
    }
}

impl Sub for F32x4 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(lanes::sub(self.0, other.0))
    }
}

impl Mul for F32x4 {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(lanes::mul(self.0, other.0))
    }
}

impl Div for F32x4 {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        Self(lanes::div(self.0, other.0))
    }
}

impl Default for F32x4 {
    fn default() -> Self {
        Self::zero()
    }
}

impl PartialEq for F32x4 {
    fn eq(&self, other: &Self) -> bool {
        self.to_array() == other.to_array()
    }
}

impl std::fmt::Debug for F32x4 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.to_array().fmt(f)
    }
}

/// A mask of four lanes.
#[derive(Clone, Copy)]
pub struct Mask4(F32x4);

impl Mask4 {
    /// The mask of the lanes that are `true`.
    pub fn new(lanes: [bool; 4]) -> Self {
        Self(F32x4(lanes::bits(lanes.map(|on| if on { u32::MAX } else { 0 }))))
    }

    /// The mask of the bits that are 1, lane 0 lowest; bits above the fourth are ignored.
    #[inline(always)]
    pub fn of_bits(bits: u16) -> Self {
        let mask: *const [u32; 4] = &raw const LANES_OF_BITS.0[usize::from(bits & 15)];
        // SAFETY: 16 bytes of a static, aligned to 16; any bits are valid lanes.
        Self(F32x4(unsafe { mask.cast::<lanes::Lanes>().read() }))
    }

    /// The mask as bits, lane 0 lowest.
    #[inline(always)]
    pub fn to_bits(self) -> u8 {
        lanes::signs(self.0.0)
    }

    /// The value in lanes of the mask, 0 in the others.
    #[inline(always)]
    pub fn keep(self, value: F32x4) -> F32x4 {
        F32x4(lanes::and(self.0.0, value.0))
    }

    /// `on` in lanes of the mask, `off` in the others.
    #[inline(always)]
    pub fn select(self, on: F32x4, off: F32x4) -> F32x4 {
        F32x4(lanes::select(self.0.0, on.0, off.0))
    }
}

/// All 16 masks, each for a single load: from four numbers the compiler would assemble it lane by lane.
#[repr(C, align(16))]
struct Masks([[u32; 4]; 16]);

static LANES_OF_BITS: Masks = {
    let mut masks = [[0; 4]; 16];
    let mut i = 0;
    while i < 64 {
        if (i / 4) >> (i % 4) & 1 == 1 {
            masks[i / 4][i % 4] = u32::MAX;
        }
        i += 1;
    }
    Masks(masks)
};

impl std::fmt::Debug for Mask4 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.to_array().map(|lane| lane.to_bits() != 0).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_keep_their_order() {
        let v = F32x4::new([1.0, 2.0, 3.0, 4.0]);
        assert_eq!(v.to_array(), [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(v.spread::<2>().to_array(), [3.0; 4]);
        assert_eq!(v.only_last().to_array(), [0.0, 0.0, 0.0, 4.0]);
        assert_eq!(F32x4::as_floats(&[v, v * v]), [1.0, 2.0, 3.0, 4.0, 1.0, 4.0, 9.0, 16.0]);
        let mask = Mask4::new([true, false, false, true]);
        assert_eq!(mask.select(v, F32x4::zero()).to_array(), [1.0, 0.0, 0.0, 4.0]);
    }

    #[test]
    fn transpose_swaps_rows_and_columns() {
        let rows = std::array::from_fn(|r| F32x4::new(std::array::from_fn(|c| (10 * r + c) as f32)));
        let columns = F32x4::transpose(rows).map(F32x4::to_array);
        assert_eq!(columns, std::array::from_fn(|c| std::array::from_fn(|r| (10 * r + c) as f32)));
    }

    #[test]
    fn cross_products() {
        let [x, y] = [[1.0, 2.0, 3.0, 9.0], [-5.0, 7.0, 0.5, -4.0]].map(F32x4::new);
        assert_eq!(x.cross(y).to_array()[..3], [-20.0, -15.5, 17.0]);
    }

    #[test]
    fn masks_with_all_bits_are_not_seen_as_nan() {
        let nan = F32x4::splat(f32::NAN);
        let one = F32x4::splat(1.0);
        assert_eq!(Mask4::new([true; 4]).select(one, nan), one);
        assert_eq!(nan.max(one), one);
        assert_eq!(nan.gt(one).select(nan, one), one, "NaN is greater than nothing");
    }

    #[test]
    fn masks_of_bits_and_of_comparisons() {
        let v = F32x4::new([1.0, 4.0, 9.0, 0.25]);
        assert_eq!(v.sqrt().to_array(), [1.0, 2.0, 3.0, 0.5]);
        assert_eq!(v.gt(F32x4::splat(1.0)).select(v, F32x4::zero()).to_array(), [0.0, 4.0, 9.0, 0.0]);
        assert_eq!(Mask4::of_bits(5).keep(v).to_array(), [1.0, 0.0, 9.0, 0.0]);
        let signs = F32x4::new([-3.0, 0.0, 7.0, -0.0]);
        assert_eq!(v.with_signs_of(signs).to_array(), [-1.0, 4.0, 9.0, -0.25]);
        for bits in 0..16_u16 {
            let on = std::array::from_fn(|lane| bits >> lane & 1 == 1);
            let (got, want) = (Mask4::of_bits(bits | 0xFF0), Mask4::new(on));
            assert_eq!(format!("{got:?}"), format!("{want:?}"));
            assert_eq!(u16::from(want.to_bits()), bits);
        }
    }
}
