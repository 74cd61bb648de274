//! The links of an event, from what was sent: its venue, organizers, categories and tags.

use domain::calendar::rights::Rights;

use super::invalid;
use crate::calendar::CalendarRequest;
use crate::calendar::answer::error::CalendarError;
use crate::calendar::draft::{RecordDraft, refuse_blank};
use crate::calendar::linked_posts::{Presented, fields_of};
use crate::calendar::request::parsed::{ParsedValues, Wanted};
use crate::calendar::store::records::{EventLinks, PostLink, Reuse, TermWish};
use crate::calendar::store::{Organizers, Venues};

/// The links that were sent; links that were not sent stay as they are. `caller` is the caller's number. 400 for data
/// that names nothing.
pub fn of(asked: &CalendarRequest<'_>, caller: i64) -> Result<EventLinks, CalendarError> {
    let reuse =
        if asked.caller.rights == Rights::Editor { Reuse::Anybodys } else { Reuse::Unpublished { author: caller } };
    Ok(EventLinks {
        // The documents of the original have a list of venues, but an event has only one.
        venue: links::<Venues>(asked, caller, "venue")?.map(|venues| venues.into_iter().next()),
        organizers: links::<Organizers>(asked, caller, "organizer")?,
        categories: terms(asked, "categories"),
        tags: terms(asked, "tags"),
        reuse,
    })
}

fn links<K: Presented>(
    asked: &CalendarRequest<'_>,
    caller: i64,
    name: &'static str,
) -> Result<Option<Vec<PostLink<K::Fields>>>, CalendarError> {
    let link = |wanted: &Wanted| match wanted {
        Wanted::Number(number) => Ok(PostLink::To(*number)),
        Wanted::Data(data) => inline::<K>(asked, caller, name, data),
    };
    asked.parameters.values.links(name).map(|links| links.iter().map(link).collect()).transpose()
}

/// A venue or an organizer that is created with the event. Its status comes from its own data or from the caller's
/// rights, not from the event.
fn inline<K: Presented>(
    asked: &CalendarRequest<'_>,
    caller: i64,
    name: &'static str,
    data: &ParsedValues,
) -> Result<PostLink<K::Fields>, CalendarError> {
    refuse_blank(data.text(K::NAME))?;
    let draft = RecordDraft::inline(data, caller, asked.caller.rights, asked.now);
    Ok(PostLink::Inline(Box::new(draft.create(fields_of::<K>(data, None).map_err(|_| invalid(name))?)?)))
}

fn terms(asked: &CalendarRequest<'_>, name: &str) -> Option<Vec<TermWish>> {
    asked.parameters.values.wishes(name).map(<[TermWish]>::to_vec)
}
