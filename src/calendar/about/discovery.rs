//! Shows clients that know only the site where the calendar is: by headers of the site's pages, and by elements in
//! them. The interface itself does not have them.

use actix_web::Error;
use actix_web::body::{BoxBody, MessageBody, to_bytes};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::{ACCEPT_ENCODING, HeaderName, HeaderValue, LINK};
use actix_web::middleware::Next;
use actix_web::web::Data;
use domain::calendar::values::escaped;

use crate::calendar::Calendar;
use crate::calendar::answer::headers::rest_link;
use crate::calendar::answer::site::Site;

const VERSION: &str = "v1";
/// The tag before which the elements are inserted.
const END_OF_HEAD: &str = "</head>";

/// Middleware that adds the calendar's address to a page.
pub async fn announce<B>(
    calendar: Data<Calendar>,
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error>
where
    B: MessageBody + 'static,
{
    let site = Site::of(request.request(), &calendar.config);
    // Nothing can be put into a compressed page. A page is small, and its scripts are files of their own.
    request.headers_mut().remove(ACCEPT_ENCODING);
    let mut response = next.call(request).await?;
    let said = [
        ("x-tec-api-version", VERSION.to_owned()),
        ("x-tec-api-root", format!("{}/", site.api)),
        ("x-tec-api-origin", site.url.clone()),
    ];
    for (name, value) in said {
        // The host comes from the request. One that no header can hold is left out.
        if let Ok(value) = HeaderValue::try_from(value) {
            response.headers_mut().insert(HeaderName::from_static(name), value);
        }
    }
    if let Some(link) = rest_link(&site.rest_root) {
        // Added, since a page may name its own files in such a header too.
        response.headers_mut().append(LINK, link);
    }
    if response.status() != StatusCode::OK {
        return Ok(response.map_into_boxed_body());
    }
    let (request, response) = response.into_parts();
    let (head, page) = response.into_parts();
    let page = to_bytes(page).await.map_err(Into::into)?;
    let page = String::from_utf8_lossy(&page).replacen(END_OF_HEAD, &format!("{}{END_OF_HEAD}", elements(&site)), 1);
    Ok(ServiceResponse::new(request, head.set_body(page).map_into_boxed_body()))
}

fn elements(site: &Site) -> String {
    let (origin, api) = (escaped(&site.url), escaped(&site.api));
    format!(
        "  <meta name=\"tec-api-version\" content=\"{VERSION}\" />\n    <meta name=\"tec-api-origin\" content=\"{origin}\" />\n    \
         <link rel=\"alternate\" href=\"{api}/\" />\n  "
    )
}
