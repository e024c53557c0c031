//! Whole numbers as text. The formatting of std is some kilobytes, which only words about faults need: it lies in the second
//! module, see `xtask/rare.txt`.

/// A number in decimal digits.
pub(crate) fn digits(number: usize) -> String {
    let mut text = if number < 10 { String::new() } else { digits(number / 10) };
    text.push(char::from(b'0' + (number % 10) as u8));
    text
}

#[cfg(test)]
mod tests {
    use super::digits;

    #[test]
    fn they_are_those_of_std() {
        for number in (0..2000).chain([usize::MAX, usize::MAX / 10]) {
            assert_eq!(digits(number), number.to_string());
        }
    }
}
