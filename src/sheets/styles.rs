//! The styles of an xlsx workbook, of which only number formats and marks matter.

use domain::workbook::CellMark;
use quick_xml::events::{BytesStart, Event};

use super::archive::events;
use super::cells::attribute;
use super::marks::TextStyle;
use super::unusable::Unusable;

/// Cell formats and format codes. Spreadsheet programs themselves allow 65,490 formats.
const FORMATS_MAX: usize = 65_536;
/// Bytes of one format code. Real ones are far shorter.
const FORMAT_CODE_BYTES_MAX: usize = 1_024;

/// The number formats, which distinguish a date from a number, without fonts, fills and borders: calamine would keep a
/// copy of those for each cell format. What the font of each format says beside that is its mark.
pub fn formats_alone(part: &[u8]) -> Result<(String, Vec<Option<CellMark>>), Unusable> {
    let (mut codes, mut formats) = (String::new(), String::new());
    let (mut fonts, mut marks): (Vec<TextStyle>, Vec<Option<CellMark>>) = (Vec::new(), Vec::new());
    let (mut kept, mut is_in_codes, mut is_in_formats, mut is_in_fonts) = (0, false, false, false);
    events(part, |event| {
        match event {
            Event::Start(tag) => match tag.local_name().as_ref() {
                "numFmts" => is_in_codes = true,
                "cellXfs" => is_in_formats = true,
                "fonts" => is_in_fonts = true,
                "font" if is_in_fonts => fonts.push(TextStyle::default()),
                "numFmt" if is_in_codes => {
                    kept += 1;
                    codes.push_str(&code(tag)?);
                }
                "xf" if is_in_formats => {
                    kept += 1;
                    formats.push_str(&format!(
                        "<xf numFmtId=\"{}\"/>",
                        attribute(tag, "numFmtId")?.map_or(0, |id| id.parse().unwrap_or(0_u32))
                    ));
                    let font = attribute(tag, "fontId")?.and_then(|id| id.parse::<usize>().ok());
                    marks.push(font.and_then(|id| fonts.get(id)).and_then(|font| font.mark()));
                }
                _ if is_in_fonts => fonts.last_mut().map_or(Ok(()), |font| font.see(tag))?,
                _ => {}
            },
            Event::End(tag) => match tag.local_name().as_ref() {
                "fonts" => is_in_fonts = false,
                "numFmts" => is_in_codes = false,
                "cellXfs" => is_in_formats = false,
                _ => {}
            },
            _ => {}
        }
        if kept > FORMATS_MAX { Err(Unusable::TooLargeUnpacked) } else { Ok(true) }
    })?;
    let sheet = format!("<styleSheet><numFmts>{codes}</numFmts><cellXfs>{formats}</cellXfs></styleSheet>");
    Ok((sheet, marks))
}

fn code(tag: &BytesStart<'_>) -> Result<String, Unusable> {
    let (id, code) = (attribute(tag, "numFmtId")?, attribute(tag, "formatCode")?);
    let id = id.and_then(|id| id.parse::<u32>().ok());
    let Some((id, code)) = id.zip(code.filter(|code| code.len() <= FORMAT_CODE_BYTES_MAX)) else {
        return Ok(String::new());
    };
    Ok(format!("<numFmt numFmtId=\"{id}\" formatCode=\"{}\"/>", code.replace('"', "&quot;").replace('<', "&lt;")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_the_styles_only_formats_are_kept() {
        let styles =
            br#"<styleSheet><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy&quot;y&quot;"/></numFmts><fonts><font><name val="x"/></font><font><strike/></font></fonts>
            <cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf fontId="0"/><xf numFmtId="164" fontId="1"><alignment/></xf></cellXfs>
            <dxfs><dxf><numFmt numFmtId="165" formatCode="0"/></dxf></dxfs></styleSheet>"#;
        let expected = r#"<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy&quot;y&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>"#;
        assert_eq!(formats_alone(styles).unwrap(), (expected.to_owned(), vec![None, Some(CellMark::Struck)]));
        let many = format!("<styleSheet><cellXfs>{}</cellXfs></styleSheet>", "<xf/>".repeat(FORMATS_MAX + 1));
        assert_eq!(formats_alone(many.as_bytes()), Err(Unusable::TooLargeUnpacked));
    }
}
