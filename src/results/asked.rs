//! Which results are asked for, and how much of them the caller may see.

use domain::access::{Identity, Role};
use domain::grade::Grade;
use domain::sight::StaffSight;
use domain::template::Template;
use serde::Deserialize;
use utoipa::IntoParams;
use uuid::Uuid;

use super::Results;
use crate::auth::caller::NOT_ASSIGNED;
use crate::error::Error;
use crate::http::fallback::NOT_FOUND;
use crate::http::parameters::parsed;
use crate::http::session_conditions::SessionConditions;
use crate::sittings::ManagedSitting;
use crate::store::embargo::Embargo;
use crate::store::results::{FinishedFilter, TestsOf};
use crate::store::school::find_zone;
use crate::store::{sittings, templates};

/// Templates that are searched for the questions, most recently changed first.
pub(super) const SOURCE_TEMPLATES_MAX: u64 = 1_000;
const NAME_ONE: &str = "Name one of sittingId, templateId and grade";

/// The query of all routes of results.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResultsAsked {
    sitting_id: Option<String>,
    template_id: Option<String>,
    grade: Option<String>,
    from: Option<String>,
    to: Option<String>,
}

/// How documents describe it.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[allow(dead_code, reason = "describes parameters")]
pub struct ResultsParameters {
    /// The sitting whose results are asked for. Exactly one of the first three is given.
    #[param(nullable = false)]
    sitting_id: Option<Uuid>,
    /// The template whose results are asked for
    #[param(nullable = false)]
    template_id: Option<Uuid>,
    /// The grade whose results are asked for
    #[param(minimum = 1, maximum = 10, nullable = false)]
    grade: Option<u8>,
    /// Of a template or a grade, tests that ended then or later: ISO 8601, or a day in the school's time zone
    #[param(example = "2026-01-05T09:00:00Z", nullable = false)]
    from: Option<String>,
    /// Tests that ended before then: ISO 8601, or a day in the school's time zone, which is included
    #[param(example = "2026-01-05", nullable = false)]
    to: Option<String>,
}

/// Results that the caller may see.
pub struct Asked {
    pub subject: Subject,
    pub filter: FinishedFilter,
    /// What the caller may see of them.
    pub sight: StaffSight,
}

/// What the results are of.
pub enum Subject {
    /// The template is missing if it has been removed.
    Sitting(Box<ManagedSitting>, Option<Box<Template>>),
    Template(Box<Template>),
    Grade(Grade),
}

impl Subject {
    /// The template that the paper is of.
    #[must_use]
    pub fn template(&self) -> Option<&Template> {
        match self {
            Self::Sitting(_, template) => template.as_deref(),
            Self::Template(template) => Some(template),
            Self::Grade(_) => None,
        }
    }

    /// Never empty, unless the template of a sitting has been removed.
    #[must_use]
    pub fn grades(&self) -> Vec<Grade> {
        match self {
            Self::Sitting(managed, _) => managed.template.grades.clone(),
            Self::Template(template) => template.config.grades.clone(),
            Self::Grade(grade) => vec![*grade],
        }
    }
}

impl Results {
    /// Reads what is asked for.
    ///
    /// # Errors
    /// 400 for a query that cannot be read, 404 for an unknown sitting or template, and 403 for one with a grade that
    /// is not the caller's.
    pub(super) async fn asked(&self, caller: &Identity, asked: ResultsAsked) -> Result<Asked, Error> {
        self.here()?;
        let ResultsAsked { sitting_id, template_id, grade, from, to } = asked;
        let id = |name, text: &Option<String>| parsed(name, text, |text| Uuid::try_parse(text).ok());
        let of = match (id("sittingId", &sitting_id)?, id("templateId", &template_id)?, grade) {
            (Some(id), None, None) => TestsOf::Sitting(id),
            (None, Some(id), None) => TestsOf::Template(id),
            (None, None, grade @ Some(_)) => {
                TestsOf::Grade(parsed("grade", &grade, Grade::parse)?.ok_or_else(|| Error::invalid("grade"))?)
            }
            _ => return Err(Error::Invalid(NAME_ONE.to_owned())),
        };
        let times = SessionConditions { grade: None, from, to, event: None, template: None, q: None, origin: None };
        let times = times.filter(&find_zone(&self.database.read).await?)?;
        let is_of_times = !matches!(of, TestsOf::Sitting(_));
        let (from, until) = (times.from.filter(|_| is_of_times), times.until.filter(|_| is_of_times));
        let subject = self.subject(of).await?;
        let sight = may_see(caller, &subject.grades())?;
        let templates = match subject {
            Subject::Grade(_) => self.templates_of(caller, sight).await?,
            Subject::Sitting(..) | Subject::Template(_) => None,
        };
        Ok(Asked { subject, filter: FinishedFilter { of, templates, from, until }, sight })
    }

    /// The templates of which the caller may see as much as they may of the grade: `None` for admins, who see all. A
    /// template of several grades is a test of all of them, whatever grade its sessions are stored with.
    async fn templates_of(&self, caller: &Identity, sight: StaffSight) -> Result<Option<Vec<Uuid>>, Error> {
        if caller.role == Role::Admin {
            return Ok(None);
        }
        let all = templates::load_summaries(&self.database, SOURCE_TEMPLATES_MAX).await?;
        let people = sight.shows_people();
        let may_see = |grades: &[Grade]| may_see(caller, grades).is_ok_and(|sight| sight.shows_people() || !people);
        let theirs = all.into_iter().filter(|template| may_see(&template.grades));
        Ok(Some(theirs.map(|template| template.id).collect()))
    }

    async fn subject(&self, of: TestsOf) -> Result<Subject, Error> {
        match of {
            TestsOf::Sitting(id) => {
                let sitting = sittings::find(&self.database, id).await?.ok_or(Error::NotFound(NOT_FOUND))?;
                let template = self.sittings.find_template(sitting.template_id).await?;
                let paper = templates::find(&self.database, sitting.template_id).await?;
                Ok(Subject::Sitting(Box::new(ManagedSitting { sitting, template }), paper.map(Box::new)))
            }
            TestsOf::Template(id) => {
                let template = templates::find(&self.database, id).await?.ok_or(Error::NotFound(NOT_FOUND))?;
                Ok(Subject::Template(Box::new(template)))
            }
            TestsOf::Grade(grade) => Ok(Subject::Grade(grade)),
        }
    }
}

/// What the caller may see of the results of these grades: 403 if not even the questions.
pub(super) fn may_see(caller: &Identity, grades: &[Grade]) -> Result<StaffSight, Error> {
    Embargo::staff_sight(caller, grades).ok_or(Error::Forbidden(NOT_ASSIGNED))
}
