//! What a number format adds to a number that its reader takes for part of the value: a percent sign, or a currency.

/// How a format shows a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NumberFormat {
    /// As the number alone.
    Plain,
    Percent,
    Currency(CurrencyFormat),
}

/// A number with a currency before or after it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CurrencyFormat {
    before: String,
    after: String,
    /// Decimals that are always shown, and those that are shown unless they are 0.
    decimals: (usize, usize),
    has_groups: bool,
}

/// Decimals of a currency format that are shown. Real ones have two or three.
const DECIMALS_MAX: usize = 15;
/// Numbers from this size on have no exact digits.
const EXACT_BELOW: f64 = 1e15;
/// Digits of a group, such as those of a thousand.
const GROUP: usize = 3;

impl NumberFormat {
    /// Reads a format code. Only its first section counts, which is that of positive numbers.
    #[must_use]
    pub fn of(code: &str) -> Self {
        let (mut format, mut sign, mut digits, mut has_point) = (CurrencyFormat::default(), false, 0_usize, false);
        let mut characters = code.chars();
        while let Some(character) = characters.next() {
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
                    sign |= !symbol.is_empty();
                    symbol.to_owned()
                }
                '0' | '#' | '?' => {
                    digits += 1;
                    let (always, also) = &mut format.decimals;
                    if has_point && character == '0' {
                        *always += 1;
                    } else if has_point {
                        *also += 1;
                    }
                    continue;
                }
                '.' => {
                    has_point = true;
                    continue;
                }
                ',' if digits > 0 => {
                    format.has_groups = true;
                    continue;
                }
                other => other.to_string(),
            };
            sign |= literal.chars().any(is_currency);
            if digits == 0 { &mut format.before } else { &mut format.after }.push_str(&literal);
        }
        if sign && digits > 0 { Self::Currency(format) } else { Self::Plain }
    }
}

impl CurrencyFormat {
    /// The number as a reader of the sheet sees it, with a decimal point.
    #[must_use]
    pub fn shown(&self, number: f64) -> String {
        let (always, also) = self.decimals;
        let decimals = (always + also).min(DECIMALS_MAX);
        let digits = format!("{:.decimals$}", number.abs());
        let (whole, fraction) = digits.split_once('.').unwrap_or((&digits, ""));
        let shown = fraction.trim_end_matches('0').len().max(always.min(decimals));
        let fraction = fraction.get(..shown).filter(|fraction| !fraction.is_empty());
        let whole = if self.has_groups && number.abs() < EXACT_BELOW { grouped(whole) } else { whole.to_owned() };
        let minus = if number < 0.0 { "-" } else { "" };
        let point = if fraction.is_some() { "." } else { "" };
        format!("{minus}{}{whole}{point}{}{}", self.before, fraction.unwrap_or_default(), self.after).trim().to_owned()
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

    #[test]
    fn a_percent_sign_counts_in_the_first_section_alone() {
        for code in ["0%", "0.00%;[Red]-0.00%", "#,##0 %", "\"p\"0%", "_(0%_)"] {
            assert_eq!(NumberFormat::of(code), NumberFormat::Percent, "{code}");
        }
        for code in
            ["General", "0\"%\"", "0\\%", "0;0%", "\"a;\"0;%", "0_%", "0.00", "#,##0", "[Red]0", "@", "0 \"kg\""]
        {
            assert_eq!(NumberFormat::of(code), NumberFormat::Plain, "{code}");
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
        ] {
            let NumberFormat::Currency(format) = NumberFormat::of(code) else { panic!("{code} is a currency") };
            assert_eq!(format.shown(number), text, "{code}");
        }
        for code in ["\"$\"", "[$-409]d-mmm", "\"cost\" 0"] {
            assert_eq!(NumberFormat::of(code), NumberFormat::Plain, "{code}");
        }
    }
}
