//! The page on which a teacher chooses an exam. It stands in a frame of the platform without a cookie, so it is one
//! page with one form, and a script that filters it.

use std::fmt::Write;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use domain::access::Identity;
use domain::calendar::values::escaped;
use domain::calendar::zones::Zone;
use domain::grade::Grade;
use domain::lti::link::LinkTarget;
use domain::sitting::Sitting;
use domain::sitting::values::StartRule;
use domain::text::direction::isolated;
use domain::time::moment::Moment;

use super::Launches;
use super::page::{LaunchPage, LaunchPageParts, hidden};
use super::refusal::LaunchRefusal;
use super::ticket::ChoiceTicket;
use super::words::LaunchWords;
use crate::auth::cookie::Cookies;
use crate::sittings::may_manage;
use crate::store::school::find_zone;
use crate::store::sittings;
use crate::store::templates::{load_headers, load_summaries};

/// Sittings that are looked through, those that start last.
const SITTINGS_MAX: u64 = 500;
/// Templates that are looked through, those that were changed last.
const TEMPLATES_MAX: u64 = 500;
/// Characters of a title that a teacher types.
pub const TITLE_CHARACTERS_MAX: usize = 200;
/// The most points of a column in a grade book.
pub const POINTS_MAX: u32 = 10_000;
/// What a column has if nobody says anything else.
const POINTS: u32 = 100;
/// Of a local time, what a field of a form takes: up to its minutes.
const MINUTE_BYTES: usize = 16;
const STYLES: &str = ".card{max-width:48rem}fieldset{display:grid;gap:.5rem;margin:0;padding:0;border:0}\
legend{font-weight:600;margin-bottom:.5rem}.item{display:grid;grid-template-columns:1fr auto;gap:.25rem 1rem;align-items:center;\
padding:.5rem .9rem;border:1.5px solid var(--edge);border-radius:var(--radius)}.item label{display:flex;gap:.6rem;align-items:center}\
.item input{min-height:0;width:1.25rem;height:1.25rem}.item p{margin:0;grid-column:1}.item button{grid-row:1/span 2;grid-column:2}\
.fields{display:grid;grid-template-columns:repeat(auto-fit,minmax(14rem,1fr));gap:1rem}";
/// Filters by name, whatever the accents of what is typed.
const FILTER: &str = "(() => {
const plain = (text) => text.normalize('NFD').replace(/\\p{M}/gu, '').replace(/đ/gi, 'd').toLowerCase();
const items = [...document.querySelectorAll('.item')];
const none = document.getElementById('none');
document.getElementById('search').addEventListener('input', ({ target }) => {
  const wanted = plain(target.value).split(/\\s+/);
  for (const item of items) item.hidden = !wanted.every((word) => plain(item.dataset.name).includes(word));
  none.hidden = items.some((item) => !item.hidden);
});
})();";

/// Something that can be chosen.
pub struct OfferedExam {
    pub target: LinkTarget,
    pub name: String,
    grades: Vec<Grade>,
    minutes: u32,
    /// The sitting, if it is one.
    pub sitting: Option<Sitting>,
}

impl OfferedExam {
    /// From when to when its link may be followed, and work is handed in, as far as the sitting says.
    #[must_use]
    pub fn times(&self) -> [(Option<Moment>, Option<Moment>); 2] {
        let Some(plan) = self.sitting.as_ref().map(|sitting| &sitting.plan) else {
            return [(None, None); 2];
        };
        let ends_at = plan.ends_at.or(plan.entry_until);
        [(Some(plan.doors_at()), ends_at), (Some(plan.starts_at), ends_at)]
    }

    /// How a form names it.
    fn value(&self) -> String {
        format!("{}:{}", self.target.kind(), self.target.id())
    }
}

impl Launches {
    /// What a member of the staff of a platform may place: of their grades the sittings that have not ended, the next
    /// one first, then the templates.
    pub(super) async fn offered(&self, staff: &Identity) -> Result<Vec<OfferedExam>, LaunchRefusal> {
        let mut all = sittings::load_last(&self.database, SITTINGS_MAX).await?;
        all.retain(|sitting| sitting.ended_at.is_none());
        all.sort_by_key(|sitting| (sitting.plan.starts_at, sitting.id));
        let headers = load_headers(&self.database, all.iter().map(|sitting| sitting.template_id)).await?;
        let of_sitting = |sitting: Sitting| {
            let template = headers.get(&sitting.template_id)?;
            may_manage(staff, &template.grades).then(|| OfferedExam {
                target: LinkTarget::Sitting(sitting.id),
                name: sitting.plan.name.clone(),
                grades: template.grades.clone(),
                minutes: template.duration_minutes,
                sitting: Some(sitting),
            })
        };
        let mut offered: Vec<OfferedExam> = all.into_iter().filter_map(of_sitting).collect();
        let templates = load_summaries(&self.database, TEMPLATES_MAX).await?;
        let theirs = templates.into_iter().filter(|template| may_manage(staff, &template.grades));
        offered.extend(theirs.map(|template| OfferedExam {
            target: LinkTarget::Template(template.id),
            name: template.name,
            grades: template.grades,
            minutes: template.duration_minutes,
            sitting: None,
        }));
        Ok(offered)
    }

    /// Shows what can be chosen.
    pub(super) async fn show_choice(
        &self,
        page: &LaunchPage<'_>,
        cookies: &Cookies,
        ticket: ChoiceTicket,
        data: &str,
        title: Option<&str>,
        offered: &[OfferedExam],
    ) -> Result<HttpResponse, LaunchRefusal> {
        let words = page.words();
        let zone = find_zone(&self.database.read).await?;
        let (is_one, has_column, may_look) =
            (!ticket.accepts_multiple, ticket.accepts_line_item, ticket.look.is_some());
        let tickets =
            format!("{}{}", hidden("ticket", &ticket.sealed(cookies, self.clock.now())?), hidden("data", data));
        let back = format!("<button class=\"button\" name=\"back\" value=\"1\" formnovalidate>{}</button>", words.back);
        let main = if offered.is_empty() {
            format!("<p>{}</p><div class=\"row\">{back}</div>", words.nothing_to_choose)
        } else {
            let asks = if is_one { words.choose_one } else { words.choose_some };
            format!(
                "<p>{asks}</p><label>{}<input type=\"search\" id=\"search\" autocomplete=\"off\"></label>{}<p id=\"none\" hidden>{}</p>{}\
<div class=\"row\"><button class=\"button main\">{}</button>{back}</div>",
                words.search,
                items(offered, (is_one, may_look), words, &zone),
                words.none_found,
                fields(is_one, has_column, title, words),
                words.place,
            )
        };
        let mut body = format!("<form class=\"stack\" method=\"post\" action=\"/lti/choice\">{tickets}{main}</form>");
        if may_look {
            let _ = write!(
                body,
                "<form id=\"look\" method=\"post\" action=\"/lti/choice\" target=\"_blank\">{tickets}</form>"
            );
        }
        let script = if offered.is_empty() { "" } else { FILTER };
        let parts = LaunchPageParts { styles: STYLES, script, ..LaunchPageParts::default() };
        Ok(page.shown(StatusCode::OK, words.choose, &body, parts).await)
    }
}

fn items(offered: &[OfferedExam], can: (bool, bool), words: &LaunchWords, zone: &Zone) -> String {
    let mut html = String::new();
    let (sittings, templates): (Vec<_>, Vec<_>) = offered.iter().partition(|exam| exam.sitting.is_some());
    for (legend, exams) in [(words.sittings, sittings), (words.templates, templates)] {
        if exams.is_empty() {
            continue;
        }
        let _ = write!(html, "<fieldset><legend>{legend}</legend>");
        for exam in exams {
            let _ = write!(html, "{}", item(exam, can, words, zone));
        }
        html.push_str("</fieldset>");
    }
    html
}

/// One of what can be chosen: whether it is the only one, and whether it may be looked at.
fn item(exam: &OfferedExam, (is_one, may_look): (bool, bool), words: &LaunchWords, zone: &Zone) -> String {
    let (kind, required) = if is_one { ("radio", " required") } else { ("checkbox", "") };
    let (name, value) = (escaped(&isolated(&exam.name)), exam.value());
    let grades: Vec<String> = exam.grades.iter().map(|grade| grade.number().to_string()).collect();
    let mut facts =
        vec![format!("{} {}", words.grades, grades.join(", ")), format!("{} {}", exam.minutes, words.minutes)];
    if let Some(sitting) = &exam.sitting {
        facts.push(clock(zone, sitting.plan.starts_at));
        facts.extend(sitting.plan.ends_at.map(|ends_at| format!("{} {}", words.ends, clock(zone, ends_at))));
        facts.extend((sitting.plan.start == StartRule::Own).then(|| words.own_start.to_owned()));
    }
    let look = if may_look {
        format!("<button class=\"button\" form=\"look\" name=\"look\" value=\"{value}\">{}</button>", words.look)
    } else {
        String::new()
    };
    format!(
        "<div class=\"item\" data-name=\"{name}\"><label><input type=\"{kind}\" name=\"item\" value=\"{value}\"{required}>{name}</label>\
<p class=\"small\">{}</p>{look}</div>",
        escaped(&facts.join(" · ")),
    )
}

/// What the teacher may say of what is placed: its name if it is one, its points, and its times.
fn fields(is_one: bool, has_column: bool, title: Option<&str>, words: &LaunchWords) -> String {
    let mut html = String::from("<div class=\"fields\">");
    if is_one {
        let _ = write!(
            html,
            "<label>{}<input name=\"title\" maxlength=\"{TITLE_CHARACTERS_MAX}\" value=\"{}\"></label>",
            words.title,
            escaped(title.unwrap_or_default()),
        );
    }
    if has_column {
        let _ = write!(
            html,
            "<label>{}<input name=\"points\" type=\"number\" min=\"1\" max=\"{POINTS_MAX}\" step=\"1\" value=\"{POINTS}\"><span class=\"small\">{}</span></label>",
            words.points, words.points_hint,
        );
    }
    for (name, label) in [("opens", words.opens), ("closes", words.closes)] {
        let _ = write!(html, "<label>{label}<input name=\"{name}\" type=\"datetime-local\"></label>");
    }
    html.push_str("</div>");
    html
}

/// A moment by the school's clock, to the minute.
fn clock(zone: &Zone, moment: Moment) -> String {
    let text = zone.wall(moment).text();
    format!("{} {}", text.get(..MINUTE_BYTES).unwrap_or(&text), zone.abbreviation(moment))
}
