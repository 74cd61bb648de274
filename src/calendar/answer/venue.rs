//! The JSON of a venue. Keys without a value are left out, as in the original.

use serde::Serialize;

use super::json_ld::{self, PlaceData};
use super::values::{Dates, Image, is_empty};
use crate::calendar::answer::site::Site;
use crate::calendar::store::records::{RecordKind, Venue};

#[derive(Serialize)]
pub struct VenueView<'a> {
    id: i64,
    author: String,
    status: &'static str,
    #[serde(flatten)]
    dates: Dates,
    url: String,
    venue: &'a str,
    #[serde(skip_serializing_if = "is_empty")]
    description: &'a str,
    slug: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<Image<'a>>,
    #[serde(skip_serializing_if = "is_empty")]
    address: &'a str,
    #[serde(skip_serializing_if = "is_empty")]
    city: &'a str,
    #[serde(skip_serializing_if = "is_empty")]
    country: &'a str,
    #[serde(skip_serializing_if = "is_empty")]
    province: &'a str,
    #[serde(skip_serializing_if = "is_empty")]
    state: &'a str,
    #[serde(skip_serializing_if = "is_empty")]
    zip: &'a str,
    #[serde(skip_serializing_if = "is_empty")]
    phone: &'a str,
    #[serde(skip_serializing_if = "is_empty")]
    website: &'a str,
    #[serde(skip_serializing_if = "is_empty")]
    stateprovince: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    geo_lat: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    geo_lng: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    json_ld: Option<PlaceData<'a>>,
    show_map: bool,
    show_map_link: bool,
    global_id: String,
    global_id_lineage: [String; 1],
}

impl<'a> VenueView<'a> {
    /// The venue as a list shows it, or, if it is requested alone, with `json_ld`.
    #[must_use]
    pub fn of(venue: &'a Venue, site: &Site, is_single: bool) -> Self {
        let fields = &venue.content.fields;
        let global_id = site.global_id(venue.id);
        Self {
            id: venue.id,
            author: venue.content.author.to_string(),
            status: venue.content.status.name(),
            dates: Dates::of(venue),
            url: site.linked(RecordKind::Venue, venue),
            venue: &fields.name,
            description: &fields.description,
            slug: &venue.slug,
            image: Image::of(fields.image.as_deref()),
            address: &fields.address,
            city: &fields.city,
            country: &fields.country,
            province: &fields.province,
            state: &fields.state,
            zip: &fields.zip,
            phone: &fields.phone,
            website: &fields.website,
            stateprovince: &fields.state_province,
            geo_lat: fields.place.map(|place| place.latitude),
            geo_lng: fields.place.map(|place| place.longitude),
            json_ld: is_single.then(|| json_ld::place(venue, site)),
            show_map: fields.shows_map,
            show_map_link: fields.shows_map_link,
            global_id_lineage: [global_id.clone()],
            global_id,
        }
    }
}
