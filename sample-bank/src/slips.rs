//! Numbers near the right one, as a slip in counting or in calculating gives them. They stand in where the mistakes of
//! a template are all smaller than the right number, or all larger.

use super::wording::{gcd, grouped};

/// Units in which a number that is near is none that anybody would give.
const WITHOUT_SLIPS: [&str; 2] = ["o'clock", "hour"];

/// A right option that is one number, taken apart.
struct Written<'a> {
    /// `x = `, or nothing.
    equals: &'static str,
    sign: &'static str,
    currency: &'static str,
    /// The digits with what belongs to them, such as `1,200`, `0.75` or `1 3/4`.
    number: &'a str,
    /// The unit with the space before it.
    unit: &'a str,
}

/// Options near a right one, the likelier ones first; none for what is not a number.
pub(super) fn slips(right: &str) -> Vec<String> {
    let Some(written) = taken_apart(right) else {
        return Vec::new();
    };
    let plain = written.number.replace(',', "");
    let numbers = match (plain.contains('/'), plain.split_once('.')) {
        (true, _) => near_fraction(&plain),
        (_, Some((whole, part))) => near_decimal(whole, part, !written.currency.is_empty()),
        _ => near_whole(&plain),
    };
    let is_counted = written.unit.starts_with(' ');
    let Written { equals, sign, currency, unit, .. } = written;
    let sensible = numbers.into_iter().filter(|number| !is_counted || number != "1");
    sensible.map(|number| format!("{equals}{sign}{currency}{number}{unit}")).collect()
}

fn taken_apart(right: &str) -> Option<Written<'_>> {
    let (equals, rest) = right.strip_prefix("x = ").map_or(("", right), |rest| ("x = ", rest));
    let (sign, rest) = rest.strip_prefix('−').map_or(("", rest), |rest| ("−", rest));
    let (currency, rest) = rest.strip_prefix('$').map_or(("", rest), |rest| ("$", rest));
    let is_of_number = |letter: char| letter.is_ascii_digit() || ",./ ".contains(letter);
    let (number, _) = rest.split_at(rest.find(|letter| !is_of_number(letter)).unwrap_or(rest.len()));
    let number = number.trim_end();
    let unit = rest.strip_prefix(number)?;
    let is_word = |letter: char| letter.is_alphabetic() || "² ³°".contains(letter);
    let is_unit = matches!(unit, "" | "°" | "%") || unit.starts_with([' ', 'π']) && unit.chars().all(is_word);
    let has_slips = !WITHOUT_SLIPS.iter().any(|word| unit.trim_start().starts_with(word));
    (!number.is_empty() && is_unit && has_slips).then_some(Written { equals, sign, currency, number, unit })
}

/// The number less and more by each of the steps, where that is above 0.
fn around(number: i64, steps: &[i64]) -> impl Iterator<Item = i64> {
    steps.iter().flat_map(move |step| [number - step, number + step]).filter(|near| *near > 0)
}

fn near_whole(plain: &str) -> Vec<String> {
    let Ok(number) = plain.parse::<i64>() else {
        return Vec::new();
    };
    let mut round = 1;
    while number % (10 * round) == 0 && 40 * round <= number {
        round *= 10;
    }
    let steps = match number {
        ..20 => [1, 2, 3, 4],
        20..100 => [1, 10, 2, 20],
        _ if round == 1 => [10, 1, 100, 20],
        _ => [round, 2 * round, 3 * round, round / 10 * 5],
    };
    around(number, &steps).map(grouped).collect()
}

/// An amount of money always has two places; other decimals never end in 0.
fn near_decimal(whole: &str, part: &str, is_money: bool) -> Vec<String> {
    let (Ok(number), Ok(one)) = (format!("{whole}{part}").parse::<i64>(), u32::try_from(part.len())) else {
        return Vec::new();
    };
    let one = 10_i64.pow(one);
    let steps = if is_money { [100, 50, 200, 10] } else { [one / 10, one, 1, 2 * one] };
    let is_written = |near: &i64| if is_money { near % 100 != 0 } else { near % 10 != 0 };
    let places = part.len();
    let written = |near: i64| format!("{}.{:0places$}", grouped(near / one), near % one);
    around(number, &steps).filter(is_written).map(written).collect()
}

/// Fractions with one part or two more or less, and mixed numbers with one whole more or less.
fn near_fraction(plain: &str) -> Vec<String> {
    let (whole, part) = plain.split_once(' ').map_or((None, plain), |(whole, part)| (whole.parse::<i64>().ok(), part));
    let numbers = part.split_once('/').map(|(above, below)| (above.parse::<i64>(), below.parse::<i64>()));
    let Some((Ok(above), Ok(below))) = numbers else {
        return Vec::new();
    };
    let most = if whole.is_some() || above < below { below - 1 } else { i64::MAX };
    let parts = around(above, &[1, 2, 3]).filter(move |near| *near <= most);
    let shown = parts.filter_map(|near| {
        let shared = gcd(near, below);
        let part = format!("{}/{}", near / shared, below / shared);
        (below > shared).then(|| match whole {
            Some(whole) => format!("{whole} {part}"),
            None => part,
        })
    });
    let wholes = whole.map(|whole| around(whole, &[1, 2]).map(|near| format!("{near} {part}")).collect::<Vec<_>>());
    wholes.into_iter().flatten().chain(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_near_and_written_alike() {
        for (right, first) in [
            ("7", ["6", "8"]),
            ("62", ["61", "63"]),
            ("312", ["302", "322"]),
            ("1,200", ["1,100", "1,300"]),
            ("x = −12", ["x = −11", "x = −13"]),
            ("24 square meters", ["23 square meters", "25 square meters"]),
            ("57°", ["56°", "58°"]),
            ("12π cm²", ["11π cm²", "13π cm²"]),
            ("$14.25", ["$13.25", "$15.25"]),
            ("2.05", ["1.95", "2.15"]),
            ("5/12", ["1/3", "1/2"]),
            ("2 3/7", ["1 3/7", "3 3/7"]),
            ("−4/3", ["−5/3", "−2/3"]),
        ] {
            let found = slips(right);
            assert_eq!(found[..2], first, "{right}: {found:?}");
        }
    }

    #[test]
    fn nothing_is_near_what_is_no_number() {
        for right in
            ["(3, −5)", "2x + 3", "6√2", "9²", "1.8 × 10⁵", "9:05", "6 o'clock", "2 hours", "257, 527, 572", ""]
        {
            assert_eq!(slips(right), Vec::<String>::new(), "{right}");
        }
    }

    #[test]
    fn no_slip_leaves_the_sensible() {
        assert_eq!(slips("1"), ["2", "3", "4", "5"]);
        assert!(!slips("2 liters").contains(&"1 liters".to_owned()));
        assert!(slips("8/9").iter().all(|near| near != "1" && near != "10/9"));
    }
}
