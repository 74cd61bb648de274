//! Splits clean HTML into tags and texts, for the steps of rendering, which all read it so.

/// Elements that stand on lines of their own.
const BLOCKS: [&str; 32] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "caption",
    "center",
    "col",
    "colgroup",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "figcaption",
    "figure",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hgroup",
    "hr",
    "li",
    "map",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
];
/// Block elements of lists and tables, and `summary`.
const LISTS_AND_TABLES: [&str; 9] = ["summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul"];
/// Elements without an end tag.
const VOID: [&str; 6] = ["area", "br", "col", "hr", "img", "wbr"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    Tag(Tag<'a>),
    Text(&'a str),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tag<'a> {
    /// The whole tag with its brackets.
    pub(super) text: &'a str,
    pub(super) name: &'a str,
    pub(super) is_end: bool,
}

impl Tag<'_> {
    pub(super) fn is_block(&self) -> bool {
        BLOCKS.contains(&self.name) || LISTS_AND_TABLES.contains(&self.name)
    }

    pub(super) fn is_void(&self) -> bool {
        VOID.contains(&self.name)
    }
}

/// Splits HTML into its pieces. Anything that is not a tag is text, as is a bracket without an end.
pub(super) fn pieces(html: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = html;
    // After the last `>` no tag can end, so none is looked for. Otherwise each bracket there would be followed to the
    // end of the text, which takes quadratic time.
    let without_ends = html.rfind('>').map_or(html.len(), |last| html.len() - last - 1);
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        if let Some(tag) = Some(rest).filter(|rest| rest.len() > without_ends).and_then(tag) {
            rest = rest.get(tag.text.len()..).unwrap_or_default();
            return Some(Piece::Tag(tag));
        }
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let end = rest.get(first..).and_then(|after| after.find('<')).map_or(rest.len(), |found| first + found);
        let (text, after) = rest.split_at(end);
        rest = after;
        Some(Piece::Text(text))
    })
}

/// The tag at the start of the text.
fn tag(html: &str) -> Option<Tag<'_>> {
    let inner = html.strip_prefix('<')?;
    let is_end = inner.starts_with('/');
    let named = inner.strip_prefix('/').unwrap_or(inner);
    if !named.starts_with(|character: char| character.is_ascii_alphabetic()) {
        return None;
    }
    let name = named.get(..named.find(|character: char| !character.is_ascii_alphanumeric() && character != '-')?)?;
    Some(Tag { text: html.get(..=end(html)?)?, name, is_end })
}

/// Where a tag ends: at the first `>` outside quotes, or at the first `>` of all if a quote has no end.
fn end(tag: &str) -> Option<usize> {
    let mut quote = None;
    for (index, byte) in tag.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return Some(index),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
    }
    tag.find('>')
}

/// Appends a text with its entities decoded.
pub(super) fn push_decoded(text: &mut String, html: &str) {
    let mut rest = html;
    while let Some((before, after)) = rest.split_once('&') {
        text.push_str(before);
        let entity = after.char_indices().take(ENTITY_CHARACTERS).find(|(_, character)| *character == ';');
        let decoded = entity.and_then(|(end, _)| Some((decoded(after.get(..end)?)?, after.get(end + 1..)?)));
        let (character, left) = decoded.unwrap_or(('&', after));
        text.push(character);
        rest = left;
    }
    text.push_str(rest);
}

/// Characters of an entity with its `;`, so that a text of many `&` is not searched to its end for each: `#1114111;`,
/// the longest, has 9.
const ENTITY_CHARACTERS: usize = 10;

fn decoded(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some(' '),
        _ => name.strip_prefix('#').and_then(|digits| digits.parse().ok()).and_then(char::from_u32),
    }
}
