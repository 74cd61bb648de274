//! Drawings made harmless: an SVG is written anew from the elements and attributes that only draw. What could run,
//! load, move or tell anything is left out, and what could make a browser draw without end is refused.

mod allowed;
mod references;

use std::borrow::Cow;

use quick_xml::escape::{escape, resolve_predefined_entity};
use quick_xml::events::{BytesStart, Event};
use quick_xml::name::QName;
use quick_xml::{Reader, XmlVersion};

use allowed::{attribute, element, is_harmless, local_targets};
use references::References;

/// Bytes of a drawing that is read. Drawings that a question needs have a few thousand.
const SVG_BYTES_MAX: usize = 2 * 1_024 * 1_024;
/// Elements of a drawing.
const ELEMENTS_MAX: usize = 20_000;
/// Attributes of an element.
const ATTRIBUTES_MAX: usize = 256;
/// Elements within each other.
const DEPTH_MAX: usize = 64;

/// A drawing that can do nothing but be seen.
#[derive(Debug, PartialEq, Eq)]
pub struct HarmlessDrawing {
    pub text: String,
    /// In pixels; 0 if it does not say.
    pub width: u32,
    pub height: u32,
}

impl HarmlessDrawing {
    /// Reads a drawing. `None` for what is none, is broken, or would be too much to draw.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok().filter(|text| text.len() <= SVG_BYTES_MAX)?;
        let mut reader = Reader::from_str(text.trim_start_matches('\u{feff}'));
        let mut copy = DrawingCopy::default();
        loop {
            match reader.read_event().ok()? {
                Event::Start(tag) => copy.begin(&tag, false)?,
                Event::Empty(tag) => copy.begin(&tag, true)?,
                Event::End(_) => copy.end()?,
                Event::Text(text) => copy.text(&text.xml10_content()),
                Event::CData(text) => copy.text(&text.xml10_content()),
                Event::GeneralRef(reference) => match reference.resolve_char_ref().ok()? {
                    Some(letter) => copy.text(letter.encode_utf8(&mut [0; 4])),
                    // An entity of its own may stand for anything.
                    None => copy.text(resolve_predefined_entity(&reference)?),
                },
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
                Event::Eof => return copy.finished(),
            }
        }
    }
}

/// The copy of a drawing, as far as it has been read.
#[derive(Default)]
struct DrawingCopy {
    written: String,
    /// The elements that are open, by their names; all are copied.
    open: Vec<&'static str>,
    /// How many elements are open within one that is left out, with that one.
    left_out: usize,
    /// The text of the style sheet that is open.
    style: Option<String>,
    elements: usize,
    references: References,
    size: Option<(u32, u32)>,
}

impl DrawingCopy {
    fn begin(&mut self, tag: &BytesStart<'_>, is_empty: bool) -> Option<()> {
        self.elements += 1;
        if self.elements > ELEMENTS_MAX || self.open.len() + self.left_out >= DEPTH_MAX {
            return None;
        }
        let name = svg_name(tag.name()).and_then(element).filter(|_| self.left_out == 0 && self.style.is_none());
        let Some(name) = name else {
            self.left_out += usize::from(!is_empty);
            return Some(());
        };
        let is_root = self.open.is_empty();
        if is_root != (name == "svg") || is_root && self.size.is_some() {
            // A drawing within a drawing is left out; anything else that is not one, or two of them, are none.
            self.left_out += usize::from(!is_empty && !is_root);
            return (!is_root).then_some(());
        }
        let attributes = Attributes::read(tag)?;
        if is_root {
            self.size = Some(attributes.size());
        }
        self.references.begin(name, attributes.id(), attributes.targets());
        if name == "style" {
            self.style = (!is_empty).then(String::new);
        } else {
            self.written.push('<');
            self.written.push_str(name);
            if is_root {
                self.written.push_str(" xmlns=\"http://www.w3.org/2000/svg\"");
            }
            attributes.write(&mut self.written);
            self.written.push_str(if is_empty { "/>" } else { ">" });
        }
        if is_empty {
            self.references.end();
        } else {
            self.open.push(name);
        }
        Some(())
    }

    fn end(&mut self) -> Option<()> {
        if self.left_out > 0 {
            self.left_out -= 1;
            return Some(());
        }
        let name = self.open.pop()?;
        self.references.end();
        if let Some(style) = self.style.take() {
            if is_harmless(&style) {
                self.references.of_style(local_targets(&style));
                self.written.push_str("<style>");
                self.written.push_str(&escape(style));
                self.written.push_str("</style>");
            }
            return Some(());
        }
        self.written.push_str("</");
        self.written.push_str(name);
        self.written.push('>');
        Some(())
    }

    fn text(&mut self, text: &str) {
        if self.left_out > 0 || self.open.is_empty() {
            return;
        }
        let text: String =
            text.chars().filter(|letter| !letter.is_control() || matches!(letter, '\n' | '\t')).collect();
        match &mut self.style {
            Some(style) => style.push_str(&text),
            None => self.written.push_str(&escape(text)),
        }
    }

    fn finished(self) -> Option<HarmlessDrawing> {
        let (width, height) = self.size?;
        let is_whole = self.open.is_empty() && self.left_out == 0 && self.references.are_drawable();
        is_whole.then_some(HarmlessDrawing { text: self.written, width, height })
    }
}

/// The name of an element of drawings, which may have its usual prefix.
fn svg_name(name: QName<'_>) -> Option<&str> {
    let name = name.into_inner();
    match name.split_once(':') {
        None => Some(name),
        Some(("svg", name)) => Some(name),
        Some(_) => None,
    }
}

/// The attributes of an element that are copied, each once.
struct Attributes(Vec<(&'static str, String)>);

impl Attributes {
    fn read(tag: &BytesStart<'_>) -> Option<Self> {
        let mut copied: Vec<(&'static str, String)> = Vec::new();
        for (index, given) in tag.attributes().with_checks(false).enumerate() {
            let given = given.ok().filter(|_| index < ATTRIBUTES_MAX)?;
            let Some(name) = attribute(given.key.into_inner()) else { continue };
            let value: Cow<'_, str> = given.normalized_value(XmlVersion::Implicit1_0).ok()?;
            let is_local = name != "href" || value.starts_with('#') && !value.contains('%');
            if is_local && is_harmless(&value) && copied.iter().all(|(other, _)| *other != name) {
                copied.push((name, value.chars().filter(|letter| !letter.is_control()).collect()));
            }
        }
        Some(Self(copied))
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(given, _)| *given == name).map(|(_, value)| value.as_str())
    }

    fn id(&self) -> Option<&str> {
        self.get("id")
    }

    /// The ids of the elements that this one refers to.
    fn targets(&self) -> Vec<&str> {
        let by_href = self.get("href").and_then(|href| href.strip_prefix('#'));
        self.0.iter().flat_map(|(_, value)| local_targets(value)).chain(by_href).collect()
    }

    fn write(&self, written: &mut String) {
        for (name, value) in &self.0 {
            written.push(' ');
            written.push_str(name);
            written.push_str("=\"");
            written.push_str(&escape(value.as_str()));
            written.push('"');
        }
    }

    /// Width and height in pixels, of what the drawing says of itself or else of its view.
    fn size(&self) -> (u32, u32) {
        let view: Vec<&str> =
            self.get("viewBox").unwrap_or_default().split([' ', ',']).filter(|part| !part.is_empty()).collect();
        let side = |name: &str, place: usize| {
            self.get(name).and_then(pixels).or_else(|| view.get(place).copied().and_then(pixels)).unwrap_or_default()
        };
        (side("width", 2), side("height", 3))
    }
}

/// A length in pixels, which is also the unit of a number alone.
fn pixels(length: &str) -> Option<u32> {
    let number: f64 = length.trim().trim_end_matches("px").parse().ok()?;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be small")]
    (0.5..100_000.0).contains(&number).then(|| number.round() as u32)
}

#[cfg(test)]
mod tests;
