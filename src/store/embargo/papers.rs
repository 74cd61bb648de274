//! Reads which questions sittings withhold, and of each template only what is not known already.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use uuid::Uuid;

use super::{Embargo, READ_TIMEOUT, TEMPLATES_AT_ONCE, WithheldPaper};
use crate::database::in_time;
use crate::store::guarded_templates;
use crate::store::releases::{self, Withholding};

/// A template, and when it was changed last: its list of questions is another one after each change.
type PaperKey = (Uuid, i64);
pub(super) type QuestionLists = HashMap<PaperKey, Arc<HashSet<String>>>;

const fn paper_key(of: &Withholding) -> PaperKey {
    (of.template_id, of.template_version)
}

impl Embargo {
    /// The papers that are withheld, with the lists that are known already; `None` if the database does not tell. What
    /// has come by then stays known.
    pub(super) async fn papers(&self, lists: &mut QuestionLists) -> Option<Vec<WithheldPaper>> {
        let what = "which questions are withheld";
        let found = in_time(what, READ_TIMEOUT, releases::load_withholding(&self.database)).await?;
        let named: HashMap<Uuid, i64> = found.iter().map(paper_key).collect();
        lists.retain(|(template_id, version), _| named.get(template_id) == Some(version));
        let is_new = |(id, version): (&Uuid, &i64)| (!lists.contains_key(&(*id, *version))).then_some(*id);
        let mut new: Vec<Uuid> = named.iter().filter_map(is_new).collect();
        // In one order, so that chance does not decide which of them come first.
        new.sort_unstable();
        for ids in new.chunks(TEMPLATES_AT_ONCE) {
            let loading = guarded_templates::load_those(&self.database.read, ids);
            for template in in_time(what, READ_TIMEOUT, loading).await? {
                let Some(version) = named.get(&template.id) else { continue };
                lists.insert((template.id, *version), Arc::new(template.question_ids));
            }
        }
        let paper = |of: Withholding| {
            let question_ids = lists.get(&paper_key(&of)).cloned().unwrap_or_default();
            WithheldPaper { of, question_ids }
        };
        Some(found.into_iter().map(paper).collect())
    }
}
