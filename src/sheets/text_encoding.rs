//! Tells in which encoding a text file is, which the file itself rarely says. Whoever reads text files that people
//! upload asks here, so that none of them takes letters for others.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use thiserror::Error;

/// A text file in UTF-8.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodedText {
    pub text: String,
    /// The encoding that was recognised by the letters alone; `None` if the file leaves no doubt.
    pub guessed: Option<&'static str>,
}

/// Why a file is not read as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum EncodingFault {
    /// Another kind of file.
    #[error("it is not a text")]
    NotText,
    /// It is UTF-8 but for the byte at this place.
    #[error("byte {0} is not UTF-8")]
    BrokenUtf8(usize),
    /// It is neither Unicode nor certainly Windows-1252.
    #[error("its encoding is not known")]
    Unknown,
}

/// Decodes UTF-8 with or without a mark at its beginning, UTF-16 with one, and Windows-1252, which older spreadsheet
/// programs write in Western Europe and America. All others could only be guessed, and a wrong guess is a wrong name.
pub fn decode(file: &[u8]) -> Result<DecodedText, EncodingFault> {
    let certain = |text: String| match text.contains('\0') {
        true => Err(EncodingFault::NotText),
        false => Ok(DecodedText { text, guessed: None }),
    };
    match Encoding::for_bom(file) {
        Some((encoding, _)) if encoding != UTF_8 => {
            let (text, _, is_broken) = encoding.decode(file);
            return if is_broken { Err(EncodingFault::Unknown) } else { certain(text.into_owned()) };
        }
        // Texts have no zeros, and most other files do.
        None if file.contains(&0) => return Err(EncodingFault::NotText),
        _ => {}
    }
    match str::from_utf8(file) {
        Ok(text) => certain(text.trim_start_matches('\u{FEFF}').to_owned()),
        Err(error) if is_mostly_utf8(file) => Err(EncodingFault::BrokenUtf8(error.valid_up_to())),
        Err(_) => windows_1252(file).ok_or(EncodingFault::Unknown),
    }
}

/// The text as far as it can be shown, with a sign in the place of each byte that can't.
#[must_use]
pub fn decode_lossily(file: &[u8]) -> String {
    String::from_utf8_lossy(file).trim_start_matches('\u{FEFF}').to_owned()
}

/// Returns whether at least as many letters are valid in UTF-8 as bytes are not. Pairs of letters in another encoding
/// are valid only by chance.
fn is_mostly_utf8(file: &[u8]) -> bool {
    let (mut valid, mut invalid) = (0_usize, 0_usize);
    for chunk in file.utf8_chunks() {
        valid += chunk.valid().chars().filter(|letter| !letter.is_ascii()).count();
        invalid += usize::from(!chunk.invalid().is_empty());
    }
    valid >= invalid
}

/// The text, if nothing in it suggests another encoding.
fn windows_1252(file: &[u8]) -> Option<DecodedText> {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(file, true);
    let is_likely = detector.guess(None, Utf8Detection::Deny) == WINDOWS_1252;
    let (text, _, is_broken) = WINDOWS_1252.decode(file);
    let is_plain =
        is_likely && !is_broken && !text.chars().any(|letter| letter.is_control() && !letter.is_whitespace());
    (is_plain && !has_sign_within_word(&text))
        .then(|| DecodedText { text: text.into_owned(), guessed: Some(WINDOWS_1252.name()) })
}

/// Returns whether a sign that is no letter stands between two letters, or a capital behind a small letter: what is
/// left of the letters of old Macintosh, DOS and Vietnamese encodings.
fn has_sign_within_word(text: &str) -> bool {
    let letters: Vec<char> = text.chars().collect();
    letters.windows(3).any(|three| match three {
        [before, letter, after] if !letter.is_ascii() && before.is_alphabetic() => {
            let is_joint = matches!(
                letter,
                '’' | '‘' | '–' | '—' | '·' | '\u{A0}' | '\u{AD}' | '×' | '÷' | '…' | '²' | '³' | '°' | '€'
            );
            (!letter.is_alphabetic() && !is_joint && after.is_alphabetic())
                || (before.is_lowercase() && letter.is_uppercase())
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{
        BIG5, EUC_KR, GBK, SHIFT_JIS, WINDOWS_1250, WINDOWS_1251, WINDOWS_1253, WINDOWS_1254, WINDOWS_1258,
    };

    const WESTERN: [&str; 11] = [
        "grade,question\n5,Zürich – 5 €",
        "name;class\nMüller, Jörg;5a\nWeiß, Käthe;5a",
        "name\nZoë\n",
        "nom\nFrançois Lefèvre\nÉlodie Çelik\n« Où est l’école ? »",
        "nombre\nMuñoz Peña, José\n¿Cuánto es 1/2?",
        "nome\nJoão Conceição\n",
        "navn\nSøren Ærø Ågård\n",
        "question\n20°C + 3 m² = £5 ½ × 2 ÷ 4 ± 1",
        "question\n„Über“ — it’s “quoted”",
        "ÜBUNG;ÄRGER\nSTRASSE;GRÖSSE",
        "nafn\nÞórður Guðmundsson",
    ];
    const VIETNAMESE: &str = "name;class\nNguyễn Thị Ánh Tuyết;5a\nTrần Văn Đức;5b\n";

    #[test]
    fn unicode_is_read() {
        let text = "grade,question\n5,Zürich – 5 €, 王小明";
        let wide = |order: fn(u16) -> [u8; 2]| -> Vec<u8> {
            std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(order).collect()
        };
        let marked = [b"\xef\xbb\xbf", text.as_bytes()].concat();
        for form in [text.as_bytes().to_vec(), marked, wide(u16::to_le_bytes), wide(u16::to_be_bytes)] {
            assert_eq!(decode(&form), Ok(DecodedText { text: text.to_owned(), guessed: None }));
        }
    }

    #[test]
    fn western_texts_are_read_as_windows_1252() {
        for text in WESTERN {
            let (bytes, _, is_lossy) = WINDOWS_1252.encode(text);
            assert!(!is_lossy, "{text}");
            let guessed = (!text.is_ascii()).then_some("windows-1252");
            assert_eq!(decode(&bytes), Ok(DecodedText { text: text.to_owned(), guessed }), "{text}");
        }
    }

    #[test]
    fn what_may_be_another_encoding_is_not_guessed() {
        // Windows-1258 writes most tones as signs of their own behind the letter.
        let vietnamese: Vec<u8> = VIETNAMESE.chars().flat_map(vietnamese).collect();
        assert_eq!(decode(&vietnamese), Err(EncodingFault::Unknown));
        for (encoding, text) in [
            (WINDOWS_1250, "imię\nŁukasz Żółć\nZażółć gęślą jaźń\nDvořák, Jiří"),
            (WINDOWS_1251, "имя\nЮлия Ёлкина\n"),
            (WINDOWS_1253, "όνομα\nΑθηνά Παπαδοπούλου\n"),
            (WINDOWS_1254, "ad\nĞül Şahin Iıİi\nİstanbul’da değil\n"),
            (SHIFT_JIS, "名前\n田中さくら\n"),
            (GBK, "姓名\n王小明\n李华\n"),
            (BIG5, "姓名\n王小明\n"),
            (EUC_KR, "이름\n김민준\n"),
        ] {
            let bytes = encoding.encode(text).0.into_owned();
            assert!(decode(&bytes).is_err(), "{text}: {:?}", decode(&bytes));
        }
        // Zürich, Müller and José of an old Macintosh, and of DOS.
        for bytes in
            [&b"Z\x9frich\nM\x9fller\nJos\x8e Pe\x96a"[..], b"Z\x81rich\nM\x81ller", b"Jos\x82 Pe\xa4a, Garc\xa1a"]
        {
            assert!(decode(bytes).is_err(), "{:?}", decode(bytes));
        }
    }

    /// The bytes of a letter in Windows-1258.
    fn vietnamese(letter: char) -> Vec<u8> {
        use unicode_normalization::char::decompose_canonical;
        if WINDOWS_1258.encode(&letter.to_string()).2 {
            let mut parts = Vec::new();
            decompose_canonical(letter, |part| parts.push(part));
            let tone = parts.iter().position(|part| "\u{300}\u{301}\u{303}\u{309}\u{323}".contains(*part));
            let tone = tone.map(|place| parts.remove(place)).unwrap();
            let rest: String = unicode_normalization::UnicodeNormalization::nfc(parts.into_iter()).collect();
            return WINDOWS_1258.encode(&format!("{rest}{tone}")).0.into_owned();
        }
        WINDOWS_1258.encode(&letter.to_string()).0.into_owned()
    }

    #[test]
    fn a_bad_byte_in_unicode_makes_it_no_other_encoding() {
        let mut bytes = VIETNAMESE.as_bytes().to_vec();
        let place = VIETNAMESE.find("Trần").unwrap();
        bytes[place + 1] = 0xff;
        assert_eq!(decode(&bytes), Err(EncodingFault::BrokenUtf8(place + 1)));
        let marked = [b"\xef\xbb\xbf".as_slice(), &bytes].concat();
        assert_eq!(decode(&marked), Err(EncodingFault::BrokenUtf8(place + 4)));
        assert_eq!(decode(b"\x89PNG\r\n\x1a\n\0\0"), Err(EncodingFault::NotText));
        assert_eq!(decode(b"\xff\xfe\x00\xd8\x00"), Err(EncodingFault::Unknown));
    }
}
