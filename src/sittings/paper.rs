//! The paper of a sitting, which is sealed when the doors open.

use std::collections::BTreeMap;

use domain::question::Question;
use domain::sitting::Sitting;
use domain::sitting::part::PaperPart;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::Sittings;
use super::sealing::{PartKey, PartKeys};
use crate::database::Transaction;
use crate::error::Error;
use crate::http::ready_response::hash;
use crate::store::sealed_parts::{self, SealedPart};
use crate::store::{questions, templates};

/// The answer to the opening of doors behind which there is no paper.
const WITHOUT_PAPER: &str = "The template has a list without questions";

impl Sittings {
    /// Seals the paper of a sitting that was locked, with the questions of its template as they are now.
    pub async fn seal(&self, transaction: &Transaction, sitting: &Sitting) -> Result<(), Error> {
        let (mut parts, mut keys) = (Vec::new(), PartKeys::new());
        for (part, list) in lists(transaction, sitting.template_id).await? {
            if list.is_empty() {
                return Err(Error::Conflict(WITHOUT_PAPER));
            }
            let text = serde_json::to_vec(&list.iter().map(Question::delivered).collect::<Vec<_>>())?;
            let key = PartKey::random().map_err(Error::internal)?;
            let sealed = key.seal(&text).map_err(Error::internal)?;
            let questions = list.iter().map(|question| question.keyed().into()).collect();
            parts.push(SealedPart { part, sha256: Sha256::digest(&sealed).into(), sealed, questions });
            keys.insert(part, key);
        }
        let sealed_keys = self.sealing_key.wrap(sitting.id, &keys).map_err(Error::internal)?;
        Ok(sealed_parts::replace(transaction, sitting.id, &parts, sealed_keys).await?)
    }

    /// The keys of a sitting's parts, once its doors have opened.
    pub async fn part_keys(&self, sitting_id: Uuid) -> Result<Option<PartKeys>, Error> {
        let stored = sealed_parts::find_keys(&self.database.read, sitting_id).await?;
        let Some(sealed_keys) = stored else { return Ok(None) };
        let keys = self.sealing_key.unwrap(sitting_id, &sealed_keys);
        keys.map(Some).ok_or_else(|| Error::internal("the keys of a paper were sealed with another AUTH_SECRET"))
    }
}

/// The lists of a template, by the part that each is.
async fn lists(transaction: &Transaction, template_id: Uuid) -> Result<BTreeMap<PaperPart, Vec<Question>>, Error> {
    let template = templates::find_in(transaction, template_id).await?.ok_or(Error::Conflict(WITHOUT_PAPER))?;
    let by_id = questions::load_by_ids_in(transaction, template.question_ids()).await?;
    let lists = template.questions(&by_id);
    let first = lists.standard.or(lists.session1).unwrap_or_default();
    let second = lists.session2.into_iter().map(|(band, list)| (PaperPart::Second(band), list));
    Ok([(PaperPart::First, first)].into_iter().chain(second).collect())
}

/// Where a sealed part is fetched: a new paper has another address, so that any cache may keep it.
#[must_use]
pub fn address(sitting_id: Uuid, part: &SealedPart) -> String {
    format!("/api/sittings/{sitting_id}/paper/{}?v={}", part.part, hash(&part.sealed))
}
