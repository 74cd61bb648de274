//! Questions that come and go as files. Reading and writing the file is separate from the routes, since the command
//! line does the same. Each format of others that is read is a [`QuestionSource`] in a file below.

pub mod aiken;
pub mod exported_bank;
pub mod foreign_file;
pub mod format_fault;
pub mod gift;
pub mod html;
pub mod latex;
pub mod mathml;
pub mod moodle_xml;
pub mod picture_files;
pub mod qti;
pub mod qti3_package;
pub mod qti_package;
pub mod workbook;
pub mod workbook_file;
pub mod xml;

use std::collections::HashMap;
use std::fmt::Display;

use domain::exchange::{ExportFormat, Exported, ImportChange, ImportPreview, QuestionRows};
use domain::grade::Grade;
use domain::picture::{data_address, stored_digest};
use domain::question::{Question, WholeQuestion};
use domain::resources::{Importer, WriteCounts};
use domain::sight::SchoolSight;
use domain::topic::TopicSpellings;
use rust_xlsxwriter::XlsxError;
use serde::Serialize;
use utoipa::ToSchema;

use crate::database::Database;
use crate::error::Error;
use crate::http::turnstile::Turn;
use crate::provider::Provider;
use crate::sheets::table::is_zero;
use crate::store::pictures::NewPicture;
use crate::store::questions::WriteProgress;
use exported_bank::ExportedBank;

const TOO_LONG: &str = "A question is too long for a spreadsheet cell";

/// Questions that a dry run shows as students will see them.
const PREVIEW_MAX: usize = 100;
/// Bytes of the questions that it shows, nearly all of which are those of pictures.
const PREVIEW_BYTES_MAX: usize = 4 * 1_024 * 1_024;

/// What an import has done, or would do.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct ImportReport {
    /// Number of new questions.
    pub added: usize,
    /// Number of questions that were overwritten.
    pub updated: usize,
    /// A sentence for each row that was not imported, beginning with `Row <n>:`, or with the file, the line and the
    /// name of a question in a format of another system.
    pub errors: Vec<String>,
    /// What was left out of questions of other systems, a sentence for each question; the first 1,000. Left out if
    /// there is nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Questions of a dry run as they would be stored: the first 100, with 4 MiB together. A picture that is not stored
    /// yet is in its address. Left out if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<Question>)]
    pub preview: Vec<WholeQuestion>,
    /// What a dry run would change in existing questions; the first 1,000. Left out if there is nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<ImportChange>,
    /// `windows-1252` for a text that does not say its encoding and was read as that one; otherwise left out.
    #[serde(rename = "readAs", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub read_as: Option<&'static str>,
    /// Headings of columns that were passed over. Left out if there are none.
    #[serde(rename = "ignoredColumns", skip_serializing_if = "Vec::is_empty")]
    pub ignored_columns: Vec<String>,
    /// How many rows the sheets hide, which are read like others. Left out if there are none.
    #[serde(rename = "hiddenRows", skip_serializing_if = "is_zero")]
    pub hidden_rows: u32,
}

/// A format in which others keep questions.
pub trait QuestionSource {
    /// Why a file in this format is not read at all.
    type Unusable: Display + Into<Error> + Send + 'static;

    /// Reads the questions of a file, and a sentence for each row, or whatever counts as one, that is none. Nothing of
    /// it is stored yet.
    fn drafts(&self, file: Vec<u8>, progress: ReadProgress<'_>) -> Result<QuestionDrafts, Self::Unusable>;
}

/// Called now and then with the row being read and the number of rows that the file claims.
pub type ReadProgress<'a> = &'a mut dyn FnMut(u32, u32);

/// The questions of a file, and what was wrong with its rows.
#[derive(Default)]
pub struct QuestionDrafts {
    pub rows: QuestionRows,
    /// The pictures that the file brings, as they would be stored.
    pub pictures: Vec<NewPicture>,
    /// The encoding of a text, if it was recognised by the letters alone.
    pub guessed_encoding: Option<&'static str>,
}

/// Reads a file on the blocking pool. The turn is returned, since the rows are still in memory.
pub async fn read_in_turn<Source: QuestionSource + Send + 'static>(
    source: Source,
    file: Vec<u8>,
    turn: Turn,
) -> Result<(QuestionDrafts, Turn), Error> {
    // The turn moves into the task: the work continues when the caller has gone, and must still count.
    actix_web::web::block(move || source.drafts(file, &mut |_, _| ()).map(|drafts| (drafts, turn)))
        .await
        .map_err(Error::internal)?
        .map_err(Into::into)
}

/// Whether an import writes, and to whom a dry run shows the questions.
pub enum ImportMode {
    Write,
    DryRun(Option<SchoolSight>),
}

/// Writes the good rows, all or none; a dry run only counts them, and tells what they would change.
pub async fn apply(
    provider: &dyn Provider,
    drafts: QuestionDrafts,
    by: &Importer,
    mode: ImportMode,
    progress: WriteProgress<'_>,
) -> Result<ImportReport, Error> {
    let QuestionDrafts { mut rows, pictures, guessed_encoding: read_as } = drafts;
    spell_topics(provider, &mut rows).await?;
    let report = ImportReport {
        read_as,
        ignored_columns: std::mem::take(&mut rows.ignored),
        hidden_rows: rows.hidden,
        notes: std::mem::take(&mut rows.notes),
        ..ImportReport::default()
    };
    match mode {
        ImportMode::DryRun(sight) => {
            let ImportPreview { added, updated, changes } = provider.count_import(&mut rows).await?;
            let preview = sight.map(|sight| preview(&rows.questions, &pictures, sight)).unwrap_or_default();
            Ok(ImportReport { added, updated, changes, preview, errors: rows.into_errors(), ..report })
        }
        ImportMode::Write => {
            let written = provider.import(&mut rows, pictures, by, progress).await?;
            let WriteCounts { added, updated, errors: not_taken } = written;
            let mut errors = rows.into_errors();
            errors.extend(not_taken);
            Ok(ImportReport { added, updated, errors, ..report })
        }
    }
}

/// Gives the questions the topics of their banks: `fractions` and `Phân số` are no topics beside `Fractions`, if the
/// bank has that. A file with all its questions of a topic mends the spelling.
async fn spell_topics(provider: &dyn Provider, rows: &mut QuestionRows) -> Result<(), Error> {
    let mut spellings: HashMap<Grade, TopicSpellings> = HashMap::new();
    for grade in rows.grades() {
        let bank = provider.bank(grade).await?;
        let topics = || bank.iter().map(|question| (question.id.as_str(), question.topic.as_str()));
        let mut of_grade = TopicSpellings::of(topics().map(|(_, topic)| topic));
        of_grade.mend(topics(), rows.topics(grade));
        spellings.insert(grade, of_grade);
    }
    rows.spell_topics(&mut |grade, topic| spellings.entry(grade).or_default().spell_imported(topic));
    Ok(())
}

/// The first questions, as far as their bytes go. They show pictures that are nowhere yet.
fn preview(questions: &[Question], pictures: &[NewPicture], sight: SchoolSight) -> Vec<WholeQuestion> {
    let new: HashMap<&str, &NewPicture> = pictures.iter().map(|picture| (picture.digest.as_str(), picture)).collect();
    let shown = |question: &Question| {
        let mut question = question.clone();
        if let Some(picture) = stored_digest(&question.image).and_then(|digest| new.get(digest)) {
            question.image = data_address(picture.media_type, &picture.content);
        }
        question
    };
    let mut bytes = 0;
    let fits = |question: &Question| {
        let texts = question.options.iter().chain([&question.question, &question.explanation, &question.image]);
        bytes += texts.map(String::len).sum::<usize>();
        bytes <= PREVIEW_BYTES_MAX
    };
    let first = questions.iter().take(PREVIEW_MAX).map(shown).take_while(fits);
    first.map(|question| sight.whole(question)).collect()
}

/// Makes the file of a bank on the blocking pool.
pub async fn export(
    provider: &dyn Provider,
    database: &Database,
    exported: Exported,
    format: ExportFormat,
    turn: Turn,
) -> Result<Vec<u8>, Error> {
    let bank = ExportedBank::load(provider, database, exported, format).await?;
    let written = actix_web::web::block(move || {
        let written = write(&bank, format, &mut |_| ());
        drop(turn);
        written
    });
    written.await.map_err(Error::internal)?
}

/// Writes a bank in this format.
pub fn write(bank: &ExportedBank, format: ExportFormat, progress: &mut dyn FnMut(usize)) -> Result<Vec<u8>, Error> {
    match format {
        ExportFormat::Xlsx => workbook_file::write(bank, progress).map_err(Error::from),
        ExportFormat::MoodleXml => Ok(moodle_xml::write(bank).into_bytes()),
        ExportFormat::Gift => Ok(gift::write(bank).into_bytes()),
        ExportFormat::Qti3 => qti3_package::write(bank),
    }
}

impl From<XlsxError> for Error {
    fn from(error: XlsxError) -> Self {
        match error {
            XlsxError::MaxStringLengthExceeded => Self::Failed(TOO_LONG),
            error => Self::internal(error),
        }
    }
}
