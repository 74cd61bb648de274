//! Corrections in the form for managers.

use domain::correction::{Correction, CorrectionKind, CorrectionScope};
use domain::time::moment::Moment;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::store::correction_list::ListedCorrection;
use crate::store::correction_work::StepProgress;
use crate::store::corrections::StoredCorrection;

/// The correction of a key.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = KeyCorrection)]
pub struct CorrectionView {
    id: Uuid,
    /// Whether the caller may revert it. The others hold for tests of theirs, but for further ones too.
    own: bool,
    /// Grows with each change of any correction; `If-Match` names it.
    version: i64,
    question_id: String,
    kind: CorrectionKind,
    /// The letters of options, or numbers.
    options: Vec<String>,
    scope: ScopeView,
    nobody_loses: bool,
    comment: String,
    /// E-mail of whoever has made it.
    by: String,
    #[schema(value_type = String, format = DateTime)]
    at: Moment,
    /// E-mail of whoever has reverted it; null while it holds.
    #[schema(required)]
    reverted_by: Option<String>,
    #[schema(value_type = Option<String>, format = DateTime, required)]
    reverted_at: Option<Moment>,
    progress: ProgressView,
}

/// Which tests it is about: those of a sitting, of a template, or of a grade that began between two times.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = KeyCorrectionScope)]
enum ScopeView {
    #[serde(rename_all = "camelCase")]
    Sitting { sitting_id: Uuid },
    #[serde(rename_all = "camelCase")]
    Template { template_id: Uuid },
    Grade {
        #[schema(value_type = u8, minimum = 1, maximum = 10)]
        grade: domain::grade::Grade,
        #[schema(value_type = String, format = DateTime)]
        from: Moment,
        /// The end, which is no part of it.
        #[schema(value_type = String, format = DateTime)]
        to: Moment,
    },
}

/// How far the tests have followed what was done last: that it was made, or reverted.
#[derive(Serialize, ToSchema)]
#[schema(as = CorrectionProgress)]
struct ProgressView {
    done: i64,
    /// 0 until they are counted.
    total: i64,
    finished: bool,
}

impl CorrectionView {
    #[must_use]
    pub fn of(listed: ListedCorrection, is_own: bool) -> Self {
        let ListedCorrection { stored, progress } = listed;
        let version = stored.version();
        let StoredCorrection { id, correction, comment, made, reverted } = stored;
        let Correction { question_id, kind, options, nobody_loses, scope, .. } = correction;
        let (reverted_by, reverted_at) = reverted.map(|act| (act.by, act.at)).unzip();
        Self {
            id,
            own: is_own,
            version,
            question_id: question_id.to_string(),
            kind,
            options: options.texts(),
            scope: ScopeView::of(&scope),
            nobody_loses,
            comment,
            by: made.by,
            at: made.at,
            reverted_by,
            reverted_at,
            progress: ProgressView::of(progress),
        }
    }

    /// For `ETag`.
    #[must_use]
    pub const fn version(&self) -> i64 {
        self.version
    }
}

impl ScopeView {
    fn of(scope: &CorrectionScope) -> Self {
        match scope {
            CorrectionScope::Sitting(id) => Self::Sitting { sitting_id: *id },
            CorrectionScope::Template(id) => Self::Template { template_id: *id },
            CorrectionScope::Grade(scope) => Self::Grade { grade: scope.grade, from: scope.from, to: scope.until },
        }
    }
}

impl ProgressView {
    fn of(progress: StepProgress) -> Self {
        let StepProgress { done, total, is_finished } = progress;
        // What followed by another way, such as a test whose late work was accepted meanwhile, was not counted.
        Self { done: if is_finished { total } else { done }, total, finished: is_finished }
    }
}
