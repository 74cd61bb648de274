//! Marks of texts in workbooks that no plain text can have: what is struck out, and what stands higher or lower than
//! the rest. Raised and lowered digits have signs of their own, so `x` with a raised 2 is read as `x²`.

use domain::workbook::CellMark;
use quick_xml::escape::escape;
use quick_xml::events::{BytesStart, Event};

use super::archive::events;
use super::cells::attribute;
use super::ods::resolved;
use super::unusable::Unusable;

/// Text that calamine hands on in the place of a struck-out cell. It begins with what is no character, so that nobody
/// types it.
const STRUCK: &str = "\u{FDD0}struck";
/// Text that calamine hands on in the place of a cell with raised or lowered text that has no signs.
const RAISED: &str = "\u{FDD0}raised";
/// Stands behind the cells of a row that the sheet hides.
pub const HIDDEN_ROW: &str = "\u{FDD0}hidden";

/// Where a text stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    #[default]
    Usual,
    Raised,
    Lowered,
}

/// How a text is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextStyle {
    pub is_struck: bool,
    pub level: Level,
}

impl TextStyle {
    /// The mark of a whole cell in this style.
    pub fn mark(self) -> Option<CellMark> {
        match self {
            Self { is_struck: true, .. } => Some(CellMark::Struck),
            Self { level: Level::Usual, .. } => None,
            Self { .. } => Some(CellMark::Raised),
        }
    }

    /// Adds what an element of the properties of a font says.
    pub fn see(&mut self, tag: &BytesStart<'_>) -> Result<(), Unusable> {
        let value = || attribute(tag, "val").map(Option::unwrap_or_default);
        match tag.local_name().as_ref() {
            "strike" | "dstrike" => self.is_struck |= !matches!(&*value()?, "0" | "false"),
            "vertAlign" => {
                self.level = match &*value()? {
                    "superscript" => Level::Raised,
                    "subscript" => Level::Lowered,
                    _ => Level::Usual,
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// What calamine is given in the place of a marked cell.
pub const fn stand_in(mark: CellMark) -> &'static str {
    match mark {
        CellMark::Struck => STRUCK,
        CellMark::Raised => RAISED,
    }
}

/// The mark that a text stands for.
pub fn mark_of(text: &str) -> Option<CellMark> {
    [CellMark::Struck, CellMark::Raised].into_iter().find(|mark| stand_in(*mark) == text)
}

/// A text that is put together from runs of different styles.
#[derive(Clone, Debug, Default)]
pub struct MarkedText {
    pub text: String,
    mark: Option<CellMark>,
    is_changed: bool,
}

impl MarkedText {
    pub fn push(&mut self, run: &str, style: TextStyle) {
        if run.trim().is_empty() || style == TextStyle::default() {
            return self.text.push_str(run);
        }
        self.is_changed = true;
        if style.is_struck {
            self.mark = Some(CellMark::Struck);
        }
        let signs: Option<String> = run.chars().map(|letter| sign(letter, style.level)).collect();
        match signs {
            Some(signs) => self.text.push_str(&signs),
            None => self.mark = self.mark.or(Some(CellMark::Raised)),
        }
    }

    /// The plain text; its mark if it can't be one.
    pub fn plain(self) -> Result<String, CellMark> {
        self.mark.map_or(Ok(self.text), Err)
    }

    /// What calamine is given: the plain text, or what stands for its mark.
    fn handed_on(self) -> String {
        self.plain().unwrap_or_else(|mark| stand_in(mark).to_owned())
    }
}

/// The sign that looks like a raised or lowered letter.
fn sign(letter: char, level: Level) -> Option<char> {
    let signs = match level {
        Level::Usual => return Some(letter),
        Level::Raised => "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ",
        Level::Lowered => "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₙ",
    };
    if letter.is_whitespace() {
        return Some(letter);
    }
    signs.chars().nth("0123456789+-−=()n".chars().position(|plain| plain == letter)?)
}

/// The runs of a text in an xlsx file, seen event by event.
#[derive(Default)]
pub struct Runs {
    text: MarkedText,
    style: TextStyle,
    is_in_style: bool,
    is_in_text: bool,
    /// The reading of the text above its letters, which belongs to no cell.
    is_phonetic: bool,
}

impl Runs {
    pub fn see(&mut self, event: &Event<'_>) -> Result<(), Unusable> {
        match event {
            Event::Empty(tag) if self.is_in_style => self.style.see(tag)?,
            Event::Start(tag) => match tag.local_name().as_ref() {
                "r" => self.style = TextStyle::default(),
                "rPr" => self.is_in_style = true,
                "rPh" => self.is_phonetic = true,
                "t" => self.is_in_text = !self.is_phonetic,
                _ if self.is_in_style => self.style.see(tag)?,
                _ => {}
            },
            Event::End(tag) => match tag.local_name().as_ref() {
                "r" => self.style = TextStyle::default(),
                "rPr" => self.is_in_style = false,
                "rPh" => self.is_phonetic = false,
                "t" => self.is_in_text = false,
                _ => {}
            },
            Event::Text(text) if self.is_in_text => self.text.push(text, self.style),
            Event::CData(text) if self.is_in_text => self.text.push(text, self.style),
            Event::GeneralRef(entity) if self.is_in_text => self.text.push(&resolved(entity)?, self.style),
            _ => {}
        }
        Ok(())
    }

    /// The text, or what stands for it, if any of it is marked; `None` if it can be left as it is.
    pub fn instead(self) -> Option<String> {
        self.text.is_changed.then(|| self.text.handed_on())
    }
}

/// The table of shared texts with plain texts alone; `None` if it can be left as it is.
pub fn plain_shared_texts(part: &[u8]) -> Result<Option<String>, Unusable> {
    let has = |word: &[u8]| part.windows(word.len()).any(|window| window == word);
    if !has(b"vertAlign") && !has(b"strike") {
        return Ok(None);
    }
    let (mut table, mut runs) = ("<sst>".to_owned(), Runs::default());
    events(part, |event| {
        match event {
            Event::Start(tag) if tag.local_name().as_ref() == "si" => runs = Runs::default(),
            Event::End(tag) if tag.local_name().as_ref() == "si" => {
                let text = std::mem::take(&mut runs).text.handed_on();
                table.push_str(&format!("<si><t xml:space=\"preserve\">{}</t></si>", escape(&text)));
            }
            event => runs.see(event)?,
        }
        Ok(true)
    })?;
    Ok(Some(table + "</sst>"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shared(runs: &str) -> String {
        let table = plain_shared_texts(format!("<sst><si>{runs}</si></sst>").as_bytes()).unwrap().unwrap();
        let inside = table.strip_prefix("<sst><si><t xml:space=\"preserve\">").unwrap();
        inside.strip_suffix("</t></si></sst>").unwrap().to_owned()
    }

    fn raised(text: &str) -> String {
        format!("<r><rPr><vertAlign val=\"superscript\"/></rPr><t>{text}</t></r>")
    }

    #[test]
    fn raised_and_lowered_digits_have_signs_and_other_letters_have_none() {
        let lowered = "<r><rPr><vertAlign val=\"subscript\"/></rPr><t>2</t></r>";
        assert_eq!(shared(&format!("<r><t>x</t></r>{}<r><t> &lt; y</t></r>", raised("-12"))), "x⁻¹² &lt; y");
        assert_eq!(shared(&format!("<r><t>H</t></r>{lowered}<r><t>O</t></r>")), "H₂O");
        assert_eq!(shared(&format!("<r><t>1</t></r>{}", raised("st"))), RAISED);
        assert_eq!(shared(&format!("<r><t>a</t></r>{}<rPh><t>b</t></rPh>", raised(" "))), "a ");
    }

    #[test]
    fn what_is_struck_out_is_marked() {
        let struck = |value: &str| format!("<r><t>a</t></r><r><rPr><strike{value}/></rPr><t>b</t></r>");
        assert_eq!((shared(&struck("")), shared(&struck(" val=\"0\""))), (STRUCK.to_owned(), "ab".to_owned()));
        assert_eq!(mark_of(STRUCK), Some(CellMark::Struck));
        assert_eq!(plain_shared_texts(b"<sst><si><t>a</t></si></sst>").unwrap(), None);
    }
}
