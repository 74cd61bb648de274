//! The log of edits as it is sent: page by page, since it only grows.

use std::sync::Arc;

use actix_web::HttpResponse;
use actix_web::web::Bytes;
use futures_util::{Stream, stream};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::database::Database;
use crate::domain::grade::Grade;
use crate::domain::moment::Moment;
use crate::domain::review::Change;
use crate::error::Error;
use crate::provider::local::edits::{self, Edit, Place};

/// Edits that are in memory at once; one can hold twice all texts of a question.
const EDITS_AT_ONCE: usize = 100;

/// The log, the newest first.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EditLog {
    edit_log: Vec<EditView>,
}

/// One edit.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EditView {
    id: Uuid,
    question_id: String,
    #[schema(value_type = u8, minimum = 1, maximum = 10)]
    grade: Grade,
    edited_by: String,
    edited_by_name: String,
    #[schema(value_type = String)]
    edited_at: Moment,
    changes: Vec<Change>,
    comment: String,
}

/// The log of one grade or of all.
///
/// # Errors
/// When the store is unavailable.
pub async fn answer(database: Arc<Database>, grade: Option<Grade>) -> Result<HttpResponse, Error> {
    let first = page(&database, grade, None).await?;
    Ok(HttpResponse::Ok().content_type("application/json").streaming(text(database, grade, first)))
}

/// Where the answer stands: each page is asked for when the one before it has been sent.
enum Next {
    First(Vec<Edit>),
    After(Place),
    End,
}

fn text(database: Arc<Database>, grade: Option<Grade>, first: Vec<Edit>) -> impl Stream<Item = Result<Bytes, Error>> {
    stream::try_unfold(Next::First(first), move |next| {
        let database = Arc::clone(&database);
        async move {
            match next {
                Next::First(edits) => chunk(r#"{"editLog":["#, edits).map(Some),
                Next::After(last) => chunk(",", page(&database, grade, Some(last)).await?).map(Some),
                Next::End => Ok(None),
            }
        }
    })
}

async fn page(database: &Database, grade: Option<Grade>, last: Option<Place>) -> Result<Vec<Edit>, Error> {
    // One more than is sent tells whether another page follows.
    Ok(edits::load_after(database, grade, last, EDITS_AT_ONCE as u64 + 1).await?)
}

fn chunk(opening: &str, mut edits: Vec<Edit>) -> Result<(Bytes, Next), Error> {
    let has_more = edits.len() > EDITS_AT_ONCE;
    edits.truncate(EDITS_AT_ONCE);
    let next = edits.last().filter(|_| has_more).map_or(Next::End, |last| Next::After(last.place()));
    let lines = edits.into_iter().map(|edit| serde_json::to_string(&view(edit))).collect::<Result<Vec<_>, _>>()?;
    let closing = if has_more { "" } else { "]}" };
    Ok((format!("{opening}{}{closing}", lines.join(",")).into(), next))
}

fn view(edit: Edit) -> EditView {
    EditView {
        id: edit.id,
        question_id: edit.question_id,
        grade: edit.grade,
        edited_by: edit.edited_by,
        edited_by_name: edit.edited_by_name,
        edited_at: edit.edited_at,
        changes: edit.changes,
        comment: edit.comment,
    }
}
