//! Sittings: exams of a template for a list of people, at a set time. Here they are planned, their rosters are kept,
//! and their results are released; candidates enter and work in `live`.

pub mod admin;
pub mod again;
pub mod announcement;
pub mod begin;
pub mod change;
pub mod changes;
pub mod effects;
pub mod entry;
pub mod fields;
mod later;
pub mod make_up;
pub mod offered_proctors;
pub mod proctored;
pub mod record;
pub mod results;
pub mod roster;
pub mod standing;
pub mod supervision;
pub mod view;

use std::sync::Arc;

use domain::access::{Identity, Role};
use domain::calculator::Calculator;
use domain::file_name::{FileName, day};
use domain::grade::Grade;
use domain::order::hall::HallStanding;
use domain::sitting::code::{AccessCode, SittingCode};
use domain::sitting::plan::{InvalidField, SittingPlan};
use domain::sitting::{Hall, Sitting, SittingState};
use domain::time::moment::Moment;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use crate::auth::caller::NOT_ASSIGNED;
use crate::auth::token;
use crate::base::Base;
use crate::clock::Clock;
use crate::config::Secret;
use crate::database::Database;
use crate::error::Error;
use crate::http::fallback::NOT_FOUND;
use crate::store::candidates::AccessCodeHashes;
use crate::store::embargo::Embargo;
use crate::store::school::find_zone;
use crate::store::sittings::SittingHold;
use crate::store::templates::{TemplateHeader, load_headers};
use crate::store::{candidates as stored_candidates, clashes, counted_attempts, known_papers, sittings};
use changes::SittingChanges;
use entry::current::CurrentSittings;
use entry::sealing::SealingKey;
use entry::wrong_codes::WrongCodes;
use roster::overview::Overview;
use supervision::KnownProctors;
use view::{OneSitting, SittingView};

/// Sittings in a list, which is not paged: the schools of ten years.
const SITTINGS_LISTED_MAX: u64 = 2_000;
const NEED_LOCAL: &str = "Sittings need the local data provider";
/// The answer to a change of another version than the present one.
pub const SITTING_CHANGED: &str = "Sitting has changed";
/// The answer to a change of what has begun to count.
pub const SITTING_BEGUN: &str = "Sitting has begun";
/// The answer to another template after the doors have opened.
pub const SITTING_OPEN: &str = "Sitting is open";
/// The answer to what would take away the work of candidates, or reveal results to them.
pub const SITTING_AT_WORK: &str = "Sitting has candidates at work";
/// The answer to a change of a sitting that is over.
pub const SITTING_ENDED: &str = "Sitting has ended";
/// The answer to the release of a sitting that would shut out candidates who may still enter.
pub const SITTING_EXPECTS: &str = "Sitting has candidates to come";
/// The answer to the release of a sitting whose paper others are still to sit.
pub const SITTING_PAPER_NEEDED: &str = "Another sitting needs the paper";
/// The answer to the release of a sitting some of whose results still change by a corrected key.
pub const SITTING_FOLLOWS: &str = "Corrections are being followed";
/// The answer to a change of terms that a candidate who has entered already has a copy of.
pub const CANDIDATE_ENTERED: &str = "Candidate has entered";
/// The answer to the release of a sitting that nobody has taken.
pub const SITTING_NOT_BEGUN: &str = "Sitting has not begun";
/// The answer to the removal of a hall that has candidates.
pub const ROOM_IN_USE: &str = "Room has candidates";

/// The planning of sittings, by those who manage them.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(admin::list)
        .service(admin::create)
        .service(admin::read)
        .service(admin::change)
        .service(admin::delete)
        .service(roster::read)
        .service(roster::replace)
        .service(roster::candidates::add)
        .service(roster::candidates::change)
        .service(roster::candidates::remove)
        .service(roster::undo::undo)
        .service(roster::explain::explain)
        .service(roster::access_code::make)
        .service(begin::begin)
        .service(results::release::release)
        .service(results::incidents::list)
        .service(results::incidents::watched)
        .service(results::incidents::table)
        .service(make_up::make_up)
        .service(again::again)
        .service(results::results)
        .service(results::results_workbook)
        .service(results::results_text)
        .service(roster::accommodations::list)
        .service(roster::accommodations::replace)
        .service(roster::accommodations::read)
        .service(roster::accommodations::change)
        .service(roster::accommodations::remove)
        .service(entry::own::list)
        .service(proctored::list)
        .service(offered_proctors::list)
        .service(entry::calendar_file::download);
}

/// What all routes of sittings work with.
pub struct Sittings {
    pub database: Database,
    pub clock: Clock,
    /// What has changed here, or on another server.
    pub changes: SittingChanges,
    current: CurrentSittings,
    key: [u8; 32],
    sealing_key: SealingKey,
    proctors: KnownProctors,
    wrong_codes: WrongCodes,
    is_here: bool,
}

/// A sitting that the caller may manage, with the template of its test.
pub struct ManagedSitting {
    pub sitting: Sitting,
    pub template: TemplateHeader,
}

impl Sittings {
    #[must_use]
    pub fn open(base: &Base) -> Self {
        let (database, clock, embargo) = (base.database.clone(), base.clock.clone(), Arc::clone(&base.embargo));
        Self::new(database, clock, &base.secret, embargo, base.is_local())
    }

    /// With `is_here` false there are no sittings, and every request gets 501.
    #[must_use]
    pub fn new(database: Database, clock: Clock, secret: &Secret, embargo: Arc<Embargo>, is_here: bool) -> Self {
        let key = token::derive(secret.reveal(), b"access codes");
        let (changes, proctors) = (SittingChanges::new(embargo), supervision::known_proctors());
        let (current, sealing_key) = (CurrentSittings::default(), SealingKey::new(secret));
        let wrong_codes = WrongCodes::default();
        Self { database, clock, changes, current, key, sealing_key, proctors, wrong_codes, is_here }
    }

    /// Whether there can be sittings.
    #[must_use]
    pub const fn is_here(&self) -> bool {
        self.is_here
    }

    /// Answers 501 unless the data is in this server's own database, like its templates.
    pub fn here(&self) -> Result<(), Error> {
        if self.is_here { Ok(()) } else { Err(Error::NotHere(NEED_LOCAL)) }
    }

    /// The sitting of that id, if the caller may manage it.
    ///
    /// # Errors
    /// 404 for an unknown one, 403 for one of a grade that is not theirs.
    pub async fn managed(&self, identity: &Identity, id: &str) -> Result<ManagedSitting, Error> {
        self.here()?;
        let sitting = sittings::find(&self.database, known(id)?).await?.ok_or(Error::NotFound(NOT_FOUND))?;
        self.managed_by(identity, sitting).await
    }

    /// The same of a sitting that has been read: 403 for one of a grade that is not theirs.
    pub async fn managed_by(&self, identity: &Identity, sitting: Sitting) -> Result<ManagedSitting, Error> {
        let template = self.find_template(sitting.template_id).await?;
        // Admins, and managers of all grades of the template.
        if may_manage(identity, &template.grades) {
            Ok(ManagedSitting { sitting, template })
        } else {
            Err(Error::Forbidden(NOT_ASSIGNED))
        }
    }

    /// The template that a caller has chosen for a sitting: 400 for an unknown one, 403 for one of a grade that is not
    /// theirs.
    pub async fn chosen_template(&self, identity: &Identity, id: Uuid) -> Result<TemplateHeader, Error> {
        let found = load_headers(&self.database, [id]).await?.remove(&id);
        let template = found.ok_or_else(|| Error::invalid("templateId"))?;
        if may_manage(identity, &template.grades) { Ok(template) } else { Err(Error::Forbidden(NOT_ASSIGNED)) }
    }

    /// The template of a sitting. One that has been removed gives no minutes, and only admins see what is left.
    pub async fn find_template(&self, id: Uuid) -> Result<TemplateHeader, Error> {
        Ok(load_headers(&self.database, [id]).await?.remove(&id).unwrap_or_else(|| removed_template(id)))
    }

    /// How the hash of an access code is stored: under a key that the database does not have, since a code is short.
    #[must_use]
    pub fn hash(&self, code: &AccessCode) -> [u8; 32] {
        token::derive(&self.key, code.as_str().as_bytes())
    }

    /// The same of the half that tells whose code someone tries.
    #[must_use]
    pub fn hash_half(&self, code: &AccessCode) -> [u8; 32] {
        token::derive(&self.key, code.first_half().as_bytes())
    }

    /// Both, as they are stored.
    #[must_use]
    pub fn hashes(&self, code: &AccessCode) -> AccessCodeHashes {
        AccessCodeHashes { whole: self.hash(code), half: self.hash_half(code) }
    }

    /// The access code that an order makes, of a text that no other order has. A repeat makes the same one, so it is
    /// stored nowhere.
    pub fn code_of_order(&self, order: &str) -> Result<AccessCode, Error> {
        let key = token::derive(&self.key, b"codes of orders");
        let drawn = |draw: u8| AccessCode::of_random(&token::derive(&key, format!("{draw} {order}").as_bytes()));
        (0..=u8::MAX).find_map(drawn).ok_or_else(|| Error::internal("no access code comes of an order"))
    }

    /// Gives a candidate of a sitting a new access code; the old one is void.
    pub async fn set_access_code(
        &self,
        sitting: &SittingHold<'_>,
        candidate_id: Uuid,
        code: &AccessCode,
    ) -> Result<(), Error> {
        let codes = [(candidate_id, self.hashes(code))];
        Ok(stored_candidates::set_access_codes(sitting, &codes).await?)
    }

    /// The name of a file about a sitting: the sitting, its day in the school's zone, and what the file is.
    pub async fn file_name(&self, sitting: &Sitting, about: &[&str], ending: &str) -> Result<FileName, Error> {
        let day = day(&find_zone(&self.database.read).await?, sitting.plan.starts_at);
        let of_sitting = [sitting.plan.name.as_str(), day.as_str()];
        let parts: Vec<&str> = of_sitting.into_iter().chain(about.iter().copied()).collect();
        Ok(FileName::of(&parts, ending))
    }

    /// The sitting as one of those who manage it sees it.
    pub async fn shown(&self, caller: &Identity, managed: &ManagedSitting) -> Result<OneSitting, Error> {
        let now = self.clock.now();
        let overview = self.overview(managed, now).await?;
        let practice = self.changes.embargo.withheld().await?.practice_of(managed.sitting.id);
        let view = SittingView::of(&managed.sitting, &managed.template, &overview, now).with_practice(practice);
        let sitting = match overview.state {
            SittingState::Draft | SittingState::Open => self.with_warnings(caller, managed, view).await?,
            SittingState::Running | SittingState::Ended => view,
        };
        Ok(OneSitting { sitting, ends: None })
    }

    /// The view of a sitting that is to come, with what may be wrong with its plan.
    async fn with_warnings(
        &self,
        caller: &Identity,
        managed: &ManagedSitting,
        view: SittingView,
    ) -> Result<SittingView, Error> {
        let ManagedSitting { sitting, template } = managed;
        let known_from = known_papers::count_told(&self.database, sitting.template_id, sitting.id).await?;
        let mut clashes = clashes::find_clashes(&self.database, sitting, template.duration_minutes).await?;
        // A sitting of other grades is named to nobody who could not open it.
        let headers = load_headers(&self.database, clashes.sittings.iter().map(|one| one.template_id)).await?;
        let is_theirs = |template: &TemplateHeader| may_manage(caller, &template.grades);
        clashes.sittings.retain(|one| headers.get(&one.template_id).is_some_and(is_theirs));
        let sat_before =
            counted_attempts::count_candidates_by_link(&self.database, sitting.id, sitting.template_id).await?;
        Ok(view.with_known_from(known_from).with_clashes(clashes).with_sat_by_link(sat_before))
    }

    /// What the roster says of the sitting now.
    pub async fn overview(&self, managed: &ManagedSitting, now: Moment) -> Result<Overview, Error> {
        let groups = stored_candidates::load_groups(&self.database.read, vec![managed.sitting.id]).await?;
        Ok(Overview::of(&managed.sitting, managed.template.duration_minutes, &groups, now))
    }
}

/// Whether a caller may manage templates of these grades, and their sittings.
#[must_use]
pub fn may_manage(identity: &Identity, grades: &[Grade]) -> bool {
    let is_of_all = || grades.iter().all(|grade| identity.signs_off().has(*grade));
    identity.role == Role::Admin || !grades.is_empty() && is_of_all()
}

/// The id in a path. A text that is no id gets the same 404 as an unknown id.
pub fn known(text: &str) -> Result<Uuid, Error> {
    text.parse().map_err(|_| Error::NotFound(NOT_FOUND))
}

/// A draft with a code of its own, which is not stored yet.
fn new_sitting(
    template_id: Uuid,
    plan: SittingPlan,
    halls: Vec<Hall>,
    created_by: String,
    created_at: Moment,
) -> Result<Sitting, Error> {
    Ok(Sitting {
        id: Uuid::new_v4(),
        template_id,
        plan,
        code: new_code()?,
        halls,
        event_id: None,
        opened_at: None,
        opened_early: false,
        begun_at: None,
        standing: HallStanding::default(),
        released_at: None,
        ended_at: None,
        version: 1,
        created_by,
        created_at,
    })
}

/// A new code of a sitting or a hall.
pub fn new_code() -> Result<SittingCode, Error> {
    loop {
        if let Some(code) = SittingCode::of_random(&token::random_bytes().map_err(Error::internal)?) {
            return Ok(code);
        }
    }
}

/// A new code of a candidate.
pub fn new_access_code() -> Result<AccessCode, Error> {
    loop {
        if let Some(code) = AccessCode::of_random(&token::random_bytes().map_err(Error::internal)?) {
            return Ok(code);
        }
    }
}

fn removed_template(id: Uuid) -> TemplateHeader {
    TemplateHeader {
        id,
        name: String::new(),
        mode: domain::attempt::Mode::Standard,
        grades: Vec::new(),
        duration_minutes: 0,
        calculator: Calculator::None,
        forms: 1,
        in_order: false,
        created_at: Moment::default(),
        updated_at: Moment::default(),
        created_by: String::new(),
    }
}

impl From<InvalidField> for Error {
    fn from(InvalidField(name): InvalidField) -> Self {
        Self::invalid(name)
    }
}
