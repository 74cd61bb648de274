//! The routes of categories and tags. One set of functions serves both, since only categories have parents.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderValue, LOCATION};
use domain::calendar::{rendering, slug, values, words};

use super::about::index::items;
use super::answer::error::{CalendarError, ParameterFault};
use super::answer::page::{self, Collection, Query};
use super::answer::term::TermView;
use super::request::parameters::Parameters;
use super::request::parsed::ParsedValues;
use super::request::routes::{Group, Verb};
use super::store::records::{PlacedTerm, Taxonomy};
use super::store::terms::{self, NewTerm, TermChange, TermFilter, TermOrder, TermRefusal};
use super::{CalendarRequest, respond};

/// `GET` of a list.
pub async fn list(asked: &CalendarRequest<'_>, taxonomy: Taxonomy) -> Result<HttpResponse, CalendarError> {
    let (parameters, values) = (asked.parameters, &asked.parameters.values);
    let page = page::page(parameters);
    // The rule accepts slugs too, but only numbers include or exclude a term.
    let numbers = |name: &str| {
        values.items(name).map(|items| items.iter().filter_map(|item| item.parse().ok()).collect::<Vec<i64>>())
    };
    let filter = TermFilter {
        taxonomy,
        search: values.text("search").map(words::for_terms),
        include: numbers("include"),
        exclude: numbers("exclude").unwrap_or_default(),
        hides_empty: values.truth("hide_empty").unwrap_or(true),
        parent: values.number("parent").filter(|_| taxonomy == Taxonomy::Category),
        event: values.number("event").or_else(|| values.number("post")),
        // A slug with commas names no term. What is left of it as a slug might name one by accident.
        slug: values.text("slug").map(|sent| if sent.contains(',') { sent.to_owned() } else { slug::of(sent) }),
        order: order(values),
        is_descending: values.text("order").is_some_and(|order| !order.eq_ignore_ascii_case("asc")),
    };
    let listed = terms::list(&asked.calendar.database, &filter, page).await?;
    let group = Group::Terms(taxonomy);
    let views = listed.items.iter().map(|term| TermView::of(term, asked.site, false)).collect();
    Ok(Collection::new(group, &asked.site.list(group), &query(parameters, page.number), page, listed.total, views)
        .respond())
}

/// The attribute that sorts the list. An unknown one means the name, as in the original.
fn order(values: &ParsedValues) -> TermOrder {
    match values.text("orderby").unwrap_or_default().to_ascii_lowercase().as_str() {
        "id" => TermOrder::Id,
        "slug" => TermOrder::Slug,
        "count" => TermOrder::Count,
        "description" => TermOrder::Description,
        "include" => TermOrder::Include,
        _ => TermOrder::Name,
    }
}

/// The filters for links. The list's own link names none; links to other pages repeat what was sent.
fn query(parameters: &Parameters, page: u64) -> Query {
    let mut query = Query { is_bare: true, ..Query::default() };
    query.add("page", Some(page.to_string()));
    for field in parameters.known().iter().filter(|field| field.name != "page") {
        let is_list = items(field).is_some();
        query.add(field.name, if is_list { parameters.echo_list(field.name) } else { parameters.echo(field.name) });
    }
    query
}

/// `POST` of a list.
pub async fn create(asked: &CalendarRequest<'_>, taxonomy: Taxonomy) -> Result<HttpResponse, CalendarError> {
    refuse_parent(asked, taxonomy)?;
    let sent = &asked.parameters.values;
    let new = NewTerm {
        taxonomy,
        name: name(sent)?.unwrap_or_default(),
        slug: slug_sent(sent),
        description: sent.text("description").map(rendering::term_description).unwrap_or_default(),
        parent: sent.number("parent").filter(|parent| *parent != 0),
    };
    let term = terms::create(&asked.calendar.database, &new)
        .await?
        .map_err(|refusal| refused(refusal, new.parent.is_none()))?;
    let mut response = respond(StatusCode::CREATED, &TermView::of(&term, asked.site, true));
    if let Ok(location) = HeaderValue::try_from(asked.site.core_term(taxonomy, term.term.id)) {
        response.headers_mut().insert(LOCATION, location);
    }
    Ok(response)
}

/// The other methods of a single term.
pub async fn one(asked: &CalendarRequest<'_>, taxonomy: Taxonomy, verb: Verb) -> Result<HttpResponse, CalendarError> {
    let database = &asked.calendar.database;
    let id = asked.parameters.place_number();
    let term = match verb {
        Verb::Read => terms::find(database, taxonomy, id).await?,
        Verb::Delete => terms::delete(database, taxonomy, id).await?,
        Verb::Create | Verb::Update => Some(update(asked, taxonomy, id).await?),
    };
    let term = term.ok_or_else(|| CalendarError::invalid(vec![ParameterFault::of("id")]))?;
    Ok(respond(StatusCode::OK, &TermView::of(&term, asked.site, verb != Verb::Delete)))
}

async fn update(asked: &CalendarRequest<'_>, taxonomy: Taxonomy, id: i64) -> Result<PlacedTerm, CalendarError> {
    refuse_parent(asked, taxonomy)?;
    let sent = &asked.parameters.values;
    let change = TermChange {
        name: name(sent)?,
        slug: slug_sent(sent).map(|slug| if slug.is_empty() { id.to_string() } else { slug }),
        description: sent.text("description").map(rendering::term_description),
        parent: sent.number("parent").map(|parent| Some(parent).filter(|parent| *parent != 0)),
    };
    terms::update(&asked.calendar.database, taxonomy, id, &change).await?.map_err(|refusal| refused(refusal, true))
}

fn name(sent: &ParsedValues) -> Result<Option<String>, CalendarError> {
    let Some(name) = sent.text("name") else { return Ok(None) };
    if values::is_blank(name) {
        return Err(CalendarError::new(StatusCode::BAD_REQUEST, "empty_content", "A name is required for this term."));
    }
    Ok(Some(values::term_name(name)))
}

/// The slug that was sent, in the form of slugs. If nothing of it is left it is empty, and the term's number is used.
fn slug_sent(sent: &ParsedValues) -> Option<String> {
    sent.text("slug").map(slug::of)
}

fn refuse_parent(asked: &CalendarRequest<'_>, taxonomy: Taxonomy) -> Result<(), CalendarError> {
    if taxonomy == Taxonomy::Tag && asked.parameters.has("parent") {
        let message = "Cannot set parent term, taxonomy is not hierarchical.";
        return Err(CalendarError::new(StatusCode::BAD_REQUEST, "rest_taxonomy_not_hierarchical", message));
    }
    Ok(())
}

fn refused(refusal: TermRefusal, is_top_level: bool) -> CalendarError {
    match refusal {
        TermRefusal::Exists(term) => CalendarError::term_exists(term, is_top_level),
        TermRefusal::SlugTaken => CalendarError::new(
            StatusCode::BAD_REQUEST,
            "duplicate_term_slug",
            "The slug is already in use by another term.",
        ),
        TermRefusal::BelowItself => CalendarError::invalid(vec![ParameterFault::of("parent")]),
        TermRefusal::Unknown => CalendarError::invalid(vec![ParameterFault::of("id")]),
    }
}
