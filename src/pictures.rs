//! Pictures of questions that staff upload: made small and harmless, stored once by their content, and served by the
//! digest of it (`docs/decisions/0077-questions-written-here.md`).

pub mod imported;
pub mod pixels;
mod served;
mod svg;
mod upload;

use std::sync::Arc;
use std::time::Duration;

use actix_web::web::Bytes;
use domain::picture::{PictureKind, content_digest};
use image::ImageFormat;
use moka::future::Cache;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::base::Base;
use crate::clock::Clock;
use crate::database::Database;
use crate::error::Error;
use crate::http::turnstile::Turnstile;
use crate::provider::NO_SUCH_CALL;
use crate::store::embargo::Embargo;
use crate::store::pictures::{self, NewPicture};
use pixels::WrittenPixels;
use svg::HarmlessDrawing;

/// Bytes of a picture as it is stored.
const STORED_BYTES_MAX: usize = 512 * 1_024;
/// Pictures that are made small at once: each may take as much memory as decoding it may.
const PICTURES_AT_ONCE: usize = 1;
/// Callers who are sending a picture, waiting, or having one made small.
const PICTURE_CALLERS_MAX: usize = 16;
/// How long a picture waits for its turn before its caller gets 503.
const TURN_TIMEOUT: Duration = Duration::from_secs(20);
/// Bytes of pictures in memory, as they are served.
const CACHED_BYTES_MAX: u64 = 64 * 1_024 * 1_024;
/// Pictures of which it is known whether they are withheld.
const KNOWN_PICTURES_MAX: u64 = 10_000;
/// How long it is known of a picture that it may be shown, or that it may not.
const KNOWN_FOR: Duration = Duration::from_secs(1);
/// How long a picture that nobody asks for stays in memory, and that it was shown is remembered.
const KEPT: Duration = Duration::from_secs(10 * 60);
/// How long a picture that no question has ever shown is kept.
const UNUSED_FOR: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// How often such pictures are deleted.
const SWEEP_EVERY: Duration = Duration::from_secs(60 * 60);
/// Pictures that are deleted by one statement.
const SWEPT_AT_ONCE: u64 = 100;

/// Uploads, and pictures as they are served.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(upload::upload).service(served::served);
}

/// The pictures that are stored here.
pub struct Pictures {
    database: Database,
    clock: Clock,
    embargo: Arc<Embargo>,
    turns: Turnstile,
    /// Without, pictures would be here and the questions that show them elsewhere.
    is_here: bool,
    kept: Cache<String, Arc<KeptPicture>>,
    /// Whether a picture may be shown to everyone.
    open: Cache<String, bool>,
    /// The pictures that were shown to everyone last: they are also while the database is away.
    shown: Cache<String, ()>,
}

impl Pictures {
    #[must_use]
    pub fn open(base: &Base) -> Self {
        let size = |_: &String, picture: &Arc<KeptPicture>| u32::try_from(picture.content.len()).unwrap_or(u32::MAX);
        Self {
            database: base.database.clone(),
            clock: base.clock.clone(),
            embargo: Arc::clone(&base.embargo),
            turns: Turnstile::new(PICTURES_AT_ONCE, PICTURE_CALLERS_MAX, TURN_TIMEOUT),
            is_here: base.is_local(),
            kept: Cache::builder().max_capacity(CACHED_BYTES_MAX).weigher(size).time_to_idle(KEPT).build(),
            open: Cache::builder().max_capacity(KNOWN_PICTURES_MAX).time_to_live(KNOWN_FOR).build(),
            shown: Cache::builder().max_capacity(KNOWN_PICTURES_MAX).time_to_idle(KEPT).build(),
        }
    }

    /// Whether pictures are stored here, as questions are.
    #[must_use]
    pub const fn are_here(&self) -> bool {
        self.is_here
    }

    /// Answers 501 unless questions are in this server's own database.
    fn here(&self) -> Result<(), Error> {
        if self.is_here { Ok(()) } else { Err(Error::NotHere(NO_SUCH_CALL)) }
    }

    /// Deletes pictures that nobody has used, now and then; never returns.
    pub async fn sweep(&self) {
        let unused_for = i64::try_from(UNUSED_FOR.as_millis()).unwrap_or(i64::MAX);
        loop {
            let before = self.clock.now().plus(-unused_for);
            let swept = pictures::delete_unused(&self.database.for_background().write, before, SWEPT_AT_ONCE).await;
            match swept {
                Ok(deleted) if deleted == SWEPT_AT_ONCE => continue,
                Ok(_) => {}
                Err(error) => tracing::warn!(%error, "pictures that nobody uses cannot be deleted"),
            }
            self.clock.sleep(SWEEP_EVERY).await;
        }
    }
}

/// A picture in memory, which all answers share.
struct KeptPicture {
    media_type: String,
    content: Bytes,
}

/// Why a picture is not stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PictureRefusal {
    /// It is of another kind, broken, or larger than is read.
    Unreadable,
    /// No size that it can be given is small enough.
    TooLarge,
}

/// Makes a picture small and harmless. It takes long, and much memory.
fn prepared(sent: &[u8]) -> Result<NewPicture, PictureRefusal> {
    let kind = PictureKind::of(sent).ok_or(PictureRefusal::Unreadable)?;
    let format = match kind {
        PictureKind::Svg => return drawing(sent),
        PictureKind::Png => ImageFormat::Png,
        PictureKind::Jpeg => ImageFormat::Jpeg,
        PictureKind::WebP => ImageFormat::WebP,
    };
    let read = WrittenPixels::read(sent, format).ok_or(PictureRefusal::Unreadable)?;
    // Writing a photograph again would cost it more each time that it goes to another server and comes back.
    if kind == PictureKind::Jpeg && sent.len() <= STORED_BYTES_MAX && pixels::is_as_written(&read, sent) {
        return Ok(named(kind, read.width(), read.height(), sent.to_vec()));
    }
    let written =
        WrittenPixels::of(read, kind == PictureKind::Jpeg, STORED_BYTES_MAX).ok_or(PictureRefusal::TooLarge)?;
    let kind = if written.is_photograph { PictureKind::Jpeg } else { PictureKind::Png };
    Ok(named(kind, written.width, written.height, written.bytes))
}

fn drawing(sent: &[u8]) -> Result<NewPicture, PictureRefusal> {
    let HarmlessDrawing { text, width, height } = HarmlessDrawing::read(sent).ok_or(PictureRefusal::Unreadable)?;
    let is_small = text.len() <= STORED_BYTES_MAX;
    is_small.then(|| named(PictureKind::Svg, width, height, text.into_bytes())).ok_or(PictureRefusal::TooLarge)
}

fn named(kind: PictureKind, width: u32, height: u32, content: Vec<u8>) -> NewPicture {
    NewPicture { digest: content_digest(&content), media_type: kind.media_type(), width, height, content }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use image::{DynamicImage, Rgb, RgbImage};

    use super::*;

    #[test]
    fn a_picture_that_was_stored_once_stays_as_it_is() {
        let colours = RgbImage::from_fn(90, 60, |x, y| Rgb([x, y, x * y].map(|value| value.to_be_bytes()[3])));
        for (format, kind) in [(ImageFormat::Png, "image/png"), (ImageFormat::Jpeg, "image/jpeg")] {
            let mut sent = Cursor::new(Vec::new());
            DynamicImage::from(colours.clone()).write_to(&mut sent, format).unwrap();
            let once = prepared(sent.get_ref()).unwrap();
            let again = prepared(&once.content).unwrap();
            assert_eq!((once.media_type, &once.digest), (kind, &again.digest));
        }
        let drawing = "<svg viewBox='0 0 4 3' width=\"4\"><style>.a{fill:\"red\"}</style>\r\n<text class='a'>&lt;&#233; \
            &apos;2&#9;m&quot;</text><script/></svg>";
        let once = prepared(drawing.as_bytes()).unwrap();
        assert_eq!(prepared(&once.content).unwrap().digest, once.digest);
    }

    #[test]
    fn a_picture_is_named_by_what_is_stored() {
        let svg = b"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"4\" height=\"3\"><!-- a --><rect/></svg>";
        let picture = prepared(svg).unwrap();
        assert_eq!((picture.media_type, picture.width, picture.height), ("image/svg+xml", 4, 3));
        assert_eq!(picture.digest.len(), 64);
        let same = prepared(&String::from_utf8(svg.to_vec()).unwrap().replace(" a ", " b ").into_bytes()).unwrap();
        assert_eq!(same.digest, picture.digest, "what is left out makes no other picture");
        let large = format!("<svg><text>{}</text></svg>", "x".repeat(STORED_BYTES_MAX));
        assert_eq!(prepared(large.as_bytes()).err(), Some(PictureRefusal::TooLarge));
        for unreadable in [&b"GIF89a"[..], b"", b"\x89PNG\r\n\x1a\n", b"<html></html>"] {
            assert_eq!(prepared(unreadable).err(), Some(PictureRefusal::Unreadable));
        }
    }
}
