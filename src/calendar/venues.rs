//! The parts of linked records that only venues have: their fields and their JSON.

use domain::calendar::{values, venues};

use super::answer::site::Site;
use super::answer::venue::VenueView;
use super::draft::{description, detail, image, link, title};
use super::linked_posts::Presented;
use super::request::parsed::ParsedValues;
use super::store::Venues;
use super::store::records::{Coordinates, Venue, VenueFields};

impl Presented for Venues {
    type View<'a> = VenueView<'a>;
    const NAME: &'static str = "venue";
    const NOT_ACCESSIBLE: &'static str = "venue-not-accessible";
    const IN_TRASH: &'static str = "venue-is-in-trash";

    fn view<'a>(venue: &'a Venue, site: &Site, is_single: bool) -> VenueView<'a> {
        VenueView::of(venue, site, is_single)
    }

    fn fields(sent: &ParsedValues, kept: Option<&VenueFields>) -> VenueFields {
        let of = |name: &str, kept: Option<&String>| detail(sent, name, kept);
        let truth = |name: &str, kept: Option<bool>| sent.truth(name).or(kept).unwrap_or(true);
        let country = of("country", kept.map(|kept| &kept.country));
        let province = of("province", kept.map(|kept| &kept.province));
        let state = of("state", kept.map(|kept| &kept.state));
        let state_province = state_province(sent, kept, [&country, &state, &province]);
        VenueFields {
            name: title(sent, Self::NAME, kept.map(|kept| &kept.name)),
            description: description(sent, kept.map(|kept| &kept.description)),
            image: image(sent, kept.and_then(|kept| kept.image.as_ref())),
            address: of("address", kept.map(|kept| &kept.address)),
            city: of("city", kept.map(|kept| &kept.city)),
            zip: of("zip", kept.map(|kept| &kept.zip)),
            phone: of("phone", kept.map(|kept| &kept.phone)),
            website: link(sent, "website", kept.map(|kept| &kept.website)),
            shows_map: truth("show_map", kept.map(|kept| kept.shows_map)),
            shows_map_link: truth("show_map_link", kept.map(|kept| kept.shows_map_link)),
            place: place(sent, kept.and_then(|kept| kept.place)),
            country,
            province,
            state,
            state_province,
        }
    }
}

/// The value that was sent. Without one, it is derived again if a field that it depends on was sent, and otherwise
/// stays as it is.
fn state_province(sent: &ParsedValues, kept: Option<&VenueFields>, [country, state, province]: [&str; 3]) -> String {
    let is_touched = ["country", "state", "province"].into_iter().any(|name| sent.has(name));
    match (sent.text("stateprovince"), kept) {
        (Some(text), _) => values::plain(text),
        (None, Some(kept)) if !is_touched => kept.state_province.clone(),
        (None, _) => venues::stateprovince(country, state, province).to_owned(),
    }
}

/// The venue's coordinates. Both numbers are needed, so an empty one removes them.
fn place(sent: &ParsedValues, kept: Option<Coordinates>) -> Option<Coordinates> {
    let of = |name: &str, kept: Option<f64>| sent.degrees(name).unwrap_or(kept);
    let latitude = of("geo_lat", kept.map(|place| place.latitude))?;
    Some(Coordinates { latitude, longitude: of("geo_lng", kept.map(|place| place.longitude))? })
}
