//! Exact numbers: fractions of integers, compared without a product that could be too large.

use std::cmp::Ordering;

/// A fraction in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ratio {
    numerator: i128,
    /// Above 0.
    denominator: i128,
}

impl Ratio {
    /// The fraction; `None` when the denominator is not above 0.
    #[must_use]
    pub fn new(numerator: i128, denominator: i128) -> Option<Self> {
        if denominator <= 0 {
            return None;
        }
        let common = common_divisor(numerator.unsigned_abs(), denominator.unsigned_abs());
        let common = i128::try_from(common).unwrap_or(1);
        Some(Self { numerator: numerator / common, denominator: denominator / common })
    }

    /// A whole number.
    #[must_use]
    pub const fn whole(number: i128) -> Self {
        Self { numerator: number, denominator: 1 }
    }

    /// A hundredth of it. Only for what was typed, of which the denominator has at most 33 digits.
    pub(super) fn hundredth(self) -> Self {
        Self::new(self.numerator, self.denominator.saturating_mul(100)).unwrap_or(self)
    }
}

/// By Euclid: the whole parts are compared first, then what is left of both, upside down. A product of both numerators
/// and denominators could be too large.
impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> Ordering {
        let (mut one, mut two) = ((self.numerator, self.denominator), (other.numerator, other.denominator));
        loop {
            let by_whole = one.0.div_euclid(one.1).cmp(&two.0.div_euclid(two.1));
            let (left, right) = (one.0.rem_euclid(one.1), two.0.rem_euclid(two.1));
            if by_whole != Ordering::Equal {
                return by_whole;
            }
            if left == 0 || right == 0 {
                return left.cmp(&right);
            }
            // The fraction with the greater reciprocal is the smaller one, so they change sides.
            (one, two) = ((two.1, right), (one.1, left));
        }
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn common_divisor(mut one: u128, mut other: u128) -> u128 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one.max(1)
}

/// The power of ten; `None` when it is too large.
pub(super) fn ten_to(places: usize) -> Option<i128> {
    10_i128.checked_pow(u32::try_from(places).ok()?)
}

/// The digits of a decimal as a whole number, and how many of them are decimals.
fn digits_of(decimal: &str) -> Option<(i128, usize)> {
    let (whole, decimals) = decimal.split_once('.').unwrap_or((decimal, ""));
    let digits = format!("{whole}{decimals}");
    let are_digits = digits.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit());
    are_digits.then(|| digits.parse().ok()).flatten().map(|digits| (digits, decimals.len()))
}

/// The value of a decimal with a point.
pub(super) fn decimal_value(decimal: &str) -> Option<Ratio> {
    let (digits, places) = digits_of(decimal)?;
    Ratio::new(digits, ten_to(places)?)
}

/// The number less and more the tolerance, both decimals with a point.
pub(super) fn bounds(number: &str, tolerance: &str) -> Option<(Ratio, Ratio)> {
    let ((number, number_places), (tolerance, tolerance_places)) = (digits_of(number)?, digits_of(tolerance)?);
    let places = number_places.max(tolerance_places);
    let number = number.checked_mul(ten_to(places - number_places)?)?;
    let tolerance = tolerance.checked_mul(ten_to(places - tolerance_places)?)?;
    let denominator = ten_to(places)?;
    let low = Ratio::new(number.checked_sub(tolerance)?, denominator)?;
    Some((low, Ratio::new(number.checked_add(tolerance)?, denominator)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ratio(numerator: i128, denominator: i128) -> Ratio {
        Ratio::new(numerator, denominator).unwrap()
    }

    #[test]
    fn equal_fractions_are_one() {
        assert_eq!(ratio(2, 4), ratio(1, 2));
        assert_eq!(ratio(-6, 3), Ratio::whole(-2));
        assert_eq!(ratio(0, 7), Ratio::whole(0));
        assert_eq!((Ratio::new(1, 0), Ratio::new(1, -2)), (None, None));
        assert_eq!(decimal_value("-0.50"), Some(ratio(-1, 2)));
        for text in ["", "-", ".", "1.2.3", "1e3", "+1", "0.-5", "--1"] {
            assert_eq!(decimal_value(text), None, "{text}");
        }
    }

    #[test]
    fn bounds_are_exact() {
        assert_eq!(bounds("0.5", "0.05"), Some((ratio(45, 100), ratio(55, 100))));
        assert_eq!(bounds("-1", "0"), Some((Ratio::whole(-1), Ratio::whole(-1))));
        let longest = format!("{0}.{0}", "9".repeat(18));
        let (low, high) = bounds(&longest, &longest).unwrap();
        assert!(low == Ratio::whole(0) && high > decimal_value(&longest).unwrap());
    }

    #[test]
    fn large_fractions_that_differ_little_are_told_apart() {
        let large = 10_i128.pow(32);
        assert!(ratio(large - 1, large) < ratio(large, large + 1));
        assert!(ratio(1 - large, large) > ratio(-large, large + 1));
        assert!(ratio(large, 3) > ratio(large - 1, 3));
    }

    proptest! {
        #[test]
        fn small_fractions_are_ordered_as_by_their_products(
            (a, b, c, d) in (-50_i128..50, 1_i128..50, -50_i128..50, 1_i128..50),
        ) {
            prop_assert_eq!(ratio(a, b).cmp(&ratio(c, d)), (a * d).cmp(&(c * b)));
            prop_assert_eq!(ratio(a, b) == ratio(c, d), a * d == c * b);
        }
    }
}
