//! The conditions by which staff choose finished tests, as they are in queries: in one place, so that every route
//! parses and describes them alike.

use domain::calendar::zones::Zone;
use domain::grade::Grade;
use domain::resources::SessionFilter;
use domain::session::{SEARCHED_CHARACTERS_MAX, SessionOrigin, searchable};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::parameters::{parsed, range_end, range_start};
use crate::error::Error;

/// The conditions, as texts. An empty one is none.
pub struct SessionConditions {
    pub grade: Option<String>,
    pub from: Option<String>,
    pub to: Option<String>,
    pub event: Option<String>,
    pub template: Option<String>,
    pub q: Option<String>,
    pub origin: Option<String>,
}

/// How documents describe them. Routes differ in what a missing `origin` means, so each describes it itself.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "describes parameters")]
pub struct SessionParameters {
    /// 1 to 10
    #[param(minimum = 1, maximum = 10, nullable = false)]
    grade: Option<u8>,
    /// Sessions that ended then or later: ISO 8601, or a day in the school's time zone
    #[param(example = "2026-01-05T09:00:00Z", nullable = false)]
    from: Option<String>,
    /// Sessions that ended before then: ISO 8601, or a day in the school's time zone, which is included
    #[param(example = "2026-01-05", nullable = false)]
    to: Option<String>,
    /// The event that the sessions' `annotations` name as `event`
    #[param(minimum = 1, nullable = false)]
    event: Option<i64>,
    /// The template that live exams were started from
    #[param(nullable = false)]
    template: Option<Uuid>,
    /// Part of the student's name, of their `studentId` or of their account; capitals and accents do not count
    #[param(max_length = 200, nullable = false)]
    q: Option<String>,
}

/// The origins that can be asked for.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[allow(dead_code, reason = "describes a parameter")]
pub enum OriginChoice {
    Live,
    Client,
    All,
}

impl SessionConditions {
    /// The filter that they make in a school of this zone: 400 `Invalid <name>` for a value that cannot be one.
    pub fn filter(&self, zone: &Zone) -> Result<SessionFilter, Error> {
        Ok(SessionFilter {
            grade: parsed("grade", &self.grade, Grade::parse)?,
            from: range_start("from", &self.from, zone)?,
            until: range_end("to", &self.to, zone)?,
            event: parsed("event", &self.event, |text| text.parse().ok().filter(|number| *number > 0))?,
            template_id: parsed("template", &self.template, |text| Uuid::try_parse(text).ok())?,
            text: parsed("q", &self.q, searched)?.filter(|text| !text.is_empty()),
            origin: asked_origin(&self.origin)?.flatten(),
        })
    }

    /// The filter, for live sessions unless the caller names an origin.
    pub fn live_unless_asked(&self, filter: SessionFilter) -> Result<SessionFilter, Error> {
        Ok(SessionFilter { origin: origin_or_live(&self.origin)?, ..filter })
    }

    /// Returns whether there is a condition beside an event and the origin of its sessions.
    pub fn name_more_than_an_event(&self) -> bool {
        let is_there = |text: &Option<String>| text.as_deref().is_some_and(|text| !text.is_empty());
        [&self.grade, &self.from, &self.to, &self.template, &self.q].into_iter().any(is_there)
            || (is_there(&self.origin) && !is_there(&self.event))
    }
}

/// The origin of the sessions to show or count: live ones unless the caller names another, and `None` for `all`.
pub fn origin_or_live(text: &Option<String>) -> Result<Option<SessionOrigin>, Error> {
    Ok(asked_origin(text)?.unwrap_or(Some(SessionOrigin::Live)))
}

/// The origin that is asked for: the outer `None` if the caller does not say, the inner one for `all`.
fn asked_origin(text: &Option<String>) -> Result<Option<Option<SessionOrigin>>, Error> {
    parsed("origin", text, |text| if text == "all" { Some(None) } else { SessionOrigin::parse(text).map(Some) })
}

fn searched(text: &str) -> Option<String> {
    let is_short = text.chars().count() <= SEARCHED_CHARACTERS_MAX;
    (is_short && !text.chars().any(char::is_control)).then(|| searchable(text))
}
