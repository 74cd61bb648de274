//! Checks texts of records, and brings plain ones into the form in which they are stored. The original has no limits of
//! length; these are the calendar's own.

use url::Url;

use super::rendering;
use crate::text;

/// Characters of a title, or of the name of a venue, an organizer or a term. Even at four bytes each they fit into an
/// entry of an index of Postgres, which has 2,704 bytes.
pub const TITLE_CHARACTERS_MAX: usize = 500;
/// Bytes of a description or an excerpt: some twenty pages.
pub const BODY_BYTES_MAX: usize = 64 * 1_024;
/// Tags of a description or an excerpt: the time of reading HTML grows with the depth of nesting.
pub const TAGS_MAX: usize = 2_000;
/// Characters of an address, a city, a phone number and the like: far more than any of them needs.
pub const DETAIL_CHARACTERS_MAX: usize = 1_000;
/// Bytes of a link: browsers and proxies handle longer ones unreliably.
pub const LINK_BYTES_MAX: usize = 2_048;

/// Returns whether the text may be a title, a name or a slug: neither empty nor `0`, and without control characters.
/// One of blanks alone passes here and is refused later as `empty_content` ([`is_blank`]).
#[must_use]
pub fn is_title(text: &str) -> bool {
    is_present(text) && !text::has_control(text) && text.chars().count() <= TITLE_CHARACTERS_MAX
}

/// Returns whether the text may be the description or the excerpt of an event, or the description of a term.
#[must_use]
pub fn is_body(text: &str) -> bool {
    is_present(text) && is_optional_body(text)
}

/// Returns whether the text may be the description of a venue or an organizer, which may be empty.
#[must_use]
pub fn is_optional_body(text: &str) -> bool {
    is_kept(text) && text.len() <= BODY_BYTES_MAX && text.bytes().filter(|byte| *byte == b'<').count() <= TAGS_MAX
}

/// Returns whether the text may be a search.
#[must_use]
pub fn is_search(text: &str) -> bool {
    is_present(text) && is_kept(text) && text.chars().count() <= super::words::SEARCH_CHARACTERS_MAX
}

/// Returns whether the text may be an address, a city, a phone number, an e-mail address and the like. It may be empty.
#[must_use]
pub fn is_detail(text: &str) -> bool {
    !text::has_control_beside_lines(text) && text.chars().count() <= DETAIL_CHARACTERS_MAX
}

/// Returns whether the text may be a `website`: an absolute link, or empty.
#[must_use]
pub fn is_website(text: &str) -> bool {
    text.is_empty() || is_link(text, &["http", "https", "ftp", "ftps"])
}

/// Returns whether the text may be an `image`: an absolute https link, since pages of other sites show it too. There is
/// no media library, so a number is not one.
#[must_use]
pub fn is_image(text: &str) -> bool {
    is_link(text, &["https"])
}

/// Returns whether nothing would be shown of a title or a name, which is `empty_content`.
#[must_use]
pub fn is_blank(text: &str) -> bool {
    plain(text).is_empty() || rendering::plain(&rendering::title(text)).is_empty()
}

/// An address, a city and the like as stored: without tags, with each run of white space as one blank.
#[must_use]
pub fn plain(text: &str) -> String {
    let stripped = without_tags(text);
    let words: Vec<&str> = stripped
        .split(|character: char| character.is_whitespace() || character.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ")
}

/// The name of a term as stored and shown: without tags, with `&` as `&amp;`.
#[must_use]
pub fn term_name(text: &str) -> String {
    let plain = plain(text).replace("&lt;", "<").replace("&gt;", ">").replace("&#038;", "&").replace("&amp;", "&");
    plain.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The number in a text of digits alone; `None` if there is anything else.
#[must_use]
pub fn digits(text: &str) -> Option<i64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

/// The text for use within HTML, quoted attributes included: every special character becomes an entity.
#[must_use]
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#039;")
}

/// Removes everything that looks like a tag, also where removing one would make another.
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

/// Postgres stores no NUL in a text.
fn is_kept(text: &str) -> bool {
    !text.contains('\0')
}

fn is_link(text: &str, schemes: &[&str]) -> bool {
    // Clients put links into attributes of HTML, and not all of them escape these characters.
    let is_harmful = |character: char| {
        character.is_control() || character.is_whitespace() || matches!(character, '"' | '<' | '>' | '\\' | '`')
    };
    let is_written = text.len() <= LINK_BYTES_MAX && !text.chars().any(is_harmful);
    let has_slashes = || text.split_once("://").is_some_and(|(_, rest)| !rest.starts_with('/'));
    is_written && has_slashes() && Url::parse(text).is_ok_and(|url| schemes.contains(&url.scheme()) && url.has_host())
}

#[cfg(test)]
mod tests;
