//! Renders titles and descriptions: HTML that is safe for everyone, with the typographic marks and paragraphs that
//! clients know from the original. A rendered text that is sent again stays as it is.

mod markup;
mod paragraphs;
mod safety;
mod typography;

use self::markup::{Piece, pieces};

/// Renders the title of an event, or the name of a venue or an organizer.
#[must_use]
pub fn title(text: &str) -> String {
    let safe = safety::inline(text);
    safety::with_entities(typography::marked(&safe).trim())
}

/// Renders a description or an excerpt, with `<p>` around paragraphs and `<br />` for single newlines. Empty stays
/// empty.
#[must_use]
pub fn body(text: &str) -> String {
    let safe = safety::blocks(text);
    safety::with_entities(&paragraphs::of(&typography::marked(&safe)))
}

/// Renders the description of a category or a tag: made safe, and otherwise left as it was sent.
#[must_use]
pub fn term_description(text: &str) -> String {
    safety::with_entities(safety::blocks(text).trim())
}

/// The text that a reader sees: without tags, with entities decoded, and with newlines where blocks and lines end.
#[must_use]
pub fn plain(html: &str) -> String {
    let mut text = String::with_capacity(html.len());
    for piece in pieces(html) {
        match piece {
            // A `<br />` with a newline after it is one end of a line, not two.
            Piece::Text(part) if text.ends_with('\n') => {
                markup::push_decoded(&mut text, part.strip_prefix('\n').unwrap_or(part));
            }
            Piece::Text(part) => markup::push_decoded(&mut text, part),
            Piece::Tag(tag) if tag.is_block() || tag.name == "br" => text.push('\n'),
            Piece::Tag(_) => {}
        }
    }
    let mut lines: Vec<&str> = text.trim().lines().map(str::trim).collect();
    lines.dedup_by(|later, earlier| later.is_empty() && earlier.is_empty());
    lines.join("\n")
}

#[cfg(test)]
mod tests;
