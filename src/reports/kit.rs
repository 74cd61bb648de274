//! `/api/admin/sittings/{id}/kit.pdf`: what is printed for the morning of a sitting, in one file. Its slips may have
//! new access codes, so it is made by `POST` alone.

use actix_web::web::{Data, Path, Query};
use actix_web::{HttpResponse, post};
use domain::school::PageLanguage;
use domain::sitting::Sitting;
use domain::sitting::candidate::Candidate;
use domain::sitting::code::AccessCode;
use domain::sitting::seat::SeatOrder;
use domain::sitting::terms::{Sourced, ValueSource};
use domain::time::moment::Moment;
use serde::Deserialize;
use uuid::Uuid;

use super::Reports;
use super::layout::kit::{KitHall, KitPart, KitPerson, MorningKit, lay_out_kit};
use super::layout::paper_size::PaperSize;
use super::layout::words::clock_time;
use super::printing::{
    self, MadeCodes, NOBODY, Print, Seated, Stationery, asked_language, new_codes, sent, store_codes,
};
use crate::auth::caller::Manager;
use crate::auth::refusals::ManagerRefusals;
use crate::config::Config;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::FileBytes;
use crate::http::parameters::{flag, parsed};
use crate::school::SchoolSettings;
use crate::sittings::{ManagedSitting, Sittings};
use crate::store::candidates;

/// Candidates of one kit, each of whom may have a slip.
const KIT_CANDIDATES_MAX: usize = 1_000;
const TOO_MANY: &str = "Too many candidates for one file: ask for one room";

#[derive(Deserialize)]
struct KitQuery {
    parts: Option<String>,
    room: Option<String>,
    paper: Option<String>,
    renew: Option<String>,
    language: Option<String>,
}

/// What is asked for.
struct KitOrder {
    parts: Vec<KitPart>,
    size: PaperSize,
    /// The hall alone that is meant; all if there is none.
    hall_id: Option<Uuid>,
    is_renewed: bool,
    /// `None` for the school's.
    language: Option<PageLanguage>,
}

impl KitOrder {
    fn read(query: &KitQuery, sitting: &Sitting) -> Result<Self, Error> {
        let hall_id = |name: &str| sitting.hall_named(name).map(|hall| hall.id);
        Ok(Self {
            parts: parsed("parts", &query.parts, KitPart::parse_all)?.unwrap_or_else(|| KitPart::ALL.to_vec()),
            size: parsed("paper", &query.paper, PaperSize::parse)?.unwrap_or_default(),
            hall_id: parsed("room", &query.room, hall_id)?,
            is_renewed: flag("renew", query.renew.as_deref())?,
            language: asked_language(&query.language)?,
        })
    }

    fn has(&self, part: KitPart) -> bool {
        self.parts.contains(&part)
    }
}

/// Makes what is printed for the morning of a sitting, in one file.
///
/// Room by room, with page numbers of its own: a sign for the door with the code of the sitting, a plan of the seats
/// (in rows if each names a row and a column, else as a list), a list to sign with what is different about somebody's
/// time, and the entry slips, all in the order of the seats. It has the school's name and crest, and is in its first
/// language, unless another one is asked for, and by its clocks. Access codes are made as by the entry slips: for those
/// who have none, and with `renew` for all who have not entered; without the part `slips`, none are made.
#[utoipa::path(
    operation_id = "makeKit",
    tag = "sittings",
    security(("api_token" = [])),
    params(
        ("id" = String, Path, description = "Sitting id"),
        ("parts" = Option<String>, Query, description = "Any of `door`, `plan`, `list` and `slips`, with commas between them; all if it is left out"),
        ("room" = Option<String>, Query, description = "The name of a room: only its part"),
        ("paper" = Option<String>, Query, description = "`a4`, which holds if it is left out, or `letter`"),
        ("renew" = Option<bool>, Query, description = "Make new codes for all who have not entered; the old ones are no longer valid"),
        ("language" = inline(Option<PageLanguage>), Query, description = "Instead of the school's first language"),
    ),
    responses(
        (status = 200, description = "The kit", body = inline(FileBytes), content_type = "application/pdf"),
        (status = 400, description = "`Invalid parts`, `Invalid room`, `Invalid paper`, `Invalid renew`, `Invalid language`, or over 1,000 candidates, who need a file for each room", body = ErrorBody),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 409, description = "`Sitting has changed` meanwhile, or `There are no candidates` for these parts", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
        (status = 503, description = "`The server is busy`: too many files are being made, or answers are saved late", body = ErrorBody),
    )
)]
#[post("/api/admin/sittings/{id}/kit.pdf")]
pub async fn make_kit(
    asked: After<Manager, After<Path<String>, Query<KitQuery>>>,
    service: Data<Sittings>,
    reports: Data<Reports>,
    config: Data<Config>,
    school: Data<SchoolSettings>,
) -> Result<HttpResponse, Error> {
    let After(Manager(caller), After(id, query)) = asked;
    // Whoever may not, or asks for what there is not, waits for no turn.
    KitOrder::read(&query, &service.managed(&caller, &id).await?.sitting)?;
    let turn = reports.turns.papers().await?;
    // In the turn: those ahead may have made codes.
    let managed = service.managed(&caller, &id).await?;
    let order = KitOrder::read(&query, &managed.sitting)?;
    let before = candidates::load_access(&service.database.read, managed.sitting.id).await?;
    let roster = seated(&service, &managed, &order).await?;
    let is_new = |candidate: &Candidate| {
        let is_meant = !candidate.has_access_code || order.is_renewed && !candidate.has_entered();
        order.has(KitPart::Slips) && is_meant
    };
    let codes = new_codes(&roster, is_new)?;
    let stationery = Stationery::of(&school, &reports, &config, order.language).await;
    let words = stationery.head.words;
    let print = Print::of(words.kit(), words, &managed.sitting, service.clock.now());
    let kit = kit(&stationery, &managed.sitting, &order, &roster, &codes);
    if !kit.has_pages() {
        return Err(Error::Conflict(NOBODY));
    }
    let room = query.room.as_deref().unwrap_or_default();
    let name = service.file_name(&managed.sitting, &[room, "kit"], "pdf").await?;
    let (file, turn) = printing::print(&reports, print, turn, move |typesetter| lay_out_kit(&kit, typesetter)).await?;
    let parts: Vec<&str> = order.parts.iter().map(|part| part.name()).collect();
    let made = MadeCodes {
        by: &caller.email,
        sitting_id: managed.sitting.id,
        before,
        roster: &roster,
        codes: &codes,
        is_renewed: order.is_renewed && order.has(KitPart::Slips),
        is_for_one: false,
        parts: parts.join(", "),
    };
    store_codes(&service, made).await?;
    drop(turn);
    Ok(sent(&name, file))
}

/// Those of the hall, or all, by hall and seat; those without a hall come last.
async fn seated(service: &Sittings, managed: &ManagedSitting, order: &KitOrder) -> Result<Vec<Seated>, Error> {
    let sitting = &managed.sitting;
    let mut roster = service.roster(sitting).await?;
    roster.retain(|candidate| order.hall_id.is_none() || candidate.hall_id == order.hall_id);
    if roster.len() > KIT_CANDIDATES_MAX {
        return Err(Error::Invalid(TOO_MANY.to_owned()));
    }
    let hall_of = |candidate: &Candidate| sitting.halls.iter().position(|hall| Some(hall.id) == candidate.hall_id);
    // They are by name before, and stay so where the seats are the same.
    roster.sort_by_cached_key(|candidate| {
        (hall_of(candidate).unwrap_or(usize::MAX), SeatOrder::of(candidate.seat.as_deref()))
    });
    printing::seated(service, managed, roster).await
}

fn kit(
    stationery: &Stationery,
    sitting: &Sitting,
    order: &KitOrder,
    roster: &[Seated],
    codes: &[Option<AccessCode>],
) -> MorningKit {
    let halls = sitting.halls.iter().map(|hall| Some(hall.id));
    // Those without a hall come last; where there are no halls, that is everyone.
    let halls = halls.chain([None]).filter(|id| order.hall_id.is_none() || *id == order.hall_id);
    let of_hall = |id: Option<Uuid>| {
        let is_there = |seated: &Seated| seated.candidate.hall_id == id;
        let first = roster.iter().position(is_there).unwrap_or_default();
        let count = roster.iter().filter(|seated| is_there(seated)).count();
        let (people, codes) = (roster.get(first..first + count)?, codes.get(first..first + count)?);
        (id.is_some() || count > 0 || sitting.halls.is_empty())
            .then(|| kit_hall(stationery, sitting, id, people, codes))
    };
    MorningKit {
        head: stationery.head.clone(),
        size: order.size,
        parts: order.parts.clone(),
        sitting: sitting.plan.name.clone(),
        code: sitting.code.as_str().to_owned(),
        address: stationery.address(sitting),
        halls: halls.filter_map(of_hall).collect(),
    }
}

fn kit_hall(
    stationery: &Stationery,
    sitting: &Sitting,
    id: Option<Uuid>,
    people: &[Seated],
    codes: &[Option<AccessCode>],
) -> KitHall {
    let words = stationery.head.words;
    let terms = sitting.hall_terms(id);
    let starts_at = terms.starts_at.value;
    let starts = stationery.zoned(starts_at);
    let person = |Seated { candidate, form }: &Seated| KitPerson {
        seat: candidate.seat.clone(),
        name: candidate.name.clone(),
        known_as: candidate.person.external_id.clone().or_else(|| candidate.person.email.clone()).unwrap_or_default(),
        form: form.map(|form| form.to_string()),
        needs: needs(stationery, sitting, candidate, starts_at),
    };
    KitHall {
        name: sitting.hall(id).map(|hall| hall.plan.name.clone()),
        is_place: id.is_some() || sitting.halls.is_empty(),
        day: words.day(starts),
        time: clock_time(starts),
        doors: words.doors_open(&clock_time(stationery.zoned(sitting.doors_for(&terms)))),
        people: people.iter().map(person).collect(),
        slips: stationery.slips(sitting, people, codes),
    }
}

/// How the time of a candidate differs from that of the others, in words; empty if it does not.
fn needs(stationery: &Stationery, sitting: &Sitting, candidate: &Candidate, starts_at: Moment) -> String {
    let (words, terms) = (stationery.head.words, sitting.terms(candidate, 0));
    // On another day the time alone would mislead.
    let shown = |moment: Moment| {
        let (zoned, usual) = (stationery.zoned(moment), stationery.zoned(starts_at));
        if zoned.date_naive() == usual.date_naive() { clock_time(zoned) } else { words.moment(zoned) }
    };
    let own = |value: Sourced<Moment>| (value.source == ValueSource::Candidate).then(|| shown(value.value));
    let mut all = words.more_time(terms.factor.value, terms.extra_minutes.value);
    all.extend(own(terms.starts_at).map(|time| words.starts(&time)));
    all.extend(terms.ends_at.and_then(own).map(|time| words.ends(&time)));
    all.join(", ")
}
