//! Leads learners to their exam: to their row of a sitting's roster, or to a test of a template. In a frame they are
//! led to a window of their own, where nothing but the exam is.

use std::sync::Arc;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::LOCATION;
use domain::calendar::values::escaped;
use domain::lti::link::{BoundLink, LinkTarget, PlatformPerson};
use domain::text::direction::isolated;
use domain::time::moment::Moment;
use serde_json::json;
use uuid::Uuid;

use super::Launches;
use super::launch::BelievedLaunch;
use super::page::{LaunchPage, LaunchPageParts, hidden};
use super::refusal::LaunchRefusal;
use super::ticket::Errand;
use crate::auth::cookie::Cookies;
use crate::auth::platform_account;
use crate::live::protocol::fault::{Code, Fault};
use crate::live::start::{StartedAttempt, begin_sent};
use crate::live::{Live, enter};
use crate::store::lti_places::{self, MissedScores};
use crate::store::school::find_zone;
use crate::store::{candidates, lti, sittings};

/// What the doors show is in minutes.
const MINUTE_BYTES: usize = 16;
/// Goes in by itself when the doors have opened.
const WAITING: &str = "(() => {
const form = document.forms[0];
const wait = Number(form.dataset.wait);
setTimeout(() => form.submit(), Math.min(wait + Math.random() * 2000, 2147483647));
})();";

impl Launches {
    /// Leads a learner.
    pub(super) async fn lead_learner(
        &self,
        live: &Arc<Live>,
        launch: &BelievedLaunch<'_>,
        link: &BoundLink,
    ) -> Result<HttpResponse, LaunchRefusal> {
        let person = &launch.person;
        match link.target {
            LinkTarget::Sitting(sitting_id) => {
                let candidate_id = self.candidate(launch, sitting_id, link.id).await?;
                // They may have sat the exam with an access code before anybody knew who they are in the platform.
                let missed = [candidate_id];
                lti_places::make_up(&self.database.write, MissedScores::OfCandidates(&missed), launch.now).await?;
                let errand = Errand::Sitting { sitting_id, candidate_id, person_id: person.id };
                if launch.is_framed() {
                    let words = launch.page.words();
                    return self.window(launch, errand, words.exam_in_window, words.go_in).await;
                }
                let place = (sitting_id, candidate_id);
                self.enter_sitting(live, (place, person.id), errand, &launch.page, launch.cookies).await
            }
            LinkTarget::Template(template_id) => {
                let ready = self.templates.ready(template_id).await?;
                let errand = Errand::Template { template_id, link_id: link.id, person_id: person.id };
                let account = platform_account::name_of(person.id);
                let newest = lti::newest_test(&self.database.read, template_id, &account).await?;
                let Some(newest) = newest.filter(|newest| !newest.is_running) else {
                    return self.before_a_test(launch, errand, &ready.name, ready.duration_minutes).await;
                };
                self.join_test(launch, newest.session_id, link.id).await?;
                let words = launch.page.words();
                let has_more = ready.rules.access.attempts_left(newest.number) != Some(0)
                    && ready.rules.access.window(launch.now).is_ok();
                let again =
                    if has_more { self.form(launch, errand, words.begin_again, "button")? } else { String::new() };
                let body = format!(
                    "<p>{}</p><div class=\"row\"><a class=\"button main\" href=\"/report/{}\" target=\"_blank\" rel=\"noopener\">{}</a>{again}</div>",
                    words.handed_in, newest.session_id, words.see_result,
                );
                Ok(launch.page.shown(StatusCode::OK, &isolated(&ready.name), &body, LaunchPageParts::default()).await)
            }
        }
    }

    /// Leads a platform's view of a student: it may try a template, and that counts for nobody.
    pub(super) async fn lead_test_user(
        &self,
        launch: &BelievedLaunch<'_>,
        link: &BoundLink,
    ) -> Result<HttpResponse, LaunchRefusal> {
        let LinkTarget::Template(template_id) = link.target else { return Err(LaunchRefusal::TestUserAtSitting) };
        let ready = self.templates.ready(template_id).await?;
        let errand = Errand::TestUser { template_id, link_id: link.id, person_id: launch.person.id };
        self.before_a_test(launch, errand, &ready.name, ready.duration_minutes).await
    }

    /// The candidate of a sitting who is this learner: the platform's roster or staff have said so, or their e-mail
    /// address where the platform is trusted for those. Whoever is none is noted, for staff to join them to a row.
    async fn candidate(
        &self,
        launch: &BelievedLaunch<'_>,
        sitting_id: Uuid,
        link_id: Uuid,
    ) -> Result<Uuid, LaunchRefusal> {
        let (reading, person) = (&self.database.read, &launch.person);
        if let Some(candidate_id) = lti::candidate_of_person(reading, sitting_id, person.id).await?
            && lti::comes_by(reading, candidate_id, person.id, link_id).await?
        {
            return Ok(candidate_id);
        }
        // The row may become somebody else's at this moment, or two accounts may have one address.
        let transaction = self.database.begin().await?;
        sittings::hold(&transaction, sitting_id).await?.ok_or(LaunchRefusal::Gone)?;
        let found = match lti::candidate_of_person(&transaction, sitting_id, person.id).await? {
            Some(candidate_id) => Some(candidate_id),
            // What the platform says now, and not what it said once.
            None => match launch.launch.email.as_deref().filter(|_| launch.platform.trusts_emails) {
                Some(email) => candidates::find_by_email(&transaction, sitting_id, email).await?.map(|found| found.id),
                None => None,
            },
        };
        if let Some(candidate_id) = found
            && lti::join_candidate(&transaction, candidate_id, person.id, Some(link_id)).await?
        {
            transaction.commit().await?;
            return Ok(candidate_id);
        }
        lti::note_arrivals(&transaction, link_id, &[person.id], launch.now).await?;
        transaction.commit().await?;
        Err(LaunchRefusal::NotOnRoster)
    }

    /// Notes by which link somebody comes to the result of a test that they have begun by a link which was removed.
    async fn join_test(
        &self,
        launch: &BelievedLaunch<'_>,
        session_id: Uuid,
        link_id: Uuid,
    ) -> Result<(), LaunchRefusal> {
        lti::note_test(&self.database.write, session_id, link_id, launch.person.id).await?;
        let ids = [session_id];
        Ok(lti_places::make_up(&self.database.write, MissedScores::OfTests(&ids), launch.now).await?)
    }

    /// Lets a candidate of a sitting in who is this person, or says when the doors open.
    pub(super) async fn enter_sitting(
        &self,
        live: &Arc<Live>,
        (place, person_id): ((Uuid, Uuid), Uuid),
        errand: Errand,
        page: &LaunchPage<'_>,
        cookies: &Cookies,
    ) -> Result<HttpResponse, LaunchRefusal> {
        match Box::pin(enter::enter_sent(live, place, person_id)).await {
            Ok(started) => Ok(to_exam(&format!("/s/{}", place.0), &started)),
            Err(Fault { code: Code::NotOpen, doors_at: Some(doors_at), .. }) => {
                self.before_the_doors(errand, doors_at, page, cookies).await
            }
            Err(fault) => Err(fault.into()),
        }
    }

    async fn before_the_doors(
        &self,
        errand: Errand,
        doors_at: Moment,
        page: &LaunchPage<'_>,
        cookies: &Cookies,
    ) -> Result<HttpResponse, LaunchRefusal> {
        let (words, now) = (page.words(), self.clock.now());
        let zone = find_zone(&self.database.read).await?;
        let clock = zone.wall(doors_at).text();
        let body = format!(
            "<p>{} <b>{}</b> ({}).</p><p>{}</p><form class=\"row\" method=\"post\" action=\"/lti/enter\" data-wait=\"{}\">{}<button class=\"button\">{}</button></form>",
            words.doors_open_at,
            clock.get(..MINUTE_BYTES).unwrap_or(&clock),
            escaped(&zone.abbreviation(doors_at)),
            words.stays_open,
            doors_at.since(now).max(0),
            hidden("ticket", &errand.sealed(cookies, now)?),
            words.try_again,
        );
        let parts = LaunchPageParts { script: WAITING, ..LaunchPageParts::default() };
        Ok(page.shown(StatusCode::OK, words.doors_shut, &body, parts).await)
    }

    /// Begins a test of a template, or goes on with it.
    pub(super) async fn enter_template(
        &self,
        live: &Arc<Live>,
        (template_id, link_id): (Uuid, Uuid),
        person: &PlatformPerson,
    ) -> Result<HttpResponse, LaunchRefusal> {
        let shown = person.name.as_deref().unwrap_or(&person.subject);
        let annotations = json!({ "name": shown }).to_string().into();
        let account = platform_account::learner(person);
        let started = Box::pin(begin_sent(live, template_id, annotations, Some(account))).await?;
        lti::note_test(&self.database.write, started.session_id, link_id, person.id).await?;
        Ok(to_exam(&format!("/continue?template={template_id}"), &started))
    }

    /// The same for a test student: the test is nobody's, no score is ever sent of it, and no result counts it.
    pub(super) async fn try_template(
        &self,
        live: &Arc<Live>,
        template_id: Uuid,
    ) -> Result<HttpResponse, LaunchRefusal> {
        let annotations = json!({ "name": "Test student" }).to_string().into();
        let started = Box::pin(begin_sent(live, template_id, annotations, None)).await?;
        Ok(to_exam(&format!("/continue?template={template_id}"), &started))
    }

    /// A page that says what comes, with what begins it.
    async fn before_a_test(
        &self,
        launch: &BelievedLaunch<'_>,
        errand: Errand,
        name: &str,
        minutes: u32,
    ) -> Result<HttpResponse, LaunchRefusal> {
        let words = launch.page.words();
        let never = if matches!(errand, Errand::TestUser { .. }) {
            format!("<p>{}</p>", words.never_counts)
        } else {
            String::new()
        };
        let window = if launch.is_framed() { words.exam_in_window } else { "" };
        let form = self.form(launch, errand, words.begin, "button main")?;
        let body = format!("<p>{minutes} {}. {} {window}</p>{never}{form}", words.minutes, words.test_counts);
        Ok(launch.page.shown(StatusCode::OK, &isolated(name), &body, LaunchPageParts::default()).await)
    }

    /// A page in a frame, with what opens a window.
    async fn window(
        &self,
        launch: &BelievedLaunch<'_>,
        errand: Errand,
        sentence: &str,
        button: &str,
    ) -> Result<HttpResponse, LaunchRefusal> {
        let body = format!("<p>{sentence}</p>{}", self.form(launch, errand, button, "button main")?);
        Ok(launch.page.shown(StatusCode::OK, launch.page.words().own_window, &body, LaunchPageParts::default()).await)
    }

    /// A form that brings a ticket, out of a frame into a window.
    pub(super) fn form(
        &self,
        launch: &BelievedLaunch<'_>,
        errand: Errand,
        button: &str,
        class: &str,
    ) -> Result<String, LaunchRefusal> {
        let target = if launch.is_framed() { " target=\"_blank\"" } else { "" };
        let ticket = hidden("ticket", &errand.sealed(launch.cookies, launch.now)?);
        Ok(format!(
            "<form class=\"row\" method=\"post\" action=\"/lti/enter\"{target}>{ticket}<button class=\"{class}\">{button}</button></form>"
        ))
    }
}

/// The page of an exam that has begun. Its secret stands behind `#`, so that no log sees it; the page takes it out of
/// the address at once.
fn to_exam(page: &str, started: &StartedAttempt) -> HttpResponse {
    let address = format!("{page}#{}.{}", started.session_id, started.token);
    HttpResponse::SeeOther().insert_header((LOCATION, address)).finish()
}
