//! The checks of parameters, in the order of the original: first what is missing, then all rules together, then all
//! types together. Each step reports all its faults at once.

use domain::calendar::rights::Rights;
use domain::calendar::slug;
use domain::time::moment::Moment;
use serde_json::Value;

use super::parameters::{Parameters, list_of, whole_number};
use super::table::{Parameter, ValueRule};
use super::{references, rules};
use crate::calendar::answer::error::{CalendarError, ParameterFault};
use crate::calendar::request::routes::Verb;
use crate::calendar::store::linked_posts::find_by_slug;
use crate::calendar::store::records::{RecordKind, Taxonomy};
use crate::calendar::store::{Organizers, Venues, authors, events, numbers, terms};
use crate::database::Database;

/// The error for `ticketed`, since there are no tickets here.
const TICKETS: (&str, &str) =
    ("event-tickets-not-active", "The ticketed parameter needs an extension that is not active.");

/// What the checks need to know beside the parameters.
pub struct Scene<'a> {
    pub database: &'a Database,
    pub rights: Rights,
    pub verb: Verb,
    pub now: Moment,
}

/// Checks all parameters of a request: 400 `rest_missing_callback_param` or 400 `rest_invalid_param`.
pub async fn check(parameters: &Parameters, scene: &Scene<'_>) -> Result<(), CalendarError> {
    let table = parameters.table;
    let is_missing = |parameter: &&Parameter| table.needs(parameter) && value_of(parameters, parameter).is_none();
    let missing: Vec<&'static str> = table.iter().filter(is_missing).map(|parameter| parameter.name).collect();
    if !missing.is_empty() {
        return Err(CalendarError::missing(missing));
    }
    let broken = broken_rules(parameters, scene).await?;
    if !broken.is_empty() {
        return Err(CalendarError::invalid(broken));
    }
    let mistyped: Vec<ParameterFault> = table
        .iter()
        .filter(|parameter| parameter.is_typed)
        .filter_map(|parameter| mistyped(parameters, parameter))
        .collect();
    if mistyped.is_empty() { Ok(()) } else { Err(CalendarError::invalid(mistyped)) }
}

async fn broken_rules(parameters: &Parameters, scene: &Scene<'_>) -> Result<Vec<ParameterFault>, CalendarError> {
    let mut broken = Vec::new();
    for parameter in parameters.table.iter() {
        let Some(value) = value_of(parameters, parameter) else { continue };
        let is_kept = rules::is_kept(parameter.rule, &value, scene.rights, scene.now)
            && scene.has(parameter.rule, &value).await?;
        if !is_kept {
            let detail = (parameter.rule == ValueRule::Ticketed).then(|| (TICKETS.0, TICKETS.1.to_owned()));
            broken.push(ParameterFault { name: parameter.name, detail });
        }
    }
    Ok(broken)
}

/// The value that was sent under the name, or the one in the path.
fn value_of(parameters: &Parameters, parameter: &Parameter) -> Option<Value> {
    let is_place = parameters.table.place.is_some_and(|place| std::ptr::eq(place, parameter));
    if is_place { parameters.place.clone().map(Value::String) } else { parameters.get(parameter.name).cloned() }
}

/// Checks every value that was sent, even one that another source overrides.
fn mistyped(parameters: &Parameters, parameter: &'static Parameter) -> Option<ParameterFault> {
    let is_wrong = parameters.all(parameter.name).any(|value| !parameter.has_type(value));
    let is_place = parameters.table.place.is_some_and(|place| std::ptr::eq(place, parameter));
    let message = || format!("{} is not of type {}.", parameter.name, parameter.json_type.name());
    (is_wrong && !is_place)
        .then(|| ParameterFault { name: parameter.name, detail: Some(("rest_invalid_type", message())) })
}

impl Scene<'_> {
    /// Whether the database has the records that a value names.
    async fn has(&self, rule: ValueRule, value: &Value) -> Result<bool, CalendarError> {
        Ok(match rule {
            ValueRule::Author => authors::exists(self.database, whole_number(value).unwrap_or_default()).await?,
            ValueRule::Place(kind @ (RecordKind::Venue | RecordKind::Organizer)) => {
                self.are(kind, &[whole_number(value).unwrap_or_default()]).await?
            }
            ValueRule::PlaceSlug(kind) => self.has_slug(kind, value.as_str().unwrap_or_default()).await?,
            ValueRule::PlaceTerm(taxonomy) => {
                terms::find(self.database, taxonomy, whole_number(value).unwrap_or_default()).await?.is_some()
            }
            ValueRule::Event => self.are(RecordKind::Event, &[whole_number(value).unwrap_or_default()]).await?,
            ValueRule::Records(kind) => {
                self.are(kind, &list_of(value).iter().filter_map(|item| item.parse().ok()).collect::<Vec<i64>>())
                    .await?
            }
            ValueRule::Venue => self.are(RecordKind::Venue, &wanted(references::venues(value, self.now))).await?,
            ValueRule::Organizers => {
                self.are(RecordKind::Organizer, &wanted(references::organizers(value, self.now))).await?
            }
            ValueRule::Terms(taxonomy) => self.are_terms(taxonomy, &list_of(value)).await?,
            // Other values pass here. The check of types refuses them.
            ValueRule::Parent | ValueRule::ParentOrNone => match whole_number(value) {
                None | Some(0) => true,
                Some(number) => terms::find(self.database, Taxonomy::Category, number).await?.is_some(),
            },
            _ => true,
        })
    }

    async fn are(&self, kind: RecordKind, numbers: &[i64]) -> Result<bool, CalendarError> {
        if numbers.is_empty() {
            return Ok(true);
        }
        let known = numbers::find_kinds(self.database, numbers).await?;
        Ok(numbers.iter().all(|number| known.get(number) == Some(&kind)))
    }

    async fn are_terms(&self, taxonomy: Taxonomy, items: &[String]) -> Result<bool, CalendarError> {
        let items: Vec<&str> = items.iter().map(String::as_str).collect();
        Ok(terms::find_ids(self.database, taxonomy, &items).await?.iter().all(Option::is_some))
    }

    /// Whether a record has the slug in the path. The event of an update is looked up only after the caller's rights
    /// are checked.
    async fn has_slug(&self, kind: RecordKind, sent: &str) -> Result<bool, CalendarError> {
        let slug = slug::of(sent);
        Ok(match kind {
            RecordKind::Event => self.verb == Verb::Update || events::has_slug(self.database, &slug).await?,
            RecordKind::Venue => find_by_slug::<Venues>(self.database, &slug).await?.is_some(),
            RecordKind::Organizer => find_by_slug::<Organizers>(self.database, &slug).await?.is_some(),
        })
    }
}

fn wanted(references: Option<Vec<references::Wanted>>) -> Vec<i64> {
    let number = |wanted: references::Wanted| match wanted {
        references::Wanted::Number(number) => Some(number),
        references::Wanted::Data(_) => None,
    };
    references.unwrap_or_default().into_iter().filter_map(number).collect()
}
