//! Leads staff of a platform to the page of a sitting or a template. They are signed in with the grades that an admin
//! has given their platform, and never as an admin; whoever is signed in as staff already stays who they are.

use actix_web::http::StatusCode;
use actix_web::http::header::LOCATION;
use actix_web::{HttpRequest, HttpResponse};
use domain::access::{Identity, Role};
use domain::lti::link::LinkTarget;
use domain::text::direction::isolated;
use uuid::Uuid;

use super::Launches;
use super::launch::BelievedLaunch;
use super::page::LaunchPageParts;
use super::record::entry;
use super::refusal::LaunchRefusal;
use super::ticket::{Errand, STAFF_TICKET_SECONDS, StaffPass};
use crate::auth::caller::Callers;
use crate::auth::cookie::Cookies;
use crate::auth::platform_account;
use crate::error::Error;
use crate::http::audit::STAFF_SIGNED_IN;
use crate::sittings::may_manage;
use crate::store::templates::load_headers;
use crate::store::{audit, lti, sittings};

/// Goes on by itself, where no frame would show what comes.
const GO: &str = "document.forms[0].submit();";

/// The page of the staff for what a link leads to.
pub(super) fn page_of(target: LinkTarget) -> String {
    match target {
        LinkTarget::Sitting(id) => format!("/staff/sittings/{id}"),
        LinkTarget::Template(id) => format!("/staff/templates/{id}"),
    }
}

impl Launches {
    /// Leads a member of the staff of a course.
    pub(super) async fn lead_staff(
        &self,
        launch: &BelievedLaunch<'_>,
        target: LinkTarget,
    ) -> Result<HttpResponse, LaunchRefusal> {
        let name = self.name_of(target).await?;
        self.show_staff(launch, target, page_of(target), &name).await
    }

    /// A page that leads staff to another one. The launch itself comes from another site, with which browsers send no
    /// cookie, so who is signed in here is only known after this page.
    pub(super) async fn show_staff(
        &self,
        launch: &BelievedLaunch<'_>,
        target: LinkTarget,
        path: String,
        name: &str,
    ) -> Result<HttpResponse, LaunchRefusal> {
        let words = launch.page.words();
        let pass = StaffPass::new(launch.person.id, &launch.launch.deployment_id);
        let errand = Errand::Staff { pass, target, path };
        let form = self.form(launch, errand, words.to_its_page, "button main")?;
        let body = format!("<p>{}</p>{form}", words.for_staff);
        let script = if launch.is_framed() { "" } else { GO };
        let parts = LaunchPageParts { script, ..LaunchPageParts::default() };
        Ok(launch.page.shown(StatusCode::OK, &isolated(name), &body, parts).await)
    }

    /// Signs in a member of staff, unless the browser has a sign-in that may see the page anyhow. That is on record,
    /// and uses their ticket up.
    pub(super) async fn enter_staff(
        &self,
        request: &HttpRequest,
        pass: &StaffPass,
        target: LinkTarget,
        path: &str,
        cookies: &Cookies,
        callers: &Callers,
    ) -> Result<HttpResponse, LaunchRefusal> {
        let grades = match target {
            LinkTarget::Sitting(id) => {
                let sitting = sittings::find(&self.database, id).await?.ok_or(LaunchRefusal::Gone)?;
                self.sittings.find_template(sitting.template_id).await?.grades
            }
            LinkTarget::Template(id) => {
                let found = load_headers(&self.database, [id]).await?.remove(&id);
                found.ok_or(LaunchRefusal::Gone)?.grades
            }
        };
        let person = lti::find_person(&self.database.read, pass.person_id).await?.ok_or(LaunchRefusal::TicketOld)?;
        let known = callers.identify(request.headers()).await?;
        let mut answer = HttpResponse::SeeOther();
        answer.insert_header((LOCATION, path));
        // Whoever is signed in by another deployment would not see the courses of this one.
        let may_stay = |known: &Identity| {
            known.role >= Role::Manager
                && may_manage(known, &grades)
                && known.sees_courses_of(person.platform_id, &pass.deployment_id)
        };
        if known.as_ref().is_some_and(may_stay) {
            return Ok(answer.finish());
        }
        let platform = lti::load_platform(&self.database.read, person.platform_id).await?;
        let platform = platform.ok_or(LaunchRefusal::UnknownPlatform)?;
        super::login::refuse_inactive(&platform)?;
        if platform.staff_only_choose {
            return Err(LaunchRefusal::OnlyChooses);
        }
        let staff = platform_account::staff(&person, &platform, &pass.deployment_id);
        if !may_manage(&staff, &grades) {
            return Err(LaunchRefusal::NoRights);
        }
        self.use_up(platform.id, pass).await?;
        let now = self.clock.now();
        let place = (&platform, pass.deployment_id.as_str());
        audit::insert(&self.database, entry(STAFF_SIGNED_IN, target, place, Some(&person), now)).await?;
        let secret = callers.begin_sign_in(&staff.email, now, request.headers()).await?;
        let cookie = cookies.signed_in(&staff.email, now, &secret);
        let cookie = cookie.ok_or_else(|| Error::internal("a cookie cannot be sealed"))?;
        // The new cookie replaces the one of the browser's sign-in before, which nobody could end after that.
        callers.sign_out(request.headers(), false).await;
        tracing::info!(platform = %platform.id, "staff of a platform are signed in");
        Ok(answer.cookie(cookie).finish())
    }

    /// Uses a ticket of staff up: whoever finds it later, in another browser too, gets nowhere with it.
    pub(super) async fn use_up(&self, platform_id: Uuid, pass: &StaffPass) -> Result<(), LaunchRefusal> {
        let now = self.clock.now();
        let (name, ends_at) = (format!("ticket {}", pass.once), now.plus(STAFF_TICKET_SECONDS * 1_000));
        let is_new = lti::spend_nonce(&self.database.write, platform_id, &name, ends_at, now).await?;
        if is_new { Ok(()) } else { Err(LaunchRefusal::Used) }
    }
}
