//! The tables of an OpenDocument spreadsheet, read row by row. calamine would first hold all of them in memory, in
//! which a file of a few bytes can repeat one cell ten thousand million times.

use std::collections::{HashMap, HashSet};

use domain::workbook::SheetCell;
use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};

use super::archive::unpack_part;
use super::book::{Book, CELL_BYTES_MAX, COLUMNS_MAX, SheetRows};
use super::cells::attribute;
use super::marks::{Level, MarkedText, TextStyle};
use super::unusable::Unusable;

/// The part with the tables.
const CONTENT: &str = "content.xml";
/// Spaces that one tag may stand for, as many as fit into a cell.
const SPACES_MAX: usize = 32_767;
/// Elements around rows.
const ROW_GROUPS: [&str; 3] = ["table-rows", "table-header-rows", "table-row-group"];

/// A spreadsheet; its parts other than the content are not read.
pub struct OdsBook {
    content: String,
    tables: Vec<Table>,
    /// The styles of texts and cells that are struck out, raised or lowered, by name.
    styles: HashMap<String, TextStyle>,
}

struct Table {
    name: String,
    is_visible: bool,
    /// The place in the content right after the table's tag.
    start: usize,
}

impl OdsBook {
    pub fn open(file: Vec<u8>) -> Result<Self, Unusable> {
        let content = String::from_utf8(unpack_part(file, CONTENT)?).map_err(|_| Unusable::NotAWorkbook)?;
        let (tables, styles) = tables(&content)?;
        Ok(Self { content, tables, styles })
    }
}

impl Book for OdsBook {
    fn visible_sheets(&self) -> Vec<String> {
        self.tables.iter().filter(|table| table.is_visible).map(|table| table.name.clone()).collect()
    }

    fn open(&mut self, name: &str) -> Result<Box<dyn SheetRows<'_> + '_>, Unusable> {
        let table = self.tables.iter().find(|table| table.name == name).ok_or(Unusable::NotAWorkbook)?;
        let cells = self.content.get(table.start..).ok_or(Unusable::NotAWorkbook)?;
        Ok(Box::new(OdsSheet { reader: reader(cells), row: 0, repeated: None, hidden_rows: 0, styles: &self.styles }))
    }
}

/// Finds the tables, which of their styles hide them, and the styles of marked texts.
fn tables(content: &str) -> Result<(Vec<Table>, HashMap<String, TextStyle>), Unusable> {
    let (mut reader, mut hiding, mut style) = (reader(content), HashSet::new(), String::new());
    let mut styles = HashMap::new();
    // Whether each element around the present place is the one whose tables are the sheets. Tables elsewhere are none,
    // such as those within cells, drawings, and links to other files.
    let (mut tables, mut around) = (Vec::new(), Vec::new());
    loop {
        match next(&mut reader)? {
            Event::Eof => return Ok((tables, styles)),
            Event::Start(tag) => {
                let is_sheet = around.last() == Some(&true);
                around.push(tag.local_name().as_ref() == "spreadsheet");
                match tag.local_name().as_ref() {
                    "style" => style = attribute(&tag, "style:name")?.unwrap_or_default(),
                    "table-properties" if attribute(&tag, "table:display")?.as_deref() == Some("false") => {
                        hiding.insert(style.clone());
                    }
                    "text-properties" => {
                        let of = text_style(&tag)?;
                        if of != TextStyle::default() {
                            styles.insert(style.clone(), of);
                        }
                    }
                    "table" if is_sheet => {
                        let is_hidden = attribute(&tag, "table:style-name")?.is_some_and(|of| hiding.contains(&of));
                        let name = unescaped(attribute(&tag, "table:name")?)?;
                        let start = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
                        tables.push(Table { name, is_visible: !is_hidden, start });
                    }
                    _ => {}
                }
            }
            Event::End(_) => drop(around.pop()),
            _ => {}
        }
    }
}

fn text_style(tag: &BytesStart<'_>) -> Result<TextStyle, Unusable> {
    let line = [attribute(tag, "style:text-line-through-style")?, attribute(tag, "style:text-line-through-type")?];
    let position = attribute(tag, "style:text-position")?.unwrap_or_default();
    let level = match position.split_whitespace().next().unwrap_or_default() {
        "super" => Level::Raised,
        "sub" => Level::Lowered,
        _ => Level::Usual,
    };
    Ok(TextStyle { is_struck: line.into_iter().flatten().any(|line| line != "none"), level })
}

struct OdsSheet<'a> {
    reader: Reader<&'a [u8]>,
    /// The number of the last row that was read.
    row: u32,
    /// A row that stands several times, and how often it still comes.
    repeated: Option<(Vec<SheetCell<'a>>, u32)>,
    hidden_rows: u32,
    styles: &'a HashMap<String, TextStyle>,
}

impl<'a> SheetRows<'a> for OdsSheet<'a> {
    fn next_row(&mut self, row: &mut Vec<SheetCell<'a>>) -> Result<Option<u32>, Unusable> {
        if let Some((cells, left)) = self.repeated.take() {
            row.clone_from(&cells);
            self.row = self.row.saturating_add(1);
            self.repeated = (left > 1).then_some((cells, left - 1));
            return Ok(Some(self.row));
        }
        loop {
            row.clear();
            match next(&mut self.reader)? {
                Event::Start(tag) if tag.local_name().as_ref() == "table-row" => {
                    let times = count(&tag, "table:number-rows-repeated")?;
                    let is_hidden = attribute(&tag, "table:visibility")?.is_some_and(|of| of != "visible");
                    self.read_cells(row)?;
                    if row.iter().all(SheetCell::is_empty) {
                        self.row = self.row.saturating_add(times);
                        continue;
                    }
                    self.hidden_rows = self.hidden_rows.saturating_add(if is_hidden { times } else { 0 });
                    self.row = self.row.saturating_add(1);
                    self.repeated = (times > 1).then(|| (row.clone(), times - 1));
                    return Ok(Some(self.row));
                }
                Event::Start(tag) if ROW_GROUPS.contains(&tag.local_name().as_ref()) => {}
                // Drawings beside the rows may have tables of their own.
                Event::Start(_) => self.skip()?,
                Event::End(tag) if tag.local_name().as_ref() == "table" => return Ok(None),
                Event::Eof => return Ok(None),
                _ => {}
            }
        }
    }

    fn hidden_rows(&self) -> u32 {
        self.hidden_rows
    }

    fn claimed_rows(&self) -> u32 {
        0
    }
}

impl<'a> OdsSheet<'a> {
    /// Reads the cells up to the end of the row.
    fn read_cells(&mut self, row: &mut Vec<SheetCell<'a>>) -> Result<(), Unusable> {
        let mut column = 0_usize;
        loop {
            match next(&mut self.reader)? {
                Event::Start(tag) if ["table-cell", "covered-table-cell"].contains(&tag.local_name().as_ref()) => {
                    let times = count(&tag, "table:number-columns-repeated")? as usize;
                    let cell = self.read_cell(&tag)?;
                    let end = column.saturating_add(times);
                    // A cell that is covered by a merged one may have a value that nobody sees.
                    if !cell.is_empty() && tag.local_name().as_ref() == "table-cell" {
                        if end > COLUMNS_MAX {
                            return Err(Unusable::TooManyColumns);
                        }
                        row.resize(column, SheetCell::Empty);
                        row.resize(end, cell);
                    }
                    column = end;
                }
                Event::Start(_) => self.skip()?,
                Event::End(tag) if tag.local_name().as_ref() == "table-row" => return Ok(()),
                Event::Eof => return Ok(()),
                _ => {}
            }
        }
    }

    /// Goes on behind the element that has just begun.
    fn skip(&mut self) -> Result<(), Unusable> {
        let mut depth = 1_usize;
        while depth > 0 {
            match next(&mut self.reader)? {
                Event::Start(_) => depth += 1,
                Event::End(_) => depth -= 1,
                Event::Eof => return Err(Unusable::NotAWorkbook),
                _ => {}
            }
        }
        Ok(())
    }

    fn read_cell(&mut self, tag: &BytesStart<'_>) -> Result<SheetCell<'a>, Unusable> {
        let of = |name| attribute(tag, name).and_then(unescaped);
        let (kind, extended) = (of("office:value-type")?, of("calcext:value-type")?);
        let style = of("table:style-name")?;
        let shown = self.read_text()?;
        let mark = self.styles.get(&style).filter(|_| !shown.text.trim().is_empty()).and_then(|style| style.mark());
        let shown = match (mark, shown.plain()) {
            (Some(mark), _) | (None, Err(mark)) => return Ok(SheetCell::Marked(mark)),
            (None, Ok(shown)) => shown,
        };
        let number =
            || of("office:value").map(|value| value.trim().parse::<f64>().ok().filter(|value| value.is_finite()));
        let (cell, text) = match kind.as_str() {
            _ if extended == "error" => {
                (Some(SheetCell::Error(shown.chars().take(ERROR_CHARACTERS_MAX).collect())), shown)
            }
            "float" => (number()?.map(|number| number_cell(number, &shown)), shown),
            "percentage" => (number()?.map(SheetCell::Percent), shown),
            "boolean" => (Some(SheetCell::Boolean(of("office:boolean-value")? == "true")), shown),
            "date" => (Some(SheetCell::Date(of("office:date-value")?.into())), shown),
            "time" => (Some(SheetCell::Date(time(&of("office:time-value")?).into())), shown),
            // A currency is part of what is shown, and so is everything else that has no type.
            _ => (None, shown),
        };
        Ok(cell.unwrap_or_else(|| match text {
            text if text.len() > CELL_BYTES_MAX => SheetCell::TooLong,
            text if text.is_empty() => SheetCell::Empty,
            text => SheetCell::Text(text.into()),
        }))
    }

    /// Reads the text up to the end of the cell. Comments and pictures are left out.
    fn read_text(&mut self) -> Result<MarkedText, Unusable> {
        let (mut text, mut depth, mut aside, mut paragraphs) = (MarkedText::default(), 1_usize, None, 0_usize);
        // The styles of the spans around the present place, each with its depth.
        let mut spans: Vec<(usize, TextStyle)> = Vec::new();
        while depth > 0 {
            let event = next(&mut self.reader)?;
            match &event {
                Event::Start(_) => depth += 1,
                Event::End(_) => depth -= 1,
                Event::Eof => return Err(Unusable::NotAWorkbook),
                _ => {}
            }
            while spans.last().is_some_and(|(level, _)| depth < *level) {
                spans.pop();
            }
            if aside.is_some_and(|level| depth < level) {
                aside = None;
                continue;
            }
            // More text than a cell can have is still read to its end, but not kept.
            if aside.is_some() || text.text.len() > CELL_BYTES_MAX {
                continue;
            }
            match event {
                Event::Start(tag) => match tag.local_name().as_ref() {
                    "p" => {
                        paragraphs += 1;
                        text.text.push_str(if paragraphs > 1 { "\n" } else { "" });
                    }
                    "span" => {
                        let name = attribute(&tag, "text:style-name").and_then(unescaped)?;
                        let around = style_of(&spans);
                        spans.push((depth, self.styles.get(&name).copied().unwrap_or(around)));
                    }
                    "s" => text.text.push_str(&" ".repeat((count(&tag, "text:c")? as usize).min(SPACES_MAX))),
                    "tab" => text.text.push('\t'),
                    "line-break" => text.text.push('\n'),
                    "annotation" | "shapes" | "frame" | "table" => aside = Some(depth),
                    _ => {}
                },
                Event::Text(of) if paragraphs > 0 => text.push(&of, style_of(&spans)),
                Event::CData(of) if paragraphs > 0 => text.push(&of, style_of(&spans)),
                Event::GeneralRef(entity) if paragraphs > 0 => text.push(&resolved(&entity)?, style_of(&spans)),
                _ => {}
            }
        }
        Ok(text)
    }
}

fn style_of(spans: &[(usize, TextStyle)]) -> TextStyle {
    spans.last().map(|(_, style)| *style).unwrap_or_default()
}

/// A number as the sheet shows it, with a decimal point and commas between groups whatever the country. A cell that is
/// too narrow for it shows only signs, and some formats show nothing.
fn number_cell(number: f64, shown: &str) -> SheetCell<'static> {
    let is_readable = shown.chars().any(|letter| letter.is_ascii_digit()) && !shown.contains(['E', 'e']);
    if !is_readable {
        return SheetCell::Number(number);
    }
    let shown = match shown.matches(['.', ',']).count() {
        1 if is_decimal(number, shown) => shown.replace(',', "."),
        1 => shown.replace('.', ","),
        _ => shown.to_owned(),
    };
    SheetCell::number_shown_as(number, shown)
}

/// Whether the one separator of a shown number is that of its fraction: `1,234` is a thousand in one country, and
/// little more than one in another.
fn is_decimal(number: f64, shown: &str) -> bool {
    let digits: String =
        shown.chars().filter(|letter| letter.is_ascii_digit() || matches!(letter, '.' | ',')).collect();
    let fraction = digits.split(['.', ',']).nth(1).map_or(0, str::len);
    let read: Option<f64> = digits.replace(',', ".").parse().ok();
    let half = 0.5 * 10_f64.powi(-i32::try_from(fraction).unwrap_or(i32::MAX));
    read.is_some_and(|read| (read - number.abs()).abs() <= half * 1.000_001)
}

/// Characters of an error value that messages repeat.
const ERROR_CHARACTERS_MAX: usize = 20;

pub(super) fn resolved(entity: &BytesRef<'_>) -> Result<String, Unusable> {
    let character = entity.resolve_char_ref().map_err(|_| Unusable::NotAWorkbook)?;
    character
        .map(String::from)
        .or_else(|| resolve_predefined_entity(entity).map(str::to_owned))
        .ok_or(Unusable::NotAWorkbook)
}

/// `PT09H30M00S` as `09:30:00`, the form that a time of day has elsewhere.
fn time(duration: &str) -> String {
    let parts = duration.trim_start_matches("PT").trim_end_matches('S');
    parts.replace(['H', 'M'], ":")
}

/// A number of repetitions; 1 without the attribute.
fn count(tag: &BytesStart<'_>, name: &str) -> Result<u32, Unusable> {
    attribute(tag, name)?.map_or(Ok(1), |count| count.parse().map_err(|_| Unusable::NotAWorkbook))
}

fn unescaped(value: Option<String>) -> Result<String, Unusable> {
    let value = value.unwrap_or_default();
    quick_xml::escape::unescape(&value).map(std::borrow::Cow::into_owned).map_err(|_| Unusable::NotAWorkbook)
}

fn reader(content: &str) -> Reader<&[u8]> {
    let mut reader = Reader::from_str(content);
    let config = reader.config_mut();
    // A sheet is read from its middle, where tags end that have not begun.
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.expand_empty_elements = true;
    reader
}

fn next<'a>(reader: &mut Reader<&'a [u8]>) -> Result<Event<'a>, Unusable> {
    reader.read_event().map_err(|_| Unusable::NotAWorkbook)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_read_as_it_is_shown_in_any_country() {
        for (number, shown, read) in [
            (1_234.0, "1,234", "1,234"),
            (1_234.0, "1.234", "1,234"),
            (1.234, "1,234", "1.234"),
            (0.5, "0,50", "0.50"),
            (0.5, "0,50 €", "0.50 €"),
            (1_234.5, "1.234,50", "1.234,50"),
            (2.0 / 3.0, "0,67", "0.67"),
            (-1_234.0, "-1.234", "-1,234"),
            (42.0, "00042", "00042"),
            (1_234.0, "###", "1234"),
        ] {
            assert_eq!(number_cell(number, shown).shown().as_deref(), Some(read), "{shown}");
        }
    }
}
