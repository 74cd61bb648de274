//! Records what admins and managers do, route by route, so that no handler can forget it. A change is stored together
//! with its entry; what changes nothing in this database is recorded before its answer is sent. So what has been
//! acknowledged is on record, and so is what was done before an answer failed.

mod routes;

use std::sync::Arc;

use actix_web::Error as ActixError;
use actix_web::body::BoxBody;
use actix_web::dev::ServiceResponse;
use actix_web::http::{Method, StatusCode};
use actix_web::web::Data;
use actix_web::{HttpMessage, HttpRequest, HttpResponse};
use domain::access::{Identity, normal_email};
use domain::text;
use domain::time::moment::Moment;
use percent_encoding::percent_decode_str;
pub use routes::{AUDITED, AuditedRoute, EXAM_PLACED, LAUNCHED, LINK_CONFIRMED, LINK_LED, READ, STAFF_SIGNED_IN};

use crate::clock::Clock;
use crate::database::{Database, with_each_change};
use crate::error::{Error, UNAVAILABLE};
use crate::http::request::{AskedByHead, decoded_path};
use crate::store::audit::{self, EntryOutcome, NewAuditEntry, RequestEntry};

/// How long one record of a reading stands for repeated readings of the same thing, since pages ask again and again.
const READ_AGAIN_MILLISECONDS: i64 = 60 * 60 * 1_000;
/// Characters of a subject and of a detail that are kept.
const CHARACTERS_MAX: usize = 500;

tokio::task_local! {
    /// The entry of the request in progress.
    static ENTRY: Arc<RequestEntry>;
}

/// The prefixes of all routes that are recorded.
const ROOTS: [&str; 2] = ["/api/admin/", "/api/manager/"];

/// The actions of which callers may ask what they would do (`dryRun`).
const WITH_DRY_RUN: [&str; 8] = [
    "accommodations.replaced",
    "class.people_replaced",
    "key.corrected",
    "questions.imported",
    "results.released",
    "roster.extended",
    "roster.from_course",
    "roster.replaced",
];

/// Parameters that name what is read where the path does not.
const SUBJECT_PARAMETERS: [&str; 5] = ["grade", "sittingId", "templateId", "template", "event"];

/// All actions that can be on record, in order and each once.
#[must_use]
pub fn actions() -> Vec<&'static str> {
    let mut actions: Vec<&str> = AUDITED.iter().chain(&READ).map(|route| route.action).chain(LAUNCHED).collect();
    actions.sort_unstable();
    actions.dedup();
    actions
}

/// Who makes a request; put there by the extractors that let them in.
struct AuditedCaller(String);

/// Notes in the request who makes it: from now on what it changes is stored with its entry.
pub fn note_caller(request: &HttpRequest, caller: &Identity) {
    request.extensions_mut().insert(AuditedCaller(caller.email.clone()));
    let Some(clock) = request.app_data::<Data<Clock>>() else { return };
    if let Some(entry) = change_of(request, &caller.email, clock.now()) {
        let _ = ENTRY.try_with(|due| due.set(entry, clock.get_ref().clone()));
    }
}

/// Says what this request is about to do, in a few words. It is stored with the change, whatever becomes of the answer.
pub fn note_detail(detail: &str) {
    let _ = ENTRY.try_with(|due| due.tell(None, kept(detail)));
}

/// The same with what it is about to be done to, where the path does not name it.
pub fn note_subject(subject: &str, detail: &str) {
    let _ = ENTRY.try_with(|due| due.tell(Some(kept(subject)), kept(detail)));
}

/// What a handler adds to the record of its route.
struct AuditNote {
    subject: Option<String>,
    detail: String,
}

/// Adds to the record of this answer's route what was done, where that is known only afterwards.
#[must_use]
pub fn with_detail(response: HttpResponse, detail: impl Into<String>) -> HttpResponse {
    annotated(response, None, detail.into())
}

/// The same with what it was done to, where the path does not name it.
#[must_use]
pub fn with_subject(response: HttpResponse, subject: impl Into<String>, detail: impl Into<String>) -> HttpResponse {
    annotated(response, Some(subject.into()), detail.into())
}

fn annotated(mut response: HttpResponse, subject: Option<String>, detail: String) -> HttpResponse {
    response.extensions_mut().insert(AuditNote { subject, detail });
    response
}

/// Answers a request: what it changes is stored with its entry, and other actions are recorded before their answers. If
/// something can't be recorded, the caller gets 503 in place of the answer, and nothing of this database is changed.
pub async fn recorded(
    answering: impl Future<Output = Result<ServiceResponse<BoxBody>, ActixError>>,
) -> Result<ServiceResponse<BoxBody>, ActixError> {
    let entry = Arc::<RequestEntry>::default();
    let answering = async { Ok(record(answering.await?).await) };
    ENTRY.scope(Arc::clone(&entry), with_each_change(entry, answering)).await
}

/// Records what has been answered, if its route is audited.
pub async fn record(response: ServiceResponse<BoxBody>) -> ServiceResponse<BoxBody> {
    // Most requests are none of an admin or a manager, and go no further than this.
    if !response.request().extensions().contains::<AuditedCaller>() {
        return response;
    }
    let Some(database) = response.request().app_data::<Data<Database>>().cloned() else { return response };
    let Some(clock) = response.request().app_data::<Data<Clock>>().cloned() else { return response };
    let now = clock.now();
    let outcome = ENTRY.try_with(|entry| entry.outcome()).unwrap_or(EntryOutcome::Nothing(None));
    let recorded = match outcome {
        // The database is away, which the caller is told already.
        EntryOutcome::Failed if response.status() == StatusCode::SERVICE_UNAVAILABLE => return response,
        EntryOutcome::Failed => {
            tracing::error!(error = ?response.response().error(), "nothing is changed that cannot be recorded");
            return response.error_response(Error::Unavailable(UNAVAILABLE));
        }
        EntryOutcome::Stored(id, entry) => {
            let (subject, detail) = told(&response, &entry);
            if (&subject, &detail) == (&entry.subject, &entry.detail) {
                return response;
            }
            // The change stands, with the entry as it is: the answer says what was done.
            if let Err(error) = audit::complete(&database, id, subject, detail).await {
                tracing::error!(%error, action = entry.action, "an entry of the record is not completed");
            }
            return response;
        }
        EntryOutcome::Nothing(Some(entry)) if is_done(&response, &entry) => {
            let (subject, detail) = told(&response, &entry);
            audit::insert(&database, NewAuditEntry { at: now, subject, detail, ..entry }).await
        }
        EntryOutcome::Nothing(_) => {
            let Some(entry) = reading_of(&response, now) else { return response };
            // What can't be recorded is not read, also by people who would only look.
            if database.is_read_only() {
                return response.error_response(Error::ReadOnly);
            }
            audit::insert_unless_there(&database, entry, now.plus(-READ_AGAIN_MILLISECONDS)).await
        }
    };
    match recorded {
        Ok(()) => response,
        Err(error) => {
            let route = response.request().match_pattern();
            tracing::error!(%error, ?route, "an action is not on record");
            response.error_response(Error::Unavailable(UNAVAILABLE))
        }
    }
}

/// The entry of a change that the request is about to make, as far as its path tells it.
fn change_of(request: &HttpRequest, actor: &str, at: Moment) -> Option<NewAuditEntry> {
    if !is_below_a_root(request) {
        return None;
    }
    let (audited, is_read) = find_route(request.method(), &request.match_pattern()?)?;
    let subject = kept(&subject_in(request, audited.subject));
    let entry = NewAuditEntry { at, actor: actor.to_owned(), action: audited.action, subject, detail: String::new() };
    (!is_read).then_some(entry)
}

/// The subject and the detail of an entry, with what was known only after the change, such as that its answer failed.
fn told(response: &ServiceResponse<BoxBody>, entry: &NewAuditEntry) -> (String, String) {
    if !response.status().is_success() {
        let words = (!entry.detail.is_empty()).then_some(&*entry.detail).into_iter();
        let answered = format!("answered {}", response.status().as_u16());
        return (entry.subject.clone(), words.chain([&*answered]).collect::<Vec<_>>().join("; "));
    }
    let notes = response.response().extensions();
    let Some(note) = notes.get::<AuditNote>() else { return (entry.subject.clone(), entry.detail.clone()) };
    (note.subject.as_deref().map_or_else(|| entry.subject.clone(), kept), kept(&note.detail))
}

/// Whether what the route does was done, and not only asked about.
fn is_done(response: &ServiceResponse<BoxBody>, entry: &NewAuditEntry) -> bool {
    let request = response.request();
    let is_asked_by_head = request.extensions().contains::<AskedByHead>();
    let is_dry = WITH_DRY_RUN.contains(&entry.action) && is_dry_run(request.query_string());
    response.status().is_success() && !is_asked_by_head && !is_dry
}

/// The entry of what was only read.
fn reading_of(response: &ServiceResponse<BoxBody>, at: Moment) -> Option<NewAuditEntry> {
    let request = response.request();
    if !response.status().is_success() || request.extensions().contains::<AskedByHead>() {
        return None;
    }
    let actor = request.extensions().get::<AuditedCaller>().map(|AuditedCaller(actor)| actor.clone())?;
    let path = request.match_pattern()?;
    let is_it = |route: &AuditedRoute| route.method == request.method().as_str() && route.path == path;
    let read = READ.into_iter().find(is_it)?;
    let of_path = subject_in(request, read.subject);
    let subject = if of_path.is_empty() { subject_asked_for(request.query_string()) } else { of_path };
    Some(NewAuditEntry { at, actor, action: read.action, subject: kept(&subject), detail: kept(read.path) })
}

/// Whether what this request's route does is recorded, other than that somebody has read.
#[must_use]
pub fn is_audited(request: &HttpRequest) -> bool {
    is_below_a_root(request)
        && request
            .match_pattern()
            .is_some_and(|path| find_route(request.method(), &path).is_some_and(|(_, is_read)| !is_read))
}

fn is_below_a_root(request: &HttpRequest) -> bool {
    let path = decoded_path(request.path());
    ROOTS.into_iter().any(|root| path.starts_with(root))
}

/// The route, and whether it only reads.
fn find_route(method: &Method, path: &str) -> Option<(AuditedRoute, bool)> {
    let is_it = |route: &AuditedRoute| route.method == method.as_str() && route.path == path;
    let audited = AUDITED.into_iter().find(is_it).map(|route| (route, false));
    audited.or_else(|| READ.into_iter().find(is_it).map(|route| (route, true)))
}

/// What the parameters name, in one form for every order of them.
fn subject_asked_for(query: &str) -> String {
    let asked: Vec<_> = url::form_urlencoded::parse(query.as_bytes()).collect();
    // All of them: a parameter that the route does not read must hide none that it does.
    let named = SUBJECT_PARAMETERS.iter().filter_map(|name| asked.iter().find(|(parameter, _)| parameter == name));
    let words = named.map(|(name, value)| if name == "grade" { format!("grade {value}") } else { value.to_string() });
    words.collect::<Vec<_>>().join(", ")
}

/// The part of the path, as handlers read it; an address in the form in which it is stored.
fn subject_in(request: &HttpRequest, name: &str) -> String {
    let part = request.match_info().get(name).unwrap_or_default();
    let part = percent_decode_str(part).decode_utf8_lossy().into_owned();
    if name == "email" { normal_email(&part).unwrap_or(part) } else { part }
}

/// Whether the caller has only asked what would be done.
fn is_dry_run(query: &str) -> bool {
    url::form_urlencoded::parse(query.as_bytes())
        .any(|(name, value)| name == "dryRun" && matches!(&*value, "true" | "1"))
}

/// A text as it is kept in an entry.
#[must_use]
pub fn kept(text: &str) -> String {
    text.chars().filter(|character| !text::is_refused(*character)).take(CHARACTERS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dry_run_is_no_action() {
        assert!(is_dry_run("dryRun=true") && is_dry_run("a=b&dryRun=1"));
        assert!(!is_dry_run("") && !is_dry_run("dryRun=false") && !is_dry_run("dryrun"));
    }

    #[test]
    fn every_route_is_below_a_root() {
        assert!(AUDITED.iter().all(|route| ROOTS.iter().any(|root| route.path.starts_with(root))));
    }

    #[test]
    fn what_is_read_has_a_subject() {
        assert_eq!(subject_asked_for("q=x&grade=5"), "grade 5");
        assert_eq!(subject_asked_for("from=2026&sittingId=a%20b"), "a b");
        assert_eq!(subject_asked_for("sittingId=x&grade=6"), "grade 6, x", "nothing hides what is read");
        assert_eq!(subject_asked_for("page=2"), "");
    }

    #[test]
    fn every_action_has_one_name() {
        let actions = actions();
        assert!(actions.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(actions.iter().all(|action| action.split('.').count() == 2));
    }
}
