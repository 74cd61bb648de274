//! Pictures of pixels: decoded within limits, and written anew without anything but the pixels. What cameras and
//! programs have put beside them, such as the place where a photograph was taken, is gone.

use std::borrow::Cow;
use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::{CompressionType, FilterType as PngFilter, PngEncoder};
use image::imageops::FilterType;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};

/// The longest side of a picture that is read, in pixels: more than cameras have.
const SIDE_MAX: u32 = 12_000;
/// Bytes that decoding a picture may take: 48 million pixels without transparency. A small file may describe a picture
/// that fills the memory.
const DECODING_BYTES_MAX: u64 = 192 * 1_024 * 1_024;
/// The longest sides that are tried, until a picture is small enough. The first is sharp on a large screen.
const SIDES: [u32; 5] = [1_600, 1_200, 800, 480, 320];
/// The quality of photographs, of 100.
const JPEG_QUALITY: u8 = 85;
/// Bytes of the first part of a JPEG, with its length.
const JFIF_BYTES: usize = 16;
const PNG_SIGNATURE_BYTES: usize = 8;
/// Bytes of a chunk of a PNG beside its data: the length, the kind and the checksum.
const PNG_CHUNK_FRAME_BYTES: usize = 12;
/// Chunks of a PNG whose compressed data is unpacked whole, however large, and is not needed to show it.
const PNG_CHUNKS_IGNORED: [&[u8]; 3] = [b"iCCP", b"zTXt", b"iTXt"];

/// A picture as it is stored.
#[derive(Debug, PartialEq, Eq)]
pub struct WrittenPixels {
    pub bytes: Vec<u8>,
    /// PNG or JPEG.
    pub is_photograph: bool,
    pub width: u32,
    pub height: u32,
}

impl WrittenPixels {
    /// Writes a picture in at most this many bytes, made smaller if it must be. `None` if no size is small enough.
    #[must_use]
    pub fn of(picture: DynamicImage, is_photograph: bool, bytes_max: usize) -> Option<Self> {
        // Sixteen bits for each colour show nothing more.
        let mut picture = match (picture.color().has_alpha(), picture.color().has_color()) {
            (true, _) => DynamicImage::from(picture.into_rgba8()),
            (false, true) => DynamicImage::from(picture.into_rgb8()),
            (false, false) => DynamicImage::from(picture.into_luma8()),
        };
        for side in SIDES {
            if picture.width().max(picture.height()) > side {
                picture = picture.resize(side, side, FilterType::Triangle);
            }
            let written =
                |bytes, is_photograph| Self { bytes, is_photograph, width: picture.width(), height: picture.height() };
            // A screenshot of a photograph is a PNG and would be many times as large as a JPEG.
            let ways = if is_photograph { [true, true] } else { [false, true] };
            for way in ways {
                let is_possible = !(way && picture.color().has_alpha());
                let bytes = if is_possible { encode(&picture, way) } else { None };
                if let Some(bytes) = bytes.filter(|bytes| bytes.len() <= bytes_max) {
                    return Some(written(bytes, way));
                }
            }
        }
        None
    }

    /// Reads a picture of this format. `None` if it is broken or too large.
    #[must_use]
    pub fn read(bytes: &[u8], format: ImageFormat) -> Option<DynamicImage> {
        decode(bytes, format, SIDE_MAX, DECODING_BYTES_MAX)
    }
}

fn encode(picture: &DynamicImage, is_photograph: bool) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    if is_photograph {
        picture.write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY)).ok()?;
    } else {
        let encoder = PngEncoder::new_with_quality(&mut bytes, CompressionType::Best, PngFilter::Adaptive);
        picture.write_with_encoder(encoder).ok()?;
    }
    Some(bytes)
}

/// Returns whether a JPEG, which is this picture, has nothing beside it, and is no larger than those that are written.
#[must_use]
pub fn is_as_written(picture: &DynamicImage, file: &[u8]) -> bool {
    SIDES.first().is_some_and(|side| picture.width().max(picture.height()) <= *side) && is_bare_jpeg(file)
}

/// Returns whether a JPEG has only the parts that an encoder needs: frame, tables and one scan, up to its end.
fn is_bare_jpeg(file: &[u8]) -> bool {
    let Some(mut rest) = file.strip_prefix(&[0xff, 0xd8]) else { return false };
    loop {
        let [0xff, kind, high, low, ..] = rest else { return false };
        let length = usize::from(u16::from_be_bytes([*high, *low]));
        let Some((segment, next)) = rest.get(2..).and_then(|part| part.split_at_checked(length)) else { return false };
        match *kind {
            // Its head alone: a small picture may follow it.
            0xe0 if segment.len() == JFIF_BYTES && segment.get(2..7) == Some(b"JFIF\0") => {}
            0xc0 | 0xc4 | 0xdb | 0xdd => {}
            0xda => return is_scan_to_end(next),
            _ => return false,
        }
        rest = next;
    }
}

/// Returns whether what follows the head of a scan is the scan and the end of the file.
fn is_scan_to_end(scan: &[u8]) -> bool {
    let Some(scan) = scan.strip_suffix(&[0xff, 0xd9]) else { return false };
    let mut pairs = scan.windows(2);
    scan.last() != Some(&0xff) && pairs.all(|pair| matches!(pair, [0x00..=0xfe, _] | [0xff, 0x00 | 0xd0..=0xd7]))
}

/// Decodes a picture, turned as its camera was held. `None` if it is broken or exceeds a limit.
#[must_use]
pub fn decode(bytes: &[u8], format: ImageFormat, side_max: u32, bytes_max: u64) -> Option<DynamicImage> {
    let bytes = if format == ImageFormat::Png { without_ignored_chunks(bytes) } else { Cow::Borrowed(bytes) };
    let mut limits = Limits::default();
    limits.max_image_width = Some(side_max);
    limits.max_image_height = Some(side_max);
    limits.max_alloc = Some(bytes_max);
    let mut decoder = ImageReader::with_format(Cursor::new(&*bytes), format).into_decoder().ok()?;
    limits.reserve(decoder.total_bytes()).ok()?;
    decoder.set_limits(limits).ok()?;
    // Browsers turn a photograph as its camera was held, so paper does too.
    let orientation = decoder.orientation().ok()?;
    let mut picture = DynamicImage::from_decoder(decoder).ok()?;
    picture.apply_orientation(orientation);
    Some(picture)
}

/// A PNG without the chunks that may unpack to a thousand times their size. A chunk that is cut off ends the file,
/// which the decoder refuses.
fn without_ignored_chunks(file: &[u8]) -> Cow<'_, [u8]> {
    let Some((signature, mut rest)) = file.split_at_checked(PNG_SIGNATURE_BYTES) else { return Cow::Borrowed(file) };
    let mut kept = signature.to_vec();
    while let Some((length, _)) = rest.split_first_chunk::<4>() {
        let data = usize::try_from(u32::from_be_bytes(*length)).unwrap_or(usize::MAX);
        let Some((chunk, next)) = rest.split_at_checked(data.saturating_add(PNG_CHUNK_FRAME_BYTES)) else { break };
        if !chunk.get(4..8).is_some_and(|kind| PNG_CHUNKS_IGNORED.contains(&kind)) {
            kept.extend_from_slice(chunk);
        }
        rest = next;
    }
    Cow::Owned(kept)
}

#[cfg(test)]
mod tests {
    use image::{GrayImage, Luma, Rgb, RgbImage, Rgba, RgbaImage};

    use super::*;

    const BYTES_MAX: usize = 512 * 1_024;

    fn file(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
        let mut file = Cursor::new(Vec::new());
        picture.write_to(&mut file, format).unwrap();
        file.into_inner()
    }

    /// A picture that no encoder makes small.
    fn noise(width: u32, height: u32) -> RgbImage {
        let mut state = 1_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_be_bytes()[0]
        };
        RgbImage::from_fn(width, height, |_, _| Rgb([next(), next(), next()]))
    }

    #[test]
    fn a_picture_keeps_its_pixels_and_loses_the_rest() {
        let plain = DynamicImage::from(RgbaImage::from_pixel(40, 30, Rgba([0, 0, 200, 128])));
        let sent = file(&plain, ImageFormat::Png);
        let (header, rest) = sent.split_at(PNG_SIGNATURE_BYTES + PNG_CHUNK_FRAME_BYTES + 13);
        let text: &[u8] = b"tEXtComment\0Hanoi";
        let mut checksum = flate2::Crc::new();
        checksum.update(text);
        let with_text = [header, &[0, 0, 0, 13], text, &checksum.sum().to_be_bytes(), rest].concat();
        let read = WrittenPixels::read(&with_text, ImageFormat::Png).unwrap();
        let written = WrittenPixels::of(read, false, BYTES_MAX).unwrap();
        assert!(!written.bytes.windows(5).any(|part| part == b"Hanoi"));
        assert_eq!((written.width, written.height, written.is_photograph), (40, 30, false));
        assert_eq!(WrittenPixels::read(&written.bytes, ImageFormat::Png).unwrap(), plain);
    }

    #[test]
    fn a_photograph_is_turned_and_its_place_is_gone() {
        let mut wide = RgbImage::from_pixel(40, 20, Rgb([255, 255, 255]));
        (0..20).for_each(|row| (0..20).for_each(|column| wide.put_pixel(column, row, Rgb([0, 0, 0]))));
        let sent = file(&DynamicImage::from(wide), ImageFormat::Jpeg);
        // Exif: little-endian, one entry, orientation 6 (turned to the right).
        let exif = b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0 Hanoi";
        let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
        let with_exif = [&sent[..2], &[0xff, 0xe1], &length, exif, &sent[2..]].concat();
        let read = WrittenPixels::read(&with_exif, ImageFormat::Jpeg).unwrap();
        assert_eq!((read.width(), read.height()), (20, 40));
        let written = WrittenPixels::of(read, true, BYTES_MAX).unwrap();
        assert!(written.is_photograph && !written.bytes.windows(5).any(|part| part == b"Hanoi" || part == b"Exif\0"));
        let seen = WrittenPixels::read(&written.bytes, ImageFormat::Jpeg).unwrap().into_luma8();
        assert!(seen.get_pixel(10, 5).0[0] < 60 && seen.get_pixel(10, 35).0[0] > 200, "the left side is on top");
    }

    #[test]
    fn a_photograph_with_anything_beside_it_is_not_as_written() {
        let photograph = DynamicImage::from(noise(40, 30));
        let sent = file(&photograph, ImageFormat::Jpeg);
        assert!(is_as_written(&photograph, &sent));
        let comment = [&sent[..2], b"\xff\xfe\0\x07Hanoi", &sent[2..]].concat();
        let behind = [&sent[..], b"Hanoi"].concat();
        let within = [&sent[..sent.len() - 2], b"\xff\xfeHanoi\xff\xd9"].concat();
        let small_picture = [&sent[..2], b"\xff\xe0\0\x13JFIF\0\x01\x02\0\0\x01\0\x01\x01\x01abc", &sent[2..]].concat();
        for other in [comment, behind, within, small_picture, sent[..sent.len() - 1].to_vec(), Vec::new()] {
            assert!(!is_as_written(&photograph, &other));
        }
        assert!(!is_as_written(&DynamicImage::from(GrayImage::new(1_601, 1)), &sent));
    }

    #[test]
    fn a_large_picture_is_made_smaller_until_it_fits() {
        let wide = DynamicImage::from(GrayImage::from_pixel(4_000, 1_000, Luma([9])));
        let written = WrittenPixels::of(wide, false, BYTES_MAX).unwrap();
        assert_eq!((written.width, written.height, written.is_photograph), (1_600, 400, false));
        let written = WrittenPixels::of(DynamicImage::from(noise(1_000, 600)), false, BYTES_MAX).unwrap();
        assert!(written.bytes.len() <= BYTES_MAX && written.is_photograph, "{} bytes", written.bytes.len());
        let transparent = DynamicImage::from(DynamicImage::from(noise(900, 900)).into_rgba8());
        let written = WrittenPixels::of(transparent, false, BYTES_MAX).unwrap();
        assert!(written.bytes.len() <= BYTES_MAX && !written.is_photograph && written.width < 900);
        assert_eq!(WrittenPixels::of(DynamicImage::from(noise(500, 500)), false, 1_000), None);
    }

    #[test]
    fn what_is_broken_or_too_large_is_not_read() {
        for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP] {
            let sent = file(&DynamicImage::from(noise(40, 30)), format);
            assert!(WrittenPixels::read(&sent, format).is_some(), "{format:?}");
            // Of a photograph that is cut off there is what came, as in browsers.
            assert!(
                format == ImageFormat::Jpeg || WrittenPixels::read(&sent[..sent.len() / 2], format).is_none(),
                "{format:?}"
            );
        }
        let wide = DynamicImage::from(GrayImage::new(SIDE_MAX + 1, 1));
        assert!(WrittenPixels::read(&file(&wide, ImageFormat::Png), ImageFormat::Png).is_none());
        // A file of a few kilobytes that would take 400 MB.
        let mut bomb = file(&DynamicImage::from(GrayImage::new(100, 100)), ImageFormat::Png);
        bomb[16..24].copy_from_slice(&[0, 0, 0x27, 0x10, 0, 0, 0x27, 0x10]);
        bomb[25] = 6;
        let mut checksum = flate2::Crc::new();
        checksum.update(&bomb[12..29]);
        bomb[29..33].copy_from_slice(&checksum.sum().to_be_bytes());
        assert!(WrittenPixels::read(&bomb, ImageFormat::Png).is_none());
    }

    #[test]
    fn a_profile_and_packed_texts_are_not_unpacked() {
        let file = file(&DynamicImage::from(noise(40, 30)), ImageFormat::Png);
        // After the signature and the header, whose data has 13 bytes.
        let (header, rest) = file.split_at(PNG_SIGNATURE_BYTES + PNG_CHUNK_FRAME_BYTES + 13);
        let chunk = |kind: &[u8]| [&[0, 0, 0, 5], kind, b"pro\0\0", &[0; 4]].concat();
        let chunks = PNG_CHUNKS_IGNORED.map(chunk).concat();
        let with_chunks = [header, &chunks, rest].concat();
        assert_eq!(*without_ignored_chunks(&with_chunks), *file);
        assert_eq!(WrittenPixels::read(&with_chunks, ImageFormat::Png), WrittenPixels::read(&file, ImageFormat::Png));
    }
}
