//! Slugs, which stand for records in addresses. Latin letters lose their accents, letters of other scripts are written
//! as their bytes, and anything else becomes one hyphen.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::rendering;

/// Bytes of a slug, with its number and ending. The original has the same limit.
pub const SLUG_BYTES_MAX: usize = 200;
/// Characters that stand within words and do not part them.
const APOSTROPHES: [char; 4] = ['\'', '’', '‘', 'ʼ'];
/// Ending of the slug of a record in the trash. It leaves the slug itself free for a new record.
const TRASHED: &str = "__trashed";

/// The slug of a title or a name, rendered or not, or of a slug that was sent. Empty if nothing of the text can stand
/// in a slug; the caller then uses the record's id.
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

/// `slug-2`, with the slug cut if both would be too long.
#[must_use]
pub fn numbered(slug: &str, number: u64) -> String {
    with_ending(slug, &format!("-{number}"))
}

/// The slug of a record that is moved to the trash. One that is in the trash already keeps it.
#[must_use]
pub fn trashed(slug: &str) -> String {
    if is_trashed(slug) { slug.to_owned() } else { with_ending(slug, TRASHED) }
}

/// The slug of a category whose name exists below another parent.
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

/// The beginning of a slug, without a part of an encoded letter or a hyphen at its end.
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

/// Bytes of a slug's first letter: `a` has one, `%e6%97%a5` has nine.
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
    /// Characters of the slug.
    Kept(String),
    /// A gap between words.
    Gap,
    /// Leaves nothing, as an accent does.
    Dropped,
}

fn parts(text: &str) -> impl Iterator<Item = SlugPart> + '_ {
    let mut is_latin = false;
    // Apostrophes go first. Characters that one has kept apart may combine without it, and must do so now: the slug of
    // a slug has to be the slug itself.
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

/// The part that a lower-case character becomes. Accents are dropped after a Latin letter and belong to the letter
/// otherwise.
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

/// A Latin letter without its accents; `None` for other letters.
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

/// Joins bytes that are already written as `%e6` to letters, so that the slug of a slug is the slug itself.
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
