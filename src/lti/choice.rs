//! `POST /lti/choice`: what a teacher has chosen on the page in the platform's frame, or wants to look at.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use domain::calendar::wall::Wall;
use domain::calendar::zones::Zone;
use domain::lti::content_item::ChosenLink;
use domain::lti::link::LinkTarget;
use domain::lti::platform::{DeploymentState, Platform};
use domain::text;
use domain::time::moment::Moment;
use url::form_urlencoded;

use super::Launches;
use super::chooser::{OfferedExam, POINTS_MAX, TITLE_CHARACTERS_MAX};
use super::login::refuse_inactive;
use super::page::LaunchPage;
use super::refusal::LaunchRefusal;
use super::staff::page_of;
use super::ticket::{ChoiceTicket, StaffPass};
use crate::auth::caller::Callers;
use crate::auth::cookie::Cookies;
use crate::auth::{cross_site, platform_account, token};
use crate::error::Error;
use crate::http::body::Body;
use crate::http::read_only;
use crate::store::lti;
use crate::store::school::find_zone;

/// Bytes of the form: what the platform wants back, and the choice.
const CHOICE_BYTES_MAX: usize = 256 * 1_024;
/// Exams that are placed at once.
const PLACED_MAX: usize = 50;

/// The form as it came.
#[derive(Default)]
struct ChoiceForm {
    ticket: String,
    data: String,
    items: Vec<LinkTarget>,
    /// What is to be looked at.
    look: Option<LinkTarget>,
    title: String,
    points: Option<u32>,
    opens: String,
    closes: String,
}

impl ChoiceForm {
    fn parse(encoded: &[u8]) -> Self {
        let mut form = Self::default();
        let mut is_back = false;
        for (name, value) in form_urlencoded::parse(encoded) {
            match &*name {
                "ticket" => form.ticket = value.into_owned(),
                "data" => form.data = value.into_owned(),
                "item" if form.items.len() < PLACED_MAX => form.items.extend(target(&value)),
                "look" => form.look = target(&value),
                "title" => form.title = value.trim().chars().take(TITLE_CHARACTERS_MAX).collect(),
                "points" => form.points = value.parse().ok().filter(|points| (1..=POINTS_MAX).contains(points)),
                "opens" => form.opens = value.into_owned(),
                "closes" => form.closes = value.into_owned(),
                "back" => is_back = true,
                _ => {}
            }
        }
        if is_back {
            form.items.clear();
        }
        form
    }

    /// What the platform is told of an exam: what the teacher has said, else what the sitting says.
    fn link(&self, exam: &OfferedExam, ticket: &ChoiceTicket, zone: &Zone) -> ChosenLink {
        let [available, submission] = exam.times();
        let (opens, closes) = (local(&self.opens, zone), local(&self.closes, zone));
        let is_title = !self.title.is_empty() && !ticket.accepts_multiple && !text::has_control(&self.title);
        ChosenLink {
            target: exam.target,
            title: if is_title { self.title.clone() } else { exam.name.clone() },
            available: (opens.or(available.0), closes.or(available.1)),
            submission: (opens.or(submission.0), closes.or(submission.1)),
            score_maximum: self.points.filter(|_| ticket.accepts_line_item),
        }
    }
}

/// `sitting:…` or `template:…`.
fn target(value: &str) -> Option<LinkTarget> {
    let (kind, id) = value.split_once(':')?;
    LinkTarget::parse(kind, id.parse().ok()?)
}

/// The moment of a local time as forms have it: `2027-01-10T09:00`.
fn local(text: &str, zone: &Zone) -> Option<Moment> {
    let (day, minute) = text.split_once('T')?;
    let seconds = if minute.len() == "09:00".len() { ":00" } else { "" };
    Wall::parse(&format!("{day} {minute}{seconds}")).map(|wall| zone.moment(wall))
}

/// Places what was chosen, or shows what is looked at.
pub async fn choose(
    request: HttpRequest,
    body: Result<Body<CHOICE_BYTES_MAX>, Error>,
    launches: Data<Launches>,
    cookies: Data<Cookies>,
    callers: Data<Callers>,
) -> HttpResponse {
    if read_only::is_on(&request) {
        return LaunchPage::of(&request, None).refused(LaunchRefusal::ReadOnly).await;
    }
    let opened = async {
        cross_site::refuse_foreign_page(&request).map_err(|_| LaunchRefusal::TicketOld)?;
        let Body(body) = body?;
        let form = ChoiceForm::parse(&body);
        let ticket = ChoiceTicket::open(&form.ticket, &cookies, launches.clock.now())?;
        let platform = lti::load_platform(&launches.database.read, ticket.platform_id).await?;
        let platform = platform.ok_or(LaunchRefusal::UnknownPlatform)?;
        Ok::<_, LaunchRefusal>((form, ticket, platform))
    };
    let (form, ticket, platform) = match opened.await {
        Ok(opened) => opened,
        Err(refusal) => return LaunchPage::of(&request, None).refused(refusal).await,
    };
    let page = LaunchPage::of(&request, Some(&platform)).in_language(ticket.locale.as_deref());
    let page = page.framed_by(&ticket.frame_origins);
    let chosen = async {
        refuse_inactive(&platform)?;
        if platform.deployment_state(&ticket.deployment_id) != Some(DeploymentState::Active) {
            return Err(LaunchRefusal::PendingDeployment);
        }
        if token::hash(&form.data) != ticket.data_hash {
            return Err(LaunchRefusal::TicketOld);
        }
        if let Some(target) = form.look {
            let Some((person_id, once)) = ticket.person_id.zip(ticket.look) else {
                return Err(LaunchRefusal::NoRights);
            };
            let pass = StaffPass { person_id, deployment_id: ticket.deployment_id.clone(), once };
            let path = page_of(target);
            return launches.enter_staff(&request, &pass, target, &path, &cookies, &callers).await;
        }
        let links = launches.chosen(&platform, &ticket, &form).await?;
        launches.place(&page, &platform, &ticket, &form.data, &links).await
    };
    match Box::pin(chosen).await {
        Ok(answer) => answer,
        Err(refusal) => page.refused(refusal).await,
    }
}

impl Launches {
    /// What was chosen, if it may be placed now: the form may name anything, and rights may have changed.
    async fn chosen(
        &self,
        platform: &Platform,
        ticket: &ChoiceTicket,
        form: &ChoiceForm,
    ) -> Result<Vec<ChosenLink>, LaunchRefusal> {
        if form.items.is_empty() {
            return Ok(Vec::new());
        }
        if form.items.len() > 1 && !ticket.accepts_multiple {
            return Err(LaunchRefusal::TakesNoLinks);
        }
        let person = self.chooser(ticket).await?;
        let offered = self.offered(&platform_account::chooser(person.as_ref(), platform)).await?;
        let zone = find_zone(&self.database.read).await?;
        let link = |target: &LinkTarget| {
            let exam = offered.iter().find(|exam| exam.target == *target).ok_or(LaunchRefusal::NoRights)?;
            Ok::<_, LaunchRefusal>(form.link(exam, ticket, &zone))
        };
        form.items.iter().map(link).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_read_and_turning_back_chooses_nothing() {
        let id = "00000000-0000-0000-0000-000000000007";
        let form = ChoiceForm::parse(format!("item=sitting:{id}&item=x&points=600&title=+Maths+&opens=").as_bytes());
        assert_eq!((form.items.len(), form.points, form.title.as_str()), (1, Some(600), "Maths"));
        assert_eq!(form.items[0].kind(), "sitting");
        for points in ["0", "-1", "1.5", "", "10001"] {
            assert_eq!(ChoiceForm::parse(format!("points={points}").as_bytes()).points, None, "{points}");
        }
        assert!(ChoiceForm::parse(format!("item=template:{id}&back=1").as_bytes()).items.is_empty());
    }

    #[test]
    fn local_times_are_those_of_the_school() {
        let zone = Zone::parse("Asia/Ho_Chi_Minh").unwrap();
        let expected = Moment::parse("2027-01-10T02:00:00Z");
        assert_eq!(local("2027-01-10T09:00", &zone), expected);
        assert_eq!(local("2027-01-10T09:00:00", &zone), expected);
        assert_eq!((local("", &zone), local("2027-01-10", &zone)), (None, None));
    }
}
