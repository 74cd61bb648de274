//! The paper of a sitting, which is sealed when the doors open.

use std::collections::HashMap;
use std::sync::Arc;

use domain::question::{KeyedQuestion, Question};
use domain::sitting::part::PaperPart;
use domain::sitting::{SETTLED_BEFORE_MILLISECONDS, SittingState};
use domain::template::{Bucket, Template};
use domain::time::moment::Moment;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::sealing::{PartKey, PartKeys};
use crate::database::Transaction;
use crate::error::Error;
use crate::http::ready_response::hash;
use crate::sittings::roster::overview::Overview;
use crate::sittings::{SITTING_BEGUN, SITTING_OPEN, Sittings};
use crate::store::sealed_parts::{self, SealedPart};
use crate::store::sittings::LockedSitting;
use crate::store::{candidates, questions, releases, sittings, templates};

/// The answer to the opening of doors behind which there is no paper.
const WITHOUT_PAPER: &str = "The template has a list without questions";

impl Sittings {
    /// Seals the paper of a sitting, with the questions of its template as they are now.
    pub(super) async fn seal(&self, sitting: &LockedSitting<'_>) -> Result<(), Error> {
        // By the connection of the transaction: those who wait for its lock may have all the others.
        let template = templates::find_in(sitting.transaction(), sitting.template_id).await?;
        self.seal_paper(sitting, &template.ok_or(Error::Conflict(WITHOUT_PAPER))?).await
    }

    /// Finds the sittings of a template whose doors are open, for a change of it, and locks them.
    ///
    /// # Errors
    /// 409 if there are any, unless the change is forced; and 409 in any case if one has begun.
    pub async fn lock_open_of<'t>(
        &self,
        transaction: &'t Transaction,
        template_id: Uuid,
        is_forced: bool,
        now: Moment,
    ) -> Result<Vec<LockedSitting<'t>>, Error> {
        let mut open = Vec::new();
        for id in releases::find_unreleased_of(transaction, template_id).await? {
            let Some(sitting) = sittings::lock(transaction, id).await?.filter(|sitting| sitting.is_open(now)) else {
                continue;
            };
            let groups = candidates::load_groups(transaction, vec![id]).await?;
            // Its minutes do not matter to whether it has begun. So shortly before that, not every server might hear of
            // it.
            let settled = now.plus(SETTLED_BEFORE_MILLISECONDS);
            if Overview::of(&sitting, 0, &groups, settled).state != SittingState::Open {
                return Err(Error::Conflict(SITTING_BEGUN));
            }
            open.push(sitting);
        }
        if open.is_empty() || is_forced { Ok(open) } else { Err(Error::Conflict(SITTING_OPEN)) }
    }

    /// Gives the sittings that were locked for a change of a template its new paper. Returns which ones they are, for
    /// [`Self::commit_all`].
    pub async fn take_paper(&self, open: Vec<LockedSitting<'_>>, template: &Template) -> Result<Vec<Uuid>, Error> {
        let ids = open.iter().map(|sitting| sitting.id).collect();
        for mut sitting in open {
            // The doors of others are due, and have not been opened yet: they get the new paper then.
            if sitting.opened_at.is_some() {
                self.seal_paper(&sitting, template).await?;
            }
            sittings::save(&mut sitting).await?;
        }
        Ok(ids)
    }

    /// Commits a change of several sittings, and tells everyone who waits in them.
    pub async fn commit_all(&self, transaction: Transaction, ids: Vec<Uuid>) -> Result<(), Error> {
        transaction.commit().await?;
        for id in ids {
            self.tell(id).await;
        }
        Ok(())
    }

    async fn seal_paper(&self, sitting: &LockedSitting<'_>, template: &Template) -> Result<(), Error> {
        let (mut parts, mut keys) = (Vec::new(), PartKeys::new());
        let by_id = questions::load_by_ids_in(sitting.transaction(), template.question_ids()).await?;
        for PartList { part, list, keyed } in lists(template, &by_id) {
            if list.is_empty() {
                return Err(Error::Conflict(WITHOUT_PAPER));
            }
            let counts = template.shuffled_options(list.iter().copied());
            let text = serde_json::to_vec(&list.iter().map(|question| question.delivered()).collect::<Vec<_>>())?;
            let key = PartKey::random().map_err(Error::internal)?;
            let sealed = key.seal(&text).map_err(Error::internal)?;
            parts.push(SealedPart { part, sha256: Sha256::digest(&sealed).into(), sealed, questions: keyed, counts });
            keys.insert(part, key);
        }
        let sealed_keys = self.sealing_key.wrap(sitting.id, &keys).map_err(Error::internal)?;
        Ok(sealed_parts::replace(sitting, &parts, sealed_keys, &template.config).await?)
    }

    /// The keys of a sitting's parts, once its doors have opened.
    pub async fn part_keys(&self, sitting_id: Uuid) -> Result<Option<PartKeys>, Error> {
        let stored = sealed_parts::find_keys(&self.database.read, sitting_id).await?;
        let Some(sealed_keys) = stored else { return Ok(None) };
        let keys = self.sealing_key.unwrap(sitting_id, &sealed_keys);
        keys.map(Some).ok_or_else(|| Error::internal("the keys of a paper were sealed with another AUTH_SECRET"))
    }
}

/// A list that becomes a part.
struct PartList<'a> {
    part: PaperPart,
    list: Vec<&'a Question>,
    /// The same as tests are graded by, with the order of options that those of its form see.
    keyed: Vec<Arc<KeyedQuestion>>,
}

/// The lists of a template, by the part that each is.
fn lists<'a>(template: &'a Template, by_id: &'a HashMap<String, Question>) -> Vec<PartList<'a>> {
    let first = template.form_lists(by_id).into_iter().map(|list| PartList {
        part: PaperPart::First(list.form),
        keyed: list.keyed(),
        list: list.questions,
    });
    let bands = Bucket::all(template.config.mode).filter_map(|bucket| match bucket {
        Bucket::Session2(band) => Some((band, template.paper(bucket))),
        Bucket::Standard | Bucket::Session1 => None,
    });
    let second = bands.map(|(band, ids)| {
        let list: Vec<&Question> = ids.iter().filter_map(|id| by_id.get(id)).collect();
        let keyed = list.iter().map(|question| Arc::new(question.keyed())).collect();
        PartList { part: PaperPart::Second(band), list, keyed }
    });
    first.chain(second).collect()
}

/// Where a sealed part is fetched: a new paper has another address, so that any cache may keep it.
#[must_use]
pub fn address(sitting_id: Uuid, part: &SealedPart) -> String {
    format!("/api/sittings/{sitting_id}/paper/{}?v={}", part.part, hash(&part.sealed))
}

/// Returns whether such an address names this version of the paper.
#[must_use]
pub fn is_address_of(address: &str, version: &str) -> bool {
    address.split_once("?v=").is_some_and(|(_, own)| own == version)
}
