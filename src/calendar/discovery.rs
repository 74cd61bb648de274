//! How clients that know the site alone find the calendar: headers of its pages (`calendar-contract.md` 1). Answers of the
//! interface itself do not have them.

use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::web::Data;

use super::Calendar;
use super::site::Site;

/// Says on a page where the calendar is.
pub async fn announce<B: MessageBody>(calendar: Data<Calendar>, request: ServiceRequest, next: Next<B>) -> Result<ServiceResponse<B>, Error> {
    let site = Site::of(request.request(), &calendar.config);
    let mut response = next.call(request).await?;
    let said = [("x-tec-api-version", "v1".to_owned()), ("x-tec-api-root", format!("{}/", site.api)), ("x-tec-api-origin", site.url)];
    for (name, value) in said {
        // A host that no header can hold has been answered, and is not repeated.
        if let Ok(value) = HeaderValue::try_from(value) {
            response.headers_mut().insert(HeaderName::from_static(name), value);
        }
    }
    Ok(response)
}
