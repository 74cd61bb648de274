//! The JSON of an organizer. Keys without a value are left out, as in the original.

use serde::Serialize;

use super::json_ld::{self, PersonData};
use super::values::{Dates, Image, is_empty};
use crate::calendar::answer::site::Site;
use crate::calendar::store::records::{Organizer, RecordKind};

#[derive(Serialize)]
pub struct OrganizerView<'a> {
    id: i64,
    author: String,
    status: &'static str,
    #[serde(flatten)]
    dates: Dates,
    url: String,
    organizer: &'a str,
    #[serde(skip_serializing_if = "is_empty")]
    description: &'a str,
    slug: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<Image<'a>>,
    #[serde(skip_serializing_if = "is_empty")]
    phone: &'a str,
    #[serde(skip_serializing_if = "is_empty")]
    website: &'a str,
    #[serde(skip_serializing_if = "is_empty")]
    email: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    json_ld: Option<PersonData<'a>>,
    global_id: String,
    global_id_lineage: [String; 1],
}

impl<'a> OrganizerView<'a> {
    /// The organizer as a list shows it, or, if it is requested alone, with `json_ld`.
    #[must_use]
    pub fn of(organizer: &'a Organizer, site: &Site, is_single: bool) -> Self {
        let fields = &organizer.content.fields;
        let global_id = site.global_id(organizer.id);
        Self {
            id: organizer.id,
            author: organizer.content.author.to_string(),
            status: organizer.content.status.name(),
            dates: Dates::of(organizer),
            url: site.linked(RecordKind::Organizer, organizer),
            organizer: &fields.name,
            description: &fields.description,
            slug: &organizer.slug,
            image: Image::of(fields.image.as_deref()),
            phone: &fields.phone,
            website: &fields.website,
            email: &fields.email,
            json_ld: is_single.then(|| json_ld::person(organizer, site)),
            global_id_lineage: [global_id.clone()],
            global_id,
        }
    }
}
