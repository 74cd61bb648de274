//! What an instructor has chosen, as the platform is told: the content items of deep linking.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::custom::is_storable;
use super::link::LinkTarget;
use crate::time::moment::Moment;

/// The variable of a platform for the end of an assignment, which it may substitute at each launch.
pub(super) const DUE_VARIABLE: &str = "$ResourceLink.submission.endDateTime";
/// The name of our custom parameter for it.
pub const DUE: &str = "due";
/// The variable of a platform for the links of which a link is a copy, as their ids with commas between them.
pub(super) const HISTORY_VARIABLE: &str = "$ResourceLink.id.history";
/// The name of our custom parameter for it.
pub const HISTORY: &str = "history";
/// What staff of a platform read beside somebody's work in its grade book.
const REVIEW_LABEL: &str = "Report";

/// What a column says of the work behind its scores: that we show it to whoever looks at it in the grade book
/// (submission review).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SubmissionReview {
    /// From which states of the work on.
    reviewable_status: [&'static str; 2],
    label: &'static str,
}

impl Default for SubmissionReview {
    fn default() -> Self {
        Self { reviewable_status: ["Submitted", "Completed"], label: REVIEW_LABEL }
    }
}

/// A link to a sitting or a template that a platform is to store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenLink {
    /// What it leads to.
    pub target: LinkTarget,
    /// What the platform is to call it.
    pub title: String,
    /// From when to when it may be followed.
    pub available: (Option<Moment>, Option<Moment>),
    /// From when to when work is handed in.
    pub submission: (Option<Moment>, Option<Moment>),
    /// The maximum of its column in the grade book; `None` for no column.
    pub score_maximum: Option<u32>,
}

impl ChosenLink {
    /// The item, for a launch at `launch_url`. It opens in a window of its own, and has no `iframe`: with both, Moodle
    /// takes the frame.
    #[must_use]
    pub fn item(&self, launch_url: &str) -> Value {
        let (kind, id) = (self.target.kind(), self.target.id().to_string());
        let mut item = Map::new();
        item.insert("type".to_owned(), "ltiResourceLink".into());
        item.insert("title".to_owned(), self.title.clone().into());
        item.insert("url".to_owned(), launch_url.into());
        let mut custom = Map::new();
        for (name, value) in [(kind, &*id), (DUE, DUE_VARIABLE), (HISTORY, HISTORY_VARIABLE)] {
            if is_storable(value) {
                custom.insert(name.to_owned(), value.into());
            }
        }
        item.insert("custom".to_owned(), custom.into());
        item.insert("window".to_owned(), json!({ "targetName": "_blank" }));
        if let Some(maximum) = self.score_maximum {
            let line_item = json!({
                "scoreMaximum": maximum, "label": self.title, "resourceId": resource_id(self.target), "tag": "exam",
                "submissionReview": SubmissionReview::default(),
            });
            item.insert("lineItem".to_owned(), line_item);
        }
        for (name, (from, to)) in [("available", self.available), ("submission", self.submission)] {
            let mut times = Map::new();
            times.extend(from.map(|from| ("startDateTime".to_owned(), from.iso().into())));
            times.extend(to.map(|to| ("endDateTime".to_owned(), to.iso().into())));
            if !times.is_empty() {
                item.insert(name.to_owned(), times.into());
            }
        }
        item.into()
    }
}

/// By which a platform's columns are found again, such as `sitting-…`.
#[must_use]
pub fn resource_id(target: LinkTarget) -> String {
    format!("{}-{}", target.kind(), target.id())
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_link_opens_in_a_window_and_brings_its_column() {
        let at = |text| Moment::parse(text).unwrap();
        let chosen = ChosenLink {
            target: LinkTarget::Sitting(Uuid::nil()),
            title: "Maths final".to_owned(),
            available: (Some(at("2026-12-01T08:30:00Z")), None),
            submission: (None, None),
            score_maximum: Some(600),
        };
        let expected = json!({
            "type": "ltiResourceLink", "title": "Maths final", "url": "https://exam.example/lti/launch",
            "custom": {
                "sitting": "00000000-0000-0000-0000-000000000000", "due": "$ResourceLink.submission.endDateTime",
                "history": "$ResourceLink.id.history",
            },
            "window": {"targetName": "_blank"},
            "lineItem": {
                "scoreMaximum": 600, "label": "Maths final", "tag": "exam",
                "resourceId": "sitting-00000000-0000-0000-0000-000000000000",
                "submissionReview": {"reviewableStatus": ["Submitted", "Completed"], "label": "Report"},
            },
            "available": {"startDateTime": "2026-12-01T08:30:00.000Z"},
        });
        assert_eq!(chosen.item("https://exam.example/lti/launch"), expected);
        let plain = ChosenLink { score_maximum: None, ..chosen }.item("https://exam.example/lti/launch");
        assert!(plain.get("lineItem").is_none() && plain.get("iframe").is_none(), "{plain}");
    }
}
