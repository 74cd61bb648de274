//! Reads access codes from entry slips. The server keeps only their hashes, so the printed file is the one place that
//! has them.

use crate::failure::Failure;
use lopdf::Document;

/// Bytes that one page may have unpacked.
const PAGE_BYTES_MAX: usize = 64 * 1024 * 1024;
/// Characters of each half of a code, on both sides of a hyphen.
const HALF: usize = 5;

/// The access codes of a file of entry slips, in the order in which they are printed.
pub fn access_codes(file: &[u8]) -> Result<Vec<String>, Failure> {
    let document = Document::load_mem(file)?;
    let pages: Vec<u32> = document.get_pages().into_keys().collect();
    Ok(codes_in(&document.extract_text_with_limit(&pages, PAGE_BYTES_MAX)?))
}

/// Every text like `9F3KT-T2M7X` that is not part of a longer word.
fn codes_in(text: &str) -> Vec<String> {
    let is_of_code = |letter: char| letter.is_ascii_uppercase() || letter.is_ascii_digit();
    let words = text.split(|letter: char| !is_of_code(letter) && letter != '-');
    let is_code = |word: &&str| {
        let halves: Vec<&str> = word.split('-').collect();
        halves.len() == 2 && halves.iter().all(|half| half.len() == HALF)
    };
    words.filter(is_code).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_found_between_other_words() {
        let text = "Candidate 00001\nLoad test\n1 June 2026, 09:00\nAccess code\n9F3KT-T2M7X\nhttp://exam/s/K7PQ2\n2K7QX-YYYYY\n";
        assert_eq!(codes_in(text), ["9F3KT-T2M7X", "2K7QX-YYYYY"]);
        assert!(codes_in("0B0E1234-AAAA 2026-06-01").is_empty());
    }
}
