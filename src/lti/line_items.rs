//! The column of a grade book to which scores of a link go, where the launch has not told it or the platform no longer
//! knows it: it is looked for, and made if the platform allows that.

use std::time::Duration;

use domain::lti::content_item::{SubmissionReview, resource_id};
use domain::lti::link::BoundLink;
use domain::lti::member::{NextPage, next_page};
use domain::lti::platform::Platform;
use domain::lti::{SCOPE_LINE_ITEM, SCOPE_LINE_ITEM_READ, addresses};
use serde::{Deserialize, Serialize};
use tokio::time::timeout;
use url::Url;

use super::services::{PlatformServices, ServiceCall};
use crate::outgoing::client::{PostError, WholeAnswer};

const LINE_ITEM: &str = "application/vnd.ims.lis.v2.lineitem+json";
const LINE_ITEMS: &str = "application/vnd.ims.lis.v2.lineitemcontainer+json";
/// Bytes of a list of columns that are read: those of a course, or of the links of one.
const LINE_ITEMS_BYTES_MAX: usize = 1_024 * 1_024;
/// Pages of a list of columns that are read. A platform that filters has one.
const LINE_ITEM_PAGES_MAX: usize = 50;
/// Columns that are asked for on each page.
const LINE_ITEMS_PER_PAGE: u32 = 100;
/// How long one list may take: a score waits for it.
const LINE_ITEMS_TIMEOUT: Duration = Duration::from_secs(30);
/// The points of a column that is made here. Platforms bring scores to it by themselves.
const COLUMN_POINTS: u32 = 100;
/// Marks columns as those of exams, for whoever lists them.
const TAG: &str = "exam";
/// Why no column can be found.
const NO_COLUMN: &str = "the link has no column in the platform's grade book";

/// A column as a platform tells it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ToldColumn {
    id: String,
    resource_link_id: Option<String>,
    resource_id: Option<String>,
}

/// A column that is to be made.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct NewColumn<'a> {
    score_maximum: u32,
    label: &'a str,
    resource_id: String,
    resource_link_id: &'a str,
    tag: &'static str,
    submission_review: SubmissionReview,
}

/// Finds the column of a link, or makes it where the platform lets tools make some.
pub async fn find_or_make(
    services: &PlatformServices,
    platform: &Platform,
    link: &BoundLink,
) -> Result<String, PostError> {
    let none = || PostError::Hopeless(NO_COLUMN.to_owned());
    let list = link.line_items.as_deref().ok_or_else(none)?;
    let scope = reading_scope(link).ok_or_else(none)?;
    let ours = resource_id(link.target);
    // By the link first. One that was made for us by deep linking may have no link yet, or another one in a copy.
    for (parameter, value) in [("resource_link_id", link.resource_link_id.as_str()), ("resource_id", ours.as_str())] {
        let finding = Box::pin(find(services, platform, link, scope, (list, parameter, value)));
        let found = timeout(LINE_ITEMS_TIMEOUT, finding).await;
        let late = || PostError::Unsent("the platform does not list its columns in time".to_owned());
        if let Some(column) = found.map_err(|_| late())?? {
            return Ok(column);
        }
    }
    if scope != SCOPE_LINE_ITEM {
        return Err(none());
    }
    make(services, platform, link, list).await
}

/// By which scope the columns of a link's course are read: that which also makes some, or that which only reads them.
fn reading_scope(link: &BoundLink) -> Option<&'static str> {
    let has = |wanted: &&str| link.scopes.iter().any(|scope| scope == wanted);
    [SCOPE_LINE_ITEM, SCOPE_LINE_ITEM_READ].into_iter().find(has)
}

/// Asks for the columns with this value of a parameter. Platforms that do not know it answer with all of the course,
/// page by page. A list that was not read to its end does not say that there is none: else another one would be made.
async fn find(
    services: &PlatformServices,
    platform: &Platform,
    link: &BoundLink,
    scope: &'static str,
    (list, parameter, value): (&str, &str, &str),
) -> Result<Option<String>, PostError> {
    let first = with_parameter(list, parameter, value).and_then(|url| with_limit(&url, LINE_ITEMS_PER_PAGE));
    let mut url = first.ok_or_else(|| PostError::Hopeless(NO_COLUMN.to_owned()))?;
    let mut columns: Vec<ToldColumn> = Vec::new();
    for _ in 0..LINE_ITEM_PAGES_MAX {
        let call = ServiceCall {
            url: &url,
            scopes: &[scope],
            accept: LINE_ITEMS,
            posted: None,
            bytes_max: LINE_ITEMS_BYTES_MAX,
        };
        let answer = services.call(platform, call).await?;
        if answer.status != 200 {
            return Err(refused("lists no columns", &answer));
        }
        let page: Vec<ToldColumn> = serde_json::from_slice(&answer.body)
            .map_err(|_| PostError::Unsent("the platform's list of columns cannot be read".to_owned()))?;
        columns.extend(page);
        match next_page(&answer.link.as_deref().into_iter().collect::<Vec<_>>(), &url) {
            NextPage::None => return Ok(own_column(&columns, link, list)),
            NextPage::At(next) => url = next,
            NextPage::Elsewhere => {
                let reason = "the platform's list of columns goes on at another address";
                return Err(PostError::Hopeless(reason.to_owned()));
            }
        }
    }
    let reason = format!("the platform's list of columns has more than {LINE_ITEM_PAGES_MAX} pages");
    Err(PostError::Hopeless(reason))
}

/// The column of a link among those of its course: that of the link, of several the one that has our name of its
/// target, or one that has that name and no link yet. Scores go to no other host than that of the list.
fn own_column(columns: &[ToldColumn], link: &BoundLink, list: &str) -> Option<String> {
    let ours = resource_id(link.target);
    let of_link = |column: &&ToldColumn| column.resource_link_id.as_ref() == Some(&link.resource_link_id);
    let has_ours = |column: &&ToldColumn| column.resource_id.as_ref() == Some(&ours);
    let has_no_link = |column: &&ToldColumn| column.resource_link_id.as_ref().is_none_or(String::is_empty);
    let of_both = columns.iter().find(|column| of_link(column) && has_ours(column));
    let found = of_both.or_else(|| columns.iter().find(of_link));
    let found = found.or_else(|| columns.iter().find(|column| has_no_link(column) && has_ours(column)))?;
    addresses::have_same_host(&found.id, list).then(|| found.id.clone())
}

async fn make(
    services: &PlatformServices,
    platform: &Platform,
    link: &BoundLink,
    list: &str,
) -> Result<String, PostError> {
    let column = NewColumn {
        score_maximum: COLUMN_POINTS,
        label: link.title.as_deref().unwrap_or("Exam"),
        resource_id: resource_id(link.target),
        resource_link_id: &link.resource_link_id,
        tag: TAG,
        submission_review: SubmissionReview::default(),
    };
    let text = serde_json::to_string(&column).map_err(|error| PostError::Unsent(error.to_string()))?;
    let call = ServiceCall {
        url: list,
        scopes: &[SCOPE_LINE_ITEM],
        accept: LINE_ITEM,
        posted: Some((LINE_ITEM, &text)),
        bytes_max: LINE_ITEMS_BYTES_MAX,
    };
    let answer = services.call(platform, call).await?;
    if !matches!(answer.status, 200 | 201) {
        return Err(refused("lets no column be made", &answer));
    }
    let made: ToldColumn = serde_json::from_slice(&answer.body)
        .map_err(|_| PostError::Unsent("the platform does not say which column it has made".to_owned()))?;
    let is_there = addresses::have_same_host(&made.id, list);
    is_there
        .then_some(made.id)
        .ok_or_else(|| PostError::Hopeless("the platform's column is on another host".to_owned()))
}

/// What another attempt would not change is hopeless: Open edX forbids columns to tools.
fn refused(what: &str, answer: &WholeAnswer) -> PostError {
    let reason = format!("the platform {what}: it answered {}", answer.status);
    match answer.status {
        401 | 429 | 500.. => PostError::Unsent(reason),
        _ => PostError::Hopeless(reason),
    }
}

/// The address of a list, asking for so many entries on each page where it does not say how many itself.
pub(super) fn with_limit(list: &str, per_page: u32) -> Option<String> {
    let has_limit = Url::parse(list).ok()?.query_pairs().any(|(name, _)| name == "limit");
    if has_limit { Some(list.to_owned()) } else { with_parameter(list, "limit", &per_page.to_string()) }
}

/// An address with one more parameter.
fn with_parameter(address: &str, name: &str, value: &str) -> Option<String> {
    let mut url = Url::parse(address).ok()?;
    url.query_pairs_mut().append_pair(name, value);
    Some(url.into())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::lti::plain_link::plain_link;

    const LIST: &str = "https://lms.example/columns?course=7";

    fn link() -> BoundLink {
        BoundLink { line_items: Some(LIST.to_owned()), ..plain_link() }
    }

    fn found(columns: &Value) -> Option<String> {
        own_column(&Vec::<ToldColumn>::deserialize(columns).unwrap(), &link(), LIST)
    }

    #[test]
    fn a_parameter_joins_those_that_there_are() {
        let expected = "https://lms.example/columns?course=7&resource_link_id=a+b%26";
        assert_eq!(with_parameter(LIST, "resource_link_id", "a b&").as_deref(), Some(expected));
        assert_eq!(with_limit(LIST, 100).as_deref(), Some("https://lms.example/columns?course=7&limit=100"));
        let limited = "https://lms.example/columns?limit=10";
        assert_eq!(with_limit(limited, 100).as_deref(), Some(limited));
    }

    #[test]
    fn columns_are_read_also_where_none_may_be_made() {
        let with =
            |scopes: &[&str]| BoundLink { scopes: scopes.iter().map(|&scope| scope.to_owned()).collect(), ..link() };
        let score = "https://purl.imsglobal.org/spec/lti-ags/scope/score";
        assert_eq!(reading_scope(&with(&[score, SCOPE_LINE_ITEM_READ])), Some(SCOPE_LINE_ITEM_READ));
        assert_eq!(reading_scope(&with(&[SCOPE_LINE_ITEM_READ, SCOPE_LINE_ITEM])), Some(SCOPE_LINE_ITEM));
        assert_eq!(reading_scope(&with(&[score])), None);
    }

    #[test]
    fn the_column_of_another_link_is_not_ours() {
        let ours = "sitting-00000000-0000-0000-0000-000000000000";
        let (one, two) = ("https://lms.example/columns/1", "https://lms.example/columns/2");
        let of_link = json!({ "id": two, "resourceLinkId": "link" });
        assert_eq!(
            found(&json!([{ "id": one, "resourceLinkId": "other", "resourceId": ours }, of_link])).as_deref(),
            Some(two)
        );
        let both = json!({ "id": two, "resourceLinkId": "link", "resourceId": ours });
        let of_nobody = json!({ "id": one, "resourceLinkId": "link" });
        assert_eq!(found(&json!([of_nobody, both])).as_deref(), Some(two), "a teacher has added one");
        assert_eq!(found(&json!([{ "id": one, "resourceId": ours }])).as_deref(), Some(one));
        assert_eq!(found(&json!([{ "id": one, "resourceLinkId": "other", "resourceId": ours }])), None);
        assert_eq!(found(&json!([{ "id": "https://other.example/1", "resourceLinkId": "link" }])), None);
    }
}
