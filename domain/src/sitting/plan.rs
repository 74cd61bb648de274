//! Plans of sittings and their halls as managers send them, and the reasons to refuse one.

use std::collections::HashSet;

use uuid::Uuid;

use super::terms::Layer;
use super::values::{Factor, FieldChange, LateRule, ResultsRule, StartRule};
use crate::access::typed_email;
use crate::mark::MarkScale;
use crate::session::{WEBHOOK_URL_BYTES_MAX, is_base_url};
use crate::text;
use crate::text::same::seen_in_any_case;
use crate::time::moment::Moment;

/// Halls of a sitting.
pub const HALLS_MAX: usize = 500;
/// Proctors of one hall.
pub const HALL_PROCTORS_MAX: usize = 50;
/// How long before the start the doors open, unless a sitting says when.
const DOORS_BEFORE_MILLISECONDS: i64 = 30 * 60_000;

/// What a sitting is to be.
#[derive(Clone, Debug, PartialEq)]
pub struct SittingPlan {
    /// The name as shown.
    pub name: String,
    /// When it is to start.
    pub starts_at: Moment,
    /// What makes time count.
    pub start: StartRule,
    /// Whether a proctor begins each hall for itself.
    pub per_hall: bool,
    /// From when candidates may enter; half an hour before the start if it is `None`.
    pub doors_at: Option<Moment>,
    /// Until when they may, unless a proctor admits them.
    pub entry_until: Option<Moment>,
    /// The hard end.
    pub ends_at: Option<Moment>,
    /// What latecomers lose.
    pub late: LateRule,
    /// When candidates see their results.
    pub results: ResultsRule,
    /// Where the events of its sessions are sent.
    pub webhook_url: Option<String>,
    /// Whether the calendar has an event about it.
    pub publish: bool,
    /// By which scale its results are marked; `None` for no marks.
    pub mark_scale: Option<MarkScale>,
}

/// When the doors of a sitting that starts then are to open, if that is their own time.
#[must_use]
pub fn doors_at(starts_at: Moment, doors_at: Option<Moment>) -> Moment {
    doors_at.unwrap_or_else(|| starts_at.plus(-DOORS_BEFORE_MILLISECONDS))
}

impl SittingPlan {
    /// From when candidates may enter.
    #[must_use]
    pub fn doors_at(&self) -> Moment {
        doors_at(self.starts_at, self.doors_at)
    }

    /// The same plan at other times, of which `later` makes each.
    #[must_use]
    pub fn moved(self, later: impl Fn(Moment) -> Moment) -> Self {
        Self {
            starts_at: later(self.starts_at),
            doors_at: self.doors_at.map(&later),
            entry_until: self.entry_until.map(&later),
            ends_at: self.ends_at.map(&later),
            results: match self.results {
                ResultsRule::At(moment) => ResultsRule::At(later(moment)),
                rule => rule,
            },
            ..self
        }
    }
}

/// What a hall is to be.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HallPlan {
    /// The name as shown, unique in the sitting.
    pub name: String,
    /// E-mail addresses of those who watch it.
    pub proctors: Vec<String>,
    /// A start other than the sitting's.
    pub starts_at: Option<Moment>,
    /// A hard end other than the sitting's.
    pub ends_at: Option<Moment>,
    /// The factor of all who sit there.
    pub factor: Option<Factor>,
    /// Their extra minutes.
    pub extra_minutes: Option<u32>,
}

impl HallPlan {
    /// What the hall says about the terms of those who sit there.
    #[must_use]
    pub const fn layer(&self) -> Layer {
        Layer {
            starts_at: self.starts_at,
            ends_at: self.ends_at,
            factor: self.factor,
            extra_minutes: self.extra_minutes,
        }
    }

    /// The same plan at other times, of which `later` makes each.
    #[must_use]
    pub fn moved(self, later: impl Fn(Moment) -> Moment) -> Self {
        Self { starts_at: self.starts_at.map(&later), ends_at: self.ends_at.map(&later), ..self }
    }
}

/// A field of a sitting that is missing or wrong, by its name in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidField(pub &'static str);

/// The fields of a sitting that a caller has sent.
#[derive(Debug, Default)]
pub struct SittingDraft {
    /// The name as shown.
    pub name: Option<String>,
    /// When it is to start.
    pub starts_at: Option<Moment>,
    /// What makes time count.
    pub start: Option<StartRule>,
    /// Whether a proctor begins each hall for itself.
    pub per_hall: Option<bool>,
    /// From when candidates may enter.
    pub doors_at: FieldChange<Moment>,
    /// Until when they may.
    pub entry_until: FieldChange<Moment>,
    /// The hard end.
    pub ends_at: FieldChange<Moment>,
    /// What latecomers lose.
    pub late: Option<LateRule>,
    /// When candidates see their results.
    pub results: Option<ResultsRule>,
    /// Where the events of its sessions are sent.
    pub webhook_url: FieldChange<String>,
    /// Whether the calendar has an event about it.
    pub publish: Option<bool>,
    /// By which scale its results are marked.
    pub mark_scale: FieldChange<MarkScale>,
}

impl SittingDraft {
    /// The complete plan. Fields that were left out are taken from the stored one; a new sitting starts by the clock,
    /// cuts the time of latecomers, and holds its results.
    ///
    /// # Errors
    /// The first field that is missing or wrong, or contradicts another one.
    pub fn plan(self, stored: Option<&SittingPlan>) -> Result<SittingPlan, InvalidField> {
        let name = match self.name {
            Some(name) => text::name(&name).ok_or(InvalidField("name"))?,
            None => stored.map(|stored| stored.name.clone()).ok_or(InvalidField("name"))?,
        };
        let starts_at =
            self.starts_at.or_else(|| stored.map(|stored| stored.starts_at)).ok_or(InvalidField("startsAt"))?;
        let of = |field: fn(&SittingPlan) -> Option<Moment>| stored.and_then(field);
        let plan = SittingPlan {
            name,
            starts_at,
            start: self.start.or_else(|| stored.map(|stored| stored.start)).unwrap_or(StartRule::Clock),
            per_hall: self.per_hall.or_else(|| stored.map(|stored| stored.per_hall)).unwrap_or_default(),
            doors_at: self.doors_at.or_stored(of(|stored| stored.doors_at)),
            entry_until: self.entry_until.or_stored(of(|stored| stored.entry_until)),
            ends_at: self.ends_at.or_stored(of(|stored| stored.ends_at)),
            late: self.late.or_else(|| stored.map(|stored| stored.late)).unwrap_or(LateRule::Cut),
            results: self.results.or_else(|| stored.map(|stored| stored.results)).unwrap_or(ResultsRule::Held),
            webhook_url: self.webhook_url.or_stored(stored.and_then(|stored| stored.webhook_url.clone())),
            publish: self.publish.or_else(|| stored.map(|stored| stored.publish)).unwrap_or_default(),
            mark_scale: self.mark_scale.or_stored(stored.and_then(|stored| stored.mark_scale.clone())),
        };
        check(&plan)?;
        Ok(plan)
    }
}

fn check(plan: &SittingPlan) -> Result<(), InvalidField> {
    if plan.doors_at() > plan.starts_at {
        return Err(InvalidField("doorsAt"));
    }
    if plan.entry_until.is_some_and(|until| until < plan.doors_at()) {
        return Err(InvalidField("entryUntil"));
    }
    if plan.ends_at.is_some_and(|end| end <= plan.starts_at) {
        return Err(InvalidField("endsAt"));
    }
    let is_url = |url: &String| url.len() <= WEBHOOK_URL_BYTES_MAX && is_base_url(url);
    if plan.webhook_url.as_ref().is_some_and(|url| !is_url(url)) {
        return Err(InvalidField("webhookUrl"));
    }
    Ok(())
}

/// A hall as a caller has sent it: an id names one that exists, and so does the name of one.
#[derive(Debug, Default)]
pub struct HallDraft {
    /// The hall that is meant, if it has another name now.
    pub id: Option<Uuid>,
    /// Everything that a hall may say.
    pub plan: HallPlan,
}

/// Checks the halls of a request together.
///
/// # Errors
/// When a name is missing, wrong or used twice, a proctor's address is none, or there are too many of either.
pub fn check_halls(halls: Vec<HallDraft>) -> Result<Vec<HallDraft>, InvalidField> {
    let invalid = InvalidField("rooms");
    if halls.len() > HALLS_MAX {
        return Err(invalid);
    }
    let mut names = HashSet::new();
    let checked = halls.into_iter().map(|hall| {
        let name = text::name(&hall.plan.name).ok_or(invalid)?;
        let proctors: Option<Vec<String>> = hall.plan.proctors.iter().map(|email| typed_email(email)).collect();
        let mut proctors = proctors.filter(|emails| emails.len() <= HALL_PROCTORS_MAX).ok_or(invalid)?;
        proctors.sort();
        proctors.dedup();
        let is_new = names.insert(seen_in_any_case(&name));
        let plan = HallPlan { name, proctors, ..hall.plan };
        if is_new { Ok(HallDraft { plan, ..hall }) } else { Err(invalid) }
    });
    checked.collect()
}
