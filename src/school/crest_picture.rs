//! The crest as it is printed: decoded, reduced and on white paper.

use domain::school::CrestKind;
use image::imageops::FilterType;
use image::{DynamicImage, ImageFormat, Rgba};

use crate::pictures::pixels::decode;

/// The longest side of a crest, in pixels. A small file may describe a picture that fills the memory.
const CREST_SIDE_MAX: u32 = 4_096;
/// Bytes that decoding a crest may take.
const DECODING_BYTES_MAX: u64 = 128 * 1_024 * 1_024;
/// The longest side of a printed crest, in pixels: sharp at the size that it has on paper, and small in a file.
const PRINTED_SIDE_MAX: u32 = 320;
const WHITE: u8 = 255;

/// A crest's pixels.
#[derive(Debug, PartialEq, Eq)]
pub struct CrestPicture {
    pub width: u32,
    pub height: u32,
    /// Three bytes for each pixel, row by row from the top.
    pub rgb: Vec<u8>,
}

impl CrestPicture {
    /// Decodes a crest. `None` if it is no picture of a kind that a crest may have, or is too large.
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let format = match CrestKind::of(bytes)? {
            CrestKind::Png => ImageFormat::Png,
            CrestKind::Jpeg => ImageFormat::Jpeg,
            CrestKind::WebP => ImageFormat::WebP,
        };
        let picture = decode(bytes, format, CREST_SIDE_MAX, DECODING_BYTES_MAX)?;
        let is_large = picture.width().max(picture.height()) > PRINTED_SIDE_MAX;
        let picture =
            if is_large { picture.resize(PRINTED_SIDE_MAX, PRINTED_SIDE_MAX, FilterType::Triangle) } else { picture };
        Some(Self::on_white(&picture))
    }

    /// The width of the picture when it is this high.
    #[must_use]
    pub fn width_at(&self, height: f32) -> f32 {
        // A side has at most a few hundred pixels, which `f32` holds exactly.
        let length = |pixels: u32| f32::from(u16::try_from(pixels).unwrap_or(u16::MAX));
        height * length(self.width) / length(self.height).max(1.0)
    }

    fn on_white(picture: &DynamicImage) -> Self {
        let pixels = picture.to_rgba8();
        let over = |part: u8, alpha: u8| {
            let (part, alpha, white) = (u16::from(part), u16::from(alpha), u16::from(WHITE));
            u8::try_from((part * alpha + white * (white - alpha) + white / 2) / white).unwrap_or(WHITE)
        };
        let rgb = pixels
            .pixels()
            .flat_map(|Rgba([red, green, blue, alpha])| [red, green, blue].map(|part| over(*part, *alpha)));
        Self { width: pixels.width(), height: pixels.height(), rgb: rgb.collect() }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use image::RgbaImage;

    use super::*;

    fn encoded(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
        let mut file = Cursor::new(Vec::new());
        let half = RgbaImage::from_pixel(width, height, Rgba([0, 0, 200, 128]));
        let picture = DynamicImage::from(half);
        let picture = if format == ImageFormat::Jpeg { DynamicImage::from(picture.to_rgb8()) } else { picture };
        picture.write_to(&mut file, format).unwrap();
        file.into_inner()
    }

    #[test]
    fn what_shines_through_is_white() {
        let crest = CrestPicture::decode(&encoded(2, 1, ImageFormat::Png)).unwrap();
        assert_eq!((crest.width, crest.height), (2, 1));
        assert_eq!(crest.rgb, [127, 127, 227, 127, 127, 227]);
    }

    #[test]
    fn a_large_one_is_reduced_and_keeps_its_shape() {
        let crest = CrestPicture::decode(&encoded(1_000, 500, ImageFormat::Png)).unwrap();
        assert_eq!((crest.width, crest.height, crest.rgb.len()), (320, 160, 320 * 160 * 3));
        assert!((crest.width_at(30.0) - 60.0).abs() < 0.01);
    }

    #[test]
    fn each_kind_is_read_and_what_is_broken_or_too_large_is_not() {
        for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP] {
            let file = encoded(40, 30, format);
            assert_eq!(CrestPicture::decode(&file).map(|crest| (crest.width, crest.height)), Some((40, 30)));
            assert_eq!(CrestPicture::decode(&file[..file.len() / 2]), None, "{format:?}");
        }
        assert_eq!(CrestPicture::decode(b"\xff\xd8\xff\xe0"), None);
        assert_eq!(CrestPicture::decode(&encoded(CREST_SIDE_MAX + 1, 1, ImageFormat::Png)), None);
    }
}
