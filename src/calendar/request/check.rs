//! The checks of parameters, in the order of the original: first what is missing, then all rules together, then all
//! types together. Each step reports all its faults at once. What passes is kept as its rule parsed it.

use domain::calendar::rights::Rights;
use domain::time::moment::Moment;
use serde_json::Value;

use super::parameters::Parameters;
use super::parsed::{ParsedValue, ParsedValues, Wanted};
use super::rules;
use super::sent::SentParameters;
use super::table::{Parameter, ValueRule};
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

/// Checks and parses all parameters of a request: 400 `rest_missing_callback_param` or 400 `rest_invalid_param`.
pub async fn check(sent: SentParameters, scene: &Scene<'_>) -> Result<Parameters, CalendarError> {
    let table = sent.table;
    let is_missing = |parameter: &&Parameter| table.needs(parameter) && sent.value_of(parameter).is_none();
    let missing: Vec<&'static str> = table.iter().filter(is_missing).map(|parameter| parameter.name).collect();
    if !missing.is_empty() {
        return Err(CalendarError::missing(missing));
    }
    let (place, values) = parse(&sent, scene).await?;
    let mistyped: Vec<ParameterFault> = table
        .fields
        .iter()
        .filter(|parameter| parameter.is_typed)
        .filter_map(|parameter| mistyped(&sent, parameter))
        .collect();
    if mistyped.is_empty() { Ok(Parameters::new(sent, place, values)) } else { Err(CalendarError::invalid(mistyped)) }
}

/// Parses the value in the path and all others by their rules, and looks up the records that they name.
async fn parse(sent: &SentParameters, scene: &Scene<'_>) -> Result<(Option<ParsedValue>, ParsedValues), CalendarError> {
    let (mut place, mut values) = (None, ParsedValues::default());
    let mut broken = Vec::new();
    for parameter in sent.table.iter() {
        let Some(value) = sent.value_of(parameter) else { continue };
        match rules::parse(parameter.rule, value, scene.rights, scene.now) {
            Some(parsed) if scene.has(parameter.rule, &parsed).await? => {
                if sent.table.is_place(parameter) {
                    place = Some(parsed);
                } else {
                    values.insert(parameter.name, parsed);
                }
            }
            _ => {
                let detail = (parameter.rule == ValueRule::Ticketed).then(|| (TICKETS.0, TICKETS.1.to_owned()));
                broken.push(ParameterFault { name: parameter.name, detail });
            }
        }
    }
    if broken.is_empty() { Ok((place, values)) } else { Err(CalendarError::invalid(broken)) }
}

/// Checks every value that was sent, even one that another source overrides.
fn mistyped(sent: &SentParameters, parameter: &'static Parameter) -> Option<ParameterFault> {
    let is_unsent = |value: &Value| value.is_null() && sent.table.ignores_null(parameter);
    let is_wrong = sent.all(parameter.name).any(|value| !is_unsent(value) && !parameter.has_type(value));
    let message = || format!("{} is not of type {}.", parameter.name, parameter.json_type.name());
    is_wrong.then(|| ParameterFault { name: parameter.name, detail: Some(("rest_invalid_type", message())) })
}

impl Scene<'_> {
    /// Returns whether the database has the records that a value names.
    async fn has(&self, rule: ValueRule, value: &ParsedValue) -> Result<bool, CalendarError> {
        Ok(match (rule, value) {
            (ValueRule::Author, ParsedValue::Number(number)) => authors::exists(self.database, *number).await?,
            (ValueRule::Place(kind @ (RecordKind::Venue | RecordKind::Organizer)), ParsedValue::Number(number)) => {
                self.are(kind, &[*number]).await?
            }
            (ValueRule::PlaceSlug(kind), ParsedValue::Text(slug)) => self.has_slug(kind, slug).await?,
            (ValueRule::PlaceTerm(taxonomy), ParsedValue::Number(number)) => {
                terms::find(self.database, taxonomy, *number).await?.is_some()
            }
            (ValueRule::Event, ParsedValue::Number(number)) => self.are(RecordKind::Event, &[*number]).await?,
            (ValueRule::Records(kind), ParsedValue::Numbers(numbers)) => self.are(kind, numbers).await?,
            (ValueRule::Venue, ParsedValue::Links(links)) => self.are(RecordKind::Venue, &numbers_of(links)).await?,
            (ValueRule::Organizers, ParsedValue::Links(links)) => {
                self.are(RecordKind::Organizer, &numbers_of(links)).await?
            }
            (ValueRule::Terms(taxonomy), ParsedValue::Items(items)) => self.are_terms(taxonomy, items).await?,
            (ValueRule::Parent | ValueRule::ParentOrNone, ParsedValue::Number(number)) if *number != 0 => {
                terms::find(self.database, Taxonomy::Category, *number).await?.is_some()
            }
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

    /// Returns whether a record has the slug in the path. The event of an update is looked up only after the caller's
    /// rights are checked.
    async fn has_slug(&self, kind: RecordKind, slug: &str) -> Result<bool, CalendarError> {
        Ok(match kind {
            RecordKind::Event => self.verb == Verb::Update || events::has_slug(self.database, slug).await?,
            RecordKind::Venue => find_by_slug::<Venues>(self.database, slug).await?.is_some(),
            RecordKind::Organizer => find_by_slug::<Organizers>(self.database, slug).await?.is_some(),
        })
    }
}

fn numbers_of(links: &[Wanted]) -> Vec<i64> {
    let number = |link: &Wanted| if let Wanted::Number(number) = link { Some(*number) } else { None };
    links.iter().filter_map(number).collect()
}
