//! Which tests a correction is about, and whether its caller may correct them: managers of all grades concerned, and
//! admins.

use std::collections::{BTreeSet, HashMap};

use domain::access::{Identity, Role};
use domain::correction::{CorrectionScope, GradeScope};
use domain::grade::Grade;
use domain::sight::StaffSight;
use domain::template::Template;
use domain::time::moment::Moment;
use uuid::Uuid;

use super::Corrections;
use super::fields::NamedScope;
use crate::auth::caller::NOT_ASSIGNED;
use crate::error::Error;
use crate::http::fallback::NOT_FOUND;
use crate::http::parameters::{range_end, range_start};
use crate::sittings::may_manage;
use crate::store::correction_outlook::find_templates_of;
use crate::store::corrections::StoredCorrection;
use crate::store::embargo::Embargo;
use crate::store::school::find_zone;
use crate::store::sittings;
use crate::store::templates::{self, TemplateHeader, load_headers};

/// The scope of a correction that its caller may make.
pub struct OwnScope {
    pub scope: CorrectionScope,
    /// What they may see of its tests: everything.
    pub sight: StaffSight,
    /// The template of the scope, if there is one still.
    pub template: Option<Template>,
}

impl Corrections {
    /// The scope that a caller has named in a request of this moment.
    ///
    /// # Errors
    /// 404 for an unknown sitting or template, 403 if it has a grade that is not theirs, and 400 `Invalid scope` for
    /// times that cannot be read or leave nothing.
    pub(super) async fn own_scope(
        &self,
        caller: &Identity,
        named: &NamedScope,
        now: Moment,
    ) -> Result<OwnScope, Error> {
        match named {
            NamedScope::Sitting(id) => {
                let managed = self.sittings.managed(caller, &id.to_string()).await?;
                let template = templates::find(&self.database, managed.sitting.template_id).await?;
                let sight = sight_of(caller, &managed.template.grades)?;
                Ok(OwnScope { scope: CorrectionScope::Sitting(*id), sight, template })
            }
            NamedScope::Template(id) => {
                let template = templates::find(&self.database, *id).await?;
                let grades = template.as_ref().map(|template| template.config.grades.clone()).unwrap_or_default();
                // Of a removed one there are tests still, which have no grades any more.
                if template.is_none() && caller.role != Role::Admin {
                    return Err(Error::NotFound(NOT_FOUND));
                }
                let sight = sight_of(caller, &grades)?;
                Ok(OwnScope { scope: CorrectionScope::Template(*id), sight, template })
            }
            NamedScope::Grade { grade, from, to } => {
                let sight = sight_of(caller, &[*grade])?;
                let zone = find_zone(&self.database.read).await?;
                let from = range_start("scope", &Some(from.clone()), &zone)?;
                let until = range_end("scope", &Some(to.clone()), &zone)?;
                let (from, until) = from.zip(until).ok_or_else(|| Error::invalid("scope"))?;
                // Tests that are begun later are asked a question that may have been mended by then.
                let until = until.min(now);
                if from >= until {
                    return Err(Error::invalid("scope"));
                }
                let templates = self.own_templates(caller, *grade, (from, until)).await?;
                let scope = CorrectionScope::Grade(GradeScope { grade: *grade, from, until, templates });
                Ok(OwnScope { scope, sight, template: None })
            }
        }
    }

    /// The templates of a grade's tests all of whose grades are the caller's: `None` for admins, whose are all. A
    /// template of several grades is a test of all of them, whatever grade its tests are stored with.
    async fn own_templates(
        &self,
        caller: &Identity,
        grade: Grade,
        times: (Moment, Moment),
    ) -> Result<Option<BTreeSet<Uuid>>, Error> {
        if caller.role == Role::Admin {
            return Ok(None);
        }
        let there = find_templates_of(&self.database.read, grade, times).await?;
        let headers = load_headers(&self.database, there).await?;
        let own = headers.into_values().filter(|header| may_manage(caller, &header.grades));
        Ok(Some(own.map(|header| header.id).collect()))
    }

    /// What the caller may do with these corrections, and of which grades they are.
    pub(super) async fn standings(
        &self,
        caller: &Identity,
        corrections: &[&StoredCorrection],
    ) -> Result<Vec<ScopeStanding>, Error> {
        let scopes: Vec<&CorrectionScope> = corrections.iter().map(|one| &one.correction.scope).collect();
        let sitting_ids = scopes.iter().filter_map(|scope| match scope {
            CorrectionScope::Sitting(id) => Some(*id),
            _ => None,
        });
        let sitting_ids: BTreeSet<Uuid> = sitting_ids.collect();
        let found = sittings::load(&self.database, sitting_ids.into_iter().collect()).await?;
        let of_sittings: HashMap<Uuid, Uuid> =
            found.into_iter().map(|sitting| (sitting.id, sitting.template_id)).collect();
        let mut template_ids: BTreeSet<Uuid> = of_sittings.values().copied().collect();
        for scope in &scopes {
            match scope {
                CorrectionScope::Sitting(_) => {}
                CorrectionScope::Template(id) => drop(template_ids.insert(*id)),
                CorrectionScope::Grade(scope) => template_ids.extend(scope.templates.iter().flatten()),
            }
        }
        let headers = load_headers(&self.database, template_ids).await?;
        Ok(corrections.iter().map(|one| ScopeStanding::of(caller, one, &of_sittings, &headers)).collect())
    }
}

/// What somebody may do with a correction.
pub(super) struct ScopeStanding {
    /// Whether they may revert it, and so also see it.
    pub is_own: bool,
    /// The grades of its sitting or template, or its own; none if those are removed.
    pub grades: Vec<Grade>,
}

impl ScopeStanding {
    /// What is left of a removed sitting or template is for admins.
    fn of(
        caller: &Identity,
        stored: &StoredCorrection,
        of_sittings: &HashMap<Uuid, Uuid>,
        headers: &HashMap<Uuid, TemplateHeader>,
    ) -> Self {
        let grades_of = |id: &Uuid| headers.get(id).map(|header| header.grades.clone()).unwrap_or_default();
        let is_own_template = |id: &Uuid| may_manage(caller, &grades_of(id));
        let (is_own, grades) = match &stored.correction.scope {
            CorrectionScope::Sitting(id) => {
                let grades = of_sittings.get(id).map(grades_of).unwrap_or_default();
                (may_manage(caller, &grades), grades)
            }
            CorrectionScope::Template(id) => (is_own_template(id), grades_of(id)),
            CorrectionScope::Grade(scope) => {
                // When they made it, all of its templates were theirs. One may have been removed since.
                let is_gone = |id: &&Uuid| stored.made.by == caller.email && !headers.contains_key(*id);
                let are_own = |ids: &BTreeSet<Uuid>| ids.iter().filter(|id| !is_gone(id)).all(is_own_template);
                // One that an admin has made is about tests of several grades too.
                let of_templates = scope.templates.as_ref().is_some_and(are_own);
                (may_manage(caller, &[scope.grade]) && of_templates, vec![scope.grade])
            }
        };
        Self { is_own: is_own || caller.role == Role::Admin, grades }
    }
}

fn sight_of(caller: &Identity, grades: &[Grade]) -> Result<StaffSight, Error> {
    let sight = Embargo::staff_sight(caller, grades).filter(|sight| sight.shows_people());
    sight.ok_or(Error::Forbidden(NOT_ASSIGNED))
}
