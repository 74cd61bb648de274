//! Names of files that people download: what a file is about, its day and what it is, so that a folder of them can be
//! read and is in order. No name has a character that some system refuses.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::calendar::zones::Zone;
use crate::time::moment::Moment;

/// Bytes of each part of a name. Systems take 255 bytes, and a name has two long parts at most.
const PART_BYTES_MAX: usize = 100;

/// The name of a file, of letters, digits, hyphens and the point before its ending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileName(String);

impl FileName {
    /// The parts with hyphens between and within them, such as `Kiểm-tra-Toán-5-2026-11-20-results.csv`. Parts without
    /// a letter or a digit are left out. The ending has no point before it.
    #[must_use]
    pub fn of(parts: &[&str], ending: &str) -> Self {
        let parts: Vec<String> = parts.iter().map(|part| hyphenated(part)).filter(|part| !part.is_empty()).collect();
        Self(format!("{}.{ending}", parts.join("-")))
    }

    /// The name in the letters of its language.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name in ASCII, for programs that know nothing else: Latin letters lose their accents, and what has no such
    /// letter becomes a hyphen.
    #[must_use]
    pub fn ascii(&self) -> String {
        let mut plain = String::new();
        for character in self.0.nfd().filter(|character| !is_combining_mark(*character)) {
            let character = match character {
                'đ' => 'd',
                'Đ' => 'D',
                character if character.is_ascii() => character,
                _ => '-',
            };
            if character != '-' || !(plain.is_empty() || plain.ends_with('-')) {
                plain.push(character);
            }
        }
        plain
    }
}

/// The day of a moment in a zone, such as `2026-11-20`.
#[must_use]
pub fn day(zone: &Zone, moment: Moment) -> String {
    zone.wall(moment).day().to_string()
}

/// Letters and digits of any script, and one hyphen for all that lies between them.
fn hyphenated(text: &str) -> String {
    let mut part = String::new();
    let mut has_gap = false;
    for character in text.nfc() {
        if !character.is_alphanumeric() {
            has_gap = !part.is_empty();
            continue;
        }
        if part.len() + usize::from(has_gap) + character.len_utf8() > PART_BYTES_MAX {
            break;
        }
        if has_gap {
            part.push('-');
        }
        has_gap = false;
        part.push(character);
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_what_the_file_is_about() {
        let name = FileName::of(&["Kiểm tra giữa kỳ – Toán 5 (Đề A)", "2026-11-20", "results"], "csv");
        assert_eq!(name.as_str(), "Kiểm-tra-giữa-kỳ-Toán-5-Đề-A-2026-11-20-results.csv");
        assert_eq!(name.ascii(), "Kiem-tra-giua-ky-Toan-5-De-A-2026-11-20-results.csv");
        assert_eq!(FileName::of(&["questions", "grade5"], "gift.txt").as_str(), "questions-grade5.gift.txt");
    }

    #[test]
    fn no_system_refuses_a_name() {
        for hostile in ["../../etc/passwd", "a\\b:c*d?e\"f<g>h|i", "a\r\nb\0c", "a\u{202E}gpj.exe", "...", "  ", "CON"]
        {
            let name = FileName::of(&[hostile, "2026-11-20", "slips"], "pdf");
            let is_safe = |character: char| character.is_alphanumeric() || "-.".contains(character);
            assert!(name.as_str().chars().all(is_safe) && name.ascii().chars().all(is_safe), "{name:?}");
            assert_eq!(name.as_str().matches('.').count(), 1, "{name:?}");
            assert!(!name.as_str().starts_with(['-', '.']) && !name.ascii().starts_with(['-', '.']), "{name:?}");
        }
        assert_eq!(FileName::of(&["数学", "2026-11-20"], "csv").ascii(), "2026-11-20.csv");
        // The same name, composed or not.
        assert_eq!(FileName::of(&["Toa\u{301}n"], "csv"), FileName::of(&["Toán"], "csv"));
    }

    #[test]
    fn long_names_are_cut_between_letters() {
        let long = "ế".repeat(200);
        let name = FileName::of(&[&long, &long, "2026-11-20", "parents-sheets"], "zip");
        assert!(name.as_str().len() < 255, "{}", name.as_str().len());
        assert!(name.as_str().ends_with("-2026-11-20-parents-sheets.zip"));
        assert_eq!(
            FileName::of(&[&format!("{} b", "a".repeat(99))], "csv").as_str(),
            format!("{}.csv", "a".repeat(99))
        );
    }

    #[test]
    fn the_day_is_that_of_the_zone() {
        let late = Moment::parse("2026-11-19T20:00:00Z").unwrap();
        assert_eq!(day(&Zone::of_record("Asia/Ho_Chi_Minh"), late), "2026-11-20");
        assert_eq!(day(&Zone::site(), late), "2026-11-19");
    }
}
