//! Addresses of pictures: of questions, of users, of events. A browser asks for whatever stands there, in the name of
//! whoever looks at it, so only what can have no effect is stored. An `https` address may be this site's own:
//! `docs/security.md` says why that is harmless.

use std::fmt::Write as _;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use percent_encoding::percent_decode_str;
use sha2::{Digest, Sha256};
use url::Url;

/// Kinds of pictures that an address may itself contain: those that the pages show.
const KINDS: [&str; 5] = ["png", "jpeg", "gif", "webp", "svg+xml"];
/// The media type of drawings.
const SVG: &str = "image/svg+xml";
/// What stands for itself in an address that contains a drawing. Quotes need no code there, so it stays short.
const UNCODED: &[u8] = b"-._~!$&'()*+,;=:@/?";
/// Folders of this site with nothing but files: its own, and what its operator puts beside it.
const MEDIA_FOLDERS: [&str; 3] = ["/assets/", "/media/", "/pictures/"];
/// Single pictures of this site.
const MEDIA: [&str; 2] = ["/icon.svg", "/api/school/crest"];
/// Stands for the address of this site, which is only asked whether a path leaves it.
const SITE: &str = "https://site.invalid";

/// Returns whether the text is the address of a picture: `https`, the picture itself as a `data:image/…` address, or a
/// path of this site where there are only pictures and other files.
#[must_use]
pub fn is_picture_address(text: &str) -> bool {
    is_link(text) || is_data(text) || is_media(text)
}

/// Returns whether the text is an address with the picture in it.
#[must_use]
pub fn is_data(text: &str) -> bool {
    let start = "data:image/".len();
    let is_named = text.get(..start).is_some_and(|named| named.eq_ignore_ascii_case("data:image/"));
    let rest = text.get(start..).unwrap_or_default();
    let kind = rest.split([';', ',']).next().unwrap_or_default();
    is_named && rest.contains(',') && KINDS.iter().any(|known| known.eq_ignore_ascii_case(kind))
}

/// The kind and the content of a picture that its address contains, such as `image/png`; `None` for other addresses and
/// for one whose content can't be decoded.
#[must_use]
pub fn data_of(address: &str) -> Option<(String, Vec<u8>)> {
    let (head, content) = address.split_once(',').filter(|_| is_data(address))?;
    let mut parts = head.get("data:".len()..)?.split(';');
    let kind = parts.next()?.to_ascii_lowercase();
    let content: Vec<u8> = percent_decode_str(content).collect();
    let is_base64 = parts.next_back().is_some_and(|last| last.trim().eq_ignore_ascii_case("base64"));
    Some((kind, if is_base64 { BASE64_STANDARD.decode(content).ok()? } else { content }))
}

/// The address that contains a picture: drawings as text, which is shorter, and all others in base64.
#[must_use]
pub fn data_address(media_type: &str, bytes: &[u8]) -> String {
    if media_type != SVG {
        return format!("data:{media_type};base64,{}", BASE64_STANDARD.encode(bytes));
    }
    bytes.iter().fold(format!("data:{SVG},"), |mut address, byte| {
        if byte.is_ascii_alphanumeric() || UNCODED.contains(byte) {
            address.push(char::from(*byte));
        } else {
            let _ = write!(address, "%{byte:02X}");
        }
        address
    })
}

/// The kinds of pictures that this server stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureKind {
    /// Portable Network Graphics.
    Png,
    /// A photograph.
    Jpeg,
    /// WebP.
    WebP,
    /// A drawing, as a text.
    Svg,
}

impl PictureKind {
    /// The kind of these bytes by their first ones, whatever their sender calls them; `None` for anything else. A text
    /// with a tag may be a drawing.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let is_webp = bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP");
        match bytes {
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some(Self::Png),
            [0xff, 0xd8, 0xff, ..] => Some(Self::Jpeg),
            _ if is_webp => Some(Self::WebP),
            _ => bytes
                .strip_prefix(b"\xef\xbb\xbf")
                .unwrap_or(bytes)
                .trim_ascii_start()
                .starts_with(b"<")
                .then_some(Self::Svg),
        }
    }

    /// The media type, such as `image/png`.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::WebP => "image/webp",
            Self::Svg => "image/svg+xml",
        }
    }
}

/// The folder of the pictures that this server stores. An operator may have other files below it.
pub const STORED_FOLDER: &str = "/media/";
/// Characters of the name of such a picture: the SHA-256 digest of its bytes, in hexadecimal.
const DIGEST_CHARACTERS: usize = 64;

/// The digest of the stored picture that an address names, if it names one.
#[must_use]
pub fn stored_digest(address: &str) -> Option<&str> {
    let (name, rest) = address.strip_prefix(STORED_FOLDER)?.split_at_checked(DIGEST_CHARACTERS)?;
    (is_digest(name) && (rest.is_empty() || rest.starts_with(['?', '#']))).then_some(name)
}

/// The digest of a picture's content, by which it is stored.
#[must_use]
pub fn content_digest(content: &[u8]) -> String {
    Sha256::digest(content).iter().fold(String::with_capacity(DIGEST_CHARACTERS), |mut digest, byte| {
        let _ = write!(digest, "{byte:02x}");
        digest
    })
}

/// Returns whether the text can be the name of a stored picture.
#[must_use]
pub fn is_digest(name: &str) -> bool {
    name.len() == DIGEST_CHARACTERS && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn is_link(text: &str) -> bool {
    is_written(text) && Url::parse(text).is_ok_and(|url| url.scheme() == "https" && url.has_host())
}

/// Returns whether the path is one of this site's media, also after a browser has resolved its dots.
fn is_media(text: &str) -> bool {
    let resolved = || Url::parse(SITE).and_then(|site| site.join(text)).ok();
    text.starts_with('/')
        && is_written(text)
        && resolved().is_some_and(|url| {
            let is_there =
                |path: &str| MEDIA.contains(&path) || MEDIA_FOLDERS.iter().any(|folder| path.starts_with(folder));
            url.as_str().starts_with(&format!("{SITE}/")) && is_there(url.path())
        })
}

/// Returns whether an address has nothing that browsers leave out or read as something else.
fn is_written(text: &str) -> bool {
    !text.chars().any(|character| character.is_whitespace() || character.is_control() || character == '\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_taken_out_of_its_address() {
        let png = |bytes: &[u8]| Some(("image/png".to_owned(), bytes.to_vec()));
        assert_eq!(data_of("DATA:image/PNG;base64,iVBO"), png(b"\x89PN"));
        assert_eq!(data_of("data:image/png,%89PN"), png(b"\x89PN"));
        assert_eq!(data_of("data:image/png;charset=utf-8;base64,iVBO"), png(b"\x89PN"));
        for text in ["data:image/png;base64,?", "data:text/html,x", "https://school.example/a.png", "data:image/png"] {
            assert_eq!(data_of(text), None, "{text}");
        }
    }

    #[test]
    fn what_can_be_nothing_but_a_picture_is_one() {
        for text in [
            "https://school.example/a.png",
            "HTTPS://school.example/a?b=c#d",
            "data:image/png;base64,iVBORw0KGgo=",
            "DATA:image/SVG+XML;utf8,<svg viewBox=\"0 0 1 1\"/>",
            "data:image/webp,x",
            "/media/0b7e",
            "/pictures/class 5.png".replace(' ', "%20").as_str(),
            "/assets/apple-1.svg?v=2",
            "/icon.svg",
            "/api/school/crest",
            "/api/school/crest?v=3",
        ] {
            assert!(is_picture_address(text), "{text}");
        }
    }

    #[test]
    fn a_stored_picture_is_known_by_its_digest() {
        let digest = "0b7e".repeat(16);
        for rest in ["", "?v=2", "#part"] {
            assert_eq!(stored_digest(&format!("/media/{digest}{rest}")), Some(&*digest));
        }
        for other in [
            format!("/media/{digest}0"),
            format!("/media/{}", "0B7E".repeat(16)),
            format!("/pictures/{digest}"),
            format!("https://school.example/media/{digest}"),
            "/media/clock.png".to_owned(),
            format!("/media/{}é", "0".repeat(63)),
        ] {
            assert_eq!(stored_digest(&other), None, "{other}");
        }
        let of_nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(content_digest(b""), of_nothing);
        assert!(is_digest(of_nothing));
    }

    #[test]
    fn a_kind_is_seen_by_the_content() {
        assert_eq!(PictureKind::of(b"\x89PNG\r\n\x1a\nrest"), Some(PictureKind::Png));
        assert_eq!(PictureKind::of(b"\xff\xd8\xff\xe0"), Some(PictureKind::Jpeg));
        assert_eq!(PictureKind::of(b"RIFF\0\0\0\0WEBPVP8 "), Some(PictureKind::WebP));
        assert_eq!(PictureKind::of(b"\xef\xbb\xbf \n<?xml?><svg/>"), Some(PictureKind::Svg));
        for other in [&b"GIF89a"[..], b"RIFF\0\0\0\0WAVE", b"", b"\x89PNG", b"svg"] {
            assert_eq!(PictureKind::of(other), None);
        }
    }

    #[test]
    fn what_could_have_an_effect_is_none() {
        for text in [
            "",
            "a.png",
            "http://school.example/a.png",
            "//school.example/a.png",
            "/\\school.example/a.png",
            "/api/admin/sittings/1/slips.pdf?renew=true",
            "/auth/sign-in",
            "/media/../api/admin/export",
            "/media/%2e%2e/api/admin/export",
            "/media/\t../../api/admin/export",
            "/media",
            "/icon.svg/../api/admin/export",
            "/",
            "javascript:alert(1)",
            "ftp://school.example/a.png",
            "https:///a.png x",
            "https://school.example/a b",
            "data:image/tiff,x",
            "data:image/png",
            "data:text/html,<b>",
            "data:text/html;image/png,x",
            "blob:https://school.example/1",
        ] {
            assert!(!is_picture_address(text), "{text:?}");
        }
    }
}
