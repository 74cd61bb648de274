//! Formats a number as a reader of the sheet sees it: a format may add zeros, decimals, signs between the digits, a
//! percent sign or a currency, or make a fraction of it.

use domain::workbook::EXACT_BELOW;

/// How a format shows a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NumberFormat {
    /// By its digits.
    Plain,
    Percent,
    Pattern(DigitPattern),
    Fraction(FractionFormat),
}

/// A number between texts, with zeros and texts among its digits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DigitPattern {
    before: String,
    /// Before the decimal point.
    whole: Vec<Slot>,
    after: String,
    /// Decimals that are always shown, and those that are shown unless they are 0.
    decimals: (usize, usize),
    has_groups: bool,
    /// Whether a currency is among the texts, which makes the whole a text.
    pub has_currency: bool,
}

/// A place of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Slot {
    /// A digit, which is shown as 0 where the number has none if the place is to be filled.
    Digit { is_filled: bool },
    /// What stands between digits.
    Text(String),
}

/// A number as a whole and a fraction, or as a fraction alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FractionFormat {
    has_whole: bool,
    denominator: Denominator,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Denominator {
    Fixed(u32),
    /// The best one up to this number.
    UpTo(u32),
}

/// Decimals of a format that are shown. Real ones have two or three.
const DECIMALS_MAX: usize = 15;
/// Digits of the denominator of a fraction. Spreadsheets offer three.
const DENOMINATOR_DIGITS_MAX: usize = 3;
/// Digits of a group, such as those of a thousand.
const GROUP: usize = 3;

impl NumberFormat {
    /// Reads a format code. Only its first section counts, which is that of positive numbers.
    #[must_use]
    pub fn of(code: &str) -> Self {
        let (mut pattern, mut digits, mut has_point) = (DigitPattern::default(), 0_usize, false);
        let (mut characters, mut has_exponent, mut slash) = (code.chars(), false, None);
        let mut section = String::new();
        while let Some(character) = characters.next() {
            section.push(character);
            let literal = match character {
                ';' => break,
                '%' => return Self::Percent,
                '"' => characters.by_ref().take_while(|character| *character != '"').collect(),
                '\\' => characters.next().map(String::from).unwrap_or_default(),
                // Only the width of the next character matters, or it fills the cell.
                '_' | '*' => {
                    characters.next();
                    String::new()
                }
                '[' => {
                    let inside: String = characters.by_ref().take_while(|character| *character != ']').collect();
                    let symbol =
                        inside.strip_prefix('$').and_then(|symbol| symbol.split('-').next()).unwrap_or_default();
                    pattern.has_currency |= !symbol.is_empty();
                    symbol.to_owned()
                }
                '0' | '#' | '?' => {
                    digits += 1;
                    let (always, also) = &mut pattern.decimals;
                    match (has_point, character) {
                        (true, '0') => *always += 1,
                        (true, _) => *also += 1,
                        (false, _) => pattern.whole.push(Slot::Digit { is_filled: character == '0' }),
                    }
                    continue;
                }
                '.' => {
                    has_point = true;
                    continue;
                }
                ',' if digits > 0 => {
                    pattern.has_groups = true;
                    continue;
                }
                'E' | 'e' if digits > 0 => {
                    has_exponent = true;
                    continue;
                }
                '/' if digits > 0 => {
                    slash = Some(section.len());
                    continue;
                }
                other => other.to_string(),
            };
            pattern.has_currency |= literal.chars().any(is_currency);
            pattern.add(literal, digits > 0, has_point);
        }
        match slash {
            Some(place) => FractionFormat::of(&section, place).map_or(Self::Plain, Self::Fraction),
            // With an exponent fewer digits are shown than are there.
            None if digits == 0 || has_exponent => Self::Plain,
            None => Self::Pattern(pattern.ended()),
        }
    }
}

impl DigitPattern {
    fn add(&mut self, literal: String, is_after_digits: bool, has_point: bool) {
        match (is_after_digits, has_point) {
            _ if literal.is_empty() => {}
            (false, _) => self.before.push_str(&literal),
            (true, true) => self.after.push_str(&literal),
            (true, false) => self.whole.push(Slot::Text(literal)),
        }
    }

    /// Texts behind the last digit stand behind the decimals.
    fn ended(mut self) -> Self {
        let last = self.whole.iter().rposition(|slot| matches!(slot, Slot::Digit { .. }));
        let behind = self.whole.split_off(last.map_or(0, |last| last + 1));
        let texts = behind.into_iter().filter_map(|slot| if let Slot::Text(text) = slot { Some(text) } else { None });
        self.after = texts.chain([std::mem::take(&mut self.after)]).collect();
        self
    }

    /// The number as a reader of the sheet sees it, with a decimal point.
    #[must_use]
    pub fn shown(&self, number: f64) -> String {
        let (always, also) = self.decimals;
        let decimals = (always + also).min(DECIMALS_MAX);
        let digits = format!("{:.decimals$}", number.abs());
        let (whole, fraction) = digits.split_once('.').unwrap_or((&digits, ""));
        let shown = fraction.trim_end_matches('0').len().max(always.min(decimals));
        let fraction = fraction.get(..shown).filter(|fraction| !fraction.is_empty());
        let whole = self.placed(whole);
        let whole = if self.has_groups && number.abs() < EXACT_BELOW { grouped(&whole) } else { whole };
        let is_zero = !digits.contains(|digit: char| ('1'..='9').contains(&digit));
        let minus = if number < 0.0 && !is_zero { "-" } else { "" };
        let point = if fraction.is_some() { "." } else { "" };
        format!("{minus}{}{whole}{point}{}{}", self.before, fraction.unwrap_or_default(), self.after).trim().to_owned()
    }

    /// The whole digits in their places, from the last one; those that have no place stand before the first.
    fn placed(&self, whole: &str) -> String {
        let mut left = whole.trim_start_matches('0').chars().rev();
        let first = self.whole.iter().position(|slot| matches!(slot, Slot::Digit { .. }));
        let mut placed = Vec::new();
        for (place, slot) in self.whole.iter().enumerate().rev() {
            match slot {
                Slot::Digit { .. } if Some(place) == first && left.clone().next().is_some() => {
                    placed.extend(left.by_ref());
                }
                Slot::Digit { is_filled } => placed.extend(left.next().or(is_filled.then_some('0'))),
                Slot::Text(text) => placed.extend(text.chars().rev()),
            }
        }
        // A format without a place for the 0 of 0.5 still has one in what is read as a number.
        if placed.is_empty() {
            placed.push('0');
        }
        placed.into_iter().rev().collect()
    }
}

impl FractionFormat {
    /// Reads the first section of a code with a slash in it; `place` is behind the slash.
    fn of(section: &str, place: usize) -> Option<Self> {
        let (before, after) = section.split_at_checked(place)?;
        let sign: String = after.chars().take_while(|character| matches!(character, '?' | '#' | '0'..='9')).collect();
        let digits = sign.len();
        let denominator = match sign.parse() {
            Ok(0) | Err(_) if (1..=DENOMINATOR_DIGITS_MAX).contains(&digits) => {
                Denominator::UpTo(10_u32.pow(u32::try_from(digits).ok()?) - 1)
            }
            Ok(fixed) if (1..=DENOMINATOR_DIGITS_MAX).contains(&digits) && fixed > 0 => Denominator::Fixed(fixed),
            _ => return None,
        };
        let places = before.trim_end_matches('/').trim_end_matches(['?', '#', '0']);
        Some(Self { has_whole: places.contains(['?', '#', '0']), denominator })
    }

    /// The number as a reader of the sheet sees it: `1 1/4`.
    #[must_use]
    pub fn shown(&self, number: f64) -> String {
        let size = number.abs();
        let whole = if self.has_whole { size.trunc() } else { 0.0 };
        let rest = size - whole;
        let denominators = match self.denominator {
            Denominator::Fixed(fixed) => fixed..=fixed,
            Denominator::UpTo(most) => 1..=most,
        };
        let distance =
            |denominator: u32| ((rest * f64::from(denominator)).round() / f64::from(denominator) - rest).abs();
        let best = denominators.min_by(|one, other| distance(*one).total_cmp(&distance(*other))).unwrap_or(1);
        let numerator = (rest * f64::from(best)).round();
        let (whole, numerator) =
            if self.has_whole && numerator >= f64::from(best) { (whole + 1.0, 0.0) } else { (whole, numerator) };
        let minus = if number < 0.0 { "-" } else { "" };
        match (self.has_whole, numerator > 0.0) {
            (true, false) => format!("{minus}{whole}"),
            (true, true) if whole > 0.0 => format!("{minus}{whole} {numerator}/{best}"),
            _ => format!("{minus}{numerator}/{best}"),
        }
    }
}

fn grouped(whole: &str) -> String {
    let count = whole.len();
    let mut text = String::new();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (count - place).is_multiple_of(GROUP) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Whether a character is the sign of a currency. The blocks are those of Unicode's category `Sc` that spreadsheets
/// use.
const fn is_currency(character: char) -> bool {
    matches!(character, '$' | '\u{a2}'..='\u{a5}' | '\u{e3f}' | '\u{20a0}'..='\u{20cf}' | '\u{fdfc}' | '\u{ff04}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(code: &str, number: f64) -> String {
        match NumberFormat::of(code) {
            NumberFormat::Pattern(pattern) => pattern.shown(number),
            NumberFormat::Fraction(fraction) => fraction.shown(number),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn a_percent_sign_counts_in_the_first_section_alone() {
        for code in ["0%", "0.00%;[Red]-0.00%", "#,##0 %", "\"p\"0%", "_(0%_)"] {
            assert_eq!(NumberFormat::of(code), NumberFormat::Percent, "{code}");
        }
        for code in ["General", "@", "\"$\"", "[$-409]d-mmm", "0.00E+00", "##0.0E+0"] {
            assert_eq!(NumberFormat::of(code), NumberFormat::Plain, "{code}");
        }
        for code in ["0;0%", "\"a;\"0;%", "0_%", "[Red]0", "0", "#"] {
            assert!(shown(code, 5.0).ends_with('5'), "{code}");
        }
    }

    #[test]
    fn what_a_cell_shows_is_what_is_read() {
        for (code, number, text) in [
            ("000000", 42.0, "000042"),
            ("000000", 1_234_567.0, "1234567"),
            ("\"HS\"0000", 42.0, "HS0042"),
            ("000-000-0000", 912_345_678.0, "091-234-5678"),
            ("0000\\ 0000", 12_345.0, "0001 2345"),
            ("#,##0", 1_234.0, "1,234"),
            ("0.00", 0.5, "0.50"),
            ("0", 3.7, "4"),
            ("0 \"kg\"", 5.0, "5 kg"),
            ("\"cost\" 0", 5.0, "cost 5"),
            ("0\"%\"", 5.0, "5%"),
            ("#", 0.0, "0"),
            (".00", 0.5, "0.50"),
            ("0", -0.2, "0"),
            ("# ?/?", 0.5, "1/2"),
            ("# ?/?", 1.25, "1 1/4"),
            ("# ??/??", 0.3125, "5/16"),
            ("# ?/8", 0.75, "6/8"),
            ("# ?/?", 3.0, "3"),
            ("?/?", 1.5, "3/2"),
            ("# ?/?", 0.99, "1"),
        ] {
            assert_eq!(shown(code, number), text, "{code} of {number}");
        }
    }

    #[test]
    fn a_currency_is_part_of_what_is_shown() {
        for (code, number, text) in [
            ("\"$\"#,##0.00", 1_234.5, "$1,234.50"),
            ("$0.00", 5.0, "$5.00"),
            ("#,##0.00 \"€\"", 0.5, "0.50 €"),
            ("#,##0.00\\ [$€-407]", 1_234_567.891, "1,234,567.89 €"),
            ("[$£-809]#,##0", 1_999.6, "£2,000"),
            ("[$USD] #,##0.00", -3.0, "-USD 3.00"),
            ("_(\"$\"* #,##0.00_);_(\"$\"* (#,##0.00)", 7.25, "$7.25"),
            ("0.## \"₫\"", 12.0, "12 ₫"),
            ("0.0# \"₫\"", 12.25, "12.25 ₫"),
            ("\"$\"#,##0", 0.0, "$0"),
            ("#,##0 \"₫\"", 5_000.0, "5,000 ₫"),
        ] {
            let NumberFormat::Pattern(pattern) = NumberFormat::of(code) else { panic!("{code} is a currency") };
            assert!(pattern.has_currency, "{code}");
            assert_eq!(pattern.shown(number), text, "{code}");
        }
    }
}
