//! A bank as an export has it: its questions, and those of their pictures that are stored here, as far as the format
//! has a place for them.

use std::collections::{BTreeMap, HashMap, HashSet};

use domain::exchange::foreign::tags_of;
use domain::exchange::{ExportFormat, Exported};
use domain::picture::stored_digest;
use domain::question::{Question, TEXT_UNITS_MAX};

use super::picture_files::PictureFile;
use crate::database::Database;
use crate::error::Error;
use crate::provider::Provider;
use crate::store::pictures::{self, PICTURES_PER_STATEMENT, StoredPicture};
use crate::store::{question_marks, questions};

/// Bytes of the pictures in one export, each as often as the format writes it. They are in memory beside the file.
const EXPORTED_PICTURES_BYTES_MAX: usize = 64 * 1_024 * 1_024;
const TOO_MANY_PICTURES: &str =
    "The pictures have more than 64 MiB together: export one grade, or a spreadsheet, which names them";

/// A bank as an export has it.
#[derive(Default)]
pub struct ExportedBank {
    pub questions: Vec<Question>,
    /// The ids of those that are for exams alone.
    pub secure: HashSet<String>,
    /// By id, whether anyone may read them with their keys; those of which nobody has said it are missing.
    pub practice: HashMap<String, bool>,
    /// Pictures that are stored here, by their digests.
    pub pictures: HashMap<String, StoredPicture>,
}

impl ExportedBank {
    pub async fn load(
        provider: &dyn Provider,
        database: &Database,
        exported: Exported,
        format: ExportFormat,
    ) -> Result<Self, Error> {
        let mut bank = Self::default();
        for grade in exported.grades() {
            bank.questions.append(&mut provider.bank(grade).await?);
            bank.secure.extend(questions::load_secure(database, grade).await?);
            let (practice, kept) = question_marks::load_in_order(&database.read, grade).await?;
            bank.practice.extend(practice.into_iter().map(|id| (id, true)));
            bank.practice.extend(kept.into_iter().map(|id| (id, false)));
        }
        bank.pictures = load_pictures(database, &bank.questions, format).await?;
        Ok(bank)
    }

    /// What is written of a question as tags.
    pub fn tags_of(&self, question: &Question) -> Vec<String> {
        tags_of(question, self.secure.contains(&question.id), self.practice.get(&question.id).copied())
    }

    /// The picture of a question as a file; `None` where there is none, it is elsewhere, or a file would not give it
    /// again.
    pub fn picture_file(&self, question: &Question) -> Option<PictureFile<'_>> {
        match stored_digest(&question.image) {
            Some(digest) => PictureFile::stored(&self.pictures.get(digest)?.content),
            None => PictureFile::of(&question.image),
        }
    }
}

async fn load_pictures(
    database: &Database,
    questions: &[Question],
    format: ExportFormat,
) -> Result<HashMap<String, StoredPicture>, Error> {
    let mut found = HashMap::new();
    if format == ExportFormat::Xlsx {
        return Ok(found);
    }
    let mut shown: BTreeMap<&str, usize> = BTreeMap::new();
    for digest in questions.iter().filter_map(|question| stored_digest(&question.image)) {
        *shown.entry(digest).or_default() += 1;
    }
    let mut bytes = 0_usize;
    for digests in shown.keys().copied().collect::<Vec<_>>().chunks(PICTURES_PER_STATEMENT) {
        for (digest, picture) in pictures::load(database, digests).await? {
            // As an address in the text a large one has no room.
            if format == ExportFormat::Gift && picture.content.len() > TEXT_UNITS_MAX {
                continue;
            }
            let times = if format == ExportFormat::Qti3 { 1 } else { shown.get(&*digest).copied().unwrap_or(1) };
            bytes = bytes.saturating_add(picture.content.len().saturating_mul(times));
            if bytes > EXPORTED_PICTURES_BYTES_MAX {
                return Err(Error::Invalid(TOO_MANY_PICTURES.to_owned()));
            }
            found.insert(digest, picture);
        }
    }
    Ok(found)
}
