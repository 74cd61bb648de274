//! Slugs: what stands for a record in addresses. Latin letters lose their accents, letters of other scripts are written
//! as their bytes, everything else is one hyphen.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::rendering;

/// Bytes of a slug, numbers and endings included.
pub const SLUG_BYTES_MAX: usize = 200;
/// What stands within words.
const APOSTROPHES: [char; 4] = ['\'', '’', '‘', 'ʼ'];
/// What the slug of a record that was thrown away ends with.
const TRASHED: &str = "__trashed";

/// The slug of a title or a name, rendered or not, or of a slug that was sent; empty when nothing of it is left, and then
/// the id is taken.
#[must_use]
pub fn of(text: &str) -> String {
    let mut slug = String::new();
    let mut has_gap = false;
    for part in parts(&decoded(&rendering::plain(text))) {
        match part {
            SlugPart::Kept(written) if slug.len() + written.len() + usize::from(has_gap) > SLUG_BYTES_MAX => break,
            SlugPart::Kept(written) => {
                if has_gap && !slug.is_empty() {
                    slug.push('-');
                }
                slug.push_str(&written);
                has_gap = false;
            }
            SlugPart::Gap => has_gap = true,
            SlugPart::Dropped => {}
        }
    }
    slug
}

/// `slug-2`, with the slug cut where both would be too long.
#[must_use]
pub fn numbered(slug: &str, number: u64) -> String {
    with_ending(slug, &format!("-{number}"))
}

/// The slug of a record that is thrown away.
#[must_use]
pub fn trashed(slug: &str) -> String {
    if is_trashed(slug) { slug.to_owned() } else { with_ending(slug, TRASHED) }
}

/// The slug of a category whose name is taken under another parent.
#[must_use]
pub fn with_parent(slug: &str, parent: &str) -> String {
    with_ending(slug, &format!("-{}", cut(parent, SLUG_BYTES_MAX / 2)))
}

fn is_trashed(slug: &str) -> bool {
    let is_number = |rest: &str| {
        rest.strip_prefix('-')
            .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
    };
    slug.rsplit_once(TRASHED).is_some_and(|(_, rest)| rest.is_empty() || is_number(rest))
}

fn with_ending(slug: &str, ending: &str) -> String {
    format!("{}{ending}", cut(slug, SLUG_BYTES_MAX.saturating_sub(ending.len())))
}

/// Its beginning, without a part of a letter at the end.
fn cut(slug: &str, bytes_max: usize) -> &str {
    let mut end = 0;
    while let Some(length) = letter_bytes(slug.get(end..).unwrap_or_default()) {
        if end + length > bytes_max {
            break;
        }
        end += length;
    }
    slug.get(..end).unwrap_or(slug).trim_end_matches('-')
}

/// Bytes of the first letter of a slug: `a` has one, `%e6%97%a5` nine.
fn letter_bytes(slug: &str) -> Option<usize> {
    let first = slug.chars().next()?;
    let lead = slug.get(1..3).filter(|_| first == '%').and_then(|digits| u8::from_str_radix(digits, 16).ok());
    let bytes = match lead {
        None => first.len_utf8(),
        Some(0xF0..) => 12,
        Some(0xE0..) => 9,
        Some(_) => 6,
    };
    Some(bytes.min(slug.len()))
}

enum SlugPart {
    /// Of the slug.
    Kept(String),
    /// Between words.
    Gap,
    /// Nothing: an accent.
    Dropped,
}

fn parts(text: &str) -> impl Iterator<Item = SlugPart> + '_ {
    let mut is_latin = false;
    // Dropped first: what an apostrophe keeps apart is put together, so that the slug of a slug is itself.
    text.chars().filter(|character| !APOSTROPHES.contains(character)).nfc().flat_map(char::to_lowercase).map(
        move |character| {
            let part = part(character, is_latin);
            if !is_combining_mark(character) && !matches!(part, SlugPart::Dropped) {
                is_latin = matches!(&part, SlugPart::Kept(written) if !written.starts_with('%'));
            }
            part
        },
    )
}

/// What becomes of a character, in lower case, after a Latin letter or after another one.
fn part(character: char, is_after_latin: bool) -> SlugPart {
    match character {
        'a'..='z' | '0'..='9' | '_' => SlugPart::Kept(character.to_string()),
        _ if character.is_ascii() => SlugPart::Gap,
        _ if is_combining_mark(character) && is_after_latin => SlugPart::Dropped,
        _ => match latin(character) {
            Some(letters) => SlugPart::Kept(letters),
            None if character.is_alphanumeric() || is_combining_mark(character) => SlugPart::Kept(encoded(character)),
            None => SlugPart::Gap,
        },
    }
}

/// A Latin letter without its accents.
fn latin(character: char) -> Option<String> {
    let letters = match character {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'đ' | 'ð' => "d",
        'ħ' => "h",
        'ı' => "i",
        'ĸ' => "k",
        'ł' => "l",
        'ŋ' => "n",
        'ŧ' => "t",
        'þ' => "th",
        'ĳ' => "ij",
        'ŉ' => "n",
        'ſ' => "s",
        _ => return std::iter::once(character).nfd().next().filter(char::is_ascii_alphanumeric).map(String::from),
    };
    Some(letters.to_owned())
}

fn encoded(character: char) -> String {
    let mut buffer = [0; 4];
    character.encode_utf8(&mut buffer).bytes().map(|byte| format!("%{byte:02x}")).collect()
}

/// With bytes that are already written as `%e6` put together to letters.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let byte = if *first == b'%' { after.first_chunk::<2>().and_then(|digits| hexadecimal(*digits)) } else { None };
        match byte.filter(|byte| !byte.is_ascii()) {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn hexadecimal([high, low]: [u8; 2]) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
}

#[cfg(test)]
mod tests;
