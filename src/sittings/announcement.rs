//! The event of the calendar about a sitting: its name, its times and its rooms, for everyone to see. It has no
//! question, no code and no name of a candidate in it.

use domain::calendar::exam::{Exam, ExamTest};
use domain::sitting::Sitting;
use domain::sitting::values::StartRule;
use domain::text::NAME_CHARACTERS_MAX;
use domain::text::order::compare_names;
use domain::time::moment::Moment;

use crate::calendar::store::announcements::{self, Announcement};
use crate::database::Transaction;
use crate::error::Error;
use crate::store::school;

/// Writes the event of a sitting, or takes it away, in the transaction of the change. `is_to_appear` brings an event
/// back that somebody has moved to the trash.
pub async fn announce(
    transaction: &Transaction,
    before: Option<&Sitting>,
    sitting: &mut Sitting,
    minutes: u32,
    is_to_appear: bool,
    now: Moment,
) -> Result<(), Error> {
    let was_published = before.is_some_and(|before| before.plan.publish);
    if !sitting.plan.publish {
        return if was_published { withdraw(transaction, sitting, now).await } else { Ok(()) };
    }
    let rooms = rooms(sitting);
    // A venue that somebody has chosen in the calendar, with its address, stays while the rooms do.
    let is_moved = !was_published || before.and_then(self::rooms) != rooms;
    let (starts_at, ends_at) = times(sitting, minutes);
    let announcement = Announcement {
        title: sitting.plan.name.clone(),
        starts_at,
        ends_at,
        venue: rooms.filter(|_| is_moved),
        exam: Exam { test: ExamTest::Sitting(sitting.id), opens_minutes_before: None },
        zone: school::find_zone(transaction).await?,
        is_to_appear: is_to_appear || !was_published,
    };
    let event = announcements::put(transaction, sitting.event_id, &sitting.created_by, announcement, now).await?;
    sitting.event_id = Some(event);
    Ok(())
}

/// Takes the event of a sitting away.
pub async fn withdraw(transaction: &Transaction, sitting: &Sitting, now: Moment) -> Result<(), Error> {
    if let Some(event) = sitting.event_id {
        announcements::withdraw(transaction, event, now).await?;
    }
    Ok(())
}

/// From the first start of any hall to the last end: the hard ends, or what the test takes.
fn times(sitting: &Sitting, minutes: u32) -> (Moment, Moment) {
    let plan = &sitting.plan;
    let milliseconds = i64::from(minutes) * 60_000;
    let ends = |starts_at: Moment, ends_at: Option<Moment>| {
        // With a window in which everyone begins for themselves, the last one begins when it closes.
        let last_start = plan.entry_until.filter(|_| plan.start == StartRule::Own).unwrap_or(starts_at).max(starts_at);
        ends_at.unwrap_or_else(|| last_start.plus(milliseconds))
    };
    let of_halls = sitting.halls.iter().map(|hall| {
        let starts_at = hall.plan.starts_at.unwrap_or(plan.starts_at);
        (starts_at, ends(starts_at, hall.plan.ends_at.or(plan.ends_at)))
    });
    let all: Vec<(Moment, Moment)> = of_halls.chain([(plan.starts_at, ends(plan.starts_at, plan.ends_at))]).collect();
    let starts_at = all.iter().map(|(starts_at, _)| *starts_at).min().unwrap_or(plan.starts_at);
    let ends_at = all.iter().map(|(_, ends_at)| *ends_at).max().unwrap_or(starts_at);
    (starts_at, ends_at.max(starts_at))
}

/// The names of its halls in order, as the name of a venue.
fn rooms(sitting: &Sitting) -> Option<String> {
    let mut names: Vec<&str> = sitting.halls.iter().map(|hall| hall.plan.name.as_str()).collect();
    names.sort_unstable_by(|one, other| compare_names(one, other));
    let all = names.join(", ");
    (!all.is_empty()).then(|| {
        if all.chars().count() <= NAME_CHARACTERS_MAX {
            return all;
        }
        all.chars().take(NAME_CHARACTERS_MAX - 1).chain(['…']).collect()
    })
}
