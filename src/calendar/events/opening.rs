//! Hides an event's exam before it opens from those who may not see it yet. The event itself is changed before anything
//! is written from it, so that no form of an answer can show more than another.

use actix_web::HttpResponse;
use actix_web::http::header::{HeaderName, HeaderValue};
use domain::calendar::rights::Rights;
use domain::time::moment::Moment;

use crate::calendar::CalendarRequest;
use crate::calendar::answer::event::exam;
use crate::calendar::answer::headers::OPEN_ALREADY;
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

/// Tells whoever has set an event where students can begin its test already, although the event lies ahead: nothing
/// closes its template, or another event has opened it. In a header, since clients of the original know the body. While
/// that cannot be asked nothing is said, because the event is stored.
pub async fn tell_open_already(asked: &CalendarRequest<'_>, event: &Event, mut response: HttpResponse) -> HttpResponse {
    let is_ahead = opens_at(event).is_some_and(|opens_at| opens_at > asked.now);
    let Some(template) = exam(event).and_then(|exam| exam.template()).filter(|_| is_ahead) else { return response };
    let is_open = match asked.calendar.openings.of_template(template).await {
        Ok(opens_at) => opens_at.is_none_or(|opens_at| opens_at <= asked.now),
        Err(_) => false,
    };
    let link = HeaderValue::try_from(format!("{}/t/{template}", asked.site.url)).ok().filter(|_| is_open);
    if let Some(link) = link {
        response.headers_mut().insert(HeaderName::from_static(OPEN_ALREADY), link);
    }
    response
}
