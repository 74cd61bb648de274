//! What all papers for an exam day have in common: who is on them, how the school writes, the codes that are made for
//! them, and their turn to be made.

use std::collections::HashMap;
use std::sync::Arc;

use actix_web::HttpResponse;
use actix_web::web::block;
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use domain::file_name::FileName;
use domain::form::FormLetter;
use domain::school::PageLanguage;
use domain::sitting::candidate::Candidate;
use domain::sitting::code::AccessCode;
use domain::sitting::part::form_of;
use domain::sitting::{Sitting, SittingState};
use domain::text::direction::isolated;
use domain::time::moment::Moment;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::Reports;
use super::layout::letterhead::Letterhead;
use super::layout::slips::{Slip, SlipCode};
use super::layout::words::PaperWords;
use super::layout::{Ink, LaidOut};
use super::pdf::{self, Head};
use super::text::Typesetter;
use crate::config::Config;
use crate::error::Error;
use crate::http::answers::private;
use crate::http::attachment::attachment;
use crate::http::audit::note_detail;
use crate::http::parameters::parsed;
use crate::http::turnstile::Turn;
use crate::school::SchoolSettings;
use crate::sittings::change::{ChangeTerms, Changed};
use crate::sittings::record::ManagedChange;
use crate::sittings::{ManagedSitting, SITTING_CHANGED, Sittings, new_access_code};
use crate::store::candidates::{self, AccessStanding};
use crate::store::school::StoredSchool;

pub(super) const NOBODY: &str = "There are no candidates";

/// Somebody who gets a slip.
pub(super) struct Seated {
    pub candidate: Candidate,
    pub form: Option<FormLetter>,
}

/// These candidates with their forms.
pub(super) async fn seated(
    service: &Sittings,
    managed: &ManagedSitting,
    roster: Vec<Candidate>,
) -> Result<Vec<Seated>, Error> {
    let entered = roster.iter().filter_map(|candidate| candidate.session_id);
    let standings = candidates::load_standings_of(&service.database.read, entered).await?;
    let is_over = service.overview(managed, service.clock.now()).await?.state == SittingState::Ended;
    let seated = |candidate: Candidate| {
        let given = standings.get(&candidate.id).and_then(|standing| standing.form);
        let form = form_of(&candidate, given, managed.template.forms.into(), is_over);
        Seated { candidate, form: form.map(|(form, _)| form) }
    };
    Ok(roster.into_iter().map(seated).collect())
}

/// The language of a paper, if one is asked for; 400 `Invalid language`.
pub(super) fn asked_language(language: &Option<String>) -> Result<Option<PageLanguage>, Error> {
    parsed("language", language, PageLanguage::parse)
}

/// What the school puts on a paper, in the language that is asked for, or else in its own.
pub(super) async fn letterhead(
    school: &SchoolSettings,
    stored: &StoredSchool,
    language: Option<PageLanguage>,
) -> Letterhead {
    let crest = match stored.crest_revision {
        Some(revision) => school.printed_crest(revision).await,
        None => None,
    };
    let of_school = &stored.school;
    Letterhead {
        school: of_school.name.clone(),
        crest,
        accent: Ink::of_school(of_school.colour),
        words: PaperWords(language.unwrap_or_else(|| of_school.first_language())),
    }
}

/// How the school writes, and where its pages are.
pub(super) struct Stationery {
    pub head: Letterhead,
    time_zone: Tz,
    site: String,
}

impl Stationery {
    /// In the language that is asked for, or else in the school's.
    pub async fn of(
        school: &SchoolSettings,
        reports: &Reports,
        config: &Config,
        language: Option<PageLanguage>,
    ) -> Self {
        let stored = school.of_reports().await;
        Self {
            head: letterhead(school, &stored, language).await,
            time_zone: stored.school.time_zone.unwrap_or(reports.time_zone),
            site: config.server.auth_url.clone(),
        }
    }

    /// A moment by the clocks of the school.
    pub fn zoned(&self, moment: Moment) -> DateTime<Tz> {
        moment.utc().with_timezone(&self.time_zone)
    }

    /// The address of a sitting's page.
    pub fn address(&self, sitting: &Sitting) -> String {
        format!("{}/s/{}", self.site, sitting.code.as_str())
    }

    /// The slips of these people, each with the code that was made for them.
    pub fn slips(&self, sitting: &Sitting, roster: &[Seated], codes: &[Option<AccessCode>]) -> Vec<Slip> {
        let (address, words) = (self.address(sitting), self.head.words);
        let slip = |(Seated { candidate, form }, code): (&Seated, &Option<AccessCode>)| {
            let starts_at = sitting.terms(candidate, 0).starts_at.value;
            let room = sitting.hall(candidate.hall_id).map(|hall| isolated(&hall.plan.name).into_owned());
            let seat = candidate.seat.as_ref().map(|seat| words.in_seat(&isolated(seat)));
            let form = form.map(|form| words.form(form));
            Slip {
                name: candidate.name.clone(),
                sitting: sitting.plan.name.clone(),
                starts_at: words.moment(self.zoned(starts_at)),
                place: room.into_iter().chain(seat).chain(form).collect::<Vec<_>>().join(", "),
                address: address.clone(),
                code: match code {
                    Some(code) => SlipCode::New(code.to_string()),
                    None if candidate.has_access_code => SlipCode::Earlier,
                    None => SlipCode::None,
                },
            }
        };
        roster.iter().zip(codes).map(slip).collect()
    }
}

/// A new code for each of these people who is to get one.
pub(super) fn new_codes(
    roster: &[Seated],
    is_new: impl Fn(&Candidate) -> bool,
) -> Result<Vec<Option<AccessCode>>, Error> {
    roster.iter().map(|seated| is_new(&seated.candidate).then(new_access_code).transpose()).collect()
}

/// The codes of a file, and of what it was made.
pub(super) struct MadeCodes<'a> {
    /// E-mail of whoever prints.
    pub by: &'a str,
    pub sitting_id: Uuid,
    /// As it was before the roster was read.
    pub before: HashMap<Uuid, AccessStanding>,
    pub roster: &'a [Seated],
    pub codes: &'a [Option<AccessCode>],
    /// Whether those who have a code get another one.
    pub is_renewed: bool,
    /// Whether the file is for one candidate, who may have entered.
    pub is_for_one: bool,
    /// The parts of the file, for the record; empty if it has but one.
    pub parts: String,
}

impl MadeCodes<'_> {
    fn detail(&self, count: usize) -> String {
        let made = (count > 0).then(|| format!("new codes for {count}"));
        let renewed = self.is_renewed.then(|| "renewed".to_owned());
        let parts = Some(self.parts.clone()).filter(|parts| !parts.is_empty());
        parts.into_iter().chain(made).chain(renewed).collect::<Vec<_>>().join("; ")
    }
}

/// Stores the hashes of the codes. This happens when their file is there, and in a short transaction: somebody else may
/// have made codes meanwhile, and then this file is worth nothing. Whatever else has changed is as if it had changed a
/// moment after the printing.
pub(super) async fn store_codes(service: &Sittings, made: MadeCodes<'_>) -> Result<(), Error> {
    // With the file, whether or not anything is stored.
    let with_codes = || made.roster.iter().zip(made.codes).filter_map(|(one, code)| Some((one, code.as_ref()?)));
    note_detail(&made.detail(with_codes().count()));
    if with_codes().next().is_none() {
        return Ok(());
    }
    // Codes change nothing for those at work, nor do they open doors; and a slip that was lost may be asked for
    // afterwards.
    let terms = ChangeTerms::of_any_version().even_after_the_end().leaving_doors().leaving_attempts();
    let storing = service.change(made.by, made.sitting_id, terms, async |current, _| {
        let now = candidates::load_access(current.transaction(), current.id).await?;
        let (mut stored, mut voided) = (Vec::new(), Vec::new());
        for (Seated { candidate, .. }, code) in with_codes() {
            let both = made.before.get(&candidate.id).zip(now.get(&candidate.id));
            let (_, now) = both
                .filter(|(before, now)| before.code_hash == now.code_hash)
                .ok_or(Error::Conflict(SITTING_CHANGED))?;
            if now.code_hash.is_some() {
                // Whoever has entered meanwhile has used the earlier code, and may need it again.
                if now.session_id.is_some() && !made.is_for_one {
                    continue;
                }
                let (candidate_id, hall_id) = (Some(candidate.id), candidate.hall_id);
                voided.push(ManagedChange { candidate_id, hall_id, kind: "access_code", detail: String::new() });
            }
            stored.push((candidate.id, service.hashes(code)));
        }
        note_detail(&made.detail(stored.len()));
        candidates::set_access_codes(&current.hold(), &stored).await?;
        // A first code is in the log of what managers do alone; one that is void is on the record of its candidate.
        Ok(Changed::Noted((), voided))
    });
    storing.await.map(|_| ())
}

/// What a file says of itself.
pub(super) struct Print {
    title: String,
    language: PageLanguage,
    sitting_id: Uuid,
    now: Moment,
}

impl Print {
    pub fn of(kind: &str, words: PaperWords, sitting: &Sitting, now: Moment) -> Self {
        let (PaperWords(language), title) = (words, format!("{kind}: {}", sitting.plan.name));
        Self { title, language, sitting_id: sitting.id, now }
    }
}

/// Makes a file in its turn, which is given back: whoever is next reads what is stored of this file.
pub(super) async fn print(
    reports: &Reports,
    print: Print,
    turn: Turn,
    lay_out: impl FnOnce(&mut Typesetter) -> LaidOut + Send + 'static,
) -> Result<(Vec<u8>, Turn), Error> {
    let fonts = reports.fonts;
    let making = Arc::clone(&reports.making).acquire_owned().await.map_err(Error::internal)?;
    let made = block(move || {
        let Print { title, language, sitting_id, now } = print;
        let laid_out = lay_out(&mut Typesetter::new(fonts));
        let created = DateTime::<Utc>::from_timestamp_millis(now.milliseconds()).unwrap_or_default();
        let created = created.format("D:%Y%m%d%H%M%SZ").to_string();
        let digest = Sha256::digest(format!("{sitting_id} {created}")).into();
        let head = Head { title, created, digest, language, is_one_sided: true };
        let file = pdf::write(&laid_out, fonts, &head);
        drop(making);
        // In here, so that it lasts as long as the work where the caller has gone.
        (file, turn)
    });
    let (file, turn) = made.await.map_err(Error::internal)?;
    Ok((file.map_err(Error::internal)?, turn))
}

/// A file of papers, to be kept.
pub(super) fn sent(name: &FileName, file: Vec<u8>) -> HttpResponse {
    private(&mut attachment(name)).content_type("application/pdf").body(file)
}
