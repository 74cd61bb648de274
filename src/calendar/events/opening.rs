//! What an event shows of its exam before that opens. The event itself is changed before anything is written from it,
//! so that no form of an answer can show more than another.

use domain::calendar::rights::Rights;
use domain::time::moment::Moment;

use crate::calendar::answer::event::exam;
use crate::calendar::store::records::{Event, FullEvent};

/// From when students may begin the event's exam; `None` if it has none, or they always may.
#[must_use]
pub fn opens_at(event: &Event) -> Option<Moment> {
    exam(event).and_then(|exam| exam.opens_at(event.content.fields.times.start_moment))
}

/// Takes the exam out of an event, and a website that would give it away, unless it is open or the caller is staff.
pub fn conceal(event: &mut Event, rights: Rights, now: Moment) {
    if rights.may_see_closed_exams() || opens_at(event).is_none_or(|opens_at| opens_at <= now) {
        return;
    }
    let Some(exam) = exam(event) else { return };
    let fields = &mut event.content.fields;
    fields.exam = None;
    fields.website = fields.website.take().filter(|link| !exam.is_given_away_by(link));
}

/// The same for all events of a list.
pub fn conceal_all(events: &mut [FullEvent], rights: Rights, now: Moment) {
    for full in events {
        conceal(&mut full.event, rights, now);
    }
}
