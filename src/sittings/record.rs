//! The record of changes by those who manage a sitting: who, when, before and after.

use domain::sitting::candidate::Candidate;
use domain::sitting::terms::Layer;
use domain::sitting::{Hall, Sitting};
use domain::time::moment::Moment;
use uuid::Uuid;

use super::Sittings;
use crate::error::Error;
use crate::store::incidents::{self, SittingEvent};
use crate::store::sittings::LockedSitting;

/// A change without its author.
pub struct ManagedChange {
    pub candidate_id: Option<Uuid>,
    pub hall_id: Option<Uuid>,
    pub kind: &'static str,
    /// What was and what is.
    pub detail: String,
}

impl ManagedChange {
    /// A change of the sitting as a whole.
    #[must_use]
    pub const fn of_sitting(kind: &'static str, detail: String) -> Self {
        Self { candidate_id: None, hall_id: None, kind, detail }
    }

    /// A change of one candidate; `None` if they are as they were.
    #[must_use]
    pub fn of_candidate(sitting: &Sitting, kind: &'static str, before: &Candidate, after: &Candidate) -> Option<Self> {
        let room = |one: &Candidate| sitting.hall(one.hall_id).map(|hall| hall.plan.name.clone());
        let mut all = Differences::default();
        all.note("name", Some(&before.name), Some(&after.name));
        all.note("email", before.person.email.as_ref(), after.person.email.as_ref());
        all.note("externalId", before.person.external_id.as_ref(), after.person.external_id.as_ref());
        all.note("room", room(before), room(after));
        all.note("seat", before.seat.as_ref(), after.seat.as_ref());
        all.note_layer("", &before.own, &after.own);
        all.note_layer("accommodation ", &before.accommodated(), &after.accommodated());
        // The note may say what not everyone who sees the record is to know.
        if before.note != after.note {
            all.0.push("another note".to_owned());
        }
        let detail = all.text()?;
        Some(Self { candidate_id: Some(after.id), hall_id: after.hall_id, kind, detail })
    }

    /// The changes of a plan, and of its halls.
    #[must_use]
    pub fn of_plan(before: &Sitting, after: &Sitting) -> Vec<Self> {
        let (was, is) = (&before.plan, &after.plan);
        let iso = |moment: Option<Moment>| moment.map(Moment::iso);
        let mut all = Differences::default();
        all.note("name", Some(&was.name), Some(&is.name));
        all.note("templateId", Some(before.template_id), Some(after.template_id));
        all.note("startsAt", Some(was.starts_at.iso()), Some(is.starts_at.iso()));
        all.note("start", Some(was.start.name()), Some(is.start.name()));
        all.note("perRoom", Some(was.per_hall), Some(is.per_hall));
        all.note("doorsAt", iso(was.doors_at), iso(is.doors_at));
        all.note("entryUntil", iso(was.entry_until), iso(is.entry_until));
        all.note("endsAt", iso(was.ends_at), iso(is.ends_at));
        all.note("late", Some(was.late.name()), Some(is.late.name()));
        all.note("results", Some(was.results.text()), Some(is.results.text()));
        all.note("webhookUrl", was.webhook_url.as_ref(), is.webhook_url.as_ref());
        all.note("markScale", was.mark_scale.as_ref(), is.mark_scale.as_ref());
        let whole = all.text().map(|detail| Self::of_sitting("plan", detail));
        let is_left = |hall: &Hall, sitting: &Sitting| sitting.hall(Some(hall.id)).is_some();
        let gone = before.halls.iter().filter(|hall| !is_left(hall, after)).map(|hall| (hall, "removed".to_owned()));
        let new = after.halls.iter().filter(|hall| !is_left(hall, before)).map(|hall| (hall, "added".to_owned()));
        let kept = after.halls.iter().filter_map(|hall| {
            let was = &before.hall(Some(hall.id))?.plan;
            let mut all = Differences::default();
            all.note("name", Some(&was.name), Some(&hall.plan.name));
            all.note("proctors", Some(was.proctors.join(", ")), Some(hall.plan.proctors.join(", ")));
            all.note_layer("", &was.layer(), &hall.plan.layer());
            Some((hall, all.text()?))
        });
        let of_hall = |(hall, text): (&Hall, String)| Self {
            candidate_id: None,
            hall_id: Some(hall.id),
            kind: "plan",
            detail: format!("room {}: {text}", hall.plan.name),
        };
        whole.into_iter().chain(gone.chain(new).chain(kept).map(of_hall)).collect()
    }
}

/// What differs, each field with the value of before and that of after.
#[derive(Default)]
struct Differences(Vec<String>);

impl Differences {
    fn note<T: ToString + PartialEq>(&mut self, name: &str, before: Option<T>, after: Option<T>) {
        if before != after {
            let shown = |value: Option<T>| value.map_or_else(|| "none".to_owned(), |value| value.to_string());
            self.0.push(format!("{name} {} to {}", shown(before), shown(after)));
        }
    }

    fn note_layer(&mut self, of: &str, before: &Layer, after: &Layer) {
        let iso = |moment: Option<Moment>| moment.map(Moment::iso);
        let percent = |layer: &Layer| layer.factor.map(|factor| factor.percent());
        self.note(&format!("{of}startsAt"), iso(before.starts_at), iso(after.starts_at));
        self.note(&format!("{of}endsAt"), iso(before.ends_at), iso(after.ends_at));
        self.note(&format!("{of}factor"), percent(before), percent(after));
        self.note(&format!("{of}extraMinutes"), before.extra_minutes, after.extra_minutes);
    }

    fn text(self) -> Option<String> {
        if self.0.is_empty() { None } else { Some(self.0.join("; ")) }
    }
}

impl Sittings {
    /// Puts changes of a sitting on its record.
    pub(super) async fn note(
        &self,
        sitting: &LockedSitting<'_>,
        by: &str,
        at: Moment,
        changes: Vec<ManagedChange>,
    ) -> Result<(), Error> {
        let event = |change: ManagedChange| {
            let ManagedChange { candidate_id, hall_id, kind, detail } = change;
            SittingEvent { sitting_id: sitting.id, candidate_id, hall_id, at, kind, by: by.to_owned(), detail }
        };
        Ok(incidents::note(sitting.transaction(), &changes.into_iter().map(event).collect::<Vec<_>>()).await?)
    }
}
