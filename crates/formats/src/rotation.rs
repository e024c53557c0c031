//! Rotation keys.

use glam::DQuat;

/// Rotation keys as rows of X, Y, Z, W, with unit length. Each is in the hemisphere of the key before it, so linear
/// interpolation takes the short way.
pub(crate) fn continuous(keys: impl IntoIterator<Item = DQuat>) -> Vec<f32> {
    let mut last = DQuat::IDENTITY;
    let mut values = Vec::new();
    for key in keys {
        let key = key.normalize();
        last = if last.dot(key) < 0.0 { -key } else { key };
        values.extend(last.to_array().map(|value| value as f32));
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotation_keys_are_continuous_and_normalized() {
        let turn = |degrees: f64| DQuat::from_rotation_y(degrees.to_radians());
        let values = continuous([turn(170.0), -turn(190.0) * 3.0, turn(350.0), turn(370.0)]);
        let keys = values.as_chunks::<4>().0;
        assert_eq!(keys.len(), 4);
        for pair in keys.windows(2) {
            assert!(pair[0].iter().zip(pair[1]).map(|(a, b)| a * b).sum::<f32>() > 0.0, "{pair:?}");
        }
        for key in keys {
            assert!((key.iter().map(|value| value * value).sum::<f32>() - 1.0).abs() < 1e-6);
        }
    }
}
