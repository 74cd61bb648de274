//! Pictures that a file of questions brings: made small and harmless as uploads are, and held until an import stores
//! them with the questions that show them.

use std::collections::HashMap;

use domain::exchange::foreign::{InAddresses, PictureKeeper, PictureSource, Refusal};
use domain::picture::{PictureKind, STORED_FOLDER, content_digest};

use super::upload::SENT_BYTES_MAX;
use super::{PictureRefusal, prepared};
use crate::store::pictures::NewPicture;

/// Bytes of the new pictures of one import, as they would be stored. They are in memory until it is written.
const IMPORTED_BYTES_MAX: usize = 64 * 1_024 * 1_024;

/// The pictures of a file of questions.
#[derive(Default)]
pub struct ImportedPictures {
    /// What each has become, by the digest of its content in the file: many questions may show it.
    known: HashMap<String, Result<String, Refusal>>,
    prepared: HashMap<String, NewPicture>,
    bytes: usize,
}

impl ImportedPictures {
    /// The pictures that are to be stored, each once.
    #[must_use]
    pub fn into_prepared(self) -> Vec<NewPicture> {
        self.prepared.into_values().collect()
    }

    fn prepare(&mut self, sent: &[u8]) -> Result<String, Refusal> {
        if sent.len() > SENT_BYTES_MAX {
            return Err(Refusal::Picture("is larger than 8 MiB"));
        }
        let picture = prepared(sent).map_err(|refusal| match refusal {
            PictureRefusal::Unreadable => Refusal::Picture("is broken, or has too many pixels or elements"),
            PictureRefusal::TooLarge => Refusal::Picture("cannot be made small enough"),
        })?;
        let address = format!("{STORED_FOLDER}{}", picture.digest);
        if !self.prepared.contains_key(&picture.digest) {
            if self.bytes + picture.content.len() > IMPORTED_BYTES_MAX {
                return Err(Refusal::Picture("has no room beside those before it: import the file in parts"));
            }
            self.bytes += picture.content.len();
            self.prepared.insert(picture.digest.clone(), picture);
        }
        Ok(address)
    }
}

impl PictureKeeper for ImportedPictures {
    /// A GIF, which may move, is none of the kinds that are stored, and stays in its address if it is small. So does
    /// whatever an address calls a picture that is none.
    fn keep(&mut self, source: &PictureSource) -> Result<String, Refusal> {
        let is_other = matches!(source, PictureSource::Bytes { media_type, .. } if !media_type.starts_with("image/"));
        let Some(content) = source.content().filter(|content| !is_other && PictureKind::of(content).is_some()) else {
            return InAddresses.keep(source);
        };
        let digest = content_digest(&content);
        if let Some(known) = self.known.get(&digest) {
            return known.clone();
        }
        let kept = self.prepare(&content);
        self.known.insert(digest, kept.clone());
        kept
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use image::{DynamicImage, GrayImage, ImageFormat};

    use super::*;

    fn png(width: u32) -> Vec<u8> {
        let mut file = Cursor::new(Vec::new());
        DynamicImage::from(GrayImage::new(width, 20)).write_to(&mut file, ImageFormat::Png).unwrap();
        file.into_inner()
    }

    fn bytes(media_type: &'static str, bytes: &[u8]) -> PictureSource {
        PictureSource::Bytes { media_type, bytes: bytes.to_vec() }
    }

    #[test]
    fn a_picture_is_made_small_and_kept_once() {
        let mut pictures = ImportedPictures::default();
        let address = pictures.keep(&bytes("image/png", &png(3_000))).unwrap();
        assert_eq!(pictures.keep(&bytes("image/png", &png(3_000))), Ok(address.clone()));
        let within = domain::picture::data_address("image/png", &png(3_000));
        assert_eq!(pictures.keep(&PictureSource::Address(within)), Ok(address.clone()));
        let drawing = "<svg viewBox='0 0 1 1'><script>alert(1)</script><rect/></svg>";
        let of_drawing = pictures.keep(&bytes("image/svg+xml", drawing.as_bytes())).unwrap();
        let mut prepared = pictures.into_prepared();
        prepared.sort_by_key(|picture| picture.width);
        let [of_svg, of_png] = prepared.as_slice() else { panic!("{} pictures", prepared.len()) };
        assert_eq!((of_png.width, format!("/media/{}", of_png.digest)), (1_600, address));
        assert_eq!(of_drawing, format!("/media/{}", of_svg.digest));
        assert!(!String::from_utf8_lossy(&of_svg.content).contains("alert"));
    }

    #[test]
    fn what_the_store_does_not_have_stays_where_it_is_or_is_refused() {
        let mut pictures = ImportedPictures::default();
        let gif = bytes("image/gif", b"GIF89a");
        assert_eq!(pictures.keep(&gif).as_deref(), Ok("data:image/gif;base64,R0lGODlh"));
        let elsewhere = "https://school.example/a.png";
        assert_eq!(pictures.keep(&PictureSource::Address(elsewhere.to_owned())).as_deref(), Ok(elsewhere));
        let broken = png(20);
        let large = [b"GIF89a", &[0; 40_000][..]].concat();
        for (source, refusal) in [
            (bytes("text/html", b"<html></html>"), "the picture is no PNG, JPEG, GIF, WebP or SVG"),
            (bytes("image/gif", &large), "the picture has 40006 bytes: a question keeps about 24000"),
            (
                bytes("image/png", &broken[..broken.len() / 2]),
                "the picture is broken, or has too many pixels or elements",
            ),
            (bytes("image/png", &[&png(20)[..], &[0; SENT_BYTES_MAX]].concat()), "the picture is larger than 8 MiB"),
        ] {
            assert_eq!(pictures.keep(&source).map_err(|refusal| refusal.to_string()), Err(refusal.to_owned()));
        }
        assert!(pictures.into_prepared().is_empty());
    }
}
