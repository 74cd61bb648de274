//! Pictures as files within a format: what kind a file is, by its content, and under which name one is written.

use std::borrow::Cow;

use domain::picture::{data_address, data_of};

/// Kinds of picture files: how they begin, what they are, and how their names end.
const KINDS: [(&[u8], &str, &str); 4] = [
    (b"\x89PNG\r\n\x1a\n", "image/png", "png"),
    (b"\xff\xd8\xff", "image/jpeg", "jpg"),
    (b"GIF8", "image/gif", "gif"),
    (b"RIFF", "image/webp", "webp"),
];
/// The media type of drawings, and how the names of their files end.
const SVG: (&str, &str) = ("image/svg+xml", "svg");
/// How far into a drawing its element may begin, behind a declaration and comments.
const SVG_WITHIN: usize = 4_096;
/// The type of a file that is no picture.
const OTHER: &str = "application/octet-stream";

/// What a file is, by its content, such as `image/png`; something else than `image/…` for no picture.
pub fn media_type(bytes: &[u8]) -> &'static str {
    match KINDS.iter().find(|(start, ..)| bytes.starts_with(start)) {
        Some((_, "image/webp", _)) if bytes.get(8..12) != Some(b"WEBP") => OTHER,
        Some((_, kind, _)) => kind,
        None => {
            let start = String::from_utf8_lossy(bytes.get(..SVG_WITHIN.min(bytes.len())).unwrap_or_default());
            let start = start.trim_start_matches('\u{feff}').trim_start();
            if start.starts_with('<') && start.contains("<svg") { SVG.0 } else { OTHER }
        }
    }
}

/// A picture of a question as a file.
pub struct PictureFile<'a> {
    pub name: String,
    pub media_type: &'static str,
    pub bytes: Cow<'a, [u8]>,
}

impl<'a> PictureFile<'a> {
    /// The file of a picture that its address contains; `None` for other addresses, and for those that a file would not
    /// give again.
    pub fn of(image: &str) -> Option<Self> {
        let (kind, bytes) = data_of(image)?;
        let media_type = media_type(&bytes);
        if media_type != kind || data_address(media_type, &bytes) != image {
            return None;
        }
        Self::named(media_type, Cow::Owned(bytes))
    }

    /// The file of a picture that is stored.
    pub fn stored(content: &'a [u8]) -> Option<Self> {
        Self::named(media_type(content), Cow::Borrowed(content))
    }

    fn named(media_type: &'static str, bytes: Cow<'a, [u8]>) -> Option<Self> {
        let mut kinds = KINDS.iter().map(|(_, kind, end)| (*kind, *end)).chain([SVG]);
        let (_, end) = kinds.find(|(kind, _)| *kind == media_type)?;
        Some(Self { name: format!("picture.{end}"), media_type, bytes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_what_it_begins_with() {
        for (bytes, kind) in [
            (&b"\x89PNG\r\n\x1a\n.."[..], "image/png"),
            (b"\xff\xd8\xff\xe0", "image/jpeg"),
            (b"GIF89a", "image/gif"),
            (b"RIFF\0\0\0\0WEBPVP8 ", "image/webp"),
            (b"RIFF\0\0\0\0WAVE", OTHER),
            (b"<?xml version='1.0'?>\n<!-- a --><svg xmlns='x'/>", "image/svg+xml"),
            (b"\xef\xbb\xbf<svg/>", "image/svg+xml"),
            (b"<html></html>", OTHER),
            (b"", OTHER),
            (b"%PDF-1.7", OTHER),
        ] {
            assert_eq!(media_type(bytes), kind, "{bytes:?}");
        }
    }

    #[test]
    fn only_what_comes_back_the_same_becomes_a_file() {
        let png = data_address("image/png", b"\x89PNG\r\n\x1a\n..");
        let file = PictureFile::of(&png).unwrap();
        assert_eq!((file.name.as_str(), data_address(file.media_type, &file.bytes)), ("picture.png", png));
        let svg = "data:image/svg+xml,%3Csvg/%3E";
        assert_eq!(PictureFile::of(svg).map(|file| file.name).as_deref(), Some("picture.svg"));
        for other in
            ["data:image/svg+xml;utf8,%3Csvg/%3E", "data:image/gif;base64,iVBORw0KGgo=", "https://a.example/a.png"]
        {
            assert!(PictureFile::of(other).is_none(), "{other}");
        }
    }
}
