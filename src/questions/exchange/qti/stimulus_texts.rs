//! Texts in files of their own that stand before questions: many items of a package may share one, which is read once.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use domain::exchange::foreign::{PictureSource, Refusal, Rich};

/// Bytes of the texts that are kept, with their pictures. Others are read anew for each question.
const KEPT_BYTES_MAX: usize = 16 * 1_024 * 1_024;

/// The texts that have been read, or why one can't be, by the names of their files.
#[derive(Default)]
pub struct StimulusTexts {
    known: RefCell<HashMap<String, Result<Rich, Refusal>>>,
    bytes: Cell<usize>,
}

impl StimulusTexts {
    /// The text of this file, which `read` reads.
    pub fn text(&self, file: &str, read: impl FnOnce() -> Result<Rich, Refusal>) -> Result<Rich, Refusal> {
        if let Some(known) = self.known.borrow().get(file) {
            return known.clone();
        }
        let text = read();
        let bytes = self.bytes.get() + file.len() + text.as_ref().map_or(0, bytes_of);
        if bytes <= KEPT_BYTES_MAX {
            self.bytes.set(bytes);
            self.known.borrow_mut().insert(file.to_owned(), text.clone());
        }
        text
    }
}

fn bytes_of(text: &Rich) -> usize {
    let of_picture = text.picture.as_ref().map_or(0, |picture| match &picture.source {
        PictureSource::Bytes { bytes, .. } => bytes.len(),
        PictureSource::Address(address) => address.len(),
    });
    text.text.len() + of_picture
}

#[cfg(test)]
mod tests {
    use domain::exchange::foreign::ForeignPicture;

    use super::*;

    #[test]
    fn a_text_is_read_once_as_far_as_there_is_room() {
        let (texts, read) = (StimulusTexts::default(), Cell::new(0));
        let times = |file: &str, text: Result<Rich, Refusal>| {
            read.set(0);
            for _ in 0..3 {
                let found = texts.text(file, || {
                    read.set(read.get() + 1);
                    text.clone()
                });
                assert_eq!(found, text);
            }
            read.get()
        };
        let plain = |text: &str| Rich { text: text.to_owned(), ..Rich::default() };
        assert_eq!(times("a.xml", Ok(plain("A"))), 1);
        assert_eq!(times("b.xml", Ok(plain("B"))), 1);
        assert_eq!(times("c.xml", Err(Refusal::TooLarge)), 1);
        let source = PictureSource::Bytes { media_type: "image/png", bytes: vec![0; KEPT_BYTES_MAX] };
        let picture = Some(ForeignPicture { source, description: String::new() });
        assert_eq!(times("d.xml", Ok(Rich { picture, ..plain("D") })), 3);
        assert_eq!(times("e.xml", Ok(plain("E"))), 1);
    }
}
