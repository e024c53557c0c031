//! A hash for comparing poses between machines.

use crate::base::Affine;

/// A hash of all bits of a palette and of morph weights (64-bit FNV-1a): equal on every machine for the same
/// file, clip and time.
///
/// −0 differs from 0. All NaNs are equal, because WebAssembly does not define their bits. NaNs occur only
/// with files whose numbers overflow.
pub fn pose_hash(palette: &[Affine], weights: &[f32]) -> u64 {
    let mut hash = 0xCBF2_9CE4_8422_2325;
    for &value in Affine::as_floats(palette).iter().chain(weights) {
        let bits = if value.is_nan() { 0x7FC0_0000 } else { value.to_bits() };
        for byte in bits.to_le_bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pose_hash_depends_on_every_bit() {
        let mut palette = [Affine::identity(); 2];
        let same = pose_hash(&palette, &[0.0]);
        assert_eq!(same, pose_hash(&palette.clone(), &[0.0]));
        assert_ne!(same, pose_hash(&palette, &[-0.0]));
        assert_ne!(same, pose_hash(&palette, &[f32::from_bits(1)]));
        assert_ne!(same, pose_hash(&palette[..1], &[0.0]));
        palette[1] =
            Affine::default().mul(&Affine::from(glam::Mat4::from_scale(glam::Vec3::splat(1.000_000_1))));
        assert_ne!(same, pose_hash(&palette, &[0.0]));
        assert_eq!(pose_hash(&[], &[f32::NAN]), pose_hash(&[], &[-f32::NAN]));
    }
}
