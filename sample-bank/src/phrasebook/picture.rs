//! The texts in the pictures of the bank, which are SVG in the address of the picture itself.

use crate::figures::{ADDRESS_START, address};

/// The picture with each of its texts as `translate` has it; `None` when one has no translation.
pub(super) fn with_texts(picture: &str, translate: impl Fn(&str) -> Option<String>) -> Option<String> {
    let svg = svg(picture.strip_prefix(ADDRESS_START)?)?;
    let (mut written, mut rest) = (String::with_capacity(svg.len()), svg.as_str());
    while let Some(start) = rest.find("<text") {
        let (before, element) = rest.split_at_checked(start)?;
        let (tag, content) = element.split_at_checked(element.find('>')? + 1)?;
        let (text, after) = content.split_at_checked(content.find('<')?)?;
        written += before;
        written += tag;
        written += &escaped(&translate(text)?);
        rest = after;
    }
    written += rest;
    Some(address(&written))
}

/// The SVG in the rest of an address.
fn svg(coded: &str) -> Option<String> {
    let (mut bytes, mut rest) = (Vec::with_capacity(coded.len()), coded.bytes());
    while let Some(byte) = rest.next() {
        bytes.push(if byte == b'%' { hexadecimal(rest.next()?)? * 16 + hexadecimal(rest.next()?)? } else { byte });
    }
    String::from_utf8(bytes).ok()
}

fn hexadecimal(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SVG: &str = "<svg><text x='1'>Monday</text><path d='M1 2'/><text>5 cm</text></svg>";

    #[test]
    fn only_texts_are_translated() {
        let day = |text: &str| Some(if text == "Monday" { "Thứ Hai & <".to_owned() } else { text.to_owned() });
        let expected = SVG.replace("Monday", "Thứ Hai &amp; &lt;");
        assert_eq!(with_texts(&address(SVG), day), Some(address(&expected)));
        assert_eq!(with_texts(&address(SVG), |text| Some(text.to_owned())), Some(address(SVG)));
    }

    #[test]
    fn a_text_without_translation_leaves_no_picture() {
        assert_eq!(with_texts(&address(SVG), |_| None), None);
        assert_eq!(with_texts("https://school.example/a.svg", |text| Some(text.to_owned())), None);
    }
}
