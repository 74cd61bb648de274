//! Why a file in a format of another system is not read at all.

use thiserror::Error as ThisError;

use super::xml::XmlFault;
use crate::error::Error;
use crate::sheets::text_encoding::EncodingFault;
use crate::sheets::unusable::Unusable;

/// Why a file of questions is not read at all.
#[derive(Debug, PartialEq, Eq, ThisError)]
pub enum FormatFault {
    /// It is a spreadsheet, or nothing that is known, and these are the words for it.
    #[error(transparent)]
    Workbook(#[from] Unusable),
    #[error(transparent)]
    Xml(#[from] XmlFault),
    /// A text that is UTF-8 but for a byte in this line.
    #[error("Line {0}: a letter is not in UTF-8: save the file as UTF-8")]
    BrokenUtf8(usize),
    #[error("The encoding of the text is not known: save it as UTF-8")]
    UnknownEncoding,
    /// XML that holds something else; this is the name of its root.
    #[error("The file has no questions in a format that is known: it is XML of \"{0}\"")]
    UnknownXml(String),
    #[error("The file has no questions")]
    NoQuestions,
    #[error("The file has more than {0} questions")]
    TooManyQuestions(usize),
    #[error("The file is too large when unpacked")]
    TooLargeUnpacked,
    /// What only one format knows.
    #[error("{0}")]
    Other(String),
}

impl FormatFault {
    /// The same fault of a text's encoding, with the line of a byte.
    pub fn of_encoding(fault: EncodingFault, file: &[u8]) -> Self {
        match fault {
            EncodingFault::BrokenUtf8(place) => {
                let before = file.get(..place).unwrap_or_default();
                Self::BrokenUtf8(before.iter().filter(|byte| **byte == b'\n').count() + 1)
            }
            EncodingFault::NotText | EncodingFault::Unknown => Self::UnknownEncoding,
        }
    }
}

impl From<FormatFault> for Error {
    fn from(fault: FormatFault) -> Self {
        match fault {
            FormatFault::Workbook(unusable) => unusable.into(),
            fault => Self::Invalid(fault.to_string()),
        }
    }
}
