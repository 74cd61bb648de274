//! Texts of records: which are accepted, and how plain ones are kept. Limits are the calendar's own; the contract has none.

use url::Url;

use super::rendering;

/// Characters of a title, or of a name of a venue, an organizer or a term: in bytes few enough for an index of Postgres.
pub const TITLE_CHARACTERS_MAX: usize = 500;
/// Bytes of a description or an excerpt.
pub const BODY_BYTES_MAX: usize = 64 * 1_024;
/// Tags of a description or an excerpt: reading HTML takes the longer the more of them are within each other.
pub const TAGS_MAX: usize = 2_000;
/// Characters of an address, a city, a phone number and the like.
pub const DETAIL_CHARACTERS_MAX: usize = 1_000;
/// Bytes of a link.
pub const LINK_BYTES_MAX: usize = 2_048;

/// Whether it may be a title, a name or a slug: neither empty nor `0`. One of blanks alone passes here and is refused
/// afterwards as `empty_content` ([`is_blank`]).
#[must_use]
pub fn is_title(text: &str) -> bool {
    is_present(text) && is_kept(text) && text.chars().count() <= TITLE_CHARACTERS_MAX
}

/// Whether it may be the description or the excerpt of an event, or the description of a term.
#[must_use]
pub fn is_body(text: &str) -> bool {
    is_present(text) && is_optional_body(text)
}

/// Whether it may be the description of a venue or an organizer, which may be empty.
#[must_use]
pub fn is_optional_body(text: &str) -> bool {
    is_kept(text) && text.len() <= BODY_BYTES_MAX && text.bytes().filter(|byte| *byte == b'<').count() <= TAGS_MAX
}

/// Whether it may be a search.
#[must_use]
pub fn is_search(text: &str) -> bool {
    is_present(text) && is_kept(text) && text.chars().count() <= super::words::SEARCH_CHARACTERS_MAX
}

/// Whether it may be an address, a city, a phone number, an e-mail address and the like; may be empty.
#[must_use]
pub fn is_detail(text: &str) -> bool {
    is_kept(text) && text.chars().count() <= DETAIL_CHARACTERS_MAX
}

/// Whether it may be a `website`: an absolute link, or empty.
#[must_use]
pub fn is_website(text: &str) -> bool {
    text.is_empty() || is_link(text, &["http", "https", "ftp", "ftps"])
}

/// Whether it may be an `image`: an absolute http or https link. There is no media library, so a number is none.
#[must_use]
pub fn is_image(text: &str) -> bool {
    is_link(text, &["http", "https"])
}

/// Whether nothing would be shown of it as a title or a name, which is `empty_content`.
#[must_use]
pub fn is_blank(text: &str) -> bool {
    plain(text).is_empty() || rendering::plain(&rendering::title(text)).is_empty()
}

/// An address, a city and the like as kept: without tags, white space in a row as one blank.
#[must_use]
pub fn plain(text: &str) -> String {
    let stripped = without_tags(text);
    let words: Vec<&str> = stripped
        .split(|character: char| character.is_whitespace() || character.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ")
}

/// A term's name as kept and shown: without tags, `&` as `&amp;`.
#[must_use]
pub fn term_name(text: &str) -> String {
    let plain = plain(text).replace("&lt;", "<").replace("&gt;", ">").replace("&#038;", "&").replace("&amp;", "&");
    plain.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The number of a text that has nothing but digits.
#[must_use]
pub fn digits(text: &str) -> Option<i64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

/// As text within HTML, also within quotes: with every special character as an entity.
#[must_use]
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#039;")
}

/// Without what looks like a tag, also when taking tags away would make one.
fn without_tags(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        let (before, tag) = rest.split_at(start);
        push(&mut kept, before);
        let after = tag.get(1..).unwrap_or_default();
        if after.starts_with(begins_tag) {
            rest = after.find('>').and_then(|end| after.get(end + 1..)).unwrap_or_default();
        } else {
            kept.push('<');
            rest = after;
        }
    }
    push(&mut kept, rest);
    kept
}

fn push(kept: &mut String, text: &str) {
    if text.starts_with(begins_tag) {
        kept.truncate(kept.trim_end_matches('<').len());
    }
    kept.push_str(text);
}

fn begins_tag(character: char) -> bool {
    character.is_ascii_alphabetic() || matches!(character, '/' | '!' | '?')
}

fn is_present(text: &str) -> bool {
    !matches!(text, "" | "0")
}

/// Databases keep no NUL.
fn is_kept(text: &str) -> bool {
    !text.contains('\0')
}

fn is_link(text: &str, schemes: &[&str]) -> bool {
    // Clients write links into attributes.
    let is_harmful = |character: char| {
        character.is_control() || character.is_whitespace() || matches!(character, '"' | '<' | '>' | '\\' | '`')
    };
    let is_written = text.len() <= LINK_BYTES_MAX && !text.chars().any(is_harmful);
    let has_slashes = || text.split_once("://").is_some_and(|(_, rest)| !rest.starts_with('/'));
    is_written && has_slashes() && Url::parse(text).is_ok_and(|url| schemes.contains(&url.scheme()) && url.has_host())
}

#[cfg(test)]
mod tests;
