//! The picture of a question of another system: where it comes from, and under which address it is kept.

use std::borrow::Cow;

use super::Refusal;
use crate::picture::{content_digest, data_address, data_of, is_picture_address, stored_digest};
use crate::question::{TEXT_UNITS_MAX, normal_text};

/// About how many bytes of a picture a question keeps in itself, as messages say it. As an address the picture must fit
/// into a cell of a spreadsheet, which holds 32,767 characters.
const PICTURE_BYTES_ABOUT: usize = 24_000;

/// A picture in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignPicture {
    /// The picture, or where it is.
    pub source: PictureSource,
    /// What it shows, in words; empty when nobody has described it.
    pub description: String,
}

/// A picture, or where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PictureSource {
    /// The file brings it.
    Bytes {
        /// Such as `image/png`.
        media_type: &'static str,
        /// The content of the picture's file.
        bytes: Vec<u8>,
    },
    /// The file names its address.
    Address(String),
}

impl PictureSource {
    /// The content of a picture that the file brings, be it in its address; `None` for one that is elsewhere.
    #[must_use]
    pub fn content(&self) -> Option<Cow<'_, [u8]>> {
        match self {
            Self::Bytes { bytes, .. } => Some(Cow::Borrowed(bytes)),
            Self::Address(address) => data_of(address).map(|(_, bytes)| Cow::Owned(bytes)),
        }
    }
}

/// Where the pictures go that files bring.
pub trait PictureKeeper {
    /// Keeps a picture. Returns the address under which questions show it.
    ///
    /// # Errors
    /// When it is no picture, or can't be kept.
    fn keep(&mut self, source: &PictureSource) -> Result<String, Refusal>;
}

/// Keeps each picture in its own address, as far as a cell of a spreadsheet has room for it.
pub struct InAddresses;

impl PictureKeeper for InAddresses {
    fn keep(&mut self, source: &PictureSource) -> Result<String, Refusal> {
        match source {
            PictureSource::Bytes { media_type, .. } if !media_type.starts_with("image/") => Err(Refusal::PictureFormat),
            PictureSource::Bytes { media_type, bytes } => {
                let address = (bytes.len() <= TEXT_UNITS_MAX).then(|| data_address(media_type, bytes));
                let fits = address.filter(|address| address.len() <= TEXT_UNITS_MAX);
                fits.ok_or(Refusal::LargePicture(bytes.len(), PICTURE_BYTES_ABOUT))
            }
            PictureSource::Address(address) => Ok(address.clone()),
        }
    }
}

/// A picture as its question has it; empty texts without one.
#[derive(Debug, Default)]
pub(super) struct KeptPicture {
    pub(super) image: String,
    pub(super) description: String,
    /// The digest of the content that the file brings.
    pub(super) digest: Option<String>,
}

impl KeptPicture {
    /// Has the picture kept. `named` is the path that a tag gives it, which means something on the site that has
    /// written the tag: a picture that the file brings counts more than a path of stored pictures.
    pub(super) fn of(
        picture: Option<ForeignPicture>,
        named: Option<String>,
        pictures: &mut dyn PictureKeeper,
        notes: &mut Vec<String>,
    ) -> Result<Self, Refusal> {
        let Some(ForeignPicture { source, description }) = picture else {
            return Ok(Self { image: named.unwrap_or_default(), ..Self::default() });
        };
        if normal_text(&description).is_empty() {
            notes.push("the picture has no description for those who can't see it".to_owned());
        }
        // A path would be one of another site, which has other pictures there.
        if let PictureSource::Address(address) = &source
            && (address.starts_with('/') || !is_picture_address(address))
        {
            return Err(Refusal::PictureAddress);
        }
        let digest = source.content().map(|content| content_digest(&content));
        let image = match (pictures.keep(&source), named) {
            (Ok(image), None) => image,
            (Ok(image), Some(named)) => {
                let stored = stored_digest(&named);
                let is_brought = stored.is_some() && digest.is_some() && stored != stored_digest(&image);
                if is_brought { image } else { named }
            }
            // There is no room for it here, but where the tag was written there may be.
            (Err(Refusal::LargePicture(..)), Some(named)) => named,
            (Err(refusal), _) => return Err(refusal),
        };
        Ok(Self { image, description, digest })
    }
}
