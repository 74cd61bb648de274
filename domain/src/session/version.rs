//! The versions of a finished test: which of its results this is, why there is it, and what the score was before.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::mark::{MarkedFacts, ResultMark};
use crate::sight::Untold;
use crate::time::moment::Moment;

/// Why there is a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum VersionReason {
    /// The test was handed in.
    Submitted,
    /// Work that came after the deadline was accepted.
    LateWork,
    /// The test went on after its end, and has ended again.
    Reopened,
    /// The key of a question was corrected.
    KeyCorrected,
    /// A change was taken back.
    Reverted,
}

impl VersionReason {
    const ALL: [Self; 5] = [Self::Submitted, Self::LateWork, Self::Reopened, Self::KeyCorrected, Self::Reverted];

    /// Such as `late_work`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Submitted => "submitted",
            Self::LateWork => "late_work",
            Self::Reopened => "reopened",
            Self::KeyCorrected => "key_corrected",
            Self::Reverted => "reverted",
        }
    }

    /// Parses a reason's name; `None` for any other text.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.name() == name)
    }
}

/// Which result of a test this is.
#[derive(Clone, Debug)]
pub struct SessionVersion {
    /// From 1.
    pub number: u32,
    /// Why there is it.
    pub reason: VersionReason,
    /// When it was made; `None` where another service has made it, which says nothing of that.
    pub at: Option<Moment>,
    /// E-mail of whoever has made it; `None` for the server, and for a student who has handed in.
    pub by: Option<String>,
    /// What they have noted.
    pub comment: Option<String>,
    /// The score of the version before; `None` for the first.
    pub previous_score: Option<Untold<u32>>,
    /// What the mark of the version before is reckoned from; `None` for the first, and where nobody is told a mark.
    pub previous_facts: Option<Untold<MarkedFacts>>,
}

impl SessionVersion {
    /// The first version, of a test that ended then.
    #[must_use]
    pub const fn submitted(at: Moment) -> Self {
        let (reason, at) = (VersionReason::Submitted, Some(at));
        Self { number: 1, reason, at, by: None, comment: None, previous_score: None, previous_facts: None }
    }

    /// Whether there was another result before.
    #[must_use]
    pub const fn is_change(&self) -> bool {
        self.number > 1
    }

    /// Of a test that another service has, which may not know what versions are, or have other fields of these names.
    /// `completed_at` is when the test ended.
    pub(super) fn of_stored(
        number: Option<&Value>,
        reason: Option<&Value>,
        previous: Option<&Value>,
        completed_at: Moment,
    ) -> Self {
        let number = number.and_then(Value::as_u64).and_then(|number| i32::try_from(number).ok());
        let number = number.and_then(|number| u32::try_from(number).ok()).unwrap_or(1).max(1);
        let reason = reason.and_then(Value::as_str).and_then(VersionReason::parse);
        let score =
            previous.and_then(|previous| previous["score"].as_u64()).and_then(|score| u32::try_from(score).ok());
        let is_change = number > 1;
        Self {
            number,
            reason: reason.filter(|_| is_change).unwrap_or(VersionReason::Submitted),
            previous_score: score.filter(|_| is_change).map(Untold::of),
            at: (!is_change).then_some(completed_at),
            ..Self::submitted(completed_at)
        }
    }
}

/// The version before, as a reader who may see the result is told it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = PreviousVersion)]
pub struct PreviousView {
    /// Its number.
    #[schema(minimum = 1)]
    pub version: u32,
    /// Its score, 200 to 800.
    pub score: u32,
    /// Its mark, by the scale of now; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub mark: Option<ResultMark>,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_names_of_reasons_are_those_of_the_documents() {
        for reason in VersionReason::ALL {
            assert_eq!(VersionReason::parse(reason.name()), Some(reason));
            assert_eq!(json!(reason), json!(reason.name()));
        }
        assert_eq!(VersionReason::parse("Submitted"), None);
    }

    #[test]
    fn a_service_without_versions_has_the_first() {
        let at = Moment::from_milliseconds(7);
        let read =
            |json: Value| SessionVersion::of_stored(json.get("version"), json.get("reason"), json.get("previous"), at);
        for json in [
            json!({}),
            json!({ "version": "3" }),
            json!({ "version": 0 }),
            json!({ "version": -2, "reason": "late_work" }),
        ] {
            let version = read(json);
            assert_eq!((version.number, version.reason, version.at), (1, VersionReason::Submitted, Some(at)));
        }
        let third =
            read(json!({ "version": 3, "reason": "key_corrected", "previous": { "version": 2, "score": 640 } }));
        // When the test ended is not when its result was changed.
        assert_eq!((third.number, third.reason, third.at), (3, VersionReason::KeyCorrected, None));
        assert_eq!(third.previous_score.map(|score| *score.inside_the_server()), Some(640));
        assert!(read(json!({ "version": 2, "reason": "unheard of", "previous": 4 })).previous_score.is_none());
    }
}
