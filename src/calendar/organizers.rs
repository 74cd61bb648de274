//! The parts of linked records that only organizers have: their fields and their JSON.

use super::answer::organizer::OrganizerView;
use super::answer::site::Site;
use super::draft::{description, detail, image, link, title};
use super::linked_posts::Presented;
use super::request::parsed::ParsedValues;
use super::store::Organizers;
use super::store::records::{Organizer, OrganizerFields};

impl Presented for Organizers {
    type View<'a> = OrganizerView<'a>;
    const NAME: &'static str = "organizer";
    const NOT_ACCESSIBLE: &'static str = "organizer-not-accessible";
    const IN_TRASH: &'static str = "organizer-is-in-trash";

    fn view<'a>(organizer: &'a Organizer, site: &Site, is_single: bool) -> OrganizerView<'a> {
        OrganizerView::of(organizer, site, is_single)
    }

    fn fields(sent: &ParsedValues, kept: Option<&OrganizerFields>) -> OrganizerFields {
        OrganizerFields {
            name: title(sent, Self::NAME, kept.map(|kept| &kept.name)),
            description: description(sent, kept.map(|kept| &kept.description)),
            image: image(sent, kept.and_then(|kept| kept.image.as_ref())),
            phone: detail(sent, "phone", kept.map(|kept| &kept.phone)),
            website: link(sent, "website", kept.map(|kept| &kept.website)),
            email: detail(sent, "email", kept.map(|kept| &kept.email)),
        }
    }
}
