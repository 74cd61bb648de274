//! Questions in an external service.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use actix_web::http::StatusCode;
use async_trait::async_trait;
use domain::exchange::written::WrittenQuestion;
use domain::exchange::{CHANGES_MAX, ImportPreview, QuestionRows, StoredRowMarks};
use domain::grade::Grade;
use domain::picture::{is_picture_address, stored_digest};
use domain::question::{OPTIONS, Question, WholeQuestion};
use domain::resources::{Edit, EditRequest, Importer, WriteCounts};
use domain::review::as_written;
use domain::sitting::values::FieldChange;
use futures_util::stream::{self, StreamExt};
use reqwest::Method;
use serde_json::Value;
use uuid::Uuid;

use super::call::Call;
use super::client::ProviderAnswer;
use super::copies::BANKS_AT_ONCE;
use super::edits::id_of_writing;
use super::failure::{ProviderFailure, sentence};
use super::{ExternalProvider, envelopes};
use crate::error::Error;
use crate::outgoing::transfers;
use crate::provider::contract::{ImportRow, ImportRows, Imported, MarkRow, MarkRows};
use crate::provider::{self, NO_SUCH_CALL};
use crate::store::edits::EditError;
use crate::store::pictures::NewPicture;
use crate::store::questions::WriteProgress;
use crate::store::retired::{RetiredQuestion, Retirement};
use crate::store::rewritten::{RewriteCounts, Rewriting};
use crate::store::written::{WriteError, first_edit};

/// Errors of an import that are passed on. Nobody reads more, and the service decides how many it sends.
const ERRORS_MAX: usize = 10_000;
/// Texts of a question that an external service may leave out. A missing text is an empty one.
const TEXTS: [&str; 5] = ["subtopic", "source", "explanation", "image", "imageDescription"];

#[async_trait]
impl provider::Questions for ExternalProvider {
    async fn keep_bank(&self, grade: Grade) -> Result<(), Error> {
        self.keep(grade).await
    }

    async fn bank(&self, grade: Grade) -> Result<Vec<Question>, Error> {
        self.bring_bank(grade).await
    }

    async fn import(
        &self,
        rows: &mut QuestionRows,
        _: Vec<NewPicture>,
        by: &Importer,
        progress: WriteProgress<'_>,
    ) -> Result<WriteCounts, Error> {
        let waiting = rows.take_waiting();
        if !waiting.is_empty() {
            let stored = by_id(self.bring_banks().await?);
            for row in waiting {
                let before = stored.get(row.id());
                rows.complete(row, before);
            }
        }
        if rows.questions.is_empty() {
            return Ok(WriteCounts { added: 0, updated: 0, errors: Vec::new() });
        }
        let secure: HashMap<&str, bool> = rows.secure.iter().map(|(id, secure)| (id.as_str(), *secure)).collect();
        let practice: HashMap<&str, bool> = rows.practice.iter().map(|(id, mark)| (id.as_str(), *mark)).collect();
        let sent = rows.questions.iter().map(|question| ImportRow {
            question: WholeQuestion::of(question),
            secure: secure.get(question.id.as_str()).copied(),
            practice: practice.get(question.id.as_str()).copied(),
        });
        let call = Call::new(Method::POST, "questions/import", &[])
            .carrying(&ImportRows { by, rows: sent.collect() })?
            .repeatable();
        let Imported { added, updated, errors } = self.client.send(call).await?.read()?;
        progress(rows.questions.len());
        let touched: BTreeSet<Grade> = rows.questions.iter().map(|question| question.grade).collect();
        // The import has succeeded even when the banks cannot be read back at once.
        stream::iter(touched)
            .for_each_concurrent(BANKS_AT_ONCE, |grade| async move { drop(self.bring_bank(grade).await) })
            .await;
        let errors = errors.iter().take(ERRORS_MAX).filter_map(|error| of_sheet(error, rows)).collect();
        Ok(WriteCounts { added, updated, errors })
    }

    async fn count_import(&self, rows: &mut QuestionRows) -> Result<ImportPreview, Error> {
        let stored = by_id(self.bring_banks().await?);
        for row in rows.take_waiting() {
            let before = stored.get(row.id());
            rows.complete(row, before);
        }
        let updated = rows.questions.iter().filter(|question| stored.contains_key(&question.id)).count();
        // The service tells nobody of questions that are for exams alone, so none of these is one.
        let mut changes = rows.changes(&rows.questions, &stored, &StoredRowMarks::default());
        changes.truncate(CHANGES_MAX);
        Ok(ImportPreview { added: rows.questions.len() - updated, updated, changes })
    }

    async fn edit(&self, asked: EditRequest<'_>) -> Result<Uuid, EditError> {
        let EditRequest { question_id, grade, updates, seen, comment, editor } = asked;
        let editing = self.editing(grade).await?;
        let read = self.fetch(grade).await.and_then(|answer| read_bank(grade, &answer)).map_err(Error::from)?;
        let mut bank = read.questions;
        let question = bank.iter_mut().find(|question| question.id == question_id).ok_or(EditError::Unknown)?;
        seen.check(question).map_err(EditError::Refused)?;
        let (after, changes) = updates.apply(question).map_err(EditError::Refused)?;
        let call = Call::new(Method::PUT, "questions/override", &[])
            .carrying(&WholeQuestion::of(&after))
            .map_err(Error::from)?;
        self.client.order(call).await.map_err(Error::from)?;
        *question = after;
        let edit = Edit {
            id: Uuid::new_v4(),
            question_id: question_id.to_owned(),
            grade,
            edited_by: editor.email.clone(),
            edited_by_name: editor.name.clone(),
            edited_at: self.clock.now(),
            changes,
            comment,
        };
        transfers::insert_edit(&self.database, &edit).await?;
        self.wake.notify_waiters();
        // The edit is done and logged. If the copy cannot be written now, the next refresh corrects it.
        if let Err(error) = editing.replace(self, grade, &bank).await {
            tracing::warn!(%error, "the copy of a bank cannot be written");
        }
        Ok(edit.id)
    }

    async fn create(&self, written: WrittenQuestion, by: &Importer) -> Result<Question, WriteError> {
        let WrittenQuestion { question, secure, practice } = written;
        let grade = question.grade;
        // The pictures that are stored here would not be where the question is.
        if stored_digest(&question.image).is_some() {
            return Err(WriteError::NoPicture);
        }
        if let Some(there) = self.bring_bank(grade).await?.into_iter().find(|there| there.id == question.id) {
            return Ok(there);
        }
        // Of a question that is for exams alone the service tells nobody, but this server knows what it has written.
        let writing = id_of_writing(&question.id);
        let first = transfers::find_edit(&self.database, writing).await?;
        if let Some(there) = first.and_then(|first| as_written(&first.question_id, &first.changes)) {
            return Ok(there);
        }
        let row = ImportRow { question: WholeQuestion::of(&question), secure: secure.then_some(true), practice };
        let call = Call::new(Method::POST, "questions/import", &[])
            .carrying(&ImportRows { by, rows: vec![row] })
            .map_err(Error::from)?
            .repeatable();
        let answer = self.client.send(call).await.map_err(Error::from)?;
        let Imported { errors, .. } = answer.read().map_err(Error::from)?;
        if let Some(error) = errors.iter().find_map(|error| sentence(error)) {
            return Err(WriteError::Failed(Error::Passed(StatusCode::BAD_REQUEST, error)));
        }
        let first = Edit { id: writing, ..first_edit(&question, by, &self.clock) };
        transfers::insert_edit(&self.database, &first).await?;
        self.wake.notify_waiters();
        // The question is stored even when the bank cannot be read back at once.
        drop(self.bring_bank(grade).await);
        Ok(question)
    }

    async fn mark(&self, ids: &[String], practice: &FieldChange<bool>, by: &Importer) -> Result<(), Error> {
        let is_practice = match practice {
            FieldChange::Keep => return Ok(()),
            // No row can take back what is said: without the field it stays.
            FieldChange::Clear => return Err(Error::NotHere(NO_SUCH_CALL)),
            FieldChange::Set(is_practice) => *is_practice,
        };
        let rows = ids.iter().map(|id| MarkRow { id, practice: is_practice }).collect();
        let call = Call::new(Method::POST, "questions/import", &[]).carrying(&MarkRows { by, rows })?.repeatable();
        let Imported { errors, .. } = self.client.send(call).await?.read()?;
        match errors.iter().find_map(|error| sentence(error)) {
            Some(error) => Err(Error::Passed(StatusCode::BAD_REQUEST, error)),
            None => Ok(()),
        }
    }

    async fn retired(&self, _: Grade) -> Result<Vec<RetiredQuestion>, Error> {
        Err(Error::NotHere(NO_SUCH_CALL))
    }

    async fn retire(&self, _: &str, _: &str) -> Result<Retirement, Error> {
        Err(Error::NotHere(NO_SUCH_CALL))
    }

    async fn restore(&self, _: &str) -> Result<bool, Error> {
        Err(Error::NotHere(NO_SUCH_CALL))
    }

    async fn rewrite(&self, _: Vec<Rewriting>, _: &Importer) -> Result<RewriteCounts, Error> {
        Err(Error::NotHere(NO_SUCH_CALL))
    }
}

impl ExternalProvider {
    /// Fetches the bank of a grade, edits included.
    pub(super) async fn fetch(&self, grade: Grade) -> Result<ProviderAnswer, ProviderFailure> {
        self.client.send(Call::get("questions", &[]).of_grade(Some(grade))).await
    }

    /// Fetches the bank of a grade for its copy when it differs from version `known`. Only the first failure of an
    /// outage is logged.
    pub(super) async fn fetch_news(
        &self,
        grade: Grade,
        known: Option<String>,
    ) -> Result<ProviderAnswer, ProviderFailure> {
        self.client.send(Call::get("questions", &[]).of_grade(Some(grade)).unless(known).quietly()).await
    }
}

/// The bank of an answer.
pub(super) struct ReadBank {
    /// Ordered by id.
    pub questions: Vec<Question>,
    /// What the service says about who may read their keys, where it knows the field.
    pub practice: BTreeMap<String, Option<bool>>,
    /// The number of invalid entries.
    pub left_out: usize,
}

/// Returns the bank of an answer.
pub(super) fn read_bank(grade: Grade, answer: &ProviderAnswer) -> Result<ReadBank, ProviderFailure> {
    let marked = |entry: Value| {
        let practice = entry.get("practice").filter(|said| said.is_null() || said.is_boolean()).map(Value::as_bool);
        question(grade, entry).map(|question| (question, practice))
    };
    let (questions, left_out) = answer.shaped(|value| envelopes::list_with_sense(value, "questions", marked))?;
    let practice = questions.iter().filter_map(|(question, practice)| Some((question.id.clone(), (*practice)?)));
    let practice = practice.collect();
    let by_id: BTreeMap<String, Question> =
        questions.into_iter().map(|(question, _)| (question.id.clone(), question)).collect();
    Ok(ReadBank { questions: by_id.into_values().collect(), practice, left_out })
}

/// Reads an entry. Returns `None` when it is not a question that can be asked in this grade.
fn question(grade: Grade, mut entry: Value) -> Option<Question> {
    let fields = entry.as_object_mut()?;
    for name in TEXTS {
        let text = fields.entry(name).or_insert(Value::Null);
        if text.is_null() {
            *text = Value::String(String::new());
        }
    }
    let mut question: Question = envelopes::sound(entry)?;
    // A service may have anything there, and every page that shows the question asks for it.
    if !is_picture_address(&question.image) {
        question.image.clear();
    }
    let is_answerable = match question.answer.choice() {
        Some(choice) => OPTIONS.contains(&question.options.len()) && (choice as usize) < question.options.len(),
        None => true,
    };
    (question.grade == grade && !question.id.is_empty() && is_answerable).then_some(question)
}

fn by_id(banks: Vec<(Grade, Vec<Question>)>) -> HashMap<String, Question> {
    banks.into_iter().flat_map(|(_, bank)| bank).map(|question| (question.id.clone(), question)).collect()
}

/// Translates the row number in an error. The service counts the rows it was sent, and the reader counts the rows of
/// the sheet.
fn of_sheet(error: &str, rows: &QuestionRows) -> Option<String> {
    let error = sentence(error)?;
    let place = error.strip_prefix("Row ").and_then(|rest| rest.split_once(':'));
    let number = place.and_then(|(number, _)| number.parse::<usize>().ok()?.checked_sub(1));
    let of_sheet = number.and_then(|index| rows.place_of(&rows.questions.get(index)?.id));
    Some(match (place, of_sheet) {
        (Some((_, reason)), Some(place)) => format!("{place}:{reason}"),
        _ => error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn entry(id: &str) -> Value {
        json!({ "id": id, "grade": 5, "topic": "T", "difficulty": 3, "type": "multiple-choice", "question": "1 + 1?", "options": ["1", "2"], "answer": "B" })
    }

    fn ids(value: &Value) -> Result<Vec<String>, ProviderFailure> {
        let answer = ProviderAnswer {
            body: serde_json::to_vec(value).unwrap().into(),
            version: None,
            is_old: false,
            template: "questions",
        };
        Ok(read_bank(Grade::new(5).unwrap(), &answer)?.questions.into_iter().map(|question| question.id).collect())
    }

    #[test]
    fn a_bank_has_each_id_once_in_order() {
        let [a, b] = [entry("a"), entry("b")];
        assert_eq!(ids(&json!({ "questions": [b, a, b] })).unwrap(), ["a", "b"]);
        assert_eq!(ids(&json!([a])).unwrap(), ["a"]);
        assert_eq!(ids(&json!({ "questions": [] })).unwrap(), [""; 0]);
    }

    #[test]
    fn a_picture_that_could_be_something_else_is_dropped() {
        let grade = Grade::new(5).unwrap();
        let image = |image: &str| {
            let mut entry = entry("a");
            entry["image"] = json!(image);
            question(grade, entry).unwrap().image
        };
        for kept in ["https://school.example/a.png", "data:image/png,x", "/media/a"] {
            assert_eq!(image(kept), kept);
        }
        for dropped in ["", "/api/admin/sittings/1/slips.pdf", "http://school.example/a.png", "javascript:alert(1)"] {
            assert_eq!(image(dropped), "");
        }
    }

    #[test]
    fn what_cannot_be_asked_is_left_out() {
        let with = |name: &str, value: Value| {
            let mut entry = entry("b");
            entry[name] = value;
            entry
        };
        for wrong in [
            with("id", json!("")),
            with("grade", json!(6)),
            with("answer", json!("C")),
            with("answer", json!("b")),
            with("options", json!(["1"])),
            with("options", json!(["1", "2", "3", "4", "5"])),
            with("difficulty", json!(0)),
            with("question", json!("a\0b")),
            with("topic", json!(null)),
            json!("b"),
        ] {
            assert_eq!(ids(&json!([entry("a"), wrong])).unwrap(), ["a"], "{wrong}");
            assert_eq!(ids(&json!([wrong])), Err(ProviderFailure::Unreadable), "{wrong}");
        }
        assert_eq!(ids(&json!([with("image", json!(null)), with("id", json!("c"))])).unwrap(), ["b", "c"]);
        assert_eq!(ids(&json!([with("imageDescription", json!(null))])).unwrap(), ["b"]);
        assert_eq!(ids(&json!([entry("a"), with("imageDescription", json!(7))])).unwrap(), ["a"]);
    }
}
