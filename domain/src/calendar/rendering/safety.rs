//! Makes HTML safe, at a cost that is bounded. A parser of HTML opens unclosed elements such as `<b>` again in each
//! following paragraph, so that a small text could become a large one. While the sanitiser reads the text, such
//! elements therefore have other names.

use std::sync::LazyLock;

use ammonia::Builder;

use crate::picture::is_picture_address;

/// Elements that a parser opens again. `a` is one as well, but no two links can be open at once.
const REOPENED: [&str; 13] =
    ["b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"];
/// Those of them that the sanitiser keeps, under their other names.
const REOPENED_KEPT: [&str; 11] = [
    "x\u{FDD6}b",
    "x\u{FDD6}big",
    "x\u{FDD6}code",
    "x\u{FDD6}em",
    "x\u{FDD6}i",
    "x\u{FDD6}s",
    "x\u{FDD6}small",
    "x\u{FDD6}strike",
    "x\u{FDD6}strong",
    "x\u{FDD6}tt",
    "x\u{FDD6}u",
];
/// Stands before the names of such elements while the sanitiser reads them. The second character is one that `cleaned`
/// removes from what clients send, so that nobody can type such a name.
const PREFIX: &str = "x\u{FDD6}";
/// Renamed too: the parser would add the attributes of every further `<html>` and `<body>` to the first, one by one.
const OUTERMOST: [&str; 2] = ["html", "body"];
/// Elements that may stand within a line.
const INLINE: [&str; 9] = ["a", "abbr", "cite", "del", "ins", "q", "span", "sub", "sup"];

/// Entities that stay as they were sent, each with the character that stands for it while the text is rendered. Unicode
/// reserves these characters for internal use, and `cleaned` removes them from what clients send.
const ENTITIES: [(&str, char); 6] = [
    ("&#8220;", OPENING),
    ("&#8221;", '\u{FDD1}'),
    ("&#8216;", OPENING_SINGLE),
    ("&#8217;", '\u{FDD3}'),
    ("&#8212;", '\u{FDD4}'),
    ("&#8230;", '\u{FDD5}'),
];
/// Stands for an opening double quote that was sent as an entity.
pub(super) const OPENING: char = '\u{FDD0}';
/// Stands for an opening single quote that was sent as an entity.
pub(super) const OPENING_SINGLE: char = '\u{FDD2}';

static INLINE_ONLY: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut builder = Builder::default();
    builder.tags(INLINE.into_iter().chain(REOPENED_KEPT).collect()).link_rel(None);
    builder
});

static WITH_BLOCKS: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut builder = Builder::default();
    builder.rm_tags(REOPENED).add_tags(REOPENED_KEPT).add_generic_attributes(["class"]).link_rel(None);
    // A browser asks for a picture in the name of whoever reads the text.
    builder.attribute_filter(|element, attribute, value| {
        let is_picture = element == "img" && attribute == "src";
        (!is_picture || is_picture_address(value)).then_some(value.into())
    });
    builder
});

/// Safe HTML within a line. [`with_entities`] must still put the entities of typographic marks back.
pub(super) fn inline(text: &str) -> String {
    cleaned(&without_breaks(text), &INLINE_ONLY)
}

/// Replaces each `<br>` by a blank. Without one, the words around it would be joined.
fn without_breaks(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        let (before, tag) = rest.split_at(start);
        kept.push_str(before);
        let is_break = tag.get(1..3).is_some_and(|name| name.eq_ignore_ascii_case("br"))
            && tag.get(3..).is_some_and(|after| after.starts_with(['>', '/', ' ']));
        let end = if is_break { tag.find('>') } else { None };
        kept.push(if end.is_some() { ' ' } else { '<' });
        rest = tag.get(end.unwrap_or(0) + 1..).unwrap_or_default();
    }
    kept + rest
}

/// Safe HTML with paragraphs, lists, tables and images. [`with_entities`] must still put the entities back.
pub(super) fn blocks(text: &str) -> String {
    cleaned(text, &WITH_BLOCKS)
}

/// Puts the entities back in place of their characters, and removes control characters.
pub(super) fn with_entities(text: &str) -> String {
    let mut whole = String::with_capacity(text.len());
    for character in text.chars() {
        match ENTITIES.iter().find(|(_, stand_in)| *stand_in == character) {
            Some((entity, _)) => whole.push_str(entity),
            // `cleaned` has removed typed control characters. These were sent as entities, which the sanitiser decodes.
            None if is_control(character) => {}
            None => whole.push(character),
        }
    }
    whole
}

fn cleaned(text: &str, builder: &Builder<'_>) -> String {
    let kept: String = text.replace("\r\n", "\n").chars().filter(|character| is_kept(*character)).collect();
    let stood_in =
        ENTITIES.iter().fold(kept, |text, (entity, stand_in)| text.replace(entity, stand_in.encode_utf8(&mut [0; 4])));
    with_own_names(&builder.clean(&with_other_names(&stood_in)).to_string())
}

fn is_kept(character: char) -> bool {
    let is_stand_in = ('\u{FDD0}'..='\u{FDEF}').contains(&character);
    !is_stand_in && !is_control(character)
}

fn is_control(character: char) -> bool {
    character.is_control() && !matches!(character, '\n' | '\t')
}

/// Gives other names to elements that a parser opens again, wherever one might stand.
fn with_other_names(text: &str) -> String {
    let mut renamed = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        let (slash, named) = after.strip_prefix('/').map_or(("", after), |named| ("/", named));
        let end = named.find(|character: char| !character.is_ascii_alphanumeric()).unwrap_or(named.len());
        let name = named.get(..end).unwrap_or_default();
        let is_renamed = REOPENED.iter().chain(&OUTERMOST).any(|reopened| reopened.eq_ignore_ascii_case(name));
        renamed.push_str(before);
        renamed.push('<');
        renamed.push_str(slash);
        renamed.push_str(if is_renamed { PREFIX } else { "" });
        rest = named;
    }
    renamed.push_str(rest);
    renamed
}

/// Gives elements their own names back, also where the sanitiser took them for text.
fn with_own_names(html: &str) -> String {
    html.replace(PREFIX, "")
}
