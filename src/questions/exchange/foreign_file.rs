//! A file of questions in whatever format, which is recognised by its content: names of files prove nothing.

use domain::exchange::QuestionRows;
use domain::exchange::foreign::{Defaults, ForeignQuestion, Refusal};
use domain::exchange::place::ItemPlace;

use super::format_fault::FormatFault;
use super::workbook::QuestionWorkbook;
use super::xml::XmlFile;
use super::{QuestionDrafts, QuestionSource, ReadProgress, aiken, gift, moodle_xml, qti, qti_package};
use crate::pictures::imported::ImportedPictures;
use crate::sheets::text_encoding::{DecodedText, decode};
use crate::sheets::unusable::Unusable;

/// Questions of a file that is no workbook. A workbook has more rows, but these may each have a picture.
const QUESTIONS_MAX: usize = 20_000;
/// Bytes of the texts of all questions of a file, as they are in memory. Many may share one that the file has once: a
/// category, a keyword, or a text that stands before them.
const QUESTIONS_BYTES_MAX: usize = 160 * 1_024 * 1_024;
/// Questions between two reports of the progress.
const TOLD_EVERY: u32 = 100;
/// Columns whose lack makes a text no sheet of questions: half of those that are required.
const MISSING_AT_LEAST: usize = 4;

/// Takes a question that was read, or why there is none. It fails when there are too many.
pub type EachQuestion<'a> = &'a mut dyn FnMut(ItemPlace, Result<ForeignQuestion, Refusal>) -> Result<(), FormatFault>;

/// A file of questions, with what an import says for those that don't say it themselves.
pub struct QuestionFile {
    pub defaults: Defaults,
    /// Whether pictures are stored here. If not, each stays in its own address.
    pub stores_pictures: bool,
}

impl QuestionSource for QuestionFile {
    type Unusable = FormatFault;

    fn drafts(&self, file: Vec<u8>, progress: ReadProgress<'_>) -> Result<QuestionDrafts, FormatFault> {
        if qti_package::is_package(&file) {
            return self.items(None, progress, |each| qti_package::read(&file, each));
        }
        let text = match decode(&file) {
            Ok(text) => text,
            // XML may say its encoding itself.
            Err(_) if is_xml(&String::from_utf8_lossy(&file)) => return self.xml(None, &file, progress),
            Err(_) => return Ok(QuestionWorkbook.drafts(file, progress)?),
        };
        if is_xml(&text.text) {
            return self.xml(Some(text), &file, progress);
        }
        let read = if aiken::is_aiken(&text.text) {
            aiken::read
        } else if gift::is_gift(&text.text) {
            gift::read
        } else {
            return Ok(QuestionWorkbook.drafts(file, progress)?);
        };
        // A sheet may have such texts in its cells.
        match QuestionWorkbook.drafts(file, progress) {
            Err(Unusable::MissingColumns(missing)) if missing.len() < MISSING_AT_LEAST => {
                return Err(Unusable::MissingColumns(missing).into());
            }
            Err(heading @ (Unusable::UnclearColumn(..) | Unusable::RepeatedColumn(_))) => return Err(heading.into()),
            Ok(sheet) => return Ok(sheet),
            Err(_) => {}
        }
        self.items(text.guessed, progress, |each| read(&text.text, each))
    }
}

impl QuestionFile {
    fn xml(
        &self,
        text: Option<DecodedText>,
        file: &[u8],
        progress: ReadProgress<'_>,
    ) -> Result<QuestionDrafts, FormatFault> {
        let Some(DecodedText { text, guessed }) = text else {
            return self.items(None, progress, |each| qti::read(file, each));
        };
        let root = XmlFile::open(&text)?.root;
        match root.name.as_str() {
            moodle_xml::ROOT => self.items(guessed, progress, |each| moodle_xml::read(&text, each)),
            _ if qti::is_qti(&root) => self.items(guessed, progress, |each| qti::read(file, each)),
            name => Err(FormatFault::UnknownXml(name.chars().take(40).collect())),
        }
    }

    /// Has the questions read, and makes each one of ours.
    fn items(
        &self,
        guessed_encoding: Option<&'static str>,
        progress: ReadProgress<'_>,
        read: impl FnOnce(EachQuestion<'_>) -> Result<(), FormatFault>,
    ) -> Result<QuestionDrafts, FormatFault> {
        let drafts = self.items_within(QUESTIONS_BYTES_MAX, progress, read)?;
        Ok(QuestionDrafts { guessed_encoding, ..drafts })
    }

    fn items_within(
        &self,
        bytes_max: usize,
        progress: ReadProgress<'_>,
        read: impl FnOnce(EachQuestion<'_>) -> Result<(), FormatFault>,
    ) -> Result<QuestionDrafts, FormatFault> {
        let (mut rows, mut count, mut bytes) = (QuestionRows::default(), 0_u32, 0_usize);
        let mut stored = self.stores_pictures.then(ImportedPictures::default);
        read(&mut |place, question| {
            count += 1;
            if count as usize > QUESTIONS_MAX {
                return Err(FormatFault::TooManyQuestions(QUESTIONS_MAX));
            }
            let drafted = question.and_then(|question| match &mut stored {
                Some(pictures) => question.draft_with(&self.defaults, pictures),
                None => question.draft(&self.defaults),
            });
            bytes += drafted.as_ref().map_or(0, |drafted| drafted.draft.bytes());
            if bytes > bytes_max {
                return Err(FormatFault::TooLargeUnpacked);
            }
            rows.take_item(place, drafted);
            if count % TOLD_EVERY == 0 {
                progress(count, count);
            }
            Ok(())
        })?;
        if count == 0 {
            return Err(FormatFault::NoQuestions);
        }
        let pictures = stored.map(ImportedPictures::into_prepared).unwrap_or_default();
        Ok(QuestionDrafts { rows, pictures, guessed_encoding: None })
    }
}

fn is_xml(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').trim_start().starts_with('<')
}

#[cfg(test)]
mod tests;
