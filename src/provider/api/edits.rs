//! The log of edits in an external service, together with the edits that have not been sent to it yet.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use domain::grade::Grade;
use domain::resources::Edit;
use futures_util::stream::{self, BoxStream, StreamExt};
use serde_json::Value;
use sha2::{Digest, Sha256};
use uuid::{Builder, Uuid};

use super::call::Call;
use super::{ExternalProvider, envelopes};
use crate::error::Error;
use crate::outgoing::transfers;
use crate::provider;

impl provider::Edits for ExternalProvider {
    fn edits(&self, grade: Option<Grade>) -> BoxStream<'static, Result<Vec<Edit>, Error>> {
        let api = self.clone();
        stream::once(async move { api.log(grade).await }).boxed()
    }
}

impl ExternalProvider {
    async fn log(&self, grade: Option<Grade>) -> Result<Vec<Edit>, Error> {
        // The waiting edits are read first. One that is sent between the two reads is then found twice, and not missed.
        let waiting = transfers::waiting_edits(&self.database, grade).await?;
        let answer = self.client.send(Call::get("edit-log", &[]).of_grade(grade)).await?;
        let logged = answer.shaped(|value| envelopes::list(value, "editLog", edit))?;
        Ok(merged(grade, logged, waiting))
    }
}

/// Returns the edits of a grade, each once, newest first.
fn merged(grade: Option<Grade>, logged: Vec<Edit>, waiting: Vec<Edit>) -> Vec<Edit> {
    let by_id: BTreeMap<Uuid, Edit> = waiting.into_iter().chain(logged).map(|edit| (edit.id, edit)).collect();
    let mut edits: Vec<Edit> =
        by_id.into_values().filter(|edit| grade.is_none_or(|grade| edit.grade == grade)).collect();
    edits.sort_by_key(|edit| Reverse(edit.place()));
    edits
}

/// The id of the first entry in a question's history. It is the same each time, so that a question that is written
/// again gets no second one.
pub(super) fn id_of_writing(question_id: &str) -> Uuid {
    let digest: [u8; 32] = Sha256::new().chain_update("written ").chain_update(question_id).finalize().into();
    let mut bytes = [0; 16];
    bytes.iter_mut().zip(digest).for_each(|(byte, of_digest)| *byte = of_digest);
    Builder::from_custom_bytes(bytes).into_uuid()
}

/// Reads an edit. The contract allows any text as its id, and this server uses UUIDs. Any other id is hashed into a
/// UUID, which is the same each time.
fn edit(mut entry: Value) -> Option<Edit> {
    let id = entry.get_mut("id")?;
    let text = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
    if text.parse::<Uuid>().is_err() {
        let digest: [u8; 32] = Sha256::digest(text.as_bytes()).into();
        let (bytes, _) = digest.split_first_chunk::<16>()?;
        *id = Value::String(Builder::from_custom_bytes(*bytes).into_uuid().to_string());
    }
    envelopes::sound(entry)
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::time::moment::Moment;
    use serde_json::json;

    fn of(number: u128, grade: i64, at: i64) -> Edit {
        let entry = json!({
            "id": Uuid::from_u128(number), "questionId": "q1", "grade": grade, "editedBy": "a@exam.test",
            "editedAt": Moment::from_milliseconds(at), "changes": []
        });
        edit(entry).unwrap()
    }

    #[test]
    fn what_waits_is_part_of_the_log_once() {
        let grade = Grade::new(5);
        let edits = merged(grade, vec![of(1, 5, 10), of(3, 5, 30), of(4, 6, 40)], vec![of(2, 5, 20), of(3, 5, 30)]);
        assert_eq!(edits.iter().map(|edit| edit.id.as_u128()).collect::<Vec<_>>(), [3, 2, 1]);
        assert_eq!(merged(None, vec![of(4, 6, 40)], vec![of(2, 5, 20)]).len(), 2);
        let same_moment = merged(None, vec![of(1, 5, 10), of(2, 5, 10)], vec![]);
        assert_eq!(same_moment.iter().map(|edit| edit.id.as_u128()).collect::<Vec<_>>(), [2, 1]);
    }

    #[test]
    fn an_id_of_another_form_is_shown_as_one_of_ours() {
        let with = |id: Value| {
            edit(
                json!({ "id": id, "questionId": "q1", "grade": 5, "editedBy": "a", "editedAt": "2026-01-05T09:00:00Z", "changes": [] }),
            )
        };
        assert_eq!(with(json!("e-1")).unwrap(), with(json!("e-1")).unwrap());
        assert_ne!(with(json!("e-1")).unwrap().id, with(json!("e-2")).unwrap().id);
        assert_eq!(with(json!(7)).unwrap().id, with(json!("7")).unwrap().id);
        assert_eq!(edit(json!({ "questionId": "q1" })), None);
    }
}
