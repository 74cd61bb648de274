//! Events, venues and organizers in the vocabulary of schema.org, which search engines read.

use domain::calendar::cost::Cost;
use domain::calendar::zones::Zone;
use serde::Serialize;

use super::values::is_empty;
use crate::calendar::answer::site::Site;
use crate::calendar::store::records::{FullEvent, Organizer, RecordKind, Venue};

/// The vocabulary of the terms.
const CONTEXT: &str = "http://schema.org";

#[derive(Serialize)]
pub struct EventData<'a> {
    #[serde(rename = "@context")]
    context: &'static str,
    #[serde(rename = "@type")]
    kind: &'static str,
    name: &'a str,
    description: String,
    url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<&'a str>,
    #[serde(rename = "eventAttendanceMode")]
    attendance: &'static str,
    #[serde(rename = "eventStatus")]
    status: &'static str,
    #[serde(rename = "startDate")]
    starts: String,
    #[serde(rename = "endDate")]
    ends: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<PlaceData<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    organizer: Option<PersonData<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    offers: Option<Offer>,
    performer: &'static str,
}

#[derive(Serialize)]
pub struct PlaceData<'a> {
    #[serde(rename = "@type")]
    kind: &'static str,
    name: &'a str,
    description: String,
    url: String,
    address: Address<'a>,
    telephone: &'a str,
    #[serde(rename = "sameAs")]
    website: &'a str,
}

#[derive(Serialize)]
struct Address<'a> {
    #[serde(rename = "@type")]
    kind: &'static str,
    #[serde(rename = "streetAddress", skip_serializing_if = "is_empty")]
    street: &'a str,
    #[serde(rename = "addressLocality", skip_serializing_if = "is_empty")]
    city: &'a str,
    #[serde(rename = "addressRegion", skip_serializing_if = "is_empty")]
    region: &'a str,
    #[serde(rename = "postalCode", skip_serializing_if = "is_empty")]
    code: &'a str,
    #[serde(rename = "addressCountry", skip_serializing_if = "is_empty")]
    country: &'a str,
}

#[derive(Serialize)]
pub struct PersonData<'a> {
    #[serde(rename = "@type")]
    kind: &'static str,
    name: &'a str,
    description: String,
    url: String,
    telephone: &'a str,
    email: &'a str,
    #[serde(rename = "sameAs")]
    website: &'a str,
}

#[derive(Serialize)]
struct Offer {
    #[serde(rename = "@type")]
    kind: &'static str,
    price: String,
    #[serde(rename = "priceCurrency")]
    currency: &'static str,
    url: String,
    category: &'static str,
    availability: &'static str,
    #[serde(rename = "validFrom")]
    valid_from: String,
}

/// The event with its venue and its first organizer. `website` is the event's own, which its price refers to.
#[must_use]
pub fn event<'a>(full: &'a FullEvent, cost: &Cost, website: &str, site: &Site) -> EventData<'a> {
    let fields = &full.event.content.fields;
    let zone = Zone::of_record(&fields.timezone);
    EventData {
        context: CONTEXT,
        kind: "Event",
        name: &fields.title,
        description: escaped(if fields.excerpt.is_empty() { &fields.description } else { &fields.excerpt }),
        url: site.event(&full.event),
        image: fields.image.as_deref(),
        attendance: "https://schema.org/OfflineEventAttendanceMode",
        status: "https://schema.org/EventScheduled",
        starts: zone.iso(fields.times.start_moment),
        ends: zone.iso(fields.times.end_moment),
        location: full.venue.as_ref().map(|venue| place(venue, site)),
        organizer: full.organizers.first().map(|organizer| person(organizer, site)),
        offers: offer(full, cost, website),
        performer: "Organization",
    }
}

#[must_use]
pub fn place<'a>(venue: &'a Venue, site: &Site) -> PlaceData<'a> {
    let fields = &venue.content.fields;
    let address = Address {
        kind: "PostalAddress",
        street: &fields.address,
        city: &fields.city,
        region: &fields.state_province,
        code: &fields.zip,
        country: &fields.country,
    };
    PlaceData {
        kind: "Place",
        name: &fields.name,
        description: escaped(&fields.description),
        url: site.linked(RecordKind::Venue, venue),
        address,
        telephone: &fields.phone,
        website: &fields.website,
    }
}

#[must_use]
pub fn person<'a>(organizer: &'a Organizer, site: &Site) -> PersonData<'a> {
    let fields = &organizer.content.fields;
    PersonData {
        kind: "Person",
        name: &fields.name,
        description: escaped(&fields.description),
        url: site.linked(RecordKind::Organizer, organizer),
        telephone: &fields.phone,
        email: &fields.email,
        website: &fields.website,
    }
}

/// Escapes HTML so that it is text. Every `&` in it begins an entity already and is left alone.
fn escaped(html: &str) -> String {
    html.replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#039;")
}

fn offer(full: &FullEvent, cost: &Cost, website: &str) -> Option<Offer> {
    let price = cost.values.first()?.clone();
    let zone = Zone::of_record(&full.event.content.fields.timezone);
    Some(Offer {
        kind: "Offer",
        price,
        currency: "USD",
        url: website.to_owned(),
        category: "primary",
        availability: "inStock",
        valid_from: zone.iso(full.event.content.published_at),
    })
}
