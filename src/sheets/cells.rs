//! Rewrites the cells of a sheet so that calamine can read all of them. A value that would make calamine give up the
//! whole workbook becomes an error value, which costs only its own row.

use std::io::Write;

use domain::workbook::CellMark;
use quick_xml::escape::escape;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, Writer};

use super::marks::{HIDDEN_ROW, Runs, stand_in};
use super::unusable::Unusable;

/// The error values that calamine knows.
const KNOWN_ERRORS: [&str; 7] = ["#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!"];
/// Replaces every other error value, and every value that does not fit its cell's type.
const OTHER_ERROR: &str = "#VALUE!";
/// The last row of a spreadsheet. Beyond it, calamine would count until its numbers overflow.
const LAST_ROW: u32 = 1_048_576;
/// Number of letters of a spreadsheet's last column, `XFD`.
const COLUMN_LETTERS: usize = 3;
/// Bytes of an attribute with a cell's position, format or type. Real ones have a few.
const ATTRIBUTE_BYTES_MAX: usize = 64;

/// Writes a sheet up to the end of its cells. Formulas, extensions of cells and everything after the cells are left
/// out. If the sheet is cut off, so is what is written.
///
/// `marks` has the mark of each cell format: a cell with one becomes what stands for it. Behind the cells of a hidden
/// row stands a text that says so.
pub fn write_sheet(
    plain: &mut impl Write,
    part: &[u8],
    shared_texts: usize,
    marks: &[Option<CellMark>],
) -> Result<(), Unusable> {
    Sheet { reader: reader(part), writer: Writer::new(plain), shared_texts, marks, hidden_row: None }.write()
}

struct Sheet<'a, W> {
    reader: Reader<&'a [u8]>,
    writer: Writer<W>,
    shared_texts: usize,
    marks: &'a [Option<CellMark>],
    /// In a hidden row, whether it has any cell.
    hidden_row: Option<bool>,
}

/// The attributes of a cell that affect its value.
struct Attributes {
    place: Option<String>,
    style: Option<String>,
    kind: Option<String>,
}

impl<W: Write> Sheet<'_, W> {
    fn write(mut self) -> Result<(), Unusable> {
        let (mut buffer, mut is_in_cells) = (Vec::new(), false);
        loop {
            buffer.clear();
            let Ok(event) = self.reader.read_event_into(&mut buffer) else { return Ok(()) };
            match &event {
                Event::Eof => return Ok(()),
                // The declaration may name another encoding, but the output is always UTF-8.
                Event::Decl(_) => continue,
                Event::Start(tag) | Event::Empty(tag) if is_in_cells && tag.local_name().as_ref() == "row" => {
                    check_place(short_attribute(tag, "r")?.as_deref())?;
                    let is_hidden = matches!(short_attribute(tag, "hidden")?.as_deref(), Some("1" | "true"));
                    self.hidden_row = is_hidden.then_some(false);
                }
                Event::End(tag) if is_in_cells && tag.local_name().as_ref() == "row" => {
                    self.end_row()?;
                }
                Event::Start(tag) if is_in_cells && tag.local_name().as_ref() == "c" => {
                    let attributes = Attributes::of(tag)?;
                    self.write_cell(&attributes)?;
                    continue;
                }
                Event::Empty(tag) if is_in_cells && tag.local_name().as_ref() == "c" => {
                    check_place(short_attribute(tag, "r")?.as_deref())?;
                }
                Event::Start(tag) if tag.local_name().as_ref() == "sheetData" => is_in_cells = true,
                Event::End(tag) if tag.local_name().as_ref() == "sheetData" => {
                    return self.writer.write_event(event).map_err(|_| Unusable::NotAWorkbook);
                }
                _ => {}
            }
            self.writer.write_event(event).map_err(|_| Unusable::NotAWorkbook)?;
        }
    }

    /// Says behind the cells of a row whether it is hidden.
    fn end_row(&mut self) -> Result<(), Unusable> {
        if self.hidden_row.take() != Some(true) {
            return Ok(());
        }
        let told = format!("<c t=\"str\"><v>{HIDDEN_ROW}</v></c>");
        self.writer.get_mut().write_all(told.as_bytes()).map_err(|_| Unusable::NotAWorkbook)
    }

    /// Reads a cell to its end and writes it, with its own value or with an error value.
    fn write_cell(&mut self, attributes: &Attributes) -> Result<(), Unusable> {
        let (mut buffer, mut content, mut kind) = (Vec::new(), Writer::new(Vec::new()), attributes.kind.as_deref());
        loop {
            buffer.clear();
            match self.reader.read_event_into(&mut buffer) {
                Ok(Event::Start(tag)) => match tag.local_name().as_ref() {
                    "v" if attributes.has_plain_value() => {
                        let value = self.value();
                        match attributes.sound(&value, self.shared_texts) {
                            Some(value) => write_value(content.get_mut(), value)?,
                            // Some programs write texts without a type. One with an entity reference was not understood
                            // completely and becomes an error value.
                            None if kind.is_none() && !value.contains(char::REPLACEMENT_CHARACTER) => {
                                kind = Some("str");
                                write_value(content.get_mut(), &escape(&value))?;
                            }
                            None => {
                                kind = Some("e");
                                content.get_mut().clear();
                                write_value(content.get_mut(), OTHER_ERROR)?;
                            }
                        }
                    }
                    "v" | "is" => {
                        content.write_event(Event::Start(tag)).map_err(|_| Unusable::NotAWorkbook)?;
                        let mut runs = Runs::default();
                        self.pass(|event| runs.see(&event).is_ok() && content.write_event(event).is_ok());
                        if let Some(text) = runs.instead() {
                            kind = Some("str");
                            content.get_mut().clear();
                            write_value(content.get_mut(), &escape(&text))?;
                        }
                    }
                    _ => self.pass(|_| true),
                },
                Ok(Event::End(tag)) if tag.local_name().as_ref() == "c" => break,
                Ok(Event::Eof) | Err(_) => return Ok(()),
                Ok(_) => {}
            }
        }
        self.hidden_row = self.hidden_row.map(|has_cells| has_cells || !content.get_ref().is_empty());
        if let Some(mark) = attributes.mark(self.marks).filter(|_| !content.get_ref().is_empty()) {
            kind = Some("str");
            content.get_mut().clear();
            write_value(content.get_mut(), stand_in(mark))?;
        }
        let plain = self.writer.get_mut();
        let written = plain
            .write_all(attributes.begin(kind).as_bytes())
            .and_then(|()| plain.write_all(content.get_ref()))
            .and_then(|()| plain.write_all(b"</c>"));
        written.map_err(|_| Unusable::NotAWorkbook)
    }

    /// Calls `see` with each event up to and including the end of the current element, until `see` returns false.
    fn pass(&mut self, mut see: impl FnMut(Event<'_>) -> bool) {
        let (mut buffer, mut depth) = (Vec::new(), 1_usize);
        while depth > 0 {
            buffer.clear();
            let event = match self.reader.read_event_into(&mut buffer) {
                Ok(Event::Eof) | Err(_) => return,
                Ok(event) => event,
            };
            match event {
                Event::Start(_) => depth += 1,
                Event::End(_) => depth -= 1,
                _ => {}
            }
            if !see(event) {
                return;
            }
        }
    }

    /// The text of a value. An entity reference becomes a replacement character, since no valid value has one.
    fn value(&mut self) -> String {
        let mut value = String::new();
        self.pass(|event| {
            match event {
                Event::Text(text) => value.push_str(&text),
                Event::CData(text) => value.push_str(&text),
                Event::GeneralRef(_) => value.push(char::REPLACEMENT_CHARACTER),
                _ => {}
            }
            true
        });
        value
    }
}

impl Attributes {
    fn of(tag: &BytesStart<'_>) -> Result<Self, Unusable> {
        let place = short_attribute(tag, "r")?;
        check_place(place.as_deref())?;
        Ok(Self { place, style: short_attribute(tag, "s")?, kind: short_attribute(tag, "t")? })
    }

    /// The mark of the cell's format.
    fn mark(&self, marks: &[Option<CellMark>]) -> Option<CellMark> {
        let style = self.style.as_deref()?.parse::<usize>().ok()?;
        marks.get(style).copied().flatten()
    }

    /// Whether the value is a number, an index, a boolean or an error, and not a text.
    fn has_plain_value(&self) -> bool {
        !matches!(self.kind.as_deref(), Some("str" | "inlineStr" | "is" | "d"))
    }

    /// The value if calamine accepts it.
    fn sound<'v>(&self, value: &'v str, shared_texts: usize) -> Option<&'v str> {
        let value = value.trim();
        let is_sound = match self.kind.as_deref() {
            _ if value.is_empty() => true,
            None | Some("n") => value.parse::<f64>().is_ok(),
            Some("s") => {
                value.bytes().all(|byte| byte.is_ascii_digit())
                    && value.parse::<usize>().is_ok_and(|index| index < shared_texts)
            }
            Some("b") => ["0", "1", "false", "true"].iter().any(|known| value.eq_ignore_ascii_case(known)),
            Some("e") => KNOWN_ERRORS.contains(&value),
            Some(_) => false,
        };
        is_sound.then_some(value)
    }

    fn begin(&self, kind: Option<&str>) -> String {
        let attributes = [("r", self.place.as_deref()), ("s", self.style.as_deref()), ("t", kind)];
        let written = attributes
            .into_iter()
            .filter_map(|(name, value)| value.map(|value| format!(" {name}=\"{}\"", value.replace('"', "&quot;"))));
        format!("<c{}>", written.collect::<String>())
    }
}

fn write_value(content: &mut Vec<u8>, value: &str) -> Result<(), Unusable> {
    write!(content, "<v>{value}</v>").map_err(|_| Unusable::NotAWorkbook)
}

/// A reader of a part that is as lenient as calamine's.
pub fn reader(part: &[u8]) -> Reader<&[u8]> {
    let mut reader = Reader::from_reader(part);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.check_comments = false;
    reader
}

/// An attribute's value, with its entities left as they are.
pub fn attribute(tag: &BytesStart<'_>, name: &str) -> Result<Option<String>, Unusable> {
    let found = tag.try_get_attribute(name).map_err(|_| Unusable::NotAWorkbook)?;
    Ok(found.map(|attribute| attribute.value.into_owned()))
}

/// Like [`attribute`], for cells and rows, whose attributes are short.
fn short_attribute(tag: &BytesStart<'_>, name: &str) -> Result<Option<String>, Unusable> {
    let value = attribute(tag, name)?;
    if value.as_ref().is_some_and(|value| value.len() > ATTRIBUTE_BYTES_MAX) {
        Err(Unusable::NotAWorkbook)
    } else {
        Ok(value)
    }
}

/// Checks a position such as `C7`, or `7` for a row. What is no position at all is left to calamine.
fn check_place(place: Option<&str>) -> Result<(), Unusable> {
    let place = place.unwrap_or_default();
    let row = place.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
    if place.len() - row.len() > COLUMN_LETTERS {
        return Err(Unusable::TooManyColumns);
    }
    let is_number = !row.is_empty() && row.bytes().all(|byte| byte.is_ascii_digit());
    if is_number && !row.parse::<u32>().is_ok_and(|row| row <= LAST_ROW) { Err(Unusable::TooManyRows) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(sheet: &str, shared_texts: usize) -> Result<String, Unusable> {
        let mut plain = Vec::new();
        write_sheet(&mut plain, sheet.as_bytes(), shared_texts, &[None, Some(CellMark::Struck)])
            .map(|()| String::from_utf8(plain).unwrap())
    }

    #[track_caller]
    fn assert_cell(cell: &str, expected: &str) {
        let sheet = format!("<worksheet><c/><sheetData><row r=\"1\">{cell}</row></sheetData><extLst/></worksheet>");
        assert_eq!(
            written(&sheet, 3).unwrap(),
            format!("<worksheet><c/><sheetData><row r=\"1\">{expected}</row></sheetData>")
        );
    }

    #[test]
    fn a_text_is_no_error() {
        for cell in [
            "<c t=\"str\"><v>#5 is what?</v></c>",
            "<c t=\"str\"><v xml:space=\"preserve\"> #N &amp; </v></c>",
            "<c t=\"inlineStr\"><is><t>#5</t></is></c>",
        ] {
            assert_cell(cell, cell);
        }
        assert_cell(
            "<x:c s='2' r=\"B1\" t=\"str\"><f>1+1</f><v>#5</v></x:c>",
            "<c r=\"B1\" s=\"2\" t=\"str\"><v>#5</v></c>",
        );
    }

    #[test]
    fn values_that_the_reader_does_not_know_are_errors() {
        let known = "<c r=\"A1\" t=\"e\"><v>#N/A</v></c>";
        assert_cell(known, known);
        let other = "<c r=\"A1\" s=\"7\" t=\"e\"><v>#VALUE!</v></c>";
        let values = [
            "t=\"e\"><v>#SPILL!</v>",
            "t=\"e\"><v>Err:522</v>",
            "t=\"e\"><x:v>#SPILL!</x:v>",
            "t=\"e\"><v xml:space=\"preserve\">#CALC!</v>",
        ];
        let others = [
            "t=\"n\"><v>five</v>",
            "><v>&five;</v>",
            "t=\"n\"><v>&five;</v>",
            "t=\"s\"><v>3</v>",
            "t=\"s\"><v>-1</v>",
            "t=\"b\"><v>2</v>",
            "t=\"x\"><v>1</v>",
        ];
        for value in values.into_iter().chain(others) {
            assert_cell(&format!("<c r=\"A1\" s=\"7\" {value}</c>"), other);
        }
        for sound in ["t=\"n\"><v>5e3</v>", "t=\"s\"><v>2</v>", "t=\"b\"><v>true</v>", "t=\"n\"><v></v>"] {
            let cell = format!("<c r=\"A1\" {sound}</c>");
            assert_cell(&cell, &cell);
        }
        assert_cell(
            "<c r=\"A1\" s=\"7\"><v>five <![CDATA[< 6]]></v></c>",
            "<c r=\"A1\" s=\"7\" t=\"str\"><v>five &lt; 6</v></c>",
        );
        assert!(written(&format!("<sheetData><row><c r='{}'></c></row></sheetData>", "\"".repeat(100)), 0).is_err());
        assert_cell("<c t=\"n\"><v xml:space=\"preserve\"> 5\n</v></c>", "<c t=\"n\"><v>5</v></c>");
    }

    #[test]
    fn what_programs_add_to_cells_is_left_out() {
        assert_cell(
            "<c r=\"A1\"><v>1</v><extLst><ext uri=\"x\"><c/><v>2</v></ext></extLst></c>",
            "<c r=\"A1\"><v>1</v></c>",
        );
        assert_cell("<c r=\"A1\" s=\"1\"/>", "<c r=\"A1\" s=\"1\"/>");
    }

    #[test]
    fn marks_of_cells_and_of_hidden_rows_are_handed_on() {
        assert_cell("<c r=\"A1\" s=\"1\"><v>1</v></c>", "<c r=\"A1\" s=\"1\" t=\"str\"><v>\u{FDD0}struck</v></c>");
        assert_cell("<c r=\"A1\" s=\"1\"></c>", "<c r=\"A1\" s=\"1\"></c>");
        assert_cell(
            "<c t=\"inlineStr\"><is><r><t>x</t></r><r><rPr><vertAlign val=\"superscript\"/></rPr><t>2</t></r></is></c>",
            "<c t=\"str\"><v>x²</v></c>",
        );
        let hidden = "<sheetData><row hidden=\"1\"><c r=\"A1\"><v>1</v></c></row><row hidden=\"1\"></row></sheetData>";
        assert_eq!(written(hidden, 0).unwrap().matches("\u{FDD0}hidden").count(), 1);
    }

    #[test]
    fn no_cell_stands_beyond_the_last() {
        let row = |row: &str| written(&format!("<sheetData><row r=\"{row}\"/></sheetData>"), 0);
        let cell = |place: &str| {
            written(&format!("<sheetData><row><c r=\"{place}\"><v>1</v></c><c r=\"{place}\"/></row></sheetData>"), 0)
        };
        assert!(row("1048576").is_ok() && cell("XFD1048576").is_ok() && row("").is_ok());
        for number in ["1048577", "4294967298", "99999999999999999999"] {
            assert_eq!(
                (row(number), cell(&format!("A{number}"))),
                (Err(Unusable::TooManyRows), Err(Unusable::TooManyRows)),
                "{number}"
            );
        }
        assert_eq!(cell("AAAA1"), Err(Unusable::TooManyColumns));
    }

    #[test]
    fn a_sheet_that_breaks_off_does_so_here() {
        for sheet in
            ["<sheetData><row><c t=\"e\"><v>#", "<sheetData><row><c><v>1</v>", "<sheetData><row><c t=\"str\"><v>a</c>"]
        {
            assert_eq!(written(sheet, 0).unwrap(), "<sheetData><row>", "{sheet}");
        }
    }
}
