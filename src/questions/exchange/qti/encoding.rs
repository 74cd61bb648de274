//! The text of an XML file, by the encoding that its first bytes say.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use crate::questions::exchange::format_fault::FormatFault;

/// Bytes of an XML declaration, which says the encoding. Real ones have sixty.
const DECLARATION_BYTES_MAX: usize = 200;

/// Decodes an XML file. Nothing is guessed: a wrong letter in a question is worse than a file that has to be saved
/// anew.
pub fn xml_text(file: &[u8]) -> Result<String, FormatFault> {
    let (encoding, rest) = match Encoding::for_bom(file) {
        Some((encoding, mark)) => (encoding, file.get(mark..).unwrap_or_default()),
        None if file.starts_with(b"<\0") => (UTF_16LE, file),
        None if file.starts_with(b"\0<") => (UTF_16BE, file),
        None => (declared(file)?, file),
    };
    let text = encoding.decode_without_bom_handling_and_without_replacement(rest);
    text.map(std::borrow::Cow::into_owned)
        .ok_or_else(|| FormatFault::Other(format!("A letter is not in {}: save the file as UTF-8", encoding.name())))
}

/// The encoding of a file whose declaration can be read as ASCII. What then calls itself UTF-16 is not.
fn declared(file: &[u8]) -> Result<&'static Encoding, FormatFault> {
    let start = String::from_utf8_lossy(file.get(..DECLARATION_BYTES_MAX.min(file.len())).unwrap_or_default());
    let declaration = start.trim_start().strip_prefix("<?xml").and_then(|rest| rest.split("?>").next());
    let Some((_, value)) = declaration.and_then(|declaration| declaration.split_once("encoding")) else {
        return Ok(UTF_8);
    };
    let value = value.trim_start().trim_start_matches('=').trim_start();
    let label: String = value.chars().skip(1).take_while(|letter| !matches!(letter, '"' | '\'')).collect();
    match Encoding::for_label(label.as_bytes()) {
        Some(encoding) if encoding == UTF_16LE || encoding == UTF_16BE => Ok(UTF_8),
        Some(encoding) => Ok(encoding),
        None => {
            let label: String = label.chars().take(40).collect();
            Err(FormatFault::Other(format!("The encoding {label} is not known: save the file as UTF-8")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_in_the_encoding_that_it_says() {
        let in_16 = |big: bool| -> Vec<u8> {
            "<a>Đ€</a>"
                .encode_utf16()
                .flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() })
                .collect()
        };
        let marked = [&[0xff, 0xfe][..], &in_16(false)].concat();
        let latin = [&b"<?xml version='1.0' encoding='iso-8859-1'?><a>"[..], &[0xe9], b"</a>"].concat();
        for (file, ends) in [
            ("<a>Đ€</a>".as_bytes().to_vec(), "<a>Đ€</a>"),
            ([&b"\xef\xbb\xbf"[..], "<a>Đ€</a>".as_bytes()].concat(), "<a>Đ€</a>"),
            (in_16(false), "<a>Đ€</a>"),
            (in_16(true), "<a>Đ€</a>"),
            (marked, "<a>Đ€</a>"),
            (latin, "<a>é</a>"),
            ("<?xml version=\"1.0\" encoding=\"UTF-16\"?><a>Đ</a>".as_bytes().to_vec(), "<a>Đ</a>"),
        ] {
            let text = xml_text(&file).unwrap();
            assert!(text.ends_with(ends), "{text}");
        }
    }

    #[test]
    fn what_is_in_no_known_encoding_is_refused() {
        for file in [&b"<a>\xe9</a>"[..], b"<?xml version=\"1.0\" encoding=\"klingon\"?><a/>", b"\xff\xfe<"] {
            assert!(xml_text(file).is_err(), "{file:?}");
        }
    }
}
