//! Codes by which a proctor lets a student go on with another device: read aloud, typed by hand, and hard to guess.

use std::fmt;

use crate::text::same::seen;

/// The characters of codes. No two of them look alike: there is an 8 but no B, a 5 but no S, and neither 0 nor O.
const ALPHABET: &[u8; 27] = b"23456789ACDEFGHJKMNPQRTVWXY";
/// The characters of one code: 280 thousand million codes, of which a few are valid at a time, for two minutes.
const CHARACTERS: usize = 8;
/// Random bytes above the highest multiple of the alphabet's length are left out, so that all characters are equally
/// likely.
const BYTES_USED: u8 = 243;

/// A code, in one form however it was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveCode(String);

impl MoveCode {
    /// Makes a code of random bytes. `None` if too few of them can be used; then other bytes are needed. Of 32 bytes,
    /// that is less likely than a broken machine.
    #[must_use]
    pub fn of_random(bytes: &[u8]) -> Option<Self> {
        drawn(bytes, CHARACTERS).map(Self)
    }

    /// Parses what someone has typed: in any case, with or without the hyphen, and with letters that no code has in
    /// place of the digits that look like them. `None` if it can't be a code.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        typed(text, CHARACTERS).map(Self)
    }

    /// The characters without the hyphen.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Those before the hyphen.
    #[must_use]
    pub fn first_half(&self) -> &str {
        self.0.get(..CHARACTERS / 2).unwrap_or_default()
    }
}

impl fmt::Display for MoveCode {
    /// With a hyphen in the middle.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&grouped(&self.0))
    }
}

/// So many characters of a code, made of random bytes; `None` if too few of the bytes can be used.
pub(crate) fn drawn(bytes: &[u8], characters: usize) -> Option<String> {
    let used = bytes.iter().filter(|byte| **byte < BYTES_USED);
    let letter = |byte: &u8| ALPHABET.get(usize::from(*byte) % ALPHABET.len()).copied().map(char::from);
    let code: String = used.filter_map(letter).take(characters).collect();
    (code.len() == characters).then_some(code)
}

/// The code of so many characters that someone has typed.
pub(crate) fn typed(text: &str, characters: usize) -> Option<String> {
    let seen = seen(text);
    let letters = seen.chars().filter(|typed| !is_between(*typed)).take(characters + 1);
    let meant = letters.map(|typed| match typed.to_ascii_uppercase() {
        'B' => '8',
        'S' => '5',
        'Z' => '2',
        typed => typed,
    });
    let code: String = meant.collect();
    let is_code = code.len() == characters && code.bytes().all(|letter| ALPHABET.contains(&letter));
    is_code.then_some(code)
}

/// Returns whether a character only separates the letters of a code: blanks, and every dash, also the one that a
/// Japanese keyboard has on the key of the hyphen.
const fn is_between(letter: char) -> bool {
    matches!(letter, ' ' | '-' | '\u{2014}' | '\u{2015}' | '\u{30FC}' | '\u{2500}')
}

/// The code with a hyphen in its middle.
pub(crate) fn grouped(code: &str) -> String {
    let (first, second) = code.split_at_checked(code.len() / 2).unwrap_or((code, ""));
    format!("{first}-{second}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_as_it_was_shown_or_nearly_so() {
        let code = MoveCode::parse("k7qm3x82").unwrap();
        assert_eq!((code.as_str(), code.to_string().as_str()), ("K7QM3X82", "K7QM-3X82"));
        for typed in [
            "K7QM-3X82",
            " k7qm 3x82 ",
            "K7QM3XBZ",
            "K-7-Q-M-3-X-8-2",
            "Ｋ７ＱＭー３ｘ８２",
            "K7QM–3X82",
            "K7QM—3X82",
            "K7QM\u{200B}\u{2011}3X82\u{A0}\n",
        ] {
            assert_eq!(MoveCode::parse(typed), Some(code.clone()), "{typed}");
        }
        for typed in ["", "-", "K7QM3X8", "K7QM3X822", "K7QM3X80", "K7QM3X8O", "K7QM3X8É", "K7QM3X8\0"] {
            assert_eq!(MoveCode::parse(typed), None, "{typed:?}");
        }
    }

    #[test]
    fn every_character_is_equally_likely() {
        let all: Vec<u8> = (0..=u8::MAX).collect();
        let mut counts = std::collections::BTreeMap::<char, usize>::new();
        for byte in all {
            if let Some(code) = MoveCode::of_random(&[byte; CHARACTERS]) {
                *counts.entry(code.as_str().chars().next().unwrap()).or_default() += 1;
                assert_eq!(MoveCode::parse(&code.to_string()), Some(code));
            }
        }
        assert!(counts.len() == ALPHABET.len() && counts.values().all(|count| *count == 9), "{counts:?}");
        assert_eq!(MoveCode::of_random(&[0; CHARACTERS - 1]), None);
        assert_eq!(MoveCode::of_random(&[u8::MAX; 32]), None);
    }
}
